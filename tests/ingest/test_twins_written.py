"""Chapters whose tables run over pages between footnotes, written as PDF on the spot: read as their Markdown is."""

import sys
from pathlib import Path

import pytest

from ingest.document import Document
from ingest.elements import Kind
from ingest.handbook.reading import FileRequest, read_file
from ingest.markdown.cells import table_of
from tests.ingest.test_twins import words


@pytest.fixture(params=["01-plans-and-pricing", "17-revenue-recognition", "appendix-e-notice-periods"])
def twins(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Document, Document]:
    monkeypatch.syspath_prepend(str(root / "data" / "source"))
    from formats.blocks import blocks
    from formats.pdf import pdf

    file = root / "data" / "handbook" / "2026-07-01" / f"{request.param}.md"
    written = pdf(request.param, blocks(file.read_text(encoding="utf-8")))
    for name in [name for name in sys.modules if name.split(".")[0] == "formats"]:
        del sys.modules[name]
    read = read_file(FileRequest("twin.pdf", "twin.pdf", written))
    assert read.loss.lines == ()
    return read_file(FileRequest(file.name, file.name, file.read_bytes())).document, read.document


def facts(document: Document) -> list[tuple[object, ...]]:
    """Path, words and table cells of every section."""
    found: list[tuple[object, ...]] = []
    for one in document.sections:
        tables = [table_of(one.text, element) for element in one.elements if element.kind is Kind.TABLE]
        cells = [[[*map(words, row)] for row in (*table.header, *table.body)] for table in tables]
        found.append((one.path, words(one.text), [table.caption for table in tables], cells))
    return found


def test_sections_have_the_same_words_and_tables_the_same_cells(twins: tuple[Document, Document]) -> None:
    markdown, other = twins
    assert facts(other) == facts(markdown)
