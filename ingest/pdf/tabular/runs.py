"""Tables without upright rules: lines in columns, found by the white between them, with level rules as help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

from ingest.markdown.captions import starts_caption
from ingest.pdf.geometry import FoundTable
from ingest.pdf.tabular.columns import (
    ALIGNED,
    EVERYWHERE,
    NARROWEST,
    Gutter,
    beside,
    cells_of,
    gutters,
    has_spaces_only,
    lost,
    narrowed,
)
from ingest.pdf.tabular.header import TALLEST, header_rows, marked_rows
from ingest.pdf.tabular.plausible import Evidence, is_table
from ingest.pdf.tabular.rows import LOOSER, Room, Row, row_of, rows_of
from ingest.pdf.tabular.rules import Drawing, Rule
from ingest.pdf.tabular.text import Line, box_of, side_by_side, strands, text_of

FARTHEST: Final = 2.5
"""Font sizes of white between two rows; more of it ends a table, unless a rule lies between."""
_FARTHEST_RULED: Final = 5.0
_CLOSE: Final = 0.4
"""Font sizes of white between two lines of one cell, at most."""
_SAME_SIZE: Final = 0.02
_SIZES: Final = 1.15
"""Larger or smaller text than that, times, is another thing."""
_FOOT: Final = 0.88
"""Of the page's height: what stands lower may be its foot."""
_WHOLE: Final = 0.8
"""Share of a table's width that a rule of it has at least."""
_PIECES: Final = 0.6
"""The same for all rules of one height, such as one below each word of a header."""
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


def run_tables(lines: Sequence[Line], page: Surroundings) -> Iterator[FoundTable]:
    """Tables among lines from top to bottom."""
    rest, free = _rest_of_table(lines, page.before, page.drawing) if page.before else (None, 0)
    if rest:
        yield rest
    start = free
    while start < len(lines):
        end = start + 1
        if lines[start].gapped:
            end = _reach(lines, start, page.drawing)
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
                return text[:5].casefold() == "table" and gap <= FARTHEST * line.size
            if gap > _CLOSE * line.size:
                return False
        return False

    def is_last(self, page: Surroundings) -> bool:
        """Whether nothing but the foot of the page stands below."""
        below = self.page[self.end :]
        is_low = len(below) < 2 or below[0].top > _FOOT * page.height
        return is_low and self.lines[-1].bottom > page.taken


def _reach(lines: Sequence[Line], start: int, drawing: Drawing) -> int:
    """Where the lines end that leave the white between columns free."""
    strips = narrowed(EVERYWHERE, lines[start])
    widest = 0.0
    for place in range(start + 1, len(lines)):
        line = lines[place]
        if _apart(lines[place - 1], line, drawing) or starts_caption(text_of(line.words), 0):
            return place
        left = narrowed(strips, line)
        if lost(strips, left, line) or not any(strip.wide for strip in left):
            return place
        if not line.gapped and _crosses(line, [(one.start, one.end) for one in strips if one.established]):
            # Prose stands off from the rows, or goes on in the next line, which no column holds.
            near = widest + LOOSER * line.size if place - start > 1 else FARTHEST * line.size
            below = lines[place + 1] if place + 1 < len(lines) else None
            goes_on = below and below.top - line.bottom <= near and lost(left, narrowed(left, below), below)
            if goes_on or line.top - lines[place - 1].bottom > near:
                return place
        widest = max(widest, line.top - lines[place - 1].bottom)
        strips = left
    return len(lines)


def _apart(above: Line, below: Line, drawing: Drawing) -> bool:
    sizes = sorted((above.size, below.size))
    gap = below.top - above.bottom
    if sizes[1] > _SIZES * sizes[0] or gap > _FARTHEST_RULED * sizes[1]:
        return True
    return gap > FARTHEST * sizes[1] and not any(
        above.middle < rule.at < below.middle and rule.start < below.x1 and rule.end > below.x0
        for rule in drawing.level
    )


def _rest_of_table(lines: Sequence[Line], before: Before, drawing: Drawing) -> tuple[FoundTable | None, int]:
    """Rows at the top of a page that go on with the table before it, however few, and where they end."""
    for start, line in enumerate(lines[: HEAD_LINES + 1]):
        if starts_caption(text_of(line.words), 0):
            break
        if start and line.top - lines[start - 1].bottom <= _CLOSE * line.size:
            continue
        end, between = _within(lines, start, before.between, drawing)
        rows = _laid(lines[start:end], between)
        room = before.room(found_table(rows, 0, ruled=False)) if rows else None
        if room:
            ruled = _rules(lines[start:end], drawing)
            rows = rows_of(_blocks(rows, ruled), room if ruled or room.white is not None else None)
            return found_table(rows, marked_rows(rows, ()), ruled=bool(ruled)), end
    return None, 0


def _within(lines: Sequence[Line], start: int, between: Sequence[Gutter], drawing: Drawing) -> tuple[int, list[Gutter]]:
    """Where the lines end that leave something of given gutters free, and what they leave."""
    kept = list(between)
    for place in range(start, len(lines)):
        line = lines[place]
        left = beside(kept, line)
        if starts_caption(text_of(line.words), 0) or any(end - begin < NARROWEST for begin, end in left):
            return place, kept
        if (place > start and _apart(lines[place - 1], line, drawing)) or not _is_row(line, kept):
            return place, kept
        kept = left
    return len(lines), kept


def _table(run: _Run, page: Surroundings) -> FoundTable | None:
    lines = run.lines
    ruled = _rules(lines, page.drawing)
    captioned = run.captioned()
    helped = bool(ruled) or captioned
    if sum(line.gapped for line in lines) < (1 if helped else 3):
        return None
    last = run.is_last(page)
    between = _gutters(lines, (1 if last else 2) if helped else 3)
    above = _header_above(run, between, ruled) if between else []
    for line in above:
        between = beside(between, line)
    laid = _laid([*above, *lines], between) if between else []
    if not laid:
        return None
    blocks = _blocks(laid, ruled)
    rows = rows_of(blocks)
    marked = marked_rows(rows, page.drawing.shades)
    closed = len(rows_of(blocks[:1])) if len(blocks) == 2 else 0
    header = marked or header_rows(rows, closed=closed)
    rules = _between(laid, _rules(lines, page.drawing, whole=True))
    evidence = Evidence(
        rules,
        header,
        marked=bool(marked),
        leaders=any(laid[0].top <= height <= laid[-1].bottom for height in page.leaders),
        captioned=captioned,
        last=last,
    )
    return found_table(rows, header, ruled=rules > 1) if is_table(laid, rows, evidence) else None


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
        stands = _tops(line, below, between, ruled) if one else _is_row(line, between)
        if below.top - line.bottom > max(near, _CLOSE * line.size) or not stands:
            break
        found.insert(0, line)
        place -= 1
    return found


def _tops(line: Line, below: Line, between: Sequence[Gutter], ruled: Sequence[float]) -> bool:
    """Whether a line in one column is part of the header that `below` goes on with."""
    ruled_off = not below.bold and any(height < line.middle for height in ruled)
    return ((line.bold and below.bold) or ruled_off) and not _crosses(line, between)


def _is_row(line: Line, between: Sequence[Gutter]) -> bool:
    """Whether a line without wide gaps stands in columns: by more white than between words, or by where words start."""
    if not has_spaces_only(between, line):
        return True
    # One word in the right place may be chance, unless the line is set off.
    crossed = sum(line.x0 < start and line.x1 > end for start, end in between)
    return (line.bold or crossed > 1) and _starts_columns(line, between)


def _starts_columns(line: Line, between: Sequence[Gutter]) -> bool:
    """Whether a line has a word where each column starts that it reaches."""
    starts = [end for start, end in between if line.x0 < start and line.x1 > end]
    return all(any(abs(word.x0 - start) <= ALIGNED for word in line.words) for start in starts)


def _crosses(line: Line, between: Sequence[Gutter]) -> bool:
    return any(line.x0 < start and line.x1 > end for start, end in between)


def _rules(lines: Sequence[Line], drawing: Drawing, *, whole: bool = False) -> list[float]:
    """Heights of rules and of edges of shades along most of the width of lines, at most a line away from them.

    `whole`: without those in pieces, such as lines to sign on side by side.
    """
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    top, bottom = lines[0].top - 2 * lines[0].size, lines[-1].bottom + lines[-1].size
    heights = _along([rule for rule in drawing.level if top <= rule.at <= bottom], x0, x1, whole=whole)
    for shade in drawing.shades:
        if shade.box[0] <= x0 + 1 and shade.box[2] >= x1 - 1:
            heights += [height for height in (shade.box[1], shade.box[3]) if top <= height <= bottom]
    heights.sort()
    return [height for place, height in enumerate(heights) if not place or height - heights[place - 1] > 1]


def _along(rules: Sequence[Rule], x0: float, x1: float, *, whole: bool) -> list[float]:
    """Heights at which one rule, or unless `whole` one below each column, lies along most of the way."""
    found: dict[float, list[float]] = {}
    height = -inf
    for rule in rules:
        height = rule.at if rule.at - height > 1 else height
        found.setdefault(height, []).append(max(0.0, min(rule.end, x1) - max(rule.start, x0)))
    room = x1 - x0 or 1
    return [
        height
        for height, covered in found.items()
        if max(covered) >= _WHOLE * room or (not whole and sum(covered) >= _PIECES * room)
    ]


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
    return (
        last > min(*others, _CLOSE * rows[-1].size) + LOOSER * rows[-1].size
        if others
        else last > _CLOSE * rows[-1].size
    )


def _gaps(rows: Sequence[Row]) -> list[float]:
    return [below.top - above.bottom for above, below in pairwise(rows)]


def _between(rows: Sequence[Row], ruled: Sequence[float]) -> int:
    """How many of the places above, between and below rows have rules."""
    return len({sum(row.middle < height for row in rows) for height in ruled})


def _blocks(rows: Sequence[Row], ruled: Sequence[float]) -> list[list[Row]]:
    """Rows between rules."""
    blocks: list[list[Row]] = []
    for place, row in enumerate(rows):
        if not place or any(rows[place - 1].middle < height < row.middle for height in ruled):
            blocks.append([])
        blocks[-1].append(row)
    return blocks
