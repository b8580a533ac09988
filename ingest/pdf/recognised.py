"""Pages whose words are recognised in their image instead of read from their text layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ingest.pdf.garbage import health_of
from ingest.pdf.geometry import Word
from ingest.pdf.opening import Opened
from ingest.pdf.pages import ReadPage
from ingest.pdf.tables import find_tables
from ingest.pdf.words import PageWords

_BESIDE: Final = 0.5
"""Of the em: words whose middles differ by less stand on one line."""


def recognised_page(opened: Opened, page: ReadPage) -> ReadPage:
    """The same page with the words of its image.

    Raises:
        SourceError: what recognises text is not installed.
    """
    # Asked for by a setting, and heavy.
    from ingest.pdf.ocr import words_of_image

    sheet = opened.page(page.number)
    words = words_of_image(sheet, opened.place(page.number))
    shown = PageWords(rows_of(words), glyphs=sum(len(word.text) for word in words))
    return replace(page, shown=shown, tables=tuple(find_tables(sheet, words)), health=health_of(shown))


def rows_of(words: Sequence[Word]) -> tuple[tuple[Word, ...], ...]:
    """Words as rows from the top, each from the left."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda one: one.middle[1]):
        row = rows[-1] if rows else None
        if row is None or word.middle[1] - row[0].middle[1] > _BESIDE * min(word.size, row[0].size):
            rows.append(row := [])
        row.append(word)
    return tuple(tuple(sorted(row, key=lambda one: one.x0)) for row in rows)
