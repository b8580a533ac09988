"""PDF to blocks: pages to words and tables, words to lines in reading order, lines to headings and paragraphs."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.blocks import Block, Parsed, Remark, SourceLine
from ingest.elements import Kind
from ingest.errors import SourceError
from ingest.pdf.compose import compose, inserted
from ingest.pdf.flow import stream_of
from ingest.pdf.headings import Named
from ingest.pdf.opening import Bookmark, Opened, bookmarks, opened, witnessed
from ingest.pdf.pages import ReadPage, read_page
from ingest.pdf.recognised import recognised_page
from ingest.pdf.trust import judge, named, refuse
from ingest.pdf.witness import source_lines
from ingest.settings import IngestSettings


def read_pdf(raw: bytes, settings: IngestSettings, where: str) -> Parsed:
    """Read a PDF.

    Raises:
        SourceError: no PDF, locked, damaged, beyond a limit, or with pages that are images or garbage.
    """
    with opened(raw, settings, where) as file:
        pages = [read_page(file, number) for number in range(1, len(file.pages) + 1)]
        verdict = judge(pages)
        if settings.image_pages == "refuse":
            refuse(verdict, pages, where)
        recognised = verdict.unreadable
        if settings.image_pages == "ocr":
            pages = [recognised_page(file, page) if page.number in recognised else page for page in pages]
        marks = bookmarks(file, settings.max_elements)
        source = [line for page in pages for line in _source(file, page, page.number in recognised)]
        title, remarks = file.title, [*_remarks(file, recognised, settings), *verdict.remarks]
    composed = compose(stream_of(pages), pages, [_named(mark, pages) for mark in marks])
    blocks = composed.blocks
    if recognised and settings.image_pages == "hi-res":
        blocks, more = _with_layout(blocks, raw, recognised, where)
        source += more
    _refuse_many(blocks, settings, where)
    return Parsed(blocks, tuple(source), composed.dropped, (*remarks, *composed.remarks), title, len(pages))


def _named(mark: Bookmark, pages: Sequence[ReadPage]) -> Named:
    top = pages[mark.page - 1].height - mark.height if mark.height is not None else None
    return Named(mark.title, mark.level, mark.page, top)


def _source(file: Opened, page: ReadPage, recognised: bool) -> list[SourceLine]:
    """The page's lines by PDFium; of a recognised page its own, since the file has none or wrong ones."""
    if recognised:
        return [SourceLine(page.place, " ".join(word.text for word in row)) for row in page.shown.rows]
    return list(source_lines(witnessed(file, page.number), page.number))


def _remarks(file: Opened, recognised: Sequence[int], settings: IngestSettings) -> list[Remark]:
    remarks = []
    if file.restricted:
        said = "encrypted: it opens without a password, but its author restricts what may be done with it"
        remarks.append(Remark("restricted", "", said))
    if recognised and settings.image_pages != "refuse":
        remarks.append(Remark("recognised", "", f"{named(recognised)} read from images ({settings.image_pages})"))
    return remarks


def _with_layout(
    blocks: Sequence[Block], raw: bytes, pages: Sequence[int], where: str
) -> tuple[tuple[Block, ...], list[SourceLine]]:
    """The blocks with those that a layout model finds on the given pages, and the lines that they hold."""
    # Asked for by a setting, and heavy.
    from ingest.pdf.hires import blocks_of_pages

    found = blocks_of_pages(raw, pages, where)
    further = [block for page in sorted(found) for block in found[page]]
    texts = [(block.page, text) for block in further for text in (block.text, block.caption, *sum(block.cells, ()))]
    return tuple(inserted(blocks, further)), [SourceLine(f"page {page}", text) for page, text in texts if text.strip()]


def _refuse_many(blocks: Sequence[Block], settings: IngestSettings, where: str) -> None:
    count = sum(max(1, len(block.cells)) if block.kind is Kind.TABLE else 1 for block in blocks)
    if count > settings.max_elements:
        found = f"{count:,} paragraphs, items and rows"
        fix = "split it, or raise max_elements in caveat.toml"
        raise SourceError(found, where=where, allowed=f"{settings.max_elements:,} (max_elements)", fix=fix)
