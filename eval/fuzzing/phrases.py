"""What in a handbook's text tells its qualifiers: cells, titles, defined terms, names, amounts. No list of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from eval.policy import Edition, InForce
from index.lexical.words import tokens
from ingest.elements import Kind

_LONGEST_LABEL: Final = 5
"""Words of the longest cell or term that names something."""
_TERM: Final = re.compile(r"\*\*([^*\n]{2,60})\*\*|[\"“]([^\"”\n]{2,60})[\"”](?=\s+(?:means?|is|are|has|have)\b)")
_NAME: Final = re.compile(r"(?<=[a-z,;:)] )[A-Z][\w-]*(?:[ -][A-Z][\w-]*)*")
_SPELLED: Final = re.compile(r"\b([a-z]+(?:-[a-z]+)?) \((\d{1,3})\)")
_COUNTED: Final = re.compile(r"(?<![\d.,#])\d{1,3}(?:,\d{3})*\)?\s([^\W\d_]+)")
_TWICE: Final = 2
Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class Table:
    """What heads one table."""

    caption: tuple[str, ...]
    """Words as written, of its caption, else of its header row; without numbers."""
    stems: Stems
    """Of the caption and the header row."""


@lru_cache(maxsize=1 << 15)
def worded(text: str) -> tuple[str, ...]:
    """Stems of a text's words in order, without stop words and figures; editions share most of their texts."""
    return tuple(token for token in tokens(text) if not any(char.isdigit() for char in token))


def tables(edition: Edition) -> tuple[Table, ...]:
    """What heads each table of an edition, each heading once."""
    found = {caption: None for section in edition.sections for caption in _heads(section)}
    return tuple(_table(lines) for lines in found)


def labels(edition: Edition) -> Stems:
    """Words by which the rows of one table differ: of the first cells, those that do not stand in all of them."""
    found: set[str] = set()
    for section in edition.sections:
        for rows in _rows(section):
            firsts = [set(worded(cells[0])) for cells in rows if cells and len(cells[0].split()) <= _LONGEST_LABEL]
            found |= contrasts(firsts)
    return frozenset(found)


def contrasts(alternatives: Sequence[set[str]]) -> set[str]:
    """Words that some of the alternatives have and others have not; of one alternative, none."""
    if len(alternatives) < 2:
        return set()
    return set[str]().union(*alternatives) - alternatives[0].intersection(*alternatives)


def titles(edition: Edition) -> Stems:
    """Words by which titles of sibling sections differ that have another word in common: "Notice, Team" and so on."""
    found: set[str] = set()
    for document in edition.documents:
        siblings: dict[int | None, list[set[str]]] = {}
        for section in document.sections:
            siblings.setdefault(section.parent, []).append(set(worded(section.title)))
        for group in siblings.values():
            found |= {word for one in group for other in group if one & other and one != other for word in one - other}
    return frozenset(found)


def terms(edition: Edition) -> tuple[tuple[str, ...], ...]:
    """Defined terms as written, those of one section together."""
    return tuple(found for section in edition.sections if (found := tuple(dict.fromkeys(_terms(section.section.text)))))


def modifiers(groups: Iterable[Iterable[str]]) -> Stems:
    """Words that narrow a defined term: all but the last of those with several."""
    return frozenset(stem for group in groups for term in group for stem in worded(term)[:-1])


def heads_of_terms(groups: Iterable[Iterable[str]]) -> Stems:
    """Words that several defined terms end in: what these are about, "credit" of seat credit and service credit."""
    several = {stems for group in groups for term in group if len(stems := worded(term)) > 1}
    ends = Counter(stems[-1] for stems in several)
    return frozenset(stem for stem, times in ends.items() if times >= _TWICE)


def spelled(text: str) -> tuple[str, ...]:
    """The words of a term, lower case, one and many alike; "allowed" is not "allowance" here."""
    return tuple(word.removesuffix("s") for word in re.findall(r"[^\W\d_]+", text.lower()))


def names(edition: Edition) -> Counter[str]:
    """How often each word is capitalised within a sentence."""
    found: Counter[str] = Counter()
    for section in edition.sections:
        for name in _NAME.findall(_prose(section)):
            found.update(set(worded(name)))
    return found


def number_words(edition: Edition) -> frozenset[str]:
    """Numbers in letters, as the handbook spells them beside the digits: "thirty (30)", and always that one."""
    found: dict[str, Counter[str]] = {}
    for section in edition.sections:
        for word, digits in _SPELLED.findall(section.section.text.lower()):
            found.setdefault(word, Counter())[digits] += 1
    return frozenset(word for word, digits in found.items() if len(digits) == 1 and digits.total() >= _TWICE)


def units(edition: Edition) -> Counter[str]:
    """Stems of the words that follow figures, with how often they do."""
    found: Counter[str] = Counter()
    for section in edition.sections:
        found.update(stem for word in _COUNTED.findall(section.section.text) for stem in worded(word)[:1])
    return found


def _terms(text: str) -> Iterator[str]:
    for bold, quoted in _TERM.findall(text):
        term = " ".join((bold or quoted).strip(" .,:;").split())
        if term and len(term.split()) <= _LONGEST_LABEL and not any(char.isdigit() for char in term):
            yield term


def _prose(section: InForce) -> str:
    text, elements = section.section.text, section.section.elements
    spans = (text[one.start : one.end] for one in elements if one.kind not in (Kind.HEADING, Kind.TABLE, Kind.CODE))
    return "\n".join(" ".join(span.split()) for span in spans)


def _heads(section: InForce) -> Iterator[tuple[str, str]]:
    """Caption and header row of each table."""
    text = section.section.text
    for element in section.section.elements:
        if element.header:
            lines = [line.strip() for line in text[slice(*element.header)].splitlines() if line.strip()]
            captions = [line for line in lines if not line.startswith("|")]
            rows = [line for line in lines if line.startswith("|")]
            yield " ".join(captions), rows[0] if rows else ""


def _rows(section: InForce) -> Iterator[list[list[str]]]:
    text = section.section.text
    for element in section.section.elements:
        if element.rows:
            yield [_cells(text[start:end]) for start, end in element.rows]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _table(head: tuple[str, str]) -> Table:
    caption, header = head
    words = re.findall(r"[^\W\d_]{2,}", caption or header)
    return Table(tuple(words), frozenset(worded(f"{caption} {header}")))
