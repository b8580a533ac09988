"""Tables that only the white between columns shows."""

from __future__ import annotations

import pytest

from tests.ingest.pdf.conftest import width_of
from tests.ingest.pdf.finding import PLANS, PROSE, put_rows, rows_of, tables_of, texts_of

XS = (72, 172, 272, 372)


def put_right(sheet, rows, top=120, pitch=14):
    """The first column to the left, the others to the right of their edges."""
    for number, row in enumerate(rows):
        font = "Helvetica-Bold" if not number else "Helvetica"
        sheet.text(72, top, row[0], font=font)
        for right, cell in zip((300, 380, 460), row[1:], strict=False):
            sheet.text(right - width_of(cell, 10, font), top, cell, font=font)
        top += pitch


@pytest.mark.parametrize("pitch", [12, 16, 24], ids=["tight", "apart", "wide"])
@pytest.mark.parametrize("prose", [False, True], ids=["alone", "in prose"])
def test_aligned_columns_are_a_table(pitch, prose, sheet, pdf_of) -> None:
    page = sheet()
    end = put_rows(page, PLANS, XS, pitch=pitch)
    if prose:
        page.paragraph(72, 70, PROSE, width=400)
        page.paragraph(72, end + 24, PROSE, width=400)
    (table,) = tables_of(pdf_of(page))
    assert (texts_of(table), table.header_rows, table.ruled) == (PLANS, 1, False)


def test_numbers_to_the_right_are_columns(sheet, pdf_of) -> None:
    rows = [
        ["Item", "Units", "Price", "Total"],
        ["Full seat", "1,000", "9.00", "9,000.00"],
        ["Viewer seat", "5", "120.50", "602.50"],
        ["Onboarding of a large customer", "1", "2,500.00", "2,500.00"],
    ]
    page = sheet()
    put_right(page, rows)
    assert rows_of(pdf_of(page)) == [rows]


@pytest.mark.parametrize("dots", ["." * 40, " ." * 20, "…" * 12], ids=["dots", "spaced", "ellipses"])
@pytest.mark.parametrize("glued", [False, True], ids=["apart", "glued"])
def test_dots_that_lead_to_prices_are_left_out(dots, glued, sheet, pdf_of) -> None:
    rows = [["Hotel", "180.00"], ["Flight", "95.50"], ["Car", "1,200.00"], ["Taxi", "40.00"]]
    page = sheet()
    for number, (name, price) in enumerate(rows):
        y = 120 + 14 * number
        page.text(72, y, name).text(72 + width_of(name) + (0 if glued else 6), y, dots)
        page.text(400 - width_of(price), y, price)
    assert rows_of(pdf_of(page)) == [rows]


def test_lines_of_a_cell_belong_to_the_row_above(sheet, pdf_of) -> None:
    rows = [
        ["Role", "Limit", "What may be approved"],
        ["Clerk", "500", "Credit memos that follow from a|price list in force"],
        ["Team lead", "5,000", "The same, and refunds of charges|made twice"],
        ["Director", "25,000", "All of them"],
    ]
    page = sheet()
    put_rows(page, rows, (72, 172, 252), pitch=12)
    assert rows_of(pdf_of(page)) == [[[cell.replace("|", " ") for cell in row] for row in rows]]


def test_rows_that_stand_apart_hold_all_lines_between(sheet, pdf_of) -> None:
    rows = [
        ["Plan", "Credit", "Day"],
        ["Starter and|Team, Monthly", "None; the next|Month is billed", "First|Friday"],
        ["Business,|Annual", "By the|Formula", "At|Once"],
        ["Enterprise", "By contract", "Never"],
    ]
    page = sheet()
    page.text(72, 100, "Table 4 - Credit by plan")
    put_rows(page, rows, XS, pitch=20)
    assert rows_of(pdf_of(page)) == [[[cell.replace("|", " ") for cell in row] for row in rows]]


def test_a_header_that_spans_columns_leaves_them_apart(sheet, pdf_of) -> None:
    rows = [
        ["Plan", "Start", "End"],
        ["Team", "03/04", "03/06"],
        ["Business", "05/04", "05/06"],
        ["Other", "07/01", "07/09"],
    ]
    page = sheet()
    page.text(200, 117, "Dates of the whole service", font="Helvetica-Bold")
    put_rows(page, rows, (72, 200, 290), top=120)
    (found,) = rows_of(pdf_of(page))
    assert found[-4:] == rows


def test_a_header_in_two_lines_that_end_together_is_one_row(sheet, pdf_of) -> None:
    page = sheet()
    page.text(275, 119, "Earliest", font="Helvetica-Bold")
    put_rows(page, [["Plan", "Credit", "day"], *PLANS[1:]], XS)
    (table,) = tables_of(pdf_of(page))
    assert texts_of(table)[0] == ["Plan", "Credit", "Earliest day"]
    assert table.header_rows == 1


def test_a_caption_tells_a_table_of_words(sheet, pdf_of) -> None:
    rows = [["Role", "Deputy"], ["Controller", "Head of billing"], ["Director", "Controller"], ["Clerk", "Nobody"]]
    page = sheet()
    put_rows(page, rows, (72, 222), header=False)
    assert rows_of(pdf_of(page)) == []
    page.text(72, 112, "Table 8.2 - Deputies")
    assert rows_of(pdf_of(page)) == [rows]


def test_the_caption_and_the_next_paragraph_are_not_in_it(sheet, pdf_of) -> None:
    page = sheet()
    page.text(72, 112, "Table 1 - Plans")
    end = put_rows(page, PLANS, XS)
    page.text(72, end + 22, "See 4.2.")
    assert rows_of(pdf_of(page)) == [PLANS]


def test_small_print_is_measured_by_its_own_size(sheet, pdf_of) -> None:
    page = sheet()
    for number, row in enumerate(PLANS):
        for x, cell in zip((72, 112, 152), row, strict=True):
            page.text(x, 120 + 6 * number, cell, size=5)
    assert rows_of(pdf_of(page)) == [PLANS]


def test_a_page_without_words_has_no_table(sheet, pdf_of) -> None:
    assert rows_of(pdf_of(sheet().line(72, 100, 300, 100))) == []


def test_rows_of_another_page_are_found_in_the_columns_of_the_table_above(sheet, pdf_of) -> None:
    first, second = sheet(), sheet()
    put_rows(first, PLANS, XS)
    put_rows(second, [["Enterprise", "1,000", "2,900 USD"]], XS, top=60, header=False)
    second.paragraph(72, 110, PROSE, width=400)
    assert rows_of(pdf_of(first, second)) == [PLANS, [["Enterprise", "1,000", "2,900 USD"]]]
    assert rows_of(pdf_of(second)) == []


def test_a_running_head_is_no_row_of_the_table_above(sheet, pdf_of) -> None:
    first, second = sheet(), sheet()
    put_rows(first, PLANS, XS)
    second.text(72, 60, "Pricing handbook").text(490, 60, "Page 2")
    second.paragraph(72, 90, PROSE, width=400)
    assert rows_of(pdf_of(first, second)) == [PLANS]


def test_a_header_with_no_more_than_a_space_between_its_columns_is_parted_where_the_columns_start(
    sheet, pdf_of
) -> None:
    rows = [["Currency", "List price a seat", "250 to 999"], ["USD", "9.00", "8.50"], ["EUR", "8.61", "8.10"]]
    page = sheet()
    page.text(72, 104, "Table 3 - Prices")
    xs = [72.0]
    for name in rows[0]:
        xs.append(xs[-1] + width_of(name, 10, "Helvetica-Bold") + 2.8)
    put_rows(page, [*rows, ["CHF", "9.99", "9.50"]], [x - 3 for x in xs])
    assert rows_of(pdf_of(page)) == [[*rows, ["CHF", "9.99", "9.50"]]]


@pytest.mark.parametrize("gap", [2.8, 9.0], ids=["space", "wide"])
def test_a_row_that_fills_its_columns_stays_in_them(gap, sheet, pdf_of) -> None:
    widest = "Director of Revenue Operations"
    rows = [
        ["Role", "Limit"],
        ["Clerk", "500 USD"],
        ["Team lead", "5,000 USD"],
        [widest, "25,000 USD"],
        ["CFO", "1 USD"],
    ]
    page = sheet()
    put_rows(page, rows, (72, 72 + width_of(widest) + gap))
    assert rows_of(pdf_of(page)) == [rows]


def test_dates_that_break_at_a_hyphen_are_one_cell(sheet, pdf_of) -> None:
    days = ["January", "February", "March"]
    rows = [["Renewal", "10 days", "30 days"], *([f"1 {day}", "2024-|12-21", "2024-|12-01"] for day in days)]
    page = sheet()
    put_rows(page, rows, XS, pitch=12)
    assert rows_of(pdf_of(page)) == [[[cell.replace("|", " ") for cell in row] for row in rows]]


def test_a_repeated_header_on_the_next_page_comes_with_its_rows(sheet, pdf_of) -> None:
    first, second = sheet(), sheet()
    put_rows(first, PLANS, XS)
    put_rows(second, [PLANS[0], ["Enterprise", "1,000", "2,900 USD"]], XS, top=60)
    second.paragraph(72, 120, PROSE, width=400)
    below = tables_of(pdf_of(first, second))[1]
    assert (texts_of(below), below.header_rows) == ([PLANS[0], ["Enterprise", "1,000", "2,900 USD"]], 1)
