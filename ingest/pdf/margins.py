"""Running heads, feet and page numbers: what stands in the margin of page after page in the same place.

Two lines are the same if they differ in numbers only, and each number either stays or grows with the pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from statistics import median
from typing import Final

from ingest.pdf.columns import Row
from ingest.pdf.geometry import Word
from ingest.pdf.templates import template_of

_DEEP: Final = 6
"""Rows from the edge of the text that may belong to a head or foot."""
_ZONE: Final = 0.2
"""Of the page's height, from its edges, in which heads and feet stand."""
_OUTER: Final = 0.08
"""Of the height: a margin where a line is no text, even if a line beyond it is not repeated."""
_NEAR: Final = 20
"""Pages that are compared: a head may change with every chapter."""
_SHIFT: Final = 5.0
"""Points by which a head's height may differ."""
_COUNTED: Final = 3
"""Heads with page numbers that show how pages are counted."""
_LONG: Final = 6
"""Pages of a document in which two pages with one line may be chance."""
_TELLING: Final = 10
"""Letters of a line below which a likeness may be chance."""
_ALIKE: Final = 0.88
_CELL_GAP: Final = 1.5
"""Of the em, between the cells of a row."""
_PARAGRAPH: Final = 0.75
"""Of the em, between rows: less is the leading of a text."""
_SIZES: Final = 0.05
"""Of the em, by which letters of one size differ."""
_SENTENCE: Final = 6
"""Words of a line that is a sentence if it ends with a stop, or half of one that has none."""

_PAGE_NUMBER: Final = re.compile(
    r"[-–—|\s\[(]*(?:page|p\.|seite|pg\.?)?[\s|]*"
    r"(?:\d(?: \d)+|[A-Za-z]{0,2}[-.–]?\d{1,6}(?:[-–.]\d{1,4})?|[ivxlc]{1,7})"
    r"(?:\s*(?:of|/|von|de)\s*\d{1,4})?[-–—|\s\])]*(?:page)?",
    re.IGNORECASE,
)
_CLEAR: Final = re.compile(r"[-–—\s]*(?:page|seite)[\s|]*\d{1,4}(?:\s*(?:of|/|von)\s*\d{1,4})?[-–—\s]*", re.IGNORECASE)
_ALONE: Final = re.compile(
    r"[-–—|\s]*(?P<number>\d{1,4})[-–—|\s]*|(?P<total>\d{1,4}\s*(?:of|/)\s*\d{1,4})|(?P<chapter>[A-Z0-9]{1,3}-\d{1,4})"
)


@dataclass(frozen=True, slots=True)
class PageRows:
    """The rows of one page that are in no table."""

    number: int
    height: float
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Margin:
    """Words that belong to the page, not to the text."""

    page: int
    row: int
    """Its place among the page's rows."""
    reason: str
    """"running head" or "page number"."""
    first: int = 0
    last: int | None = None
    """Its words among the row's; all of them as a rule."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    page: int
    row: int
    depth: int
    """Rows between it and the edge of the text."""
    side: str
    distance: float
    """From the edge of the page, in points."""
    text: str
    template: str
    numbers: tuple[int, ...]
    is_outer: bool
    """So near the edge of the page that no text stands there."""
    is_near: bool
    """Set like the row further in, and no farther from it than lines of a text are."""
    runs_on: bool
    """A sentence goes on from this row to the one further in, or from that to this."""


def is_page_number(text: str) -> bool:
    """Whether a line is nothing but a page number: "12", "- xii -", "Page 3 of 7", "7-45"."""
    return bool(_PAGE_NUMBER.fullmatch(text))


def margins(pages: Sequence[PageRows], *, sparing: bool = True) -> list[Margin]:
    """The running heads, feet and page numbers of a document; of one with two pages only clear page numbers.

    `sparing`: where pages have nothing else, their text is the same by intention, as in copies of one form.
    """
    candidates = [one for page in pages for one in _candidates(page)]
    if len(pages) <= 2:
        by_number = {page.number: page for page in pages}
        return [margin for one in candidates for margin in _clear_numbers(by_number[one.page], one)]
    elsewhere = _texts_of_bodies(pages, candidates)
    repeated = _without_text(_repeated(candidates, 2 if len(pages) < _LONG else 3), elsewhere)
    heads = repeated | _alike(candidates, repeated, elsewhere)
    sides: dict[tuple[int, str], list[_Candidate]] = defaultdict(list)
    for one in candidates:
        sides[one.page, one.side].append(one)
    found = [margin for rows in sides.values() for margin in _peeled(rows, heads)]
    if sparing and 3 * _bare_pages(pages, found) > len(pages):
        return [margin for margin in found if margin.reason == "page number"]
    return found


def _bare_pages(pages: Sequence[PageRows], found: Sequence[Margin]) -> int:
    """How many pages with text would be left without any."""
    held: dict[int, set[int]] = defaultdict(set)
    for margin in found:
        held[margin.page].add(margin.row)
    return sum(0 < len(page.rows) == len(held[page.number]) for page in pages)


def _candidates(page: PageRows) -> Iterator[_Candidate]:
    ordered = sorted(range(len(page.rows)), key=lambda at: page.rows[at].box[1])
    for side, order in (("top", ordered), ("bottom", ordered[::-1])):
        for depth, at in enumerate(order[:_DEEP]):
            row = page.rows[at]
            distance = row.box[1] if side == "top" else page.height - row.box[3]
            if distance > _ZONE * page.height or row.table:
                break
            if depth + 1 < len(order) and _heads_columns(row, page.rows[order[depth + 1]]):
                break
            text = _text(row)
            inner = page.rows[order[depth + 1]] if depth + 1 < len(order) else None
            near = inner is not None and not inner.table and _is_near(row, inner)
            runs_on = inner is not None and near and _runs_on(*((row, inner) if side == "top" else (inner, row)))
            outer = distance < _OUTER * page.height
            yield _Candidate(page.number, at, depth, side, distance, text, *template_of(text), outer, near, runs_on)


def _text(row: Row) -> str:
    return " ".join(word.text for word in row.words)


def _is_near(row: Row, inner: Row) -> bool:
    sizes = [median(word.size for word in one.words) for one in (row, inner)]
    gap = max(row.box[1], inner.box[1]) - min(row.box[3], inner.box[3])
    return abs(sizes[0] - sizes[1]) <= _SIZES * sizes[1] and gap < _PARAGRAPH * sizes[1]


def _runs_on(above: Row, below: Row) -> bool:
    return _text(below)[:1].islower() and not _text(above).endswith((".", "!", "?"))


def _heads_columns(row: Row, following: Row) -> bool:
    """Whether the cells of a row stand above those of the next: the header of a table without lines."""
    starts, below = _starts(row), _starts(following)
    aligned = sum(any(abs(one - other) < 3 for other in below) for one in starts[1:])
    return len(starts) >= 3 and aligned >= 2


def _starts(row: Row) -> list[float]:
    return [row.words[0].x0, *(right.x0 for left, right in pairwise(row.words) if _is_apart(left, right))]


# What repeats


def _repeated(candidates: Sequence[_Candidate], least: int) -> set[_Candidate]:
    """The candidates that stand on `least` pages."""
    groups: dict[tuple[str, str], list[_Candidate]] = defaultdict(list)
    for one in candidates:
        if one.template:
            groups[one.side, one.template].append(one)
    found: set[_Candidate] = set()
    for group in groups.values():
        for place, one in enumerate(group):
            near = group[max(0, place - _NEAR) : place + _NEAR + 1]
            pages = {other.page for other in near if _same(one, other)}
            wanted = 2 if is_page_number(one.text) else least
            if len(pages | {one.page}) >= wanted:
                found.add(one)
    return found | _misread(candidates, found)


def _without_text(repeated: set[_Candidate], elsewhere: Collection[str]) -> set[_Candidate]:
    """The rows without those with which the text of pages begins or ends by chance."""
    pages: dict[tuple[str, str], set[int]] = defaultdict(set)
    for one in repeated:
        pages[one.side, one.template].add(one.page)
    found: set[_Candidate] = set()
    inner: dict[tuple[int, str], _Candidate] = {}
    for one in sorted(repeated, key=lambda one: -one.depth):
        further = inner.get((one.page, one.side))
        # A head of several rows belongs to the text or not as its innermost row does.
        border = further if further and one.is_near and further.depth == one.depth + 1 else one
        inner[one.page, one.side] = border if border is one else replace(border, depth=one.depth)
        few = len(pages[one.side, one.template]) < 3
        by_chance = few and (border.is_near or (one.template in elsewhere and _is_sentence(one.text)))
        if is_page_number(one.text) or not (border.runs_on or by_chance):
            found.add(one)
    return found


def _is_sentence(text: str) -> bool:
    return len(text.split()) >= (_SENTENCE if text.endswith((".", ";", ":", ",")) else 2 * _SENTENCE)


def _misread(candidates: Sequence[_Candidate], repeated: Collection[_Candidate]) -> set[_Candidate]:
    """Candidates that stand where a head does and differ by a letter or two, as recognised text does ("N0.")."""
    heads: dict[tuple[str, int], list[_Candidate]] = defaultdict(list)
    for one in repeated:
        if len(one.template) >= _TELLING:
            heads[one.side, one.page].append(one)
    return {
        one
        for one in candidates
        if len(one.template) >= _TELLING
        and one not in repeated
        and any(_reads_like(one, head) for page in range(one.page - 2, one.page + 3) for head in heads[one.side, page])
    }


def _reads_like(one: _Candidate, head: _Candidate) -> bool:
    near = abs(one.distance - head.distance) <= _SHIFT
    return near and SequenceMatcher(None, one.template, head.template, autojunk=False).ratio() >= _ALIKE


def _same(one: _Candidate, other: _Candidate) -> bool:
    pages = other.page - one.page
    if pages == 0 or abs(one.distance - other.distance) > _SHIFT or abs(pages) > _NEAR:
        return False
    steps = [after - before for before, after in zip(one.numbers, other.numbers, strict=True)]
    # A page number must grow: a line that is nothing but the same number is a value in a column.
    if one.template == "#":
        return steps == [pages]
    return all(step in (0, pages) for step in steps)


def _texts_of_bodies(pages: Sequence[PageRows], candidates: Sequence[_Candidate]) -> set[str]:
    """Rows, as templates, that stand outside of all margins."""
    held = {(one.page, one.row) for one in candidates}
    return {
        template_of(" ".join(word.text for word in row.words))[0]
        for page in pages
        for at, row in enumerate(page.rows)
        if (page.number, at) not in held
    }


def _alike(
    candidates: Sequence[_Candidate], repeated: Collection[_Candidate], elsewhere: Collection[str]
) -> set[_Candidate]:
    """Rows of short chapters, where heads stand on other pages: a title that also heads its section, or any line
    that starts or ends with this page's number, counted as the other heads count.
    """
    places = {(one.side, round(one.distance)) for one in repeated}
    counts = Counter((one.side, offset) for one in repeated for offset in _offsets(one))
    known = {key for key, count in counts.items() if count >= _COUNTED}
    found = set()
    for one in candidates:
        near = any((one.side, round(one.distance) + shift) in places for shift in (-2, -1, 0, 1, 2))
        numbered = any((one.side, offset) in known for offset in _offsets(one))
        if near and (one.template in elsewhere or numbered):
            found.add(one)
    return found


def _offsets(one: _Candidate) -> set[int]:
    """Differences to the page of the numbers at a row's ends."""
    ends = [
        one.numbers[place] for place, end in ((0, one.text[0]), (-1, one.text[-1])) if one.numbers and end.isdigit()
    ]
    return {number - one.page for number in ends}


def _peeled(rows: Sequence[_Candidate], heads: Collection[_Candidate]) -> Iterator[Margin]:
    """Heads and feet from the edge inward; one with text beyond it counts only in the margin."""
    whole = True
    for one in sorted(rows, key=lambda one: one.depth):
        if one in heads and (whole or one.is_outer):
            reason = "page number" if is_page_number(one.text) else "running head"
            yield Margin(one.page, one.row, reason)
        else:
            whole = False


# Documents of one or two pages


def _clear_numbers(page: PageRows, one: _Candidate) -> Iterator[Margin]:
    """ "Page 1 of 2" at the edge, or a number alone in the outermost row that is this page's own."""
    words = page.rows[one.row].words
    starts = [0, *(at for at in range(1, len(words)) if _is_apart(words[at - 1], words[at])), len(words)]
    alone = one.depth == 0 and len(starts) == 2 and _is_isolated(page, one)
    for first, last in pairwise(starts):
        text = " ".join(word.text for word in words[first:last])
        if _CLEAR.fullmatch(text) or (alone and _is_own(text, page.number)):
            yield Margin(page.number, one.row, "page number", first, last)


def _is_apart(left: Word, right: Word) -> bool:
    return right.x0 - left.x1 > _CELL_GAP * left.size


def _is_own(text: str, page: int) -> bool:
    match = _ALONE.fullmatch(text)
    return match is not None and (match["number"] is None or int(match["number"]) == page)


def _is_isolated(page: PageRows, one: _Candidate) -> bool:
    row = page.rows[one.row]
    others = [other.box for at, other in enumerate(page.rows) if at != one.row]
    gap = min((max(box[1] - row.box[3], row.box[1] - box[3]) for box in others), default=0.0)
    return gap > row.box[3] - row.box[1]
