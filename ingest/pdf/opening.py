"""Opening a PDF: by pdfplumber for what is read, by PDFium as an independent witness of its words and bookmarks.

Both libraries' exceptions end here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Final

import pypdfium2
from pdfminer.layout import LTPage
from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import resolve1
from pdfminer.psexceptions import PSException
from pdfplumber.page import Page
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from ingest.errors import SourceError
from ingest.pdf.glyphs import Recorder
from ingest.pdf.inflate import Inflation, StreamTooLarge, limited
from ingest.pdf.interpreter import Interpreter, layers_of
from ingest.pdf.screen import refuse_strangers
from ingest.settings import IngestSettings

# It reports every oddity of every font on the terminal; what matters is measured as loss.
logging.getLogger("pdfminer").setLevel(logging.ERROR)

UNLOCK: Final = "save it without a password"
_REPAIR: Final = "open it in a PDF viewer and print it to a new PDF"
# What pdfminer.six raises on damaged files besides its own: it checks types with assert, casts and indexing.
_DAMAGE: Final = (
    PSException,
    PdfminerException,
    MalformedPDFException,
    pypdfium2.PdfiumError,
    AssertionError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    StreamTooLarge,
)
# Their own words are about the libraries; the exception itself is chained for whoever debugs.
_PLAIN: Final = (
    (MalformedPDFException, "the size of a page is not four numbers"),
    (pypdfium2.PdfiumError, "no viewer would open it"),
    (PSException, "its objects cannot be told from each other"),
    (LookupError, "something that it refers to is missing"),
    ((AssertionError, ValueError, TypeError, AttributeError), "a value in it is of a kind that has no place there"),
    (ArithmeticError, "numbers in it give no place on a page"),
)


class RecordedPage(Page):
    """A page of pdfplumber whose glyphs are recorded on the side: `chars` is empty, lines and images are as usual.

    One dictionary for each of three thousand glyphs takes as long as all other reading together.
    """

    recorder: Recorder

    @property
    def layout(self) -> LTPage:
        """The page's lines, rectangles, curves and images; `recorder` has its glyphs from then on."""
        if not hasattr(self, "_layout"):
            self.recorder = Recorder(self.pdf.rsrcmgr, pageno=self.page_number)
            interpreter = Interpreter(self.pdf.rsrcmgr, self.recorder)
            interpreter.layers = layers_of(self.pdf.doc)
            interpreter.process_page(self.page_obj)
            self._layout: LTPage = self.recorder.get_result()
        return self._layout

    def turned(self, by: int) -> RecordedPage:
        """The same page displayed `by` degrees further clockwise."""
        self.page_obj.attrs["Rotate"] = self.page_obj.rotate = (self.page_obj.rotate + by) % 360
        return RecordedPage(self.pdf, self.page_obj, self.page_number, self.initial_doctop)


@dataclass(slots=True)
class Opened:
    """A PDF that can be read page by page."""

    where: str
    inflation: Inflation
    pdf: PDF
    witness: pypdfium2.PdfDocument
    pages: list[PDFPage]

    @property
    def title(self) -> str | None:
        """What its properties say."""
        title = self.pdf.metadata.get("Title")
        return " ".join(title.split()) or None if isinstance(title, str) else None

    @property
    def restricted(self) -> bool:
        """Whether it is encrypted for everyone to read but not, say, to print."""
        return self.pdf.doc.encryption is not None

    def page(self, number: int) -> RecordedPage:
        """A page, from 1; it is not interpreted before its layout is asked for."""
        with border(self.place(number), self.inflation):
            return RecordedPage(self.pdf, self.pages[number - 1], number)

    def place(self, number: int) -> str:
        """A page as messages name it."""
        return f"{self.where}, page {number}"


@contextmanager
def border(where: str, inflation: Inflation) -> Iterator[None]:
    """Turn what the libraries raise on damaged files within the block into errors of the source.

    Raises:
        SourceError: locked, damaged, circular, or a stream beyond the limit.
    """
    damaged = inflation.damaged
    try:
        yield
    except RecursionError:
        found = "objects that contain themselves, or nest without end"
        raise SourceError(found, where=where, allowed="a tree of pages and objects", fix=_REPAIR) from None
    except _DAMAGE as error:
        raise _explained(error, where, inflation) from error
    if inflation.exceeded:
        raise _too_large(where, inflation)
    if inflation.damaged > damaged:
        raise SourceError("a damaged stream: part of its content is missing", where=where, fix=_REPAIR)


def _explained(error: Exception, where: str, inflation: Inflation) -> SourceError:
    # pdfplumber wraps what pdfminer.six raises.
    cause = error.args[0] if error.args and isinstance(error.args[0], Exception) else error
    if inflation.exceeded:
        return _too_large(where, inflation)
    if isinstance(cause, PDFPasswordIncorrect) or "Incorrect password" in str(cause):
        return SourceError("encrypted with a password", where=where, allowed="a PDF that anyone can open", fix=UNLOCK)
    if isinstance(cause, PDFEncryptionError):
        return SourceError(f"encrypted in a way that is not read ({cause})", where=where, fix=UNLOCK)
    if isinstance(cause, RecursionError):
        return SourceError("objects that contain themselves, or nest without end", where=where, fix=_REPAIR)
    said = next((words for kinds, words in _PLAIN if isinstance(cause, kinds)), "it cannot be taken apart")
    return SourceError(f"damaged: {said}", where=where, allowed="a whole PDF", fix=_REPAIR)


def _too_large(where: str, inflation: Inflation) -> SourceError:
    found = f"a stream that unzips to more than {inflation.limit:,} bytes"
    return SourceError(found, where=where, allowed=f"{inflation.limit:,} (max_unzipped_bytes)", fix=_REPAIR)


@contextmanager
def opened(raw: bytes, settings: IngestSettings, where: str) -> Iterator[Opened]:
    """A PDF, open within the block.

    Raises:
        SourceError: no PDF, a polyglot, torn, damaged, locked, without pages, or with more than `max_pages`.
    """
    refuse_strangers(raw, where)
    with limited(settings.max_unzipped_bytes) as inflation:
        with border(where, inflation):
            pdf = PDF.open(BytesIO(raw))
            pages = list(islice(PDFPage.create_pages(pdf.doc), settings.max_pages + 1))
            for page in pages:
                _set_upright(page)
        _refuse_few_or_many(pages, settings, where)
        with border(where, inflation):
            witness = pypdfium2.PdfDocument(raw)
        try:
            _refuse_missing(pages, len(witness), where)
            yield Opened(where, inflation, pdf, witness, pages)
        finally:
            # pdfplumber's close() would read all pages once more.
            pdf.flush_cache()
            witness.close()


def _set_upright(page: PDFPage) -> None:
    """Name a page's box by its lower left corner (7.9.5); a turn by what is no quarter is none, as viewers take it."""
    x0, y0, x1, y1 = page.mediabox
    page.mediabox = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    turn = resolve1(page.attrs.get("Rotate"))
    page.rotate = int(turn) % 360 if isinstance(turn, int | float) and turn % 90 == 0 else 0
    page.attrs["Rotate"] = page.rotate


def _refuse_few_or_many(pages: Sequence[PDFPage], settings: IngestSettings, where: str) -> None:
    if len(pages) > settings.max_pages:
        found, limit = f"more than {settings.max_pages:,} pages", f"{settings.max_pages:,} (max_pages)"
        raise SourceError(found, where=where, allowed=limit, fix="split it, or raise max_pages in caveat.toml")
    if not pages:
        raise SourceError("no pages", where=where, allowed="one page or more", fix=_REPAIR)


def _refuse_missing(pages: Sequence[PDFPage], promised: int, where: str) -> None:
    """Refuse a file whose page tree promises other pages than there are: what is missing may be a clause."""
    if len(pages) != promised:
        found = f"damaged: {len(pages)} of its {promised} pages can be found"
        raise SourceError(found, where=where, allowed="a whole PDF", fix=_REPAIR)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the file's own outline."""

    title: str
    level: int
    """From 1."""
    page: int
    """From 1."""
    height: float | None
    """Of its goal, in points from the page's lower edge."""


def bookmarks(opened: Opened, limit: int) -> list[Bookmark]:
    """The bookmarks that lead to a page, in order; at most `limit`, so that no circle is without end.

    Raises:
        SourceError: more of them than `limit`.
    """
    found: list[Bookmark] = []
    with border(opened.where, opened.inflation):
        for place, entry in enumerate(opened.witness.get_toc()):
            if place >= limit:
                raise SourceError(f"more than {limit:,} bookmarks", where=opened.where, fix=_REPAIR)
            goal = entry.get_dest()
            page = goal.get_index() if goal else None
            if goal and page is not None and 0 <= page < len(opened.pages):
                found.append(Bookmark(" ".join(entry.get_title().split()), entry.level + 1, page + 1, _height(goal)))
    return found


def _height(goal: pypdfium2.PdfDest) -> float | None:
    mode, view = goal.get_view()
    at = {pypdfium2.raw.PDFDEST_VIEW_XYZ: 1, pypdfium2.raw.PDFDEST_VIEW_FITH: 0}.get(mode)
    return float(view[at]) if at is not None and len(view) > at and view[at] else None


def witnessed(opened: Opened, number: int) -> str:
    """A page's words by PDFium, in the order of the file."""
    with border(opened.place(number), opened.inflation):
        page = opened.witness[number - 1]
        text = page.get_textpage()
        try:
            return str(text.get_text_range(errors="replace"))
        finally:
            text.close()
            page.close()
