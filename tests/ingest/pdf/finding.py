"""What tests of tables share: words by pdfplumber's own means, and tables as texts."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pdfplumber

from ingest.pdf.geometry import FoundTable, Word
from ingest.pdf.tables import find_tables

Texts = list[list[str]]

PLANS: Texts = [
    ["Plan", "Seats", "Price"],
    ["Starter", "5", "20 USD"],
    ["Team", "25", "90 USD"],
    ["Business", "100", "320 USD"],
]
PROSE = (
    "The credit is computed on the day on which the request is received, and it is never paid out in cash. A customer "
    "that has unpaid invoices older than forty-five days may not request one. Where the order form departs from this "
    "chapter, the order form prevails for the term that it covers and for no longer, unless both parties agree. "
)


def words_of(page: pdfplumber.page.Page) -> list[Word]:
    """Words as the reader has them, apart from superscripts."""
    found = page.extract_words(extra_attrs=["fontname", "size"], x_tolerance_ratio=0.15, y_tolerance=2)
    return [
        Word(
            one["text"],
            one["x0"],
            one["top"],
            one["x1"],
            one["bottom"],
            one["size"],
            one["fontname"],
            bold="Bold" in one["fontname"],
        )
        for one in found
    ]


def texts_of(table: FoundTable) -> Texts:
    """Its rows as texts."""
    return [[" ".join(word.text for word in cell) for cell in row] for row in table.rows]


def tables_of(raw: bytes) -> list[FoundTable]:
    """The tables of all pages; each page knows the last table of the page before."""
    found: list[FoundTable] = []
    with pdfplumber.open(BytesIO(raw)) as pdf:
        above = None
        for page in pdf.pages:
            tables = find_tables(page, words_of(page), above)
            above = tables[-1] if tables else None
            found += tables
    return found


def rows_of(raw: bytes) -> list[Texts]:
    """The rows of each table as texts."""
    return [texts_of(table) for table in tables_of(raw)]


def put_rows(
    sheet, rows: Sequence[Sequence[str]], xs: Sequence[float], top: float = 120, pitch: float = 16, header: bool = True
) -> float:
    """Write rows 3 points to the right of `xs`, the first one bold; "|" breaks a line. Returns the last row's end."""
    for number, row in enumerate(rows):
        font = "Helvetica-Bold" if header and not number else "Helvetica"
        lines = [cell.split("|") for cell in row]
        for x, cell in zip(xs, lines, strict=False):
            for place, line in enumerate(cell):
                sheet.text(x + 3, top + 11 + 12 * place, line, font=font)
        top += pitch + 12 * (max(map(len, lines)) - 1)
    return top
