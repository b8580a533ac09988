"""A table that goes on at the top of the next page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ingest.pdf.geometry import Cell, FoundTable
from ingest.pdf.tabular.rows import LOOSER, Room, is_value
from ingest.pdf.tabular.text import lines_of, side_by_side, strands, text_of

SHIFT: Final = 4.0
"""Points by which the edges of one column may differ."""
EXACT: Final = 1.0
MIRRORED: Final = 72.0
"""Points by which all columns may lie to one side: inner and outer margins change places on the next page."""
_SEEN: Final = 20
"""Rows above a page break that tell whether each row has a name."""

Columns = tuple[tuple[float, float], ...]
Rows = tuple[tuple[Cell, ...], ...]


def joined(above: FoundTable, below: FoundTable, aside: float = 0.0) -> FoundTable | None:
    """`above` with the rows of `below`, the first thing on the next page; None where that is another table.

    A header that `below` repeats is left out; a row that the page break cut is put together where that is clear.
    The box and the columns stay those of `above`, whose column of the page starts `aside` points to the right.
    """
    places = _places_aside(above, below, aside)
    if places is None:
        return None
    rows = tuple(_moved(row, places, len(above.columns)) for row in below.rows)
    repeated = _repeated(above, rows)
    rows, last = rows[repeated:], above.rows[-1]
    kept = above.rows
    is_cut = bool(rows) and len(kept) > above.header_rows and _is_rest(above, rows)
    if not repeated and below.header_rows and not is_cut and not _is_body(above, below):
        return None
    if is_cut:
        cut = tuple(one + other for one, other in zip(last, rows[0], strict=True))
        kept, rows = (*kept[:-1], cut), rows[1:]
    header = above.header_rows or repeated
    return FoundTable(above.box, kept + rows, header, above.columns, above.ruled)


def repeated_rows(above: FoundTable, below: FoundTable, aside: float = 0.0) -> Rows:
    """The rows of `below` that `joined` leaves out: the header of `above` once more."""
    places = _places_aside(above, below, aside)
    if places is None:
        return ()
    return below.rows[: _repeated(above, tuple(_moved(row, places, len(above.columns)) for row in below.rows))]


def has_same_rules(above: FoundTable, upright: Sequence[float]) -> bool:
    """Whether upright rules stand where those of `above` do, apart from a margin that may differ."""
    edges = (*above.columns, above.box[2])
    shift = upright[0] - edges[0]
    if not above.ruled or abs(shift) > MIRRORED:
        return False
    return all(any(abs(at - shift - edge) <= EXACT for at in upright) for edge in edges)


def moved_aside(table: FoundTable, by: float) -> FoundTable:
    """A table as it would stand so many points farther to the right, such as in the next column of a page."""
    x0, top, x1, bottom = table.box
    rows = tuple(
        tuple(tuple(replace(word, x0=word.x0 + by, x1=word.x1 + by) for word in cell) for cell in row)
        for row in table.rows
    )
    columns = tuple(at + by for at in table.columns)
    return FoundTable((x0 + by, top, x1 + by, bottom), rows, table.header_rows, columns, table.ruled)


def gutters_of(table: FoundTable) -> list[tuple[float, float]]:
    """The white between the words of its columns; none where words of one reach over the next."""
    extents = _extents(table)
    between = [(left[1], right[0]) for left, right in pairwise(extents)]
    return between if all(start < end for start, end in between) else []


def room_of(above: FoundTable, below: FoundTable) -> Room | None:
    """What `above` tells of the columns in which those of `below` stand; None where they are others.

    The words of each column must share an edge, or their middle, with those above: rows that would be no table by
    themselves need to stand so exactly; a running head hardly does.
    """
    places = _places(above, below)
    if places is None:
        return None
    over, under = _extents(above), _extents(below)
    if not all(_is_aligned(over[place], extent) for place, extent in zip(places, under, strict=True)):
        return None
    extents = [(min(over[p][0], one[0]), max(over[p][1], one[1])) for p, one in zip(places, under, strict=True)]
    return Room(extents, _white(above))


def _white(table: FoundTable) -> float | None:
    """White above a row at least, where that is more than between the lines of all rows; None where nobody knows."""
    rows = [strands(lines_of([word for cell in row for word in cell])) for row in table.rows]
    lines = [[side_by_side(strand) for strand in row] for row in rows]
    inner = [below.top - above.bottom for row in lines for above, below in pairwise(row)]
    outer = [below[0].top - above[-1].bottom for above, below in pairwise(lines) if above and below]
    if not inner or not outer or min(outer) < max(inner) + LOOSER * lines[0][0].size:
        return None
    return (max(inner) + min(outer)) / 2


def _is_aligned(one: tuple[float, float], other: tuple[float, float]) -> bool:
    edges = abs(one[0] - other[0]), abs(one[1] - other[1]), abs(sum(one) - sum(other)) / 2
    return min(edges) <= EXACT


def _places_aside(above: FoundTable, below: FoundTable, aside: float) -> list[int] | None:
    places = _places(above, below)
    return _places(above, moved_aside(below, aside)) if places is None and aside else places


def _places(above: FoundTable, below: FoundTable) -> list[int] | None:
    """For each column of `below`, which one of `above` it is."""
    if len(above.columns) == len(below.columns) and _same_edges(above.columns, below.columns):
        return list(range(len(above.columns)))
    if len(below.columns) > len(above.columns):
        return None
    over, under = _extents(above), _extents(below)
    places = [_under(extent, over) for extent in under]
    known = [place for place in places if place is not None]
    if len(known) < len(places) or any(right <= left for left, right in pairwise(known)):
        return None
    return known


def _same_edges(over: Sequence[float], under: Sequence[float]) -> bool:
    shifts = [low - high for high, low in zip(over, under, strict=True)]
    aligned = all(abs(shift) <= SHIFT for shift in shifts)
    # All columns moved alike are the same ones; of two columns that may be chance.
    moved = len(over) > 2 and max(shifts) - min(shifts) <= SHIFT and abs(shifts[0]) <= MIRRORED
    return aligned or moved


def _extents(table: FoundTable) -> Columns:
    """Left and right end of the words of each column; rows with one cell may reach over others."""
    rows = [row for row in table.rows if sum(map(bool, row)) > 1]
    columns = [[word for row in rows for word in row[place]] for place in range(len(table.columns))]
    return tuple((min((w.x0 for w in c), default=0.0), max((w.x1 for w in c), default=0.0)) for c in columns)


def _under(extent: tuple[float, float], over: Columns) -> int | None:
    """The only column above with which a column shares some width and an edge, or most of its width."""
    start, end = extent
    shared = [min(end, right) - max(start, left) for left, right in over]
    touched = [place for place, width in enumerate(shared) if width > 0]
    if len(touched) != 1:
        return None
    left, right = over[touched[0]]
    edge = min(abs(start - left), abs(end - right), abs(start + end - left - right) / 2) <= SHIFT
    return touched[0] if edge or shared[touched[0]] > 0.5 * (end - start) else None


def _moved(row: tuple[Cell, ...], places: Sequence[int], width: int) -> tuple[Cell, ...]:
    cells: list[Cell] = [()] * width
    for place, cell in zip(places, row, strict=True):
        cells[place] = cell
    return tuple(cells)


def _repeated(above: FoundTable, rows: Rows) -> int:
    """How many rows at the top are the header of `above`, or its first row, once more."""
    count = max(above.header_rows, 1)
    return count if len(rows) >= count and all(map(_same, above.rows[:count], rows[:count])) else 0


def _same(row: tuple[Cell, ...], other: tuple[Cell, ...]) -> bool:
    return [text_of(cell).casefold() for cell in row] == [text_of(cell).casefold() for cell in other]


def _is_body(above: FoundTable, below: FoundTable) -> bool:
    """Whether what was taken for a header of `below` is none beside that of `above`, which is bold."""
    return _is_bold(above.rows[: above.header_rows]) and not _is_bold(below.rows[: below.header_rows])


def _is_bold(rows: Rows) -> bool:
    return bool(rows) and all(word.bold for row in rows for cell in row for word in cell)


def _is_rest(above: FoundTable, rows: Rows) -> bool:
    """Whether the first of `rows` is the rest of the last one of `above`.

    It has nothing in its first column, and words that go on with words. In rules, where that may be a row of its own
    below a name for several rows, they go on in mid-sentence, or all other rows have a name of their own.
    """
    last, first = above.rows[-1], rows[0]
    filled = [place for place, cell in enumerate(first) if cell]
    if first[0] or not last[0] or not all(last[place] for place in filled):
        return False
    pairs = [(text_of(last[place]), text_of(first[place])) for place in filled]
    if any(is_value(start) and is_value(rest) for start, rest in pairs):
        return False
    if not above.ruled or any(rest[:1].islower() or start[-1:] in ",-(" for start, rest in pairs):
        return True
    names = [row[0] for row in (*above.rows[-_SEEN:], *rows[1:])]
    return not any(is_value(start) for start, _ in pairs) and all(names) and len(set(names)) == len(names)
