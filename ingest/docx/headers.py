"""Which rows of a table are its header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from ingest.docx.cells import Cell, Row

LONGEST_LABEL: Final = 60
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT: Final = re.compile(r"\d")


def header_rows(rows: Sequence[Row], *, marks_first: bool) -> int:
    """How many rows at the top are the header; `marks_first`: the style of the table gives the first a look.

    Rows that Word repeats on each page are; else a first row in bold or with a look of its own. Most tables of
    policies have no such mark and yet a header, so that a first row of short labels without sums and sentences is
    one, too, unless the labels are those of the first column.
    """
    marked = len(list(takewhile(lambda row: row.is_header, rows)))
    if marked:
        # Some programs mark every row.
        return marked if marked < len(rows) else min(1, len(rows) - 1)
    if len(rows) < 2 or _labelled_at_the_side(rows):
        return 0
    first, second = rows[0], rows[1]
    stands_out = _is_bold(first) and not _is_bold(second)
    return int(marks_first or stands_out or _are_labels(first))


def _is_bold(row: Row) -> bool:
    cells = [cell for cell in row.cells if cell.text()]
    return bool(cells) and all(cell.is_bold for cell in cells)


def _labelled_at_the_side(rows: Sequence[Row]) -> bool:
    """Whether the first column names the rows, and nothing else is bold in the first one."""
    if any(len(row.cells) < 2 for row in rows):
        return False
    first, *others = rows[0].cells
    if any(cell.is_bold for cell in others):
        return False
    return first.text().endswith(":") or all(row.cells[0].is_bold for row in rows)


def _are_labels(row: Row) -> bool:
    """Whether each cell but the first, which may be an empty corner, has a short label."""
    return len(row.cells) > 1 and all(_is_label(cell) for cell in row.cells if cell.text() or cell.start)


def _is_label(cell: Cell) -> bool:
    text = cell.text()
    letters, digits = len(_LETTER.findall(text)), len(_DIGIT.findall(text))
    return letters > digits and len(text) <= LONGEST_LABEL and not text.endswith((".", ";", "!"))
