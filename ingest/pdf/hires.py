"""Pages by a layout model: unstructured's strategy "hi_res" (https://docs.unstructured.io), for scans and hard layouts.

What it needs, and what the readers of PDF need nothing of:

- the extra `hi-res`, some 900 MB of packages;
- the programs tesseract (words) and pdfinfo of poppler (pages to pictures);
- at its first use a connection to huggingface.co, for the models of layout and of tables, and to github.com, for
  spaCy's English model where that is not installed. Later runs read them from the caches below HF_HOME.

It is slow: seconds a page. Its blocks have no bold type, no links, and headings of one level mostly.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import Any, Final

import pypdfium2
from lxml import html

from ingest.blocks import Block, Dropped, Rows
from ingest.elements import Kind
from ingest.errors import SourceError
from ingest.markdown.escape import Run, inline

INSTALL: Final = 'pip install torch==2.13.0 -e ".[hi-res]"'
"""torch stands in it so that pip takes the build that is there, not one for other hardware."""
_PROGRAMS: Final = {
    "TesseractNotFoundError": (
        "tesseract",
        '"apt-get install tesseract-ocr" (Debian, Ubuntu), "brew install tesseract" (macOS, Homebrew)',
    ),
    "PDFInfoNotInstalledError": (
        "pdfinfo",
        '"apt-get install poppler-utils" (Debian, Ubuntu), "brew install poppler" (macOS, Homebrew)',
    ),
}
_UNREACHED: Final = re.compile(
    r"LocalEntryNotFound|OfflineMode|ConnectError|ConnectionError|ConnectTimeout|URLError|MaxRetryError|gaierror|"
    r"\bHub\b|huggingface|spacy|en_core_web|[Dd]ownload"
)
_DEEPEST_CAUSE: Final = 8
_WIDEST_SPAN: Final = 200
_DROPPED: Final = {"Header": "running head", "Footer": "running head", "PageNumber": "page number"}
_ORDINAL: Final = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxlc]{1,6})[.)](?=\s)")


@dataclass(frozen=True, slots=True)
class Layout:
    """What the model found."""

    blocks: dict[int, list[Block]]
    """By page, in its reading order; a page without any is there, too."""
    dropped: tuple[Dropped, ...] = ()
    """What it took for heads, feet and page numbers."""


def layout_of_pages(raw: bytes, pages: Sequence[int], where: str) -> Layout:
    """The blocks of the given pages (from 1), and what was left out as head, foot or page number.

    Raises:
        SourceError: unstructured, a model or a program is missing, or the pages cannot be read.
    """
    if not pages:
        return Layout({})
    partition = _partition(where)
    try:
        elements = partition(file=BytesIO(_only(raw, pages)), strategy="hi_res", infer_table_structure=True)
    # Four libraries, their models and two programs answer here, each with errors of its own.
    except Exception as error:
        raise _explained(error, where, pages) from error
    blocks: dict[int, list[Block]] = {page: [] for page in pages}
    dropped: list[Dropped] = []
    for element in elements:
        page = pages[min(max((element.metadata.page_number or 1) - 1, 0), len(pages) - 1)]
        if reason := _DROPPED.get(element.category):
            dropped.append(Dropped(reason, f"page {page}", element.text))
        elif block := _block(element, page):
            blocks[page].append(block)
    return Layout(blocks, tuple(dropped))


def _partition(where: str) -> Callable[..., Iterable[Any]]:
    # Set before the first import: it reports its use to its maker, and prints a notice, unless told otherwise.
    os.environ.setdefault("DO_NOT_TRACK", "1")
    os.environ.setdefault("SCARF_NO_ANALYTICS", "true")
    os.environ.setdefault("UNSTRUCTURED_DISABLE_NOTICE", "1")
    try:
        found: Callable[..., Iterable[Any]] = import_module("unstructured.partition.pdf").partition_pdf
    except ImportError as error:
        missing = f"the layout model needs unstructured with its extra pdf, which is not installed ({error})"
        raise SourceError(missing, where=where, fix=INSTALL) from None
    return found


def _only(raw: bytes, pages: Sequence[int]) -> bytes:
    """A PDF of the given pages only: each other one would take seconds."""
    source, target = pypdfium2.PdfDocument(raw), pypdfium2.PdfDocument.new()
    try:
        target.import_pages(source, [page - 1 for page in pages])
        out = BytesIO()
        target.save(out)
        return out.getvalue()
    finally:
        target.close()
        source.close()


def _explained(error: Exception, where: str, pages: Sequence[int]) -> SourceError:
    where = f"{where}, page {pages[0]}" if len(pages) == 1 else where
    causes = list(_causes(error))
    for cause in causes:
        if program := _PROGRAMS.get(type(cause).__name__):
            found = f"the layout model needs the program {program[0]}, which is not installed"
            return SourceError(found, where=where, fix=f"install it: {program[1]}")
    said = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
    if any(_UNREACHED.search(f"{type(cause).__module__} {type(cause).__name__} {cause}") for cause in causes):
        found = f"a model for layout could not be fetched ({said})"
        fix = (
            "let this machine reach huggingface.co and github.com once, or copy the caches (HF_HOME) from one that did"
        )
        return SourceError(found, where=where, fix=fix)
    return SourceError(f"unstructured cannot read it ({said})", where=where, fix='image_pages = "ocr", or scan it anew')


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(_DEEPEST_CAUSE):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _block(element: Any, page: int) -> Block | None:
    words = " ".join((element.text or "").split())
    text = inline([Run(words)])
    depth = 1 + (element.metadata.category_depth or 0)
    match element.category:
        case "Table":
            return _table(element.metadata.text_as_html, text, page)
        case "Title" | "Headline" | "Subheadline" | "Section-header":
            kind, level = Kind.HEADING, depth
        case "ListItem" | "List-item" if not _ORDINAL.match(words):
            kind, level = Kind.ITEM, depth
        case "CodeSnippet":
            return Block(Kind.CODE, element.text, page)
        case _:
            kind, level = Kind.PARAGRAPH, 0
    return Block(kind, text, page, level) if words else None


def _table(markup: str | None, text: str, page: int) -> Block | None:
    """A table of its HTML; without that, or with one column, a paragraph of its words."""
    rows, header = _rows(markup) if markup else ((), 0)
    if rows and len(rows[0]) > 1:
        return Block(Kind.TABLE, page=page, cells=rows, header_rows=header)
    return Block(Kind.PARAGRAPH, text, page) if text else None


def _rows(markup: str) -> tuple[Rows, int]:
    """Rows of equal length, and how many are the header; a cell that spans rows stands in each."""
    trees = html.fragments_fromstring(markup, no_leading_text=True)
    grid: dict[tuple[int, int], str] = {}
    lines: list[Any] = [row for tree in trees for row in tree.iter("tr")]
    header = 0
    for number, row in enumerate(lines):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        header += header == number and bool(cells) and all(cell.tag == "th" for cell in cells)
        column = 0
        for cell in cells:
            while (number, column) in grid:
                column += 1
            words = inline([Run(" ".join(cell.text_content().split()))])
            for down in range(_span(cell, "rowspan", len(lines) - number)):
                for right in range(_span(cell, "colspan", _WIDEST_SPAN)):
                    grid.setdefault((number + down, column + right), "" if right else words)
    width = 1 + max((column for _, column in grid), default=-1)
    return tuple(tuple(grid.get((number, place), "") for place in range(width)) for number in range(len(lines))), header


def _span(cell: Any, name: str, most: int) -> int:
    value = str(cell.get(name, "1")).strip()
    return min(max(int(value), 1), most) if value.isdecimal() else 1
