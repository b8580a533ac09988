"""Tables that the end of a page or column breaks, read as a whole file."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.ingest.pdf.conftest import wrapped
from tests.ingest.pdf.finding import PROSE

XS = (66, 126, 186, 326)
HEAD = [["Grade"], ["Limit"], ["Rule"]]


def boxed(page, top, rows):
    """Rows of cells of lines in a grid of rules; returns where it ends."""
    for cells in rows:
        bottom = top + 12 * max(map(len, cells)) + 4
        for (left, right), cell in zip(pairwise(XS), cells, strict=True):
            page.rect(left, top, right, bottom)
            page.lines(left + 4, top + 11, cell)
        top = bottom
    return top


def grade(number, lines):
    return [[f"Grade {number}"], [f"{number}00"], lines]


def row_over_the_page(sheet, at, *, header=False):
    """Two pages; the first row of the table goes on on the second one, after `at` lines."""
    rule = wrapped(PROSE * 2, 130)
    first, second = sheet(), sheet()
    first.paragraph(72, 60, PROSE)
    boxed(first, 800 - 12 * at - 24, [HEAD, grade(1, rule[:at])])
    rest = [[], [], rule[at:]]
    end = boxed(second, 60, [*([HEAD] if header else []), rest, grade(2, ["None."]), grade(3, ["None."])])
    second.paragraph(72, end + 20, PROSE)
    return first, second


@pytest.mark.parametrize("header", [False, True], ids=["header once", "header again"])
@pytest.mark.parametrize("at", [2, 9, 20])
def test_a_row_over_the_page_is_one_row(at, header, read, sheet) -> None:
    parsed = read(*row_over_the_page(sheet, at, header=header))
    (table,) = [block for block in parsed.blocks if block.cells]
    assert [row[0] for row in table.cells] == ["Grade", "Grade 1", "Grade 2", "Grade 3"]
    assert table.cells[1][2] == (PROSE * 2).strip()
    assert [one.text for one in parsed.dropped] == ["Grade Limit Rule"] * header


def test_the_rest_of_the_last_row_alone_in_its_rules_belongs_to_it(read, sheet, texts) -> None:
    first, second = sheet(), sheet()
    first.paragraph(72, 60, PROSE)
    boxed(first, 700, [HEAD, grade(1, ["Paid to those who", "ask before the"])])
    second.paragraph(72, boxed(second, 60, [[[], [], ["end of the year."]]]) + 20, PROSE)
    table = "Grade | Limit | Rule / Grade 1 | 100 | Paid to those who ask before the end of the year."
    assert texts(read(first, second)) == [PROSE.strip(), table, PROSE.strip()]


def test_text_in_a_frame_on_the_next_page_is_no_rest(read, sheet, texts) -> None:
    first, second = sheet(), sheet()
    first.paragraph(72, 60, PROSE)
    boxed(first, 700, [HEAD, grade(1, ["None."])])
    second.rect(66, 60, 500, 110).paragraph(72, 74, PROSE, width=420)
    assert texts(read(first, second))[1:] == ["Grade | Limit | Rule / Grade 1 | 100 | None.", PROSE.strip()]


YEARS = [("0 to 1", "24"), ("2 to 3", "25"), ("4 to 5", "26"), ("6 to 7", "27"), ("8 to 9", "28")]


def level_ruled(page, left, top, rows, *, bold=False):
    """Rows of two columns, a level rule below each; returns where they end."""
    for number, cells in enumerate(rows):
        y = top + 16 * number
        font = "Helvetica-Bold" if bold and not number else "Helvetica"
        page.text(left + 4, y + 11, cells[0], font=font).text(left + 110, y + 11, cells[1], font=font)
        page.line(left, y + 15, left + 150, y + 15)
    return top + 16 * len(rows)


def column(page, left, top, count):
    return page.lines(left, top, wrapped(PROSE * 4, 210)[:count])


HEADED = [("Years of service", "Days"), *YEARS]


def over_the_page(sheet):
    """The table starts at the foot of the second column and goes on in the first one of the next page."""
    first, second = sheet(), sheet()
    column(first, 72, 60, 50)
    level_ruled(first, 310, column(first, 310, 60, 40) + 10, HEADED[:3], bold=True)
    column(second, 72, level_ruled(second, 72, 60, HEADED[3:]) + 20, 30)
    column(second, 310, 60, 38)
    return first, second


def over_the_column(sheet):
    page = sheet()
    level_ruled(page, 72, column(page, 72, 60, 40) + 10, HEADED[:3], bold=True)
    column(page, 310, level_ruled(page, 310, 60, HEADED[3:]) + 20, 30)
    return (page,)


@pytest.mark.parametrize("draw", [over_the_page, over_the_column], ids=lambda draw: draw.__name__)
def test_level_rules_in_a_column_go_on_in_the_next_one(draw, read, sheet) -> None:
    (table,) = [block for block in read(*draw(sheet)).blocks if block.cells]
    assert (table.cells, table.header_rows) == (tuple(HEADED), 1)


def test_tables_side_by_side_in_columns_of_text_are_two(read, sheet, texts) -> None:
    page = sheet()
    for left in (72, 310):
        column(page, left, level_ruled(page, left, column(page, left, 60, 20) + 10, HEADED[:4], bold=True) + 20, 20)
    tables = [block.cells for block in read(page).blocks if block.cells]
    assert tables == [tuple(HEADED[:4])] * 2


def test_a_table_that_crosses_the_gutter_stays_whole(read, sheet) -> None:
    page = sheet()
    rows = [("Plan", "Seats", "Price"), ("Starter", "up to 5 seats", "20 USD"), ("Team", "up to 25 seats", "90 USD")]
    for left in (72, 310):
        column(page, left, 60, 20)
        column(page, left, 420, 20)
    for number, cells in enumerate(rows):
        for x, cell in zip((72, 260, 430), cells, strict=True):
            page.text(x, 340 + 16 * number, cell, font="Helvetica" if number else "Helvetica-Bold")
    assert [block.cells for block in read(page).blocks if block.cells] == [tuple(rows)]


def test_columns_are_told_apart_by_rules_at_other_heights(read, sheet, texts) -> None:
    page = sheet()
    page.text(72, 60, "1 Days", size=14).text(310, 66, "Other days are these.")
    page.lines(72, 80, ["Days of leave are granted by years of", "service."])
    level_ruled(page, 72, 110, HEADED[:4], bold=True)
    level_ruled(page, 310, 84, [("Country", "Days"), ("Spain", "22"), ("Italy", "23"), ("France", "25")], bold=True)
    page.text(310, 173, "No leave is granted in the trial period.").text(72, 195, "2 Ends", size=14)
    page.text(310, 189, "End of the rules.")
    other = "Country | Days / Spain | 22 / Italy | 23 / France | 25"
    first = "Years of service | Days / 0 to 1 | 24 / 2 to 3 | 25 / 4 to 5 | 26"
    shown = texts(read(page))
    assert [one for one in shown if "|" in one] == [first, other]
    assert shown.index("Days of leave are granted by years of service.") < shown.index(first)
    assert shown.index("# 2 Ends") < shown.index("Other days are these.") < shown.index(other)
