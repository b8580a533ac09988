import time
from dataclasses import replace

import pytest

from ingest.blocks import Block, Dropped, SourceLine
from ingest.elements import Kind
from ingest.loss import kept_texts, lost_lines, measure
from ingest.sections import build_document
from ingest.writing import write


@pytest.mark.parametrize(
    "raw",
    [
        "---\ntitle: Seats\n---\n# A\n\ntext\n",
        "\ufeff# A\r\n\r\ntext\r\n",
        "# A\n\n<!-- hidden\nwords -->\n\n</ol>\n\n* * *\n",
    ],
    ids=["front matter", "byte order mark", "markup"],
)
def test_nothing_is_lost_where_all_words_are_in_elements(document, raw: str) -> None:
    body = raw.split("---\n")[-1].lstrip("\ufeff").replace("\r\n", "\n")
    assert lost_lines(document(body), raw) == []


def test_a_line_without_an_element_is_named_with_its_line(document) -> None:
    raw = "---\ntitle: A\n---\n# A\n\nkept here\n\nlost here\n\nkept too\n"
    made = document("# A\n\nkept here\n\nkept too\n")
    assert [(note.code, note.where, note.message) for note in lost_lines(made, raw)] == [
        ("lost-line", "seats.md:8", "not in any section: lost here")
    ]


def test_a_lost_element_is_found_though_its_text_is_in_the_section(document) -> None:
    made = document("# A\n\none two\n\nthree\n")
    (section,) = made.sections
    made = replace(made, sections=(replace(section, elements=(section.elements[0], section.elements[2])),))
    assert [note.where for note in lost_lines(made, made.text)] == ["seats.md:3"]


def test_a_line_that_lost_some_words_is_named_and_the_next_is_not(document) -> None:
    raw = "# A\n\none two three four\n\nfive\n"
    assert [note.where for note in lost_lines(document("# A\n\none two four\n\nfive\n"), raw)] == ["seats.md:3"]


def test_tags_and_links_in_verbatim_text_are_words() -> None:
    code = "<b9> [a](b) text"
    made = build_document("a.html", "A", *write([Block(Kind.CODE, code)]))
    assert measure([SourceLine("line 1", code)], kept_texts(made, rendered=True)).lines == ()


def test_a_header_that_is_repeated_line_by_line_does_not_use_up_the_next_tables() -> None:
    header = ["Currency List price a", "seat and year", "250 to 999 5,000 and", "more"]
    row = "Currency List price a seat and year 250 to 999 5,000 and more"
    pages = [(1, ["USD 1.00"]), (2, [*header, "EUR 2.00"]), (3, [*header, "GBP 3.00"])]
    source = [SourceLine(f"page {page}", line) for page, lines in pages for line in lines]
    kept = ["USD 1.00", "EUR 2.00", row, "GBP 3.00"]
    loss = measure(source, kept, [Dropped("duplicate", "page 2", row)])
    assert loss.lines == ()
    assert [place.dropped for place in loss.places] == [0, sum(map(str.isalnum, row)), 0]


def test_thousands_of_short_lines_are_found_one_after_the_other(document) -> None:
    raw = "# A\n\n" + "Words.\n\n" * 8000
    start = time.perf_counter()
    assert lost_lines(document(raw), raw) == []
    assert time.perf_counter() - start < 10


def test_a_word_that_was_dropped_in_part_loses_nothing() -> None:
    source = [SourceLine("paragraph 1", "Hidden approve allShown."), SourceLine("paragraph 2", "gone")]
    loss = measure(source, ["Shown."], [Dropped("hidden text", "paragraph 1", "Hidden approve all")])
    assert [line.text for line in loss.lines] == ["gone"]
    assert loss.dropped == {"hidden text": 16}
