"""How many rows at the top of a table are its header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ingest.pdf.tabular.rows import Row
from ingest.pdf.tabular.rules import Shade
from ingest.pdf.tabular.text import text_of

TALLEST: Final = 3
"""Rows of a header; more of them that look alike are body."""
_STUBS: Final = 0.75
"""Share of rows that have a name where the first column names the rows."""
_NAME: Final = 4
"""Words of a name of a row or column, at most, where nothing else tells that it is one."""
_DIGIT: Final = re.compile(r"\d")


def header_rows(rows: Sequence[Row], shades: Sequence[Shade] = (), closed: int = 0) -> int:
    """Rows of the header; 0 where nothing tells.

    `closed`: rows above the only rule inside of the table.
    """
    if marked := marked_rows(rows, shades):
        return marked
    if 0 < closed <= TALLEST and len(rows) - closed > 1:
        return closed
    return int(len(rows) > 1 and _is_other(rows))


def marked_rows(rows: Sequence[Row], shades: Sequence[Shade]) -> int:
    """Rows at the top that are set off: bold, of another colour behind them, or without a word in the corner."""
    if len(rows) == 1:
        return int(rows[0].bold)
    colours = [_colour(row, shades) for row in rows]
    shaded = _leading([colour == colours[0] for colour in colours]) if colours[0] is not None else 0
    return _leading([row.bold for row in rows]) or shaded or int(_has_corner(rows))


def _has_corner(rows: Sequence[Row]) -> bool:
    """Whether the first row names all columns but the first, which names the rows."""
    width = len(rows[0].cells)
    stubs = sum(bool(row.cells[0]) for row in rows[1:])
    named = stubs >= _STUBS * (len(rows) - 1)
    short = all(len(cell) <= _NAME for cell in rows[0].cells) and all(len(row.cells[0]) <= _NAME for row in rows[1:])
    return width > 2 and len(rows) > 2 and named and short and rows[0].filled == list(range(1, width))


def _leading(marks: Sequence[bool]) -> int:
    """How many marks are set at the start, if they are few and hardly any other is (a line of totals may be)."""
    count = next((place for place, mark in enumerate(marks) if not mark), 0)
    return count if count <= TALLEST and 3 * sum(marks[count:]) < len(marks) - count else 0


def _colour(row: Row, shades: Sequence[Shade]) -> object:
    for shade in shades:
        x0, top, x1, bottom = shade.box
        if top <= row.middle <= bottom and x0 <= row.words[0].x1 and x1 >= row.words[-1].x0:
            return shade.colour
    return None


def _is_other(rows: Sequence[Row]) -> bool:
    """Whether the first row names what the others give in digits."""
    first, body = rows[0], rows[1:]
    if any(_DIGIT.search(word.text) for word in first.words) or len(first.filled) < max(2, len(first.cells) - 1):
        return False
    columns = [[text_of(row.cells[place]) for row in body if row.cells[place]] for place in first.filled]
    return any(2 * sum(bool(_DIGIT.search(text)) for text in texts) >= max(1, len(texts)) for texts in columns)
