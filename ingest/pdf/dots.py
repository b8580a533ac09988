"""Bullets that are drawn, not written, as browsers print them: small discs and squares before a line's words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ingest.pdf.geometry import Box, Word
from ingest.pdf.opening import RecordedPage
from ingest.pdf.pieces import DESCENT
from ingest.pdf.words import PageWords

_BULLET: Final = "•"
_FONT: Final = "drawn"
_SMALLEST, _LARGEST = 1.2, 7.0
"""Points across."""
_ROUND: Final = 0.15
"""By which width and height may differ."""
_MOST: Final = 600
"""Such shapes on one page; more are points of a chart."""
_ACROSS: Final = (0.15, 0.65)
"""Of the em, across."""
_HEIGHT: Final = (0.1, 0.7)
"""Of the em, of its middle above the baseline."""
_BEFORE: Final = (0.1, 3.0)
"""Em between it and the first word."""
_FREE: Final = 1.5
"""Em between it and what stands left of it."""


def with_bullets(shown: PageWords, page: RecordedPage) -> PageWords:
    """A page's words with a bullet for each that is drawn before one."""
    dots = list(_dots(page))
    if not dots or len(dots) > _MOST or not shown.rows:
        return shown
    rows = [list(row) for row in shown.rows]
    bases = [_base(row[0]) for row in rows]
    for dot in dots:
        low = (dot[1] + dot[3]) / 2
        # The baseline is below the dot's middle, by less than the em of any text in use.
        for at in range(bisect_left(bases, low), len(rows)):
            if bases[at] - low > _LARGEST * 3:
                break
            if place := _place(rows[at], dot):
                rows[at].insert(*place)
                break
    return replace(shown, rows=tuple(map(tuple, rows)))


def _dots(page: RecordedPage) -> Iterator[Box]:
    for shape in (*page.curves, *page.rects):
        width, height = float(shape["width"]), float(shape["height"])
        if _SMALLEST <= width <= _LARGEST and abs(width - height) <= _ROUND * width:
            yield float(shape["x0"]), float(shape["top"]), float(shape["x1"]), float(shape["bottom"])


def _base(word: Word) -> float:
    return word.bottom - DESCENT * word.size


def _place(row: Sequence[Word], dot: Box) -> tuple[int, Word] | None:
    """Where in a row a dot stands as a bullet, and the word that it is."""
    at = next((at for at, word in enumerate(row) if word.x0 > dot[2]), None)
    if at is None:
        return None
    word, size = row[at], row[at].size
    if at and dot[0] - row[at - 1].x1 < _FREE * size:
        return None
    measures = (
        (dot[2] - dot[0], _ACROSS),
        (_base(word) - (dot[1] + dot[3]) / 2, _HEIGHT),
        (word.x0 - dot[2], _BEFORE),
    )
    if not all(least * size <= value <= most * size for value, (least, most) in measures):
        return None
    return at, Word(_BULLET, dot[0], word.top, dot[2], word.bottom, size, _FONT)
