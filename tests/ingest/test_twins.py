"""Three chapters as HTML, DOCX and PDF: what is read of each is what is read of its Markdown."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from ingest.document import Document, Section
from ingest.elements import Kind
from ingest.handbook.reading import FileReading, FileRequest, read_file
from ingest.markdown.cells import table_of
from ingest.markdown.plain import plain
from tests.conftest import ROOT

CHAPTERS = ("04-seats", "08-credit-memos-and-approval-limits", "18-purchase-cards")
FORMATS = ("html", "docx", "pdf")
NOTE = re.compile(r"\[\^[^\]]+\]:?")
"""A footnote's label is the author's word in Markdown, and a number elsewhere."""

pytestmark = [pytest.mark.parametrize("chapter", CHAPTERS), pytest.mark.parametrize("suffix", FORMATS)]


@cache
def read(path: Path) -> FileReading:
    return read_file(FileRequest(path.name, path.name, path.read_bytes()))


def twins(chapter: str, suffix: str) -> tuple[Document, Document]:
    markdown = read(ROOT / "data" / "handbook" / "2026-07-01" / f"{chapter}.md").document
    return markdown, read(ROOT / "data" / "formats" / f"{chapter}.{suffix}").document


def same_in_both(chapter: str, suffix: str, of: Callable[[Section], object]) -> list[tuple[str, object]]:
    """What `of` says of every section, after it was found to be equal."""
    markdown, other = ([(one.path[-1], of(one)) for one in document.sections] for document in twins(chapter, suffix))
    assert other == markdown
    return markdown


def words(text: str) -> str:
    return "".join(re.findall(r"[^\W_]+", plain(NOTE.sub(" ", text))))


def test_the_outline_is_the_same(chapter: str, suffix: str) -> None:
    found = same_in_both(chapter, suffix, lambda one: (one.number, one.title, one.path, one.level, one.parent))
    assert len(found) > 10


def test_every_section_has_the_same_words(chapter: str, suffix: str) -> None:
    same_in_both(chapter, suffix, lambda one: words(one.text))


def test_list_items_have_the_same_ordinals_depths_and_words(chapter: str, suffix: str) -> None:
    def items(section: Section) -> list[tuple[object, ...]]:
        found = [one for one in section.elements if one.kind is Kind.ITEM]
        return [(one.ordinal, one.level, words(section.text[one.start : one.end])[-20:]) for one in found]

    assert any(listed for _, listed in same_in_both(chapter, suffix, items))


def test_tables_have_the_same_captions_and_cells(chapter: str, suffix: str) -> None:
    def tables(section: Section) -> list[tuple[object, ...]]:
        found = [table_of(section.text, one) for one in section.elements if one.kind is Kind.TABLE]
        return [(one.caption, *(tuple(map(words, row)) for row in (*one.header, *one.body))) for one in found]

    assert any(rows for _, rows in same_in_both(chapter, suffix, tables))


def test_footnotes_stand_in_the_same_sections(chapter: str, suffix: str) -> None:
    def notes(section: Section) -> list[str]:
        found = [one for one in section.elements if one.kind is Kind.FOOTNOTE]
        return [words(section.text[one.start : one.end]) for one in found]

    assert any(told for _, told in same_in_both(chapter, suffix, notes)) is (chapter != "04-seats")


def test_links_are_the_same(chapter: str, suffix: str) -> None:
    def links(section: Section) -> list[tuple[object, ...]]:
        return [(one.relation, one.limiter, one.target) for one in section.links]

    assert any(found for _, found in same_in_both(chapter, suffix, links))


def test_the_title_is_the_same_and_nothing_is_lost(chapter: str, suffix: str) -> None:
    markdown, other = twins(chapter, suffix)
    assert other.title == markdown.title
    assert read(ROOT / "data" / "formats" / f"{chapter}.{suffix}").loss.lines == ()
