"""Tables in a grid of rules: merged cells, and rows that no rule parts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ingest.pdf.geometry import Box, Cell, FoundTable, Word
from ingest.pdf.tabular.columns import cells_of, gutters
from ingest.pdf.tabular.grid import Grid
from ingest.pdf.tabular.header import header_rows
from ingest.pdf.tabular.plausible import is_layout, is_text
from ingest.pdf.tabular.rows import Extents, Room, Row, row_of, rows_of
from ingest.pdf.tabular.rules import Drawing
from ingest.pdf.tabular.text import Line, lines_of, strands

_PADDING: Final = 6.0
"""Points between words and the rules beside them, on both sides together."""
_FILLED: Final = 0.1
"""Share of cells with words; hatching and floor plans have less."""
_EDGE: Final = 1.0
"""Points by which the middle of a word may lie outside of the outer rules."""


@dataclass(frozen=True, slots=True)
class _Region:
    """Base cells that are one: rows `top` to `bottom`, columns `left` to `right`, both counted in."""

    top: int
    bottom: int
    left: int
    right: int
    words: list[Word]


def inside(words: Sequence[Word], box: Box) -> list[Word]:
    """The words whose middle lies in a box."""
    x0, top, x1, bottom = box[0] - _EDGE, box[1] - _EDGE, box[2] + _EDGE, box[3] + _EDGE
    return [word for word in words if x0 <= word.middle[0] <= x1 and top <= word.middle[1] <= bottom]


def grid_table(grid: Grid, words: Sequence[Word], drawing: Drawing, *, goes_on: bool = False) -> FoundTable | None:
    """The table in a grid; None for empty boxes, frames and the rules between columns of prose.

    `goes_on`: the grid is that of the table before it, so that text in one column is the rest of a row.
    """
    regions = _regions(grid, inside(words, grid.box))
    if sum(bool(region.words) for region in regions.values()) < _FILLED * len(regions):
        return None
    blocks: list[list[Row]] = []
    for number, row in enumerate(grid.regions):
        held = {region: regions[region] for region in row}
        free = [region for region in held.values() if region.right > region.left and region.top == number]
        whole = free[0] if len(held) == 1 and free else None
        if whole:
            blocks.append(_spread(whole, grid))
        elif len(held) > 1:
            blocks.append(_block(number, list(held.values()), grid))
    blocks = blocks if goes_on else _without_text(blocks)
    filled = [block for block in blocks if any(row.filled for row in block)]
    if not filled:
        return None
    rows = rows_of(filled, Room(_walls(grid)))
    if is_layout(rows) and not goes_on:
        return None
    closed = 1 if len(filled) == 2 and len(rows) > 2 else 0
    return _found(rows, header_rows(rows, drawing.shades, closed), grid)


def _walls(grid: Grid) -> Extents:
    """Columns with some room left before the rule on their right."""
    return [(left, right - _PADDING) for left, right in pairwise(grid.xs)]


def _regions(grid: Grid, words: Sequence[Word]) -> dict[int, _Region]:
    spans: dict[int, list[int]] = {}
    for place, row in enumerate(grid.regions):
        for column, region in enumerate(row):
            span = spans.setdefault(region, [place, place, column, column])
            span[1], span[2], span[3] = place, min(span[2], column), max(span[3], column)
    found = {region: _Region(span[0], span[1], span[2], span[3], []) for region, span in spans.items()}
    for word in words:
        x, y = word.middle
        found[grid.regions[_stretch(grid.ys, y)][_stretch(grid.xs, x)]].words.append(word)
    return found


def _stretch(lines: Sequence[float], value: float) -> int:
    """Between which two of `lines` a value lies, or the nearest two."""
    return min(max(bisect_right(lines, value) - 1, 0), len(lines) - 2)


def _block(number: int, regions: Sequence[_Region], grid: Grid) -> list[Row]:
    """The lines of one base row; a cell that spans rows stands in each, whole."""
    width = len(grid.xs) - 1
    if any(region.bottom > region.top for region in regions):
        cells: list[Cell] = [()] * width
        for region in regions:
            cells[region.left] = tuple(word for line in lines_of(region.words) for word in line.words)
        size = max((word.size for cell in cells for word in cell), default=0.0)
        return [Row(tuple(cells), grid.ys[number], grid.ys[number + 1], size)]
    places = {id(word): region.left for region in regions for word in region.words}
    words = [word for region in regions for word in region.words]
    return [row_of(strand, [_by_place(line, places, width) for line in strand]) for strand in strands(lines_of(words))]


def _by_place(line: Line, places: dict[int, int], width: int) -> tuple[Cell, ...]:
    cells: list[list[Word]] = [[] for _ in range(width)]
    for word in line.words:
        cells[places[id(word)]].append(word)
    return tuple(map(tuple, cells))


def _spread(region: _Region, grid: Grid) -> list[Row]:
    """Lines of a region that spans all columns: in the columns that their white shows, or in the first one."""
    lines = lines_of(region.words)
    between = gutters(lines, 2) if sum(line.gapped for line in lines) > 1 else []
    rows = [row_of(strand, [cells_of(line, between) for line in strand]) for strand in strands(lines)]
    if not between:
        return [_moved(row, [0], len(grid.xs) - 1) for row in rows]
    starts = [min(w.x0 for row in rows for w in row.cells[place]) for place in range(len(between) + 1)]
    ends = [max(w.x1 for row in rows for w in row.cells[place]) for place in range(len(between) + 1)]
    width = len(grid.xs) - 1
    if len(starts) == width:
        return rows
    places = [_most_shared(start, end, grid.xs) for start, end in zip(starts, ends, strict=True)]
    return [_moved(row, places, width) for row in rows]


def _most_shared(start: float, end: float, xs: Sequence[float]) -> int:
    return max(range(len(xs) - 1), key=lambda place: min(end, xs[place + 1]) - max(start, xs[place]))


def _moved(row: Row, places: Sequence[int], width: int) -> Row:
    cells: list[Cell] = [()] * width
    for place, cell in zip(places, row.cells, strict=True):
        cells[place] += cell
    return Row(tuple(cells), row.top, row.bottom, row.size)


def _without_text(blocks: list[list[Row]]) -> list[list[Row]]:
    """Blocks without the running text above and below that stands in the same frame."""
    while blocks and is_text(blocks[0]):
        blocks = blocks[1:]
    while blocks and is_text(blocks[-1]):
        blocks = blocks[:-1]
    return blocks


def _found(rows: Sequence[Row], header: int, grid: Grid) -> FoundTable:
    """The table without narrow empty columns, which double rules make."""
    size = max(row.size for row in rows)
    kept = [
        place
        for place, (start, end) in enumerate(pairwise(grid.xs))
        if end - start > size or any(row.cells[place] for row in rows)
    ]
    box = (grid.xs[0], min(row.top for row in rows), grid.xs[-1], max(row.bottom for row in rows))
    cells = tuple(tuple(row.cells[place] for place in kept) for row in rows)
    return FoundTable(box, cells, header, tuple(grid.xs[place] for place in kept), True)
