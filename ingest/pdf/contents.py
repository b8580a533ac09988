"""Tables of contents: entries that end in a page number, in bulk. They repeat the headings, so they are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ingest.pdf.columns import Row

_HEADING: Final = re.compile(
    r"(?:table of )?contents(?: \(continued\))?:?|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|indice"
    r"|(?:list|table) of (?:tables|figures|exhibits|appendices|schedules)",
    re.IGNORECASE,
)
_PAGE: Final = r"(?P<page>\d{1,4}|[ivxlc]{1,7}|[A-Z]{1,2}-?\d{1,3}|\d{1,3}-\d{1,4})"
_LED: Final = re.compile(rf"(?P<title>.*[^\W_].*?)\s*(?:[.·…_‥]\s?){{3,}}\s*{_PAGE}")
_GAPPED: Final = re.compile(rf"(?P<title>.*[^\W_].*?)\s+{_PAGE}")
_WIDE: Final = 2.0
"""Em before a page number without leaders."""
_MANY: Final = 5
"""Entries with leaders that need no heading."""
_FEW: Final = 2
"""Entries below a heading."""
_WRAPPED: Final = 2
"""Lines without a page number that may belong to the entry below them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table of contents."""

    page: int
    """On which it stands."""
    row: int
    title: str


def contents(pages: Sequence[tuple[int, Sequence[Row]]]) -> list[Entry]:
    """The rows of tables of contents, headings and wrapped lines included, by page and place among its rows.

    Without a heading "Contents" only entries with leaders count, and only near the front.
    """
    found: list[Entry] = []
    goes_on = False
    front = max(12, len(pages) // 8)
    for at, (number, rows) in enumerate(pages):
        entries = list(_on_page(number, rows, goes_on, at < front))
        found += entries
        goes_on = bool(entries) and entries[-1].row >= len(rows) - 4
    return found


def _on_page(number: int, rows: Sequence[Row], goes_on: bool, near_front: bool) -> Iterator[Entry]:
    texts = [" ".join(word.text for word in row.words) for row in rows]
    led = [_LED.fullmatch(text) for text in texts]
    gapped = [led[at] or _gapped(row, texts[at]) for at, row in enumerate(rows)]
    heading = next((at for at, text in enumerate(texts) if _HEADING.fullmatch(text.strip())), None)
    if heading is not None or goes_on:
        start = heading + 1 if heading is not None else 0
        span = _run(gapped, start)
        if sum(bool(gapped[at]) for at in span) >= _FEW:
            yield from ([Entry(number, heading, texts[heading])] if heading is not None else [])
            yield from (Entry(number, at, _title(gapped[at], texts[at])) for at in span)
            return
    if near_front and sum(map(bool, led)) >= _MANY:
        first = next(at for at, one in enumerate(led) if one)
        span = _run(led, first)
        if sum(bool(led[at]) for at in span) >= _MANY and _grows([one["page"] for at in span if (one := led[at])]):
            yield from (Entry(number, at, _title(led[at], texts[at])) for at in span)


def _gapped(row: Row, text: str) -> re.Match[str] | None:
    """An entry without leaders: its page number stands apart."""
    if len(row.words) < 2:
        return None
    left, right = row.words[-2:]
    return _GAPPED.fullmatch(text) if right.x0 - left.x1 > _WIDE * right.size else None


def _run(entries: Sequence[re.Match[str] | None], start: int) -> list[int]:
    """Places from `start` to the last entry, with at most a line or two without a number between two entries."""
    last, missed = start - 1, 0
    for at in range(start, len(entries)):
        missed = 0 if entries[at] else missed + 1
        if missed > _WRAPPED + (last < start):
            break
        last = at if entries[at] else last
    return list(range(start, last + 1))


def _title(match: re.Match[str] | None, text: str) -> str:
    return match["title"].strip() if match else text


def _grows(pages: Sequence[str]) -> bool:
    """Whether page numbers never fall, but for a change of numbering or two."""
    numbers = [int(page) for page in pages if page.isdigit()]
    return sum(after < before for before, after in pairwise(numbers)) <= 1
