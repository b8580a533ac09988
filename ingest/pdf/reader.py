"""PDF to blocks: pages to words and tables, words to lines in reading order, lines to headings and paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ingest.blocks import Block, Parsed, Remark, SourceLine
from ingest.elements import Kind
from ingest.errors import SourceError
from ingest.pdf.compose import Composed, compose, inserted
from ingest.pdf.flow import stream_of
from ingest.pdf.heads import Named
from ingest.pdf.opening import Bookmark, Opened, bookmarks, opened, witnessed
from ingest.pdf.pages import ReadPage, read_page
from ingest.pdf.recognised import recognise
from ingest.pdf.trust import judge, named, refuse
from ingest.pdf.witness import source_lines
from ingest.settings import IngestSettings

_TITLE_LINES: Final = 3
"""Lines of a title at most."""


def read_pdf(raw: bytes, settings: IngestSettings, where: str) -> Parsed:
    """Read a PDF.

    Raises:
        SourceError: no PDF, locked, damaged, beyond a limit, or with pages that are images or garbage.
    """
    with opened(raw, settings, where) as file:
        pages = _read_pages(file)
        verdict = judge(pages)
        recognised = verdict.unreadable
        if settings.image_pages == "refuse":
            refuse(verdict, pages, where)
        remarks = [*_remarks(file), *verdict.remarks, *(_annotated(page) for page in pages if page.unread)]
        if settings.image_pages == "ocr":
            pages, more = recognise(file, pages, recognised)
            remarks += more
        marks = bookmarks(file, settings.max_elements)
        source = [line for page in pages for line in _source(file, page, page.number in recognised)]
    composed = compose(stream_of(pages), pages, [_named(mark, pages) for mark in marks])
    if recognised and settings.image_pages == "hi-res":
        composed, more_source = _with_layout(composed, raw, recognised, where)
        source += more_source
    _refuse_many(composed.blocks, settings, where)
    remarks += composed.remarks
    return Parsed(composed.blocks, tuple(source), composed.dropped, tuple(remarks), _title(file, pages[0]), len(pages))


def _read_pages(file: Opened) -> list[ReadPage]:
    pages: list[ReadPage] = []
    for number in range(1, len(file.pages) + 1):
        pages.append(read_page(file, number, pages[-1].last_table if pages else None))
    return pages


def _named(mark: Bookmark, pages: Sequence[ReadPage]) -> Named:
    top = pages[mark.page - 1].height - mark.height if mark.height is not None else None
    return Named(mark.title, mark.level, mark.page, top)


def _source(file: Opened, page: ReadPage, recognised: bool) -> list[SourceLine]:
    """The page's lines by PDFium; of a recognised page its own, since the file has none or wrong ones."""
    if recognised:
        return [SourceLine(page.place, " ".join(word.text for word in row)) for row in page.shown.rows]
    typed = [SourceLine(page.place, text) for text in page.typed]
    return [*source_lines(witnessed(file, page.number), page.number), *typed]


def _remarks(file: Opened) -> list[Remark]:
    if not file.restricted:
        return []
    said = "encrypted: it opens without a password, but its author restricts what may be done with it"
    return [Remark("restricted", "", said)]


def _annotated(page: ReadPage) -> Remark:
    many = "s or stamps are" if page.unread > 1 else " or stamp is"
    return Remark("annotation", page.place, f"{page.unread} comment{many} not read: write what they say into the text")


def _title(file: Opened, first: ReadPage) -> str | None:
    """The title of the file's properties, which nobody sees, where lines of the first page say the same."""
    title = _letters(file.title or "")
    rows = [_letters("".join(word.text for word in row)) for row in first.shown.rows]
    for at in range(len(rows)) if title else ():
        said = ""
        for row in rows[at : at + _TITLE_LINES]:
            said += row
            if said == title:
                return file.title
    return None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _with_layout(composed: Composed, raw: bytes, pages: Sequence[int], where: str) -> tuple[Composed, list[SourceLine]]:
    """What was composed, with what a layout model finds on the given pages, and the lines that this holds."""
    # Asked for by a setting, and heavy.
    from ingest.pdf.hires import layout_of_pages

    found = layout_of_pages(raw, pages, where)
    further = [block for page in sorted(found.blocks) for block in found.blocks[page]]
    texts = [(block.page, text) for block in further for text in (block.text, block.caption, *sum(block.cells, ()))]
    lines = [SourceLine(f"page {page}", text) for page, text in texts if text.strip()]
    lines += [SourceLine(one.where, one.text) for one in found.dropped]
    remark = Remark("recognised", "", f"{named(pages)} read by a layout model, from images")
    whole = Composed(
        tuple(inserted(composed.blocks, further)), (*composed.dropped, *found.dropped), (*composed.remarks, remark)
    )
    return whole, lines


def _refuse_many(blocks: Sequence[Block], settings: IngestSettings, where: str) -> None:
    count = sum(max(1, len(block.cells)) if block.kind is Kind.TABLE else 1 for block in blocks)
    if count > settings.max_elements:
        found = f"{count:,} paragraphs, items and rows"
        fix = "split it, or raise max_elements in caveat.toml"
        raise SourceError(found, where=where, allowed=f"{settings.max_elements:,} (max_elements)", fix=fix)
