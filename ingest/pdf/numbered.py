"""Headings by numbers in sequence: with a title of their own, with one that runs into the text, or without any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ingest.pdf.clauses import Candidate, Number, in_sequence, number_at
from ingest.pdf.geometry import Word
from ingest.pdf.heads import LONGEST, TITLE_END, Head, head_of, last_of_title, letters
from ingest.pdf.lines import Line
from ingest.pdf.measures import Measures, begins, mark_of

_LEAST_LETTERS: Final = 3
_QUOTES: Final = "“\"'‘«„"
"""What starts a definition, not a title."""
_TITLE_WORDS: Final = 10
"""Of a title that runs into its text."""
_SPACED: Final = 5
"""Numbers typed "4. 2" that show that a file types them so."""


def numbered(lines: Sequence[Line], taken: set[int], measures: Measures) -> Iterator[Head]:
    """Clauses whose numbers are in sequence, with their titles, if they have any."""
    loose = is_spaced(lines)
    candidates = []
    for at, line in enumerate(lines):
        number = number_at(line.words, loose=loose)
        if number is None or not _may_start(lines, at, measures):
            continue
        likely = at in taken or _looks_higher(line, number, measures)
        candidates.append(Candidate(at, number, likely))
    for one in in_sequence(candidates):
        if one.line not in taken:
            yield _clause(lines, one, measures)


def is_spaced(lines: Sequence[Line]) -> bool:
    """Whether a file types its numbers "4. 2"."""
    numbers = (number_at(line.words) for line in lines)
    return sum(number is not None and number.spaced for number in numbers) >= _SPACED


def _may_start(lines: Sequence[Line], at: int, measures: Measures) -> bool:
    """Whether a paragraph may start here: not in the middle of one, where a reference stands first by chance."""
    line = lines[at]
    above = lines[at - 1] if at else None
    if above is None or above.column != line.column:
        return True
    return line.x0 < above.x0 - 0.5 * line.size or begins([above], line, measures)


def _looks_higher(line: Line, number: Number, measures: Measures) -> bool:
    rest = line.words[number.words :]
    if not rest:
        return line.bold or measures.is_larger(line)
    text = " ".join(word.text for word in rest)
    return rest[0].bold or measures.is_larger(line) or (text.isupper() and len(letters(text)) > 3)


def _clause(lines: Sequence[Line], one: Candidate, measures: Measures) -> Head:
    """The heading of a clause: its number, and the title that stands alone or runs into the text."""
    at, number = one.line, one.number
    line = lines[at]
    rest = line.words[number.words :]
    if _stands_alone(lines, at, rest, measures):
        last = last_of_title(lines, at, measures)
        return head_of(lines, (at, last), len(lines[last].words), number)
    title = _run_in(rest)
    return head_of(lines, (at, at), number.words + title, number)


def _stands_alone(lines: Sequence[Line], at: int, rest: Sequence[Word], measures: Measures) -> bool:
    """Whether all of a line is the clause's title."""
    line = lines[at]
    if not rest:
        return True
    text = " ".join(word.text for word in rest)
    if len(text) > LONGEST:
        return False
    higher = measures.is_larger(line) or (text.isupper() and len(letters(text)) > 3)
    if higher or all(word.bold for word in rest if letters(word.text)):
        return True
    following = lines[at + 1] if at + 1 < len(lines) else None
    if following is None or (following.column == line.column and not begins([line], following, measures)):
        return False
    if following.column != line.column and following.text[:1].islower() and mark_of(following) is None:
        # A sentence goes on in the next column.
        return False
    if _is_title(rest):
        return True
    plain = text[:1].isupper() and not re.search(r"[.,;:!?–—-]$", text) and len(rest) <= _TITLE_WORDS
    return plain and number_at(following.words) is None


def _run_in(rest: Sequence[Word]) -> int:
    """How many words are a title that runs into its text: bold ones, or "Usage Rules." in capitals."""
    bold = next((at for at, word in enumerate(rest) if not word.bold), len(rest))
    if 0 < bold < len(rest):
        ends = TITLE_END.search(rest[bold - 1].text) or TITLE_END.fullmatch(rest[bold].text)
        said = " ".join(word.text for word in rest[:bold])
        if ends and _LEAST_LETTERS <= len(said) <= LONGEST and said[0] not in _QUOTES:
            return bold + bool(TITLE_END.fullmatch(rest[bold].text))
    end = next((at for at, word in enumerate(rest[:_TITLE_WORDS], start=1) if re.search(r"[^.][.:]$", word.text)), 0)
    if end and end < len(rest) and (rest[end].text[:1].isupper() or rest[end].text[:1] in _QUOTES + "("):
        return end if _is_title([*rest[: end - 1], _bare(rest[end - 1])]) else 0
    return 0


def _bare(word: Word) -> Word:
    """A title's last word without its stop."""
    return replace(word, text=word.text[:-1])


def _is_title(words: Sequence[Word]) -> bool:
    """Whether words read as a title by themselves: capitals, and no half sentence."""
    text = " ".join(word.text for word in words)
    if len(letters(text)) < _LEAST_LETTERS or text[0] in _QUOTES or text[-1] in ",;:–—-" or len(words) > _TITLE_WORDS:
        return False
    return text[:1].isupper() and all(_is_capital(word.text) for word in words)


def _is_capital(text: str) -> bool:
    """Whether a word may stand in a title: capitals, or a short word between them."""
    said = text.strip("“”\"'(),.:;&/-–—")
    return len(said) <= 3 or said[:1].isupper() or said[:1].isdigit()
