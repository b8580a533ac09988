"""Pages by unstructured's layout model, without unstructured: its elements to blocks, and what is missing."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from io import BytesIO
from types import ModuleType, SimpleNamespace

import pdfplumber
import pytest

from ingest.blocks import Block, Dropped
from ingest.elements import Kind
from ingest.errors import SourceError
from ingest.pdf import hires

TABLE = """<table><thead><tr><th>Role</th><th colspan="2">Limit</th></tr></thead><tbody>
<tr><td rowspan="2">Clerk</td><td>10 USD</td><td>a*b*</td></tr><tr><td>20 USD</td><td></td></tr></tbody></table>"""


def element(category: str, text: str, page: int = 1, depth: int | None = None, markup: str | None = None):
    metadata = SimpleNamespace(page_number=page, category_depth=depth, text_as_html=markup)
    return SimpleNamespace(category=category, text=text, metadata=metadata)


@dataclass
class Fake:
    """unstructured.partition.pdf with one answer, or error."""

    answer: list | Exception
    asked: dict = field(default_factory=dict)

    def partition_pdf(self, **asked):
        self.asked = {**asked, "pages": pages_of(asked["file"].getvalue())}
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def pages_of(raw: bytes) -> list[str]:
    with pdfplumber.open(BytesIO(raw)) as pdf:
        return [page.extract_text() for page in pdf.pages]


@pytest.fixture
def ask(monkeypatch, sheet, pdf_of):
    """Ask for pages of a file of four, whose model answers so."""

    def run(answer, pages=(1,)):
        fake = Fake(answer)
        for name in ("unstructured", "unstructured.partition"):
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setitem(sys.modules, "unstructured.partition.pdf", fake)
        raw = pdf_of(*(sheet().text(72, 100, f"Number {number}") for number in range(1, 5)))
        return hires.layout_of_pages(raw, pages, "seats.pdf"), fake.asked

    return run


@pytest.mark.parametrize(
    ("given", "block"),
    [
        (element("Title", "4.2 Downgrades"), Block(Kind.HEADING, "4.2 Downgrades", 1, 1)),
        (element("Title", "4.2.1 Credit", depth=1), Block(Kind.HEADING, "4.2.1 Credit", 1, 2)),
        (
            element("NarrativeText", "The credit\nis [sic] computed."),
            Block(Kind.PARAGRAPH, "The credit is [sic] computed.", 1),
        ),
        (element("UncategorizedText", "2 * 3 * 4"), Block(Kind.PARAGRAPH, r"2 * 3 * 4", 1)),
        (element("ListItem", "by e-mail", depth=1), Block(Kind.ITEM, "by e-mail", 1, 2)),
        (element("ListItem", "(a) by e-mail"), Block(Kind.PARAGRAPH, "(a) by e-mail", 1)),
        (element("CodeSnippet", "a\n  b"), Block(Kind.CODE, "a\n  b", 1)),
        (element("Image", "Nut"), Block(Kind.PARAGRAPH, "Nut", 1)),
        (element("Table", "Role Limit"), Block(Kind.PARAGRAPH, "Role Limit", 1)),
    ],
    ids=lambda one: one.category if hasattr(one, "category") else "",
)
def test_each_kind_of_element_is_a_block(given, block, ask) -> None:
    layout, _ = ask([given])
    assert layout.blocks == {1: [block]}


def test_tables_keep_their_header_and_spanning_cells(ask) -> None:
    layout, _ = ask([element("Table", "Role Limit", markup=TABLE)])
    ((table,),) = layout.blocks.values()
    assert table.cells == (("Role", "Limit", ""), ("Clerk", "10 USD", "a\\*b\\*"), ("Clerk", "20 USD", ""))
    assert (table.kind, table.header_rows) == (Kind.TABLE, 1)


@pytest.mark.parametrize("span", ["1000000", "0", "-3", "x"])
def test_senseless_spans_are_bounded(span, ask) -> None:
    markup = f'<table><tr><td colspan="{span}" rowspan="{span}">a</td><td>b</td></tr><tr><td>c</td></tr></table>'
    layout, _ = ask([element("Table", "a b c", markup=markup)])
    ((table,),) = layout.blocks.values()
    assert {len(row) for row in table.cells} <= {2, 201}


def test_only_the_given_pages_are_sent_and_get_their_numbers_back(ask) -> None:
    layout, asked = ask([element("NarrativeText", "two"), element("NarrativeText", "four", page=2)], pages=(2, 4))
    assert asked["pages"] == ["Number 2", "Number 4"]
    assert {page: [block.text for block in blocks] for page, blocks in layout.blocks.items()} == {
        2: ["two"],
        4: ["four"],
    }
    assert (asked["strategy"], asked["infer_table_structure"]) == ("hi_res", True)


def test_heads_and_page_numbers_are_dropped_by_name(ask) -> None:
    layout, _ = ask([element("Header", "4 Seats"), element("PageNumber", "7"), element("PageBreak", "")], pages=(3,))
    assert layout.dropped == (Dropped("running head", "page 3", "4 Seats"), Dropped("page number", "page 3", "7"))
    assert layout.blocks == {3: []}


def test_nothing_is_loaded_for_no_pages() -> None:
    assert hires.layout_of_pages(b"", (), "seats.pdf").blocks == {}


def test_reports_to_its_maker_are_off(ask) -> None:
    ask([])
    assert (os.environ["DO_NOT_TRACK"], os.environ["UNSTRUCTURED_DISABLE_NOTICE"]) == ("1", "1")


class LocalEntryNotFoundError(FileNotFoundError):
    """As huggingface_hub raises it without a connection."""


class TesseractNotFoundError(OSError):
    """As unstructured_pytesseract raises it."""


class PDFInfoNotInstalledError(Exception):
    """As pdf2image raises it."""


def caused(cause: Exception) -> Exception:
    error = RuntimeError("Error loading model")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            LocalEntryNotFoundError("cannot find the requested files"),
            r"seats.pdf, page 1: a model .*LocalEntry.*HF_HOME",
        ),
        (caused(ConnectionError("no route")), r"page 1: a model .*RuntimeError: Error loading model.*huggingface.co"),
        (RuntimeError("Failed to download en_core_web_sm"), r"page 1: a model for layout .*github.com"),
        (TesseractNotFoundError(), r"the program tesseract, .*apt-get install tesseract-ocr"),
        (caused(PDFInfoNotInstalledError()), r"the program pdfinfo, .*apt-get install poppler-utils"),
        (ValueError("bad page"), r"page 1: unstructured cannot read it \(ValueError: bad page\)"),
    ],
    ids=["hub", "connection", "spacy", "tesseract", "poppler", "other"],
)
def test_what_is_missing_is_said_with_what_to_do(error, said, ask) -> None:
    with pytest.raises(SourceError, match=said):
        ask(error)


def test_a_missing_package_is_said_with_its_install_line(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "unstructured.partition.pdf", None)
    monkeypatch.setitem(sys.modules, "unstructured", None)
    with pytest.raises(SourceError, match=r'seats.pdf: .*fix: pip install torch==2.13.0 -e "\.\[hi-res\]"'):
        hires.layout_of_pages(b"%PDF", (1,), "seats.pdf")
