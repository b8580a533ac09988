"""Typed links: what a section's text says about other sections, in words or as Markdown links.

A target is kept as written, without markup:

    4.2   9.1(b)   B.5   IV          a number, where its word is Section, Article, Clause, ... or is missing
    Schedule C   Table 4.2           word and number, where the word is part of the name
    #late-refunds   05-refunds.md    the destination of a Markdown link that does not leave the handbook's site
    05-refunds.md#4.2                "Section 4.2 of the [refund policy](05-refunds.md)"

Whether a target exists is not asked here. No link: the section itself ("this Section 4"), a section of a
law or of another contract ("17 U.S.C. § 512", "Article 28 of the GDPR"), "the foregoing".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ingest.cues import clause_before, leads_outside, names_european_law, sense
from ingest.document import Link
from ingest.markdown.captions import starts_caption
from ingest.markdown.markup import Anchor, anchors, prose

AROUND: Final = 240
"""Characters before and after a reference that are read for what it means."""
LONGEST_RANGE: Final = 20
"""Sections that "Sections 4 through 17" may name; of a longer range only the two ends are linked."""

LONGEST_LIST: Final = 200
"""Numbers that one word such as "Sections" may open; without an end, a text of nothing else takes quadratic time."""

_WORD = re.compile(
    r"(?<![\w§])(?:(?P<number>(?i:sub)?(?i:sections?|secs?\.|articles?|arts?\.|clauses?|paragraphs?|paras?\.|chapters?)"
    r"|Parts?|§{1,2})|(?P<name>(?i:appendix|appendices|schedules?|exhibits?|annex(?:es)?|attachments?|tables?)))"
    r"\s*(?=[0-9A-Z])"
)
_PLURAL = re.compile(r"(?:s|s\.|ces|§§)$", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:[0-9]{1,4}|[IVXLC]{2,7}|[A-Z])(?:\.[0-9]{1,3})*(?:\([0-9a-zA-Z]{1,4}\))*(?![\w%]|\.[0-9]|-[a-zA-Z])"
)
_DOTTED = re.compile(
    r"(?:[0-9]{1,3}(?:\.[0-9]{1,3})+(?:\([0-9a-zA-Z]{1,4}\))*|[0-9]{1,3}(?:\([0-9a-z]{1,4}\))+)(?![\w%/$]|[.,-][0-9]"
    r"|\s*%|\s+(?:percent|per\s+cent|million|billion|thousand|USD|EUR|GB|MB|hours|days|times|points)\b)"
)
_BARE = re.compile(rf"(?<![\w.$€£§/,-]){_DOTTED.pattern}")
_RANGE: Final = r"(?P<range>\s*[–—-]\s*|\s+(?:to|through|thru)\s+)"
_MORE: Final = r"(?:\s*[,;]\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+)(?:(?i:sections?|clauses?|articles?)\s+|§+\s*)?"
_JOIN = re.compile(rf"{_RANGE}|(?:\s*\([^()\n]{{1,60}}\))?{_MORE}")
_AND = re.compile(r"(?P<range>(?!))|,?\s+(?:and|or)\s+(?:(?i:sections?)\s+)?")
_ELSEWHERE = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")
_OF_LINKED = re.compile(r"\s*,?\s*(?:of|in|to)\s+(?:the|our|this|its)?\s*")
_CUE_END = re.compile(
    r"\b(?:in|by|under|at|for|to|of|than|with|see|also|per|over|on|that|if|when|as|the|except|despite|notwithstanding"
    r"|overrid(?:es?|ing)|supersedes?|meanings?|unless|through|where|extent)\s*[(\"“]?\s*$",
    re.IGNORECASE,
)
"""Words that end a cue: a cheap look before the long one, since tables are full of bare numbers."""
_CODE_SECTION = re.compile(r"-[0-9]")
"""§ 12-101 is how codes of law count."""
_THIS = re.compile(r"\bthis\s+$", re.IGNORECASE)
_NAMES: Final = ("Appendix", "Schedule", "Exhibit", "Annex", "Attachment", "Table")


@dataclass(frozen=True, slots=True)
class _Reference:
    """A place that names targets: its span and the targets as written."""

    start: int
    end: int
    targets: tuple[str, ...]
    needs_cue: bool = False
    """No word such as "Section" before the number: it counts only after a cue."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A section's text in two forms of equal length, and its Markdown links."""

    words: str
    """Prose without marks, to read what stands around a reference."""
    unlinked: str
    """The same with links blanked, to look for references in words."""
    anchors: tuple[Anchor, ...]
    european: bool
    """A European law is named: "Article 28" is that law's."""

    def next_anchor(self, at: int) -> Anchor | None:
        """The first link that starts at or after `at`."""
        index = bisect_left(self.anchors, at, key=lambda anchor: anchor.start)
        return self.anchors[index] if index < len(self.anchors) else None


def find_links(text: str) -> tuple[Link, ...]:
    """The links of one section's text, in order; each target once for each relation and direction."""
    linked = anchors(text)
    words = prose(text)
    unlinked = _blanked(words, [(one.start, one.end) for one in linked])
    read = _Text(words, unlinked, linked, names_european_law(words))
    found: dict[tuple[object, ...], Link] = {}
    for reference in sorted(_references(read), key=lambda one: (one.start, one.end)):
        for link in _links(words, reference):
            found.setdefault((link.relation, link.limiter, link.target), link)
    return tuple(found.values())


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at : max(at, start)], " " * (end - max(at, start))]
        at = max(at, end)
    return "".join([*pieces, text[at:]])


def _references(read: _Text) -> Iterator[_Reference]:
    worded = [one for match in _WORD.finditer(read.unlinked) for one in _worded(read, match)]
    yield from (one for one in worded if one.targets)
    yield from (_Reference(one.start, one.end, (one.destination,)) for one in read.anchors if _stays(one.destination))
    rest = _blanked(read.unlinked, [(one.start, one.end) for one in worded])
    for match in _BARE.finditer(rest):
        if _CUE_END.search(rest, max(0, match.start() - 20), match.start()):
            end, numbers = _numbers(rest, match.start(), _DOTTED, _AND)
            yield _Reference(match.start(), end, numbers, needs_cue=True)


def _stays(destination: str) -> bool:
    return not _ELSEWHERE.match(destination) and "{" not in destination and destination != "#"


def _worded(read: _Text, match: re.Match[str]) -> Iterator[_Reference]:
    """The reference that a word such as "Section" opens; without targets where it is not one of ours."""
    word = match["number"] or match["name"]
    pattern = _JOIN if _PLURAL.search(word) else _AND
    end, numbers = _numbers(read.unlinked, match.end(), _NUMBER, pattern)
    if not numbers or _is_prose(word, numbers[0]) or _CODE_SECTION.match(read.unlinked, end):
        return
    lead, tail = read.words[max(0, match.start() - AROUND) : match.start()], read.words[end : end + AROUND]
    if document := _linked_document(read, end):
        yield _Reference(match.start(), end, tuple(f"{document}#{number}" for number in numbers))
    elif (
        _THIS.search(lead)
        or _is_caption(match, read.words)
        or leads_outside(lead, tail)
        or (read.european and word.startswith("Art"))
    ):
        yield _Reference(match.start(), end, ())
    else:
        yield _Reference(match.start(), end, tuple(_named(match["name"], number) for number in numbers))


def _is_prose(word: str, number: str) -> bool:
    """True of "clause A customer signed" and of "paragraph 2" (of what?), not of "section 4" and "Section A"."""
    of_what = word[:4].lower() == "para" and number.isdigit()
    return of_what or (word.islower() and not number[0].isdigit())


def _is_caption(match: re.Match[str], words: str) -> bool:
    """A label at the start of its own line ("Table 4.2 - ...") names itself; a line break alone makes no label."""
    line = words.rfind("\n", 0, match.start()) + 1
    return match["name"] is not None and not words[line : match.start()].strip() and starts_caption(words, line)


def _linked_document(read: _Text, end: int) -> str | None:
    """The document of "Section H of our [terms](/terms)"."""
    anchor = read.next_anchor(end)
    if anchor is None or not _OF_LINKED.fullmatch(read.words, end, anchor.start) or not _stays(anchor.destination):
        return None
    return anchor.destination.partition("#")[0] or None


def _named(name: str | None, number: str) -> str:
    if name is None:
        return number
    return f"{next(known for known in _NAMES if known[:5] == name[:5].capitalize())} {number}"


def _numbers(text: str, at: int, number: re.Pattern[str], join: re.Pattern[str]) -> tuple[int, tuple[str, ...]]:
    """The numbers of a list that starts at `at` ("4.2, 4.3 and 9.1(b)"), ranges written out, and its end."""
    found: list[str] = []
    match, ranged = number.match(text, at), False
    while match and len(found) < LONGEST_LIST:
        found += _between(found[-1], match[0]) if ranged else []
        found.append(match[0])
        at = match.end()
        joined = join.match(text, at)
        ranged = joined is not None and joined["range"] is not None
        match = number.match(text, joined.end()) if joined else None
    return at, tuple(dict.fromkeys(found))


_LAST = re.compile(r"(?P<stem>(?:.*\.)?)(?P<last>[0-9]+)")


def _between(first: str, last: str) -> list[str]:
    """D.4 and D.5 for "D.3 through D.6"; nothing where the two do not count on from each other."""
    low, high = _LAST.fullmatch(first), _LAST.fullmatch(last)
    if not low or not high or low["stem"] != high["stem"]:
        return []
    numbers = range(int(low["last"]) + 1, int(high["last"]))
    return [f"{low['stem']}{number}" for number in numbers] if len(numbers) < LONGEST_RANGE else []


def _links(words: str, reference: _Reference) -> Iterator[Link]:
    lead = words[max(0, reference.start - AROUND) : reference.start]
    lead = lead[clause_before(lead) :]
    meaning = sense(lead, words[reference.end : reference.end + AROUND])
    if reference.needs_cue and not meaning.adjacent:
        return
    start = reference.start - len(lead) + meaning.start
    for target in reference.targets:
        yield Link(meaning.relation, target, start, reference.end, meaning.limiter)
