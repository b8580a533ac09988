"""Blocks of other formats as Markdown text: the same elements that the Markdown reader would find."""

import pytest

from ingest.blocks import Block
from ingest.elements import Element, Kind
from ingest.writing import write


def items(blocks: list[Block]) -> list[tuple[str | None, int]]:
    return [(one.ordinal, one.level) for one in write(blocks)[1] if one.kind is Kind.ITEM]


def item(mark: str | None, level: int = 1, text: str = "words") -> Block:
    return Block(Kind.ITEM, text, level=level, mark=mark)


def said(text: str) -> Block:
    return Block(Kind.PARAGRAPH, text)


def shown(text: str, element: Element) -> str:
    return text[element.start : element.end]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([item("1."), item("(a)", 2), item("(i)", 3), item("2.")], [("1", 1), ("1(a)", 2), ("1(a)(i)", 3), ("2", 1)]),
        ([item("4.2"), item("4.2.1", 2)], [("4.2", 1), ("4.2.1", 2)]),
        ([item(None), item("a.", 2)], [(None, 1), ("a", 2)]),
        ([item("(a)")], [("(a)", 1)]),
        ([said("(a) one"), said("(b) two"), said("or later.")], [("(a)", 1), ("(b)", 1)]),
        ([said("(a) alone")], []),
        ([said("(a) one:"), item(None), item(None), said("(b) two")], [("(a)", 1), (None, 2), (None, 2), ("(b)", 1)]),
        (
            [said("(a) one"), said("(b) two"), said("Then:"), item("1."), item("2.")],
            [("(a)", 1), ("(b)", 1), ("1", 1), ("2", 1)],
        ),
    ],
    ids=[
        "nested",
        "dotted",
        "bullet above",
        "alone",
        "typed",
        "typed alone",
        "bullets below typed",
        "list after typed",
    ],
)
def test_ordinals_are_full(blocks: list[Block], expected: list[tuple[str | None, int]]) -> None:
    assert items(blocks) == expected


def test_a_further_paragraph_of_an_item_belongs_to_it() -> None:
    text, (only, after) = write([item("1.", text="First."), Block(Kind.PARAGRAPH, "Second.", level=1), said("After.")])
    assert shown(text, only) == "1. First.\n\n   Second."
    assert (after.kind, shown(text, after)) == (Kind.PARAGRAPH, "After.")


def test_a_paragraph_after_a_nested_list_is_not_part_of_its_last_item() -> None:
    text, elements = write([item("1."), item("(a)", 2), Block(Kind.PARAGRAPH, "Both apply.", level=1), item("2.")])
    assert [(one.kind, shown(text, one)) for one in elements] == [
        (Kind.ITEM, "1. words"),
        (Kind.ITEM, "(a) words"),
        (Kind.PARAGRAPH, "Both apply."),
        (Kind.ITEM, "2. words"),
    ]


def test_a_table_has_its_caption_its_header_and_its_rows() -> None:
    table = Block(Kind.TABLE, cells=(("Role", "Limit"), ("Lead", "5|6"), ("CFO", "two\nlines")), header_rows=1, page=3)
    text, (element,) = write([said("Table 8.1 - Limits"), table])
    assert text == "Table 8.1 - Limits\n\n| Role | Limit |\n|---|---|\n| Lead | 5\\|6 |\n| CFO | two<br>lines |\n"
    assert [text[a:b] for a, b in element.rows] == ["| Lead | 5\\|6 |", "| CFO | two<br>lines |"]
    assert element.header is not None
    assert text[slice(*element.header)] == "Table 8.1 - Limits\n\n| Role | Limit |\n|---|---|"
    assert element.page == 3


def test_a_table_without_a_header_is_all_rows() -> None:
    text, (element,) = write([Block(Kind.TABLE, cells=(("a", "b"), ("c", "d")))])
    assert (element.header, [text[a:b] for a, b in element.rows]) == (None, ["| a | b |", "| c | d |"])


def test_a_footnote_goes_to_what_marks_it() -> None:
    note, other = Block(Kind.FOOTNOTE, "Not for resellers.", label="1"), Block(Kind.FOOTNOTE, "Unmarked.", label="2")
    text, _ = write(
        [
            Block(Kind.HEADING, "A", level=1),
            said("Words[^1]."),
            said("More."),
            Block(Kind.HEADING, "B", level=1),
            said("b"),
            note,
            other,
        ]
    )
    assert text == "# A\n\nWords[^1].\n\nMore.\n\n[^1]: Not for resellers.\n\n# B\n\nb\n\n[^2]: Unmarked.\n"


def test_headings_code_quotes_and_definitions() -> None:
    text, elements = write(
        [
            Block(Kind.HEADING, "4.2 Late\nfees", level=7, explicit_id="late"),
            Block(Kind.CODE, "a ``` b\n"),
            Block(Kind.QUOTE, "one\ntwo"),
            said("**Seat** means a licence."),
            said(" "),
        ]
    )
    assert text == "###### 4.2 Late fees {#late}\n\n````\na ``` b\n````\n\n> one\n> two\n\n**Seat** means a licence.\n"
    assert [element.kind for element in elements] == [Kind.HEADING, Kind.CODE, Kind.QUOTE, Kind.DEFINITION]
    assert [(element.level, element.line) for element in elements] == [(7, 1), (0, 3), (0, 7), (0, 10)]


def test_a_footnote_goes_to_the_end_of_a_section_that_a_bold_line_heads() -> None:
    note = Block(Kind.FOOTNOTE, "A call for goods.", label="1")
    text, _ = write([said("**1. Orders**"), said("Words[^1]."), said("**2. Last**"), said("The end."), note])
    assert text == "**1. Orders**\n\nWords[^1].\n\n[^1]: A call for goods.\n\n**2. Last**\n\nThe end.\n"
