"""Pages whose words are recognised in their image instead of read from their text layer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from ingest.blocks import Remark
from ingest.pdf.garbage import health_of
from ingest.pdf.geometry import Word
from ingest.pdf.ocr import ImageText, read_image
from ingest.pdf.opening import Opened, border
from ingest.pdf.pages import ReadPage
from ingest.pdf.tables import find_tables
from ingest.pdf.words import PageWords

_QUOTED: Final = 80
_BESIDE: Final = 0.5
"""Of the em: words whose middles differ by less stand on one line."""


def recognise(
    opened: Opened, pages: Sequence[ReadPage], numbers: Collection[int]
) -> tuple[list[ReadPage], list[Remark]]:
    """The pages, those of the given numbers with the words of their images, and how sure they are.

    Raises:
        SourceError: what recognises text is not installed, or cannot read a page.
    """
    found: list[ReadPage] = []
    remarks: list[Remark] = []
    for page in pages:
        if page.number not in numbers:
            found.append(page)
            continue
        image = read_image(opened.page(page.number), opened.place(page.number))
        found.append(_with_words(opened, page, image.words))
        remarks.append(Remark("recognised", page.place, _said(image)))
    return found, remarks


def _said(image: ImageText) -> str:
    said = f"read from its image, {image.confidence:.0f}% sure"
    if not image.left_out:
        return said
    return f"{said}; left out as too uncertain: {' '.join(image.left_out)[:_QUOTED]}"


def _with_words(opened: Opened, page: ReadPage, words: Sequence[Word]) -> ReadPage:
    sheet = opened.page(page.number)
    with border(opened.place(page.number), opened.inflation):
        tables = tuple(find_tables(sheet, words))
    shown = PageWords(rows_of(words), hidden=page.shown.hidden, glyphs=sum(len(word.text) for word in words))
    # A page that lay on its side was read upright.
    turned = any(word.x1 > page.width or word.bottom > page.height for word in words)
    width, height = (page.height, page.width) if turned else (page.width, page.height)
    return replace(page, shown=shown, tables=tables, health=health_of(shown), width=width, height=height)


def rows_of(words: Sequence[Word]) -> tuple[tuple[Word, ...], ...]:
    """Words as rows from the top, each from the left."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda one: one.middle[1]):
        row = rows[-1] if rows else None
        if row is None or word.middle[1] - row[0].middle[1] > _BESIDE * min(word.size, row[0].size):
            rows.append(row := [])
        row.append(word)
    return tuple(tuple(sorted(row, key=lambda one: one.x0)) for row in rows)
