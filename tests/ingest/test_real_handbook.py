"""The reader on a real handbook in five editions, where it lies beside the project."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from ingest.chunks import SPECIALS, cut
from ingest.document import Document
from ingest.elements import Kind
from ingest.loss import lost_lines
from ingest.markdown.reader import read_markdown
from ingest.sections import build_document
from ingest.settings import IngestSettings

HANDBOOK = Path(__file__).parents[3] / "shared" / "handbooks" / "github_site_policy"
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)

pytestmark = pytest.mark.skipif(not HANDBOOK.is_dir(), reason="the shared handbooks are not beside the project")


@pytest.fixture(scope="module")
def read() -> dict[str, tuple[str, Document]]:
    """Relative path -> raw text and document."""
    found = {}
    for path in sorted(HANDBOOK.glob("2*/**/*.md")):
        raw = path.read_text(encoding="utf-8")
        body = FRONT_MATTER.sub("", raw)
        name = path.relative_to(HANDBOOK).as_posix()
        found[name] = (raw, build_document(name, "Policy", body, read_markdown(body)))
    return found


def named(read: dict[str, tuple[str, Document]], end: str) -> Document:
    (document,) = [document for name, (_, document) in read.items() if name.endswith(end)]
    return document


def test_no_line_of_any_file_is_lost(read) -> None:
    assert len(read) > 200
    assert [note for raw, document in read.values() for note in lost_lines(document, raw)] == []


def test_every_chunk_fits_and_few_are_small(read, word_pieces) -> None:
    sizes = []
    for name in [name for name in read if name.startswith("2022")]:
        for section in read[name][1].sections:
            made = cut(section, "Policy", word_pieces, IngestSettings(), 256)
            assert all(word_pieces.count(one.embed_text) + SPECIALS <= 256 for one in made)
            sizes += [word_pieces.count(one.text) for one in made]
    assert sum(size > 160 for size in sizes) < 0.02 * len(sizes)


def test_numbers_of_sections_come_from_headings_and_bold_lines(read) -> None:
    sections = named(read, "2022-05-25/Policies/github-data-protection-agreement.md").sections
    found = {section.number: section.title for section in reversed(sections) if section.number}
    assert found["8"] == "Data protection safeguards"
    assert found["8.9"] == "Documentation and compliance"
    assert found["15.1"] == "Notification"


def test_html_lists_have_the_ordinals_that_the_page_shows(read) -> None:
    sections = named(read, "2022-05-25/Policies/github-data-protection-agreement.md").sections
    clause = next(section for section in sections if section.title == "Purpose and scope")
    assert [one.ordinal for one in clause.elements if one.ordinal] == ["a", "b", "b.i", "b.ii", "c", "d"]


def test_letters_in_paragraphs_keep_their_nesting(read) -> None:
    sections = named(read, "2020-11-23/Policies/github-data-protection-addendum.md").sections
    clause = next(section for section in sections if section.title == "Obligations of the data importer")
    ordinals = [one.ordinal for one in clause.elements if one.kind is Kind.ITEM]
    assert ordinals[3:8] == ["(d)", "(d)(i)", "(d)(ii)", "(d)(iii)", "(e)"]
    assert ordinals[-2:] == ["(i)", "(j)"]


def test_tables_have_headers_and_rows(read) -> None:
    tables = [
        one
        for _, document in read.values()
        for section in document.sections
        for one in section.elements
        if one.kind is Kind.TABLE
    ]
    assert len(tables) > 20
    assert all(one.header and one.rows for one in tables)


def test_kinds_are_plausible(read) -> None:
    kinds = Counter(
        one.kind for _, document in read.values() for section in document.sections for one in section.elements
    )
    assert kinds[Kind.HEADING] > 2_500
    assert kinds[Kind.DEFINITION] > 300
    assert kinds[Kind.HTML] < 100
