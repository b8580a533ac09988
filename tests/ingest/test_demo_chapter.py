"""The bundled handbook's chapter on seats is read as it is meant."""

from pathlib import Path

import pytest

from ingest.chunks import cut
from ingest.document import Document
from ingest.elements import Kind
from ingest.loss import lost_lines
from ingest.markdown.reader import read_markdown
from ingest.sections import build_document
from ingest.settings import IngestSettings


@pytest.fixture(scope="module")
def chapter(demo_handbook: Path) -> Document:
    text = next((demo_handbook / "2026-01-01").glob("04-*.md")).read_text(encoding="utf-8")
    return build_document("04-seats.md", "Seats", text, read_markdown(text))


def test_nothing_of_any_edition_is_lost(demo_handbook: Path) -> None:
    for path in demo_handbook.glob("*/04-*.md"):
        text = path.read_text(encoding="utf-8")
        assert lost_lines(build_document(path.name, "Seats", text, read_markdown(text)), text) == []


def test_sections_have_their_numbers(chapter: Document) -> None:
    numbers = [section.number for section in chapter.sections]
    assert numbers[0] == "4"
    assert {f"4.{n}" for n in range(1, 7)} <= set(numbers)
    assert None not in numbers


def test_the_formula_has_its_caption_and_header(chapter: Document, word_pieces) -> None:
    (section,) = [section for section in chapter.sections if section.number == "4.2.1"]
    made = cut(section, "Seats", word_pieces, IngestSettings(), 256)
    (formula,) = [chunk.text for chunk in made if "credit_usd =" in chunk.text]
    assert formula.startswith("Table 4.2 - Seat Downgrade Pro-Rata Credit Formula\nPlan | Credit")


def test_every_table_has_a_caption(chapter: Document) -> None:
    tables = [
        section.text[one.start : one.end]
        for section in chapter.sections
        for one in section.elements
        if one.kind is Kind.TABLE
    ]
    assert len(tables) >= 3
    assert all(table.startswith("Table 4.") for table in tables)
