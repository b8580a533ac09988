"""Which lines make a row where no rule parts them: by leading, by the first column, by whether a cell had to wrap."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from ingest.pdf.geometry import Cell, Word
from ingest.pdf.tabular.text import Line, lines_of, text_of

LOOSER: Final = 0.1
"""Of the font size: rows apart by that much more than lines of one cell are seen to be apart."""
SPACE: Final = 0.25
"""Of the font size: a space between words."""
_VALUE: Final = re.compile(
    r"[(+\-–—−~<>≤≥±]?\s*(?:[A-Z]{0,3}[$€£¥])?\s*\d[\d.,:/\s–-]*(?:\s?(?:%|‰|°|[$€£¥]|[A-Za-z]{1,4}\.?))?\)?[*†‡\d]?"
)
# A name that ends so has more words: "Team and", "Travel, food", "Co-".
_OPEN: Final = re.compile(r"(?:[-,&/]|\s[a-zäöüß]{1,3})$")
_BLANKS: Final = ("-", "–", "—", "n/a", "N/A", "yes", "no", "Yes", "No", "none", "None", "x", "X", "✓", "✔", "✗")

Extents = list[tuple[float, float]]
"""Left and right end of each column."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is known of columns besides their words."""

    extents: Extents
    """The room between the rules beside them, or of the same columns on the page before."""
    white: float | None = None
    """White above each row, where lines of one cell are known to stand closer."""


@dataclass(frozen=True, slots=True)
class Row:
    """Cells that stand beside each other."""

    cells: tuple[Cell, ...]
    top: float
    bottom: float
    size: float

    @property
    def filled(self) -> list[int]:
        """The columns that have words."""
        return [place for place, cell in enumerate(self.cells) if cell]

    @property
    def middle(self) -> float:
        """The height of its centre."""
        return (self.top + self.bottom) / 2

    @property
    def words(self) -> list[Word]:
        """All words, cell by cell."""
        return [word for cell in self.cells for word in cell]

    @property
    def bold(self) -> bool:
        """Whether all words are."""
        return all(word.bold for word in self.words)


def row_of(lines: Sequence[Line], cells: Sequence[tuple[Cell, ...]]) -> Row:
    """One row of lines and the cells of each."""
    merged = tuple(tuple(word for cell in column for word in cell) for column in zip(*cells, strict=True))
    return Row(
        merged, min(line.top for line in lines), max(line.bottom for line in lines), max(line.size for line in lines)
    )


def put_together(rows: Sequence[Row]) -> Row:
    """One row of several."""
    merged = tuple(
        tuple(word for cell in column for word in cell) for column in zip(*(r.cells for r in rows), strict=True)
    )
    return Row(merged, rows[0].top, max(row.bottom for row in rows), max(row.size for row in rows))


def is_value(text: str) -> bool:
    """Whether a cell holds one number, amount, date, or a word such as "yes" that stands for one."""
    return text in _BLANKS or bool(_VALUE.fullmatch(text))


def rows_of(blocks: Sequence[Sequence[Row]], room: Room | None = None) -> list[Row]:
    """Rows of blocks that rules part.

    A rule below each row is trusted; where a rule closes the header only, or a group of rows, the rows between
    are told apart by what is in them. With `room`, a block is one row unless it surely holds more.
    """
    extents = room.extents if room else extents_of([row for block in blocks for row in block])
    few = len(blocks) < 3
    split = (few and room is None) or _hold_many(blocks, extents, 1 if few else 2)
    found: list[Row] = []
    for place, block in enumerate(_with_header_apart(blocks)):
        keep = place == 0 and (len(blocks) > 1 or block[0].bold) and len(block) <= 3
        if room and room.white is not None:
            found += _cut(block, [True, *(gap > room.white for gap in _gaps(block))])
        else:
            found += [put_together(block)] if keep or not split else _split(block, extents)
    return found


def _with_header_apart(blocks: Sequence[Sequence[Row]]) -> list[Sequence[Row]]:
    """Blocks, where bold lines at the top that no rule closes are a block of their own."""
    first = blocks[0]
    bold = next((place for place, row in enumerate(first) if not row.bold), 0)
    return [first[:bold], first[bold:], *blocks[1:]] if bold else list(blocks)


def _hold_many(blocks: Sequence[Sequence[Row]], extents: Extents, least: int) -> bool:
    """Whether most lines below another one between two rules surely start a row, and `least` of them do.

    Where some lines stand farther apart than others, only those count that have the wider white above.
    """
    starting = lines = 0
    for block in blocks:
        loose = _loose(block)
        row = block[0]
        for below, wide in zip(block[1:], loose, strict=True):
            sure = (wide or not any(loose)) and _surely_starts(row, below, extents)
            lines += wide if any(loose) else len(below.filled) > 1
            starting += sure
            row = below if sure else _end_of(row, below)
    return starting >= least and starting >= 0.6 * lines


def _loose(lines: Sequence[Row]) -> list[bool]:
    """For each line but the first, whether there is more white above it than above others; no one if all are alike."""
    gaps = _gaps(lines)
    limit = min(gaps, default=0.0) + LOOSER * median(line.size for line in lines)
    loose = [gap > limit for gap in gaps]
    return loose if not all(loose) else [False] * len(loose)


def _end_of(row: Row, below: Row) -> Row:
    """The last lines of the cells of a row to which a line belongs."""
    cells = tuple(low or high for high, low in zip(row.cells, below.cells, strict=True))
    return Row(cells, row.top, below.bottom, row.size)


def _surely_starts(row: Row, below: Row, extents: Extents) -> bool:
    """Whether more than one cell of a line cannot be the rest of the one above it, or a value in a full row is one."""
    broken = [place for place in below.filled if _breaks(row.cells[place], below.cells[place], extents[place])]
    full = len(below.filled) == len(row.filled) == len(below.cells)
    return len(broken) > 1 or (full and any(is_value(text_of(below.cells[place])) for place in broken))


def extents_of(rows: Sequence[Row]) -> Extents:
    """Left and right end of each column's words; words that reach over other columns are left out."""
    found = []
    for column in zip(*(row.cells for row in rows), strict=True):
        words = [word for cell in column for word in cell]
        found.append((min((w.x0 for w in words), default=0.0), max((w.x1 for w in words), default=0.0)))
    return found


def _split(lines: Sequence[Row], extents: Extents) -> list[Row]:
    """Rows of lines that no rule parts."""
    return _cut(lines, _by_leading(lines, extents) or _by_content(lines, extents))


def _cut(lines: Sequence[Row], starts: Sequence[bool]) -> list[Row]:
    places = [place for place, start in enumerate(starts) if start]
    return [put_together(lines[a:b]) for a, b in zip(places, [*places[1:], len(lines)], strict=True)]


def _gaps(lines: Sequence[Row]) -> list[float]:
    return [below.top - above.bottom for above, below in pairwise(lines)]


def _by_leading(lines: Sequence[Row], extents: Extents) -> list[bool] | None:
    """Rows where there is more white between some lines than between others, and those close are parts of cells."""
    loose = _loose(lines)
    if not any(loose):
        return None
    row, starting, close = lines[0], 0, 0
    for below, wide in zip(lines[1:], loose, strict=True):
        starting += not (wide or (row.bold and below.bold)) and _surely_starts(row, below, extents)
        close += not wide
        row = below if wide else _end_of(row, below)
    return [True, *loose] if 2 * starting < close else None


def _by_content(lines: Sequence[Row], extents: Extents) -> list[bool]:
    starts = [True]
    row = lines[0]
    for above, below in pairwise(lines):
        starts.append(_starts(row, above, below, extents))
        row = below if starts[-1] else _end_of(row, below)
    return starts


def _starts(row: Row, above: Row, below: Row, extents: Extents) -> bool:
    """Whether `below` starts a row rather than going on with `row`, whose last line is `above`."""
    filled = below.filled
    if row.bold != below.bold and (row.bold or len(filled) > 1):
        return True
    if row.bold and not below.cells[0] and set(filled) <= set(row.filled):
        return False
    broken = [place for place in filled if _breaks(above.cells[place], below.cells[place], extents[place])]
    first = text_of(below.cells[0])
    if not first:
        again = not row.cells[0] and len(filled) > 1 and set(above.filled) <= set(filled)
        values = any(is_value(text_of(below.cells[place])) for place in broken)
        return again or (len(filled) > 1 and bool(broken) and (values or filled == row.filled[1:]))
    open_cells = sum(bool(cell and _OPEN.search(cell[-1].text)) for cell in above.cells)
    goes_on = 2 * open_cells > len(filled) or first[:1].islower() or first[:1] in "(&"
    goes_on = goes_on or bool(_OPEN.search(text_of(row.cells[0])))
    if len(filled) == 1:
        return not goes_on and (not row.cells[0] or bool(broken) or below.bold)
    # A line without some of the row's columns, each of which may go on, is the rest of it.
    return bool(broken) or not (goes_on or set(filled) < set(row.filled))


def _breaks(above: Cell, below: Cell, extent: tuple[float, float]) -> bool:
    """Whether `below` cannot be the rest of `above`: there was room for its first word, or both are values."""
    if not above or not below:
        return False
    last = lines_of(above)[-1]
    if _OPEN.search(last.words[-1].text):
        return False
    if is_value(text_of(last.words)) and is_value(text_of(below)):
        return True
    needed = last.x1 - last.x0 + SPACE * last.size + below[0].x1 - below[0].x0
    return needed < extent[1] - extent[0]
