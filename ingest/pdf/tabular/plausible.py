"""What looks like a table and is none: columns of prose, lists, contents, signatures, addresses, labels of figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ingest.pdf.geometry import Cell
from ingest.pdf.tabular.rows import SPACE, Row, is_value
from ingest.pdf.tabular.text import lines_of, text_of

FEWEST_ROWS: Final = 3
"""Of a table without rules."""
_MARK: Final = re.compile(
    r"(?:§\s*)?[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlcIVXLC]{1,7})[.)\]:]+|\d{1,3}(?:\.\d{1,3})+(?:\([a-z\d]{1,4}\))*"
    r"|§+\s*\d[\d.]*|[•·▪◦‣–—\-*■□●○➢✓o§■▸►]|\d{1,3}"
)
_PAGE: Final = re.compile(r"\d{1,4}|[ivxlcIVXLC]{1,7}|[A-Z]-\d{1,3}")
_PAGE_NAME: Final = re.compile(r"(?i)pages?\.?|page no\.?")
_SIGNING: Final = re.compile(r"(?i)_{3,}|\b(?:signed|signature|signatory|by|name|title|date|witness(?:es)?|place)\s*:")
_LEAST_WORDS: Final = 3.0
"""Words a line of running text has at least, on average, in a narrow column."""
_FEWEST_LINES: Final = 3
"""Lines that show whether they are full."""
_MANY_WORDS: Final = 8.0
"""Words of a line that is running text however few lines there are."""
_LONGEST_NOTE: Final = 4
"""Lines of a note that spans the columns of a table."""
_LONGEST_CELL: Final = 20
"""Lines of cells side by side; longer ones are columns of a page."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a table apart from its words."""

    rules: int = 0
    """Level rules along its whole width."""
    header: int = 0
    """Rows of its header."""
    marked: bool = False
    """The header is bold or shaded."""
    leaders: bool = False
    """Dots led from column to column."""
    captioned: bool = False
    """The line above names a table."""
    last: bool = False
    """Nothing but the foot of the page stands below: the rest may be on the next page."""
    typed: bool = False
    """All is in a typewriter face, and the rest of the page is not."""


def is_table(lines: Sequence[Row], rows: Sequence[Row], evidence: Evidence) -> bool:
    """Whether lines in columns, and the rows made of them, are a table rather than text that happens to be aligned."""
    width = len(rows[0].cells)
    full = [row for row in rows if len(row.filled) > 1]
    if width < 2 or len(full) < _fewest(evidence) or 2 * len(full) < len(rows):
        return False
    below = rows[evidence.header].top if evidence.header < len(rows) else rows[0].top
    columns = [[row.cells[place] for row in lines if row.top >= below and row.cells[place]] for place in range(width)]
    marked = _are_marks(columns[0])
    if len(full) == 1 and marked:
        return False
    prose = [place for place, column in enumerate(columns) if _is_prose(column)]
    if marked and (width == 2 or len(prose) >= width - 2):
        return width == 2 and bool(evidence.header) and not prose
    if (len(prose) > 1 and not (evidence.captioned and evidence.marked)) or _are_fragments(rows):
        return evidence.rules >= len(full)
    if _is_contents(rows, evidence) or _is_signed(rows):
        return False
    if evidence.rules > 1 or evidence.captioned:
        return True
    return not evidence.typed and _says_values(rows, evidence)


def _fewest(evidence: Evidence) -> int:
    """Rows with more than one cell that a table must have."""
    if evidence.last and (evidence.captioned or (evidence.marked and evidence.rules)):
        return 1
    return 2 if evidence.rules > 1 or evidence.captioned else FEWEST_ROWS


def _are_marks(column: Sequence[Cell]) -> bool:
    marks = sum(bool(_MARK.fullmatch(text_of(cell))) for cell in column)
    return marks >= 0.7 * len(column)


def _are_fragments(rows: Sequence[Row]) -> bool:
    """Whether the first column holds single letters, as words written upward do."""
    texts = [text_of(row.cells[0]) for row in rows if row.cells[0]]
    return all(len(text) < 2 or (" " in text and max(map(len, text.split())) < 3) for text in texts)


def _is_prose(column: Sequence[Cell]) -> bool:
    """Whether a column is running text: lines of some words, most of them as full as the words allow."""
    lines = [line for cell in column for line in lines_of(cell)]
    words = sum(len(line.words) for line in lines)
    if len(lines) < _FEWEST_LINES:
        return words >= _MANY_WORDS * max(1, len(lines))
    if words < _LEAST_WORDS * len(lines):
        return False
    # A few lines may reach over the next column: a heading of the page, a picture's words.
    width = sorted(line.x1 - line.x0 for line in lines)[int(0.8 * len(lines))]
    full = sum(
        below.top - line.bottom < line.size
        and line.x1 - line.x0 + SPACE * line.size + below.words[0].x1 - below.x0 > width
        for line, below in pairwise(lines)
    )
    return full > 1 and 2 * full >= len(lines) - 1


def _is_contents(rows: Sequence[Row], evidence: Evidence) -> bool:
    """Whether names lead to pages: to such that never fall, or in an index from names in the order of the alphabet."""
    width, body = len(rows[0].cells), rows[evidence.header :]
    if width > 3:
        numbers = [text_of(row.cells[place]) for row in body for place in range(1, width, 2) if row.cells[place]]
        return evidence.leaders and not evidence.header and width % 2 == 0 and _are_pages(numbers)
    last = [text_of(row.cells[-1]) for row in body if row.cells[-1]]
    if not _are_pages(last):
        return False
    heads = " ".join(text_of(row.cells[-1]) for row in rows[: evidence.header])
    named = evidence.leaders or not evidence.header or bool(_PAGE_NAME.fullmatch(heads))
    names = [text_of(row.cells[-2]).casefold() for row in body]
    counted = [int(text) for text in last if text.isdecimal()]
    return named and (_never_fall(counted) or (evidence.leaders and not evidence.header and _never_fall(names)))


def _never_fall(values: Sequence[int] | Sequence[str]) -> bool:
    return list(values) == sorted(values)


def _are_pages(texts: Sequence[str]) -> bool:
    pages = sum(all(_PAGE.fullmatch(part) for part in text.split()) for text in texts)
    return pages >= max(2, 0.8 * len(texts))


def _is_signed(rows: Sequence[Row]) -> bool:
    """Whether it is a block to sign, or a letter's "To:" and "From:"."""
    asked = sum(any(_SIGNING.search(text_of(cell)) for cell in row.cells) for row in rows)
    labels = sum(text_of(row.cells[0]).endswith(":") for row in rows)
    return 2 * asked >= len(rows) or 2 * labels > len(rows)


def _says_values(rows: Sequence[Row], evidence: Evidence) -> bool:
    """Whether a header is set off, or a column holds values; else it may be an address or an index."""
    if evidence.marked:
        return True
    for place in range(1, len(rows[0].cells)):
        texts = [text_of(row.cells[place]) for row in rows if row.cells[place]]
        if len(texts) >= FEWEST_ROWS and sum(map(is_value, texts)) >= 0.6 * len(texts):
            return True
    return False


def is_text(block: Sequence[Row]) -> bool:
    """Whether lines between two rules are running text rather than cells: a page in a frame, a letter's body."""
    filled = sorted({place for row in block for place in row.filled})
    if len(filled) < 2:
        return len(block) > _LONGEST_NOTE and _is_prose([row.cells[filled[0]] for row in block if row.filled])
    columns = [[row.cells[place] for row in block if row.cells[place]] for place in filled]
    return len(block) > _LONGEST_CELL and all(map(_is_prose, columns))


def is_layout(rows: Sequence[Row]) -> bool:
    """Whether a grid only sets things apart on the page: fewer than two columns with words."""
    return len({place for row in rows for place in row.filled}) < 2
