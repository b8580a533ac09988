"""Reading order of a page: bands from the top, in each band columns from the left.

A gutter is white from the first to the last line of its band and has text on both sides. What only looks like one
is told apart by what stands left of it: the numbers of clauses and the terms of a glossary do not fill a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ingest.pdf.geometry import Box, FoundTable, Word

_BIN: Final = 2.0
"""Points of a page's width that are looked at as one."""
_GUTTER: Final = 0.75
"""Of the em: the narrowest gutter; spaces of a justified line get as wide, but not in line after line."""
_LEAST_ROWS: Final = 3
"""Rows with text on both sides of a gutter."""
_KNOWN_ROWS: Final = 2
"""The same for a gutter that other pages have."""
_LEAST_SHARE: Final = 0.15
"""Of the width: the narrowest column."""
_FILLED: Final = 0.62
"""Of a column's width that its middle line takes; labels, terms and numbers take less."""
_DENSE: Final = 0.45
"""Of a column's height that its lines take."""
_FIGURE: Final = 12.0
"""Em of a band without text, above and below which columns are read apart."""
_WHITE_BAND: Final = 3.5
"""Em of one that parts lines where no gutter is found for all of them."""
_CANDIDATES: Final = 12
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True)
class Row:
    """Words on one baseline, or a table."""

    words: tuple[Word, ...]
    box: Box
    table: FoundTable | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """Rows to be read one after the other."""

    rows: tuple[Row, ...]
    left: float
    right: float


def row_of(words: Sequence[Word]) -> Row:
    """Words of one baseline as a row; there must be one."""
    level = [word for word in words if not word.raised] or words
    top, bottom = min(word.top for word in level), max(word.bottom for word in level)
    return Row(tuple(words), (min(word.x0 for word in words), top, max(word.x1 for word in words), bottom))


def columns_of(rows: Sequence[Row], gutters: Sequence[float] = ()) -> list[Column]:
    """The columns of a page in reading order; `gutters` are known from other pages, so that two rows show them."""
    ordered = sorted(rows, key=lambda row: (row.box[3] if not row.table else row.box[1], row.box[0]))
    if not ordered:
        return []
    bounds = (min(row.box[0] for row in ordered), max(row.box[2] for row in ordered))
    found: list[Column] = []
    for band in _bands(ordered, _FIGURE):
        columns = list(_split(band, bounds, tuple(gutters), 0))
        if len(columns) == 1:
            columns = [one for part in _bands(band, _WHITE_BAND) for one in _split(part, bounds, tuple(gutters), 0)]
        for column in columns:
            if found and bounds == (found[-1].left, found[-1].right) == (column.left, column.right):
                found[-1] = replace(column, rows=found[-1].rows + column.rows)
            else:
                found.append(column)
    return found


def _bands(rows: Sequence[Row], white: float) -> Iterator[list[Row]]:
    """Rows above and below white bands of so many em that no text column leaves: a figure stands there."""
    band: list[Row] = []
    bottom = 0.0
    for row in rows:
        if band and row.box[1] - bottom > white * (row.words[0].size if row.words else 0.0) > 0:
            yield band
            band = []
        band.append(row)
        bottom = max(bottom, row.box[3])
    yield band


@dataclass(frozen=True, slots=True)
class _Gutter:
    first: int
    last: int
    """Rows of its band, both inclusive."""
    x: float
    score: int


def _split(rows: list[Row], bounds: tuple[float, float], known: tuple[float, ...], depth: int) -> Iterator[Column]:
    gutter = _gutter(rows, bounds, known) if depth < _DEEPEST and len(rows) > 1 else None
    if gutter is None:
        if rows:
            yield Column(tuple(rows), *bounds)
        return
    yield from _split(rows[: gutter.first], bounds, known, depth + 1)
    left, right = _sides(rows[gutter.first : gutter.last + 1], gutter.x)
    edge = max((row.box[2] for row in left), default=gutter.x)
    start = min((row.box[0] for row in right), default=gutter.x)
    yield from _split(left, (bounds[0], edge), known, depth + 1)
    yield from _split(right, (start, bounds[1]), known, depth + 1)
    yield from _split(rows[gutter.last + 1 :], bounds, known, depth + 1)


def _sides(rows: Sequence[Row], x: float) -> tuple[list[Row], list[Row]]:
    left: list[Row] = []
    right: list[Row] = []
    for row in rows:
        if row.table:
            (left if row.box[0] < x else right).append(row)
            continue
        for side, words in (
            (left, tuple(word for word in row.words if word.x0 < x)),
            (right, tuple(word for word in row.words if word.x0 >= x)),
        ):
            if words:
                side.append(row_of(words))
    return left, right


# Gutters


def _gutter(rows: list[Row], bounds: tuple[float, float], known: tuple[float, ...]) -> _Gutter | None:
    """The gutter that divides the most rows."""
    covered = _coverage(rows, bounds)
    before = np.logical_or.accumulate(covered, axis=1)
    after = np.logical_or.accumulate(covered[:, ::-1], axis=1)[:, ::-1]
    # Lines of the columns need no common baseline, so those left and right of a place are counted each by itself.
    beside = (~covered & before, ~covered & after)
    counts = np.minimum(beside[0].sum(axis=0), beside[1].sum(axis=0))
    best: _Gutter | None = None
    places = [(column, _LEAST_ROWS) for column in _peaks(counts)]
    places += [(int((x - bounds[0]) / _BIN), _KNOWN_ROWS) for x in known if bounds[0] < x < bounds[1]]
    for column, least in places:
        x = bounds[0] + (column + 0.5) * _BIN
        for first, last in _white_runs(covered[:, column]):
            score = min(int(side[first : last + 1, column].sum()) for side in beside)
            if score < least or (best and score <= best.score):
                continue
            found = replace(found := _Gutter(first, last, x, score), last=_without_text_below(rows, found))
            if _divides(rows, found, bounds, least):
                best = found
    return best


def _coverage(rows: list[Row], bounds: tuple[float, float]) -> NDArray[np.bool_]:
    """Which bins of the width each row covers, spaces between words included."""
    found = np.zeros((len(rows), max(1, int((bounds[1] - bounds[0]) / _BIN) + 1)), dtype=bool)
    for place, row in enumerate(rows):
        if row.table:
            found[place, _bins(row.box[0], row.box[2], bounds[0])] = True
            continue
        end = -1e9
        start = row.words[0].x0
        for word in row.words:
            if word.x0 - end > _GUTTER * word.size and end > -1e9:
                found[place, _bins(start, end, bounds[0])] = True
                start = word.x0
            end = max(end, word.x1)
        found[place, _bins(start, end, bounds[0])] = True
    return found


def _bins(x0: float, x1: float, left: float) -> slice:
    return slice(max(0, int((x0 - left) / _BIN)), int((x1 - left) / _BIN) + 1)


def _peaks(counts: NDArray[np.int_]) -> list[int]:
    """Middles of the runs of equal counts, the highest first."""
    edges = np.flatnonzero(np.diff(counts)) + 1
    starts = [0, *edges.tolist()]
    ends = [*edges.tolist(), len(counts)]
    runs = [(int(counts[start]), end - start, (start + end - 1) // 2) for start, end in zip(starts, ends, strict=True)]
    runs.sort(key=lambda run: (-run[0], -run[1], run[2]))
    return [middle for count, _, middle in runs[:_CANDIDATES] if count >= _LEAST_ROWS]


def _white_runs(covered: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    start = 0
    for place in [*np.flatnonzero(covered).tolist(), len(covered)]:
        if place > start:
            yield start, place - 1
        start = place + 1


def _without_text_below(rows: list[Row], gutter: _Gutter) -> int:
    """The band's last row, without lines left of the gutter that stand apart below both columns."""
    last = gutter.last
    right = max((at for at in range(gutter.first, last + 1) if rows[at].box[2] > gutter.x), default=last)
    heights = [rows[at].box[3] - rows[at].box[1] for at in range(gutter.first, last + 1)]
    for at in range(right + 1, last + 1):
        if rows[at].box[1] - rows[at - 1].box[3] > 1.5 * median(heights):
            return at - 1
    return last


def _divides(rows: list[Row], gutter: _Gutter, bounds: tuple[float, float], least: int) -> bool:
    left, right = _sides(rows[gutter.first : gutter.last + 1], gutter.x)
    sides = [[row for row in side if not row.table] for side in (left, right)]
    if any(len(side) < least for side in sides):
        return False
    widths = [max(row.box[2] for row in side) - min(row.box[0] for row in side) for side in sides]
    if min(widths) < _LEAST_SHARE * (bounds[1] - bounds[0]):
        return False
    words = [len(row.words) for row in sides[1]] + [
        len(cells) for row in right if row.table for cells in row.table.rows
    ]
    return _is_text(left, widths[0]) and median(words) >= 2


def _is_text(rows: list[Row], width: float) -> bool:
    """Whether lines fill a column, across and downward; a table stands in it as it would stand in no list."""
    fills = [(row.box[2] - row.box[0]) / width for row in rows if not row.table]
    filled = median(fills + [1.0 for row in rows if row.table for _ in row.table.rows])
    lines = 1.25 * sum(row.box[3] - row.box[1] for row in rows)
    return filled >= _FILLED and lines >= _DENSE * (rows[-1].box[3] - rows[0].box[1])
