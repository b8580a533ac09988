"""Tables without upright rules: lines in columns, found by the white between them, with level rules as help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ingest.markdown.captions import starts_caption
from ingest.pdf.geometry import FoundTable
from ingest.pdf.tabular.bands import blocks_of, heights_of, ruled_places
from ingest.pdf.tabular.columns import Gutter, beside, cells_of, gutters
from ingest.pdf.tabular.header import TALLEST, header_rows, marked_rows
from ingest.pdf.tabular.plausible import Evidence, is_table
from ingest.pdf.tabular.reach import FARTHEST, crosses, is_row, reach, within
from ingest.pdf.tabular.rows import LOOSER, Room, Row, row_of, rows_of
from ingest.pdf.tabular.rules import Drawing
from ingest.pdf.tabular.text import Line, box_of, is_typed, side_by_side, strands, text_of

_CLOSE: Final = 0.4
"""Font sizes of white between two lines of one cell, at most."""
_SAME_SIZE: Final = 0.02
_FOOT: Final = 0.88
"""Of the page's height: what stands lower may be its foot."""
HEAD_LINES: Final = 3
"""Lines that may stand above the rest of a table: the head of the page."""


@dataclass(frozen=True, slots=True)
class Before:
    """The table that the page before ended with."""

    between: Sequence[Gutter]
    """The white between its columns."""
    room: Callable[[FoundTable], Room | None]
    """What it tells of the columns of rows that may go on with it; None where they are others."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of a page tells about tables, besides its lines."""

    drawing: Drawing
    height: float
    """Of the page."""
    leaders: tuple[float, ...] = ()
    """Heights of dots that lead from a name to its value."""
    before: Before | None = None
    taken: float = 0.0
    """Where the last table in a grid ends."""
    typed: bool = False
    """Most of it is in a typewriter face, so that such a face tells nothing."""


def run_tables(lines: Sequence[Line], page: Surroundings) -> Iterator[FoundTable]:
    """Tables among lines from top to bottom."""
    rest, free = _rest_of_table(lines, page.before, page.drawing) if page.before else (None, 0)
    if rest:
        yield rest
    start = free
    while start < len(lines):
        end = start + 1
        if lines[start].gapped:
            end = reach(lines, start, page.drawing)
            if table := _table(_Run(lines, free, start, end), page):
                free = end
                yield table
        start = end


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines `start` to `end` of a page, which leave white between columns; from `free` on none is in a table yet."""

    page: Sequence[Line]
    free: int
    start: int
    end: int

    @property
    def lines(self) -> Sequence[Line]:
        return self.page[self.start : self.end]

    def captioned(self) -> bool:
        """Whether the line above, or above further lines of its header, names a table."""
        for place in range(self.start - 1, max(self.free, self.start - 4) - 1, -1):
            line = self.page[place]
            text = text_of(line.words)
            gap = self.page[place + 1].top - line.bottom
            if starts_caption(text, 0):
                return text[:5].casefold() == "table" and gap <= FARTHEST * line.size and not line.gapped
            if gap > _CLOSE * line.size:
                return False
        return False

    def is_last(self, page: Surroundings) -> bool:
        """Whether nothing but the foot of the page stands below."""
        below = self.page[self.end :]
        is_low = len(below) < 2 or below[0].top > _FOOT * page.height
        return is_low and self.lines[-1].bottom > page.taken


def _rest_of_table(lines: Sequence[Line], before: Before, drawing: Drawing) -> tuple[FoundTable | None, int]:
    """Rows at the top of a page that go on with the table before it, however few, and where they end."""
    for start, line in enumerate(lines[: HEAD_LINES + 1]):
        if starts_caption(text_of(line.words), 0):
            break
        if start and line.top - lines[start - 1].bottom <= _CLOSE * line.size:
            continue
        end, between = within(lines, start, before.between, drawing)
        rows = _laid(lines[start:end], between)
        room = before.room(found_table(rows, 0, ruled=False)) if rows else None
        if room:
            ruled = heights_of(lines[start:end], drawing)
            rows = rows_of(blocks_of(rows, ruled), room if ruled or room.white is not None else None)
            return found_table(rows, marked_rows(rows, ()), ruled=bool(ruled)), end
    return None, 0


def _table(run: _Run, page: Surroundings) -> FoundTable | None:
    """The table of a run of lines; None where they are something else."""
    ruled = heights_of(run.lines, page.drawing)
    captioned = run.captioned()
    laid = _laid_in_columns(run, page, ruled, helped=bool(ruled) or captioned)
    if not laid:
        return None
    blocks = blocks_of(laid, ruled)
    rows = rows_of(blocks)
    marked = marked_rows(rows, page.drawing.shades)
    closed = len(rows_of(blocks[:1])) if len(blocks) == 2 else 0
    header = marked or header_rows(rows, closed=closed)
    rules = ruled_places(laid, heights_of(run.lines, page.drawing, whole=True))
    evidence = Evidence(
        rules,
        header,
        marked=bool(marked),
        leaders=any(laid[0].top <= height <= laid[-1].bottom for height in page.leaders),
        captioned=captioned,
        last=run.is_last(page),
        typed=not page.typed and all(is_typed(word) for row in rows for word in row.words),
    )
    return found_table(rows, header, ruled=rules > 1) if is_table(laid, rows, evidence) else None


def _laid_in_columns(run: _Run, page: Surroundings, ruled: Sequence[float], *, helped: bool) -> list[Row]:
    """The lines of a run, and those of a header right above, by column; none where no white parts columns.

    `helped`: rules or a caption speak for a table, so that fewer lines need to show its columns.
    """
    if sum(line.gapped for line in run.lines) < (1 if helped else 3):
        return []
    between = _gutters(run.lines, (1 if run.is_last(page) else 2) if helped else 3)
    if not between:
        return []
    above = _header_above(run, between, ruled)
    for line in above:
        between = beside(between, line)
    return _laid([*above, *run.lines], between)


def found_table(rows: Sequence[Row], header: int, *, ruled: bool) -> FoundTable:
    """A table of rows; its box is that of its words."""
    columns: list[float] = []
    for place in range(len(rows[0].cells)):
        words = [word for row in rows for word in row.cells[place]]
        columns.append(min((word.x0 for word in words), default=columns[-1] if columns else 0.0))
    box = box_of([word for row in rows for word in row.words])
    return FoundTable(box, tuple(row.cells for row in rows), header, tuple(columns), ruled)


def _gutters(lines: Sequence[Line], support: int) -> list[Gutter]:
    """The columns of all lines, or of all but the first ones where a header spans columns."""
    found = gutters(_beside(lines), support)
    for skipped in (1, 2):
        if len(lines) > skipped + support and len(better := gutters(_beside(lines[skipped:]), support)) > len(found):
            found = better
    return found


def _beside(lines: Sequence[Line]) -> list[Line]:
    """Lines with those as one that stand beside each other: a cell in the middle of its row is between two lines."""
    return [side_by_side(strand) for strand in strands(lines)]


def _header_above(run: _Run, between: Sequence[Gutter], ruled: Sequence[float]) -> list[Line]:
    """Lines of a header right above that have no wide gap: "Earliest" above "effective day", or "Days Share"."""
    found: list[Line] = []
    place = run.start - 1
    gaps = [below.top - above.bottom for above, below in pairwise(run.lines)]
    while place >= run.free and len(found) < TALLEST:
        line, below = run.page[place], run.page[place + 1]
        if starts_caption(text_of(line.words), 0) or abs(line.size - below.size) > _SAME_SIZE * line.size:
            break
        one = sum(map(bool, cells_of(line, between))) < 2
        # One column's words above may be anything, unless they are as close as lines of one cell.
        near = _CLOSE * line.size if one else max(gaps, default=0.0) + LOOSER * line.size
        stands = _tops(line, below, between, ruled) if one else is_row(line, between)
        if below.top - line.bottom > max(near, _CLOSE * line.size) or not stands:
            break
        found.insert(0, line)
        place -= 1
    return found


def _tops(line: Line, below: Line, between: Sequence[Gutter], ruled: Sequence[float]) -> bool:
    """Whether a line in one column is part of the header that `below` goes on with."""
    ruled_off = not below.bold and any(height < line.middle for height in ruled)
    return ((line.bold and below.bold) or ruled_off) and not crosses(line, between)


def _laid(lines: Sequence[Line], between: Sequence[Gutter]) -> list[Row]:
    """Lines in columns, without a heading above and a paragraph below, which stand in one column only."""
    rows = [row_of(strand, [cells_of(line, between) for line in strand]) for strand in strands(lines)]
    if not any(len(row.filled) > 1 for row in rows):
        return []
    while len(rows[0].filled) == 1 and not (rows[0].bold and rows[1].bold and _gaps(rows)[0] <= _CLOSE * rows[0].size):
        rows.pop(0)
    while len(rows[-1].filled) == 1 and _stands_off(rows):
        rows.pop()
    return rows


def _stands_off(rows: Sequence[Row]) -> bool:
    """Whether the last row is farther below the others than a further line of a cell would be."""
    *others, last = _gaps(rows)
    near = _CLOSE * rows[-1].size
    return last > (min(*others, near) + LOOSER * rows[-1].size if others else near)


def _gaps(rows: Sequence[Row]) -> list[float]:
    return [below.top - above.bottom for above, below in pairwise(rows)]
