"""Tables: merged cells, headers, tables in tables, tables that lay out a page."""

import pytest

from ingest.blocks import Block
from ingest.elements import Kind
from tests.ingest.docx.conftest import (
    HEADINGS,
    abstract,
    level,
    listed,
    num,
    p,
    r,
    read,
    said,
    style,
    tbl,
    tc,
    text_of,
    tr,
)

SPAN = '<w:gridSpan w:val="{}"/>'
DOWN, GOES_ON = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
NUMBERING = abstract(0, level(0, "decimal", "%1."), level(1, "bullet", "o")) + num(1, 0)


def table(body: str, **others: str) -> Block:
    """The one table of a file."""
    (found,) = [one for one in read(body, **others).blocks if one.kind is Kind.TABLE]
    return found


def rows(*rows: str, props: str = "") -> str:
    return f"<w:tbl><w:tblPr>{props}</w:tblPr>{''.join(rows)}</w:tbl>"


def bold(text: str) -> str:
    return p(r(text, "<w:b/>"))


# Cells


def test_a_cell_over_columns_stands_in_the_first_and_one_over_rows_in_each() -> None:
    body = rows(
        tr("Region", tc("Limits", SPAN.format(2))),
        tr(tc("EMEA", DOWN), "Lead", "5"),
        tr(tc("", GOES_ON), "CFO", "9"),
        tr(tc("", '<w:vMerge w:val="continue"/>'), tc("none", SPAN.format(2))),
    )
    assert table(body).cells == (
        ("Region", "Limits", ""),
        ("EMEA", "Lead", "5"),
        ("EMEA", "CFO", "9"),
        ("EMEA", "none", ""),
    )


def test_columns_in_which_no_cell_starts_are_none() -> None:
    wide = [[tc(text, SPAN.format(3)) for text in pair] for pair in ("ab", "cd")]
    body = rows(tr(*wide[0]), tr(*wide[1]))
    assert table(body).cells == (("a", "b"), ("c", "d"))


def test_rows_that_start_later_or_end_earlier_keep_their_columns() -> None:
    body = rows(
        tr("a", "b", "c"),
        tr("d", "e", props='<w:gridBefore w:val="1"/>'),
        tr("f", props='<w:gridAfter w:val="2"/>'),
    )
    assert table(body).cells == (("a", "b", "c"), ("", "d", "e"), ("f", "", ""))


def test_a_merged_cell_without_one_above_is_an_empty_one() -> None:
    assert table(rows(tr(tc("", GOES_ON), "a"), tr("b", "c"))).cells == (("", "a"), ("b", "c"))


def test_a_long_merged_cell_is_not_repeated() -> None:
    long = "words " * 100
    body = rows(tr(tc(long, DOWN), "a"), tr(tc("", GOES_ON), "b"))
    assert table(body).cells[1] == ("", "b")


def test_cells_hold_paragraphs_marks_links_and_bold() -> None:
    content = p("All of:") + listed("one") + listed("two") + listed("three", 1) + bold("Note")
    link = p(f'<w:hyperlink r:id="L">{r("rules")}</w:hyperlink>')
    body = tbl(["Role", "What"], [link, content])
    found = text_of(body, links={"L": "https://a.example/"}, numbering=NUMBERING)
    assert (
        found.splitlines()[2] == "| [rules](https://a.example/) | All of:<br>1. one<br>2. two<br>• three<br>**Note** |"
    )


@pytest.mark.parametrize("span", ["0", "-3", "x", "999999999999"])
def test_spans_that_are_none_do_no_harm(span: str) -> None:
    body = rows(tr(tc("a", SPAN.format(span)), "b"), tr("c", "d"))
    assert {text for row in table(body).cells for text in row if text} == {"a", "b", "c", "d"}


def test_a_row_of_a_thousand_cells_is_no_table() -> None:
    cells = [f"cell{n}" for n in range(300)]
    assert said(read(rows(tr(*cells), tr("a", "b"))).blocks) == [*cells, "a", "b"]


# Headers


REPEATED = "<w:tblHeader/>"
LOOK = '<w:tblStyle w:val="Grid4"/><w:tblLook w:val="04A0" w:firstRow="{}"/>'
GRID4 = style("Grid4", '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr>', kind="table")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (rows(tr("a", "1.", props=REPEATED), tr("b", "2.", props=REPEATED), tr("c", "3.")), 2),
        (rows(tr("a", "b", props='<w:tblHeader w:val="0"/>'), tr("c", "1")), 1),
        (rows(tr("a", "b", props=REPEATED), tr("c", "d", props=REPEATED)), 1),
        (rows(tr(bold("a"), bold("1")), tr("b", "2")), 1),
        (rows(tr("1", "2"), tr("3", "4"), props=LOOK.format("1")), 1),
        (rows(tr("1", "2"), tr("3", "4"), props=LOOK.format("0")), 0),
        (rows(tr("Role", "Limit"), tr("Lead", "5")), 1),
        (rows(tr("", "Limit"), tr("Lead", "5")), 1),
        (rows(tr("Lead", "5"), tr("CFO", "9")), 0),
        (rows(tr("Seat", "A licence for one person."), tr("Plan", "A price list.")), 0),
        (rows(tr("Role", ""), tr("Lead", "5")), 0),
        (rows(tr(bold("Owner"), "Finance"), tr(bold("Version"), "Third")), 0),
        (rows(tr("Owner:", "Finance"), tr("Version:", "Third")), 0),
        (rows(tr("Role", "Limit")), 0),
    ],
    ids=[
        "repeated rows",
        "not repeated",
        "all repeated",
        "bold",
        "style",
        "style switched off",
        "labels",
        "empty corner",
        "sums",
        "sentences",
        "a gap",
        "bold at the side",
        "colon at the side",
        "one row",
    ],
)
def test_header_rows(body: str, expected: int) -> None:
    assert table(body, styles=GRID4).header_rows == expected


def test_a_header_is_not_marked_bold() -> None:
    found = table(rows(tr(bold("Role"), bold("Limit")), tr(bold("Lead"), "5")))
    assert found.cells == (("Role", "Limit"), ("**Lead**", "5"))


# What stands around and inside


def test_one_short_row_over_the_whole_width_is_the_caption() -> None:
    found = table(rows(tr(tc(bold("Approval limits"), SPAN.format(2))), tr("Role", "Limit"), tr("Lead", "5")))
    assert (found.caption, found.cells, found.header_rows) == ("Approval limits", (("Role", "Limit"), ("Lead", "5")), 1)


def test_more_rows_over_the_whole_width_stand_above() -> None:
    wide = [tr(tc(text, SPAN.format(2))) for text in ("<w:p/>", bold("Terms"), "They are agreed.")]
    body = rows(*wide, tr("Role", "Limit"), tr("Lead", "5"), tr(tc("Others", SPAN.format(2))))
    assert said(read(body).blocks) == ["Terms", "They are agreed.", "Role | Limit / Lead | 5 / Others | "]


def test_captions_stand_beside_the_table_and_are_not_bold() -> None:
    caption = style("caption", "<w:rPr><w:b/></w:rPr>")
    body = p("Table 8.1 - Limits", style="caption") + tbl(["Role", "Limit"], ["Lead", "5"])
    assert text_of(body, styles=caption).startswith("Table 8.1 - Limits\n\n| Role | Limit |\n|---|---|\n")


def test_a_table_in_a_cell_stands_below_its_row() -> None:
    inner = tbl(["Tier", "Credit"], ["One", "5"])
    body = rows(tr("What", "How"), tr("Key terms", p("See:") + inner), tr("Others", "None"))
    found = read(body).blocks
    assert said(found) == [
        "What | How / Key terms | See:",
        "Tier | Credit / One | 5",
        "What | How / Others | None",
    ]
    assert [one.header_rows for one in found] == [1, 1, 1]


def test_a_table_in_the_first_row_is_no_header() -> None:
    found = read(rows(tr("What", p("See:") + tbl(["a", "b"], ["c", "d"])), tr("Others", "None"))).blocks
    assert said(found) == ["What | See:", "a | b / c | d", "Others | None"]


def test_tables_nested_as_deep_as_allowed() -> None:
    body = tbl(["a", "b"], ["c", "d"])
    for _ in range(40):
        body = tbl(["a", "b"], ["c", body])
    assert len(read(body).blocks) == 41


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (rows(tr(p("a") + p("b"))), ["a", "b"]),
        (rows(tr("a")), ["a"]),
        (rows(tr(p("Fees", style="H1") + p("a")), tr("b")), ["# Fees", "a", "b"]),
        (rows(tr(listed("a") + listed("b"))), ["1. a", "2. b"]),
        (rows(tr(tbl(["a", "b"], ["c", "d"]))), ["a | b / c | d"]),
        (rows(tr(p("Fees", style="H1") + p("a"), p("Seats", style="H1") + p("b"))), ["# Fees", "a", "# Seats", "b"]),
        (rows(tr(p("a") * 3, p("b") * 3)), ["a", "a", "a", "b", "b", "b"]),
        (rows(tr("a"), tr("b"), tr("c")), ["a / b / c"]),
        (rows(tr(p("Role", style="H1"), p("Limit", style="H1")), tr("Lead", "5")), ["Role | Limit / Lead | 5"]),
        (rows(), []),
        (rows(tr("", ""), tr("", "")), []),
    ],
    ids=[
        "box",
        "one cell",
        "one column of sections",
        "list",
        "frame",
        "columns of sections",
        "columns of text",
        "one column",
        "headings as header",
        "no rows",
        "empty",
    ],
)
def test_tables_that_lay_out_a_page(body: str, expected: list[str]) -> None:
    parsed = read(body, styles=HEADINGS, numbering=NUMBERING)
    assert said(parsed.blocks) == expected


def test_white_words_are_shown_on_coloured_cells_and_tables() -> None:
    white = p(r("Role", '<w:color w:val="FFFFFF"/>'))
    blue = '<w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>'
    colored = style("Grid4", f'<w:tblStylePr w:type="firstRow"><w:tcPr>{blue}</w:tcPr></w:tblStylePr>', kind="table")
    in_cell = rows(tr(tc(white, blue), "Limit"), tr("Lead", "5"))
    in_style = rows(tr(white, "Limit"), tr("Lead", "5"), props='<w:tblStyle w:val="Grid4"/>')
    bare = rows(tr(white, "Limit"), tr("Lead", "5"))
    assert [table(one, styles=colored).cells[0][0] for one in (in_cell, in_style, bare)] == ["Role", "Role", ""]


def test_a_table_lies_in_the_item_whose_list_goes_on_below_it() -> None:
    numbering = abstract(0, level(0, "decimal", "%1."), level(1, "lowerLetter", "(%2)")) + num(1, 0)
    body = listed("a") + listed("b", 1) + tbl(["Role", "Limit"], ["Lead", "5"]) + listed("c", 1)
    assert [one.level for one in read(body, numbering=numbering).blocks] == [1, 2, 1, 2]
