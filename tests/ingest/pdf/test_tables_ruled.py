"""Tables in rules: grids however they are drawn, level rules only, shading, merged cells, rows without rules."""

from __future__ import annotations

import random
from io import BytesIO
from itertools import pairwise

import pdfplumber
import pytest

from tests.ingest.pdf.finding import PLANS, PROSE, put_rows, rows_of, tables_of, texts_of, words_of

XS = (72, 172, 272, 372)
YS = (120, 136, 152, 168, 184)


def lines(sheet, xs=XS, ys=YS):
    for y in ys:
        sheet.line(xs[0], y, xs[-1], y)
    for x in xs:
        sheet.line(x, ys[0], x, ys[-1])


def bars(sheet, xs=XS, ys=YS):
    for y in ys:
        sheet.rect(xs[0], y - 0.4, xs[-1], y + 0.4, fill=(0, 0, 0))
    for x in xs:
        sheet.rect(x - 0.4, ys[0], x + 0.4, ys[-1], fill=(0, 0, 0))


def cell_bars(sheet, xs=XS, ys=YS):
    for top, bottom in pairwise(ys):
        for left, right in pairwise(xs):
            for y in (top, bottom):
                sheet.rect(left, y - 0.4, right, y + 0.4, fill=(0, 0, 0))
            for x in (left, right):
                sheet.rect(x - 0.4, top, x + 0.4, bottom, fill=(0, 0, 0))


def boxes(sheet, xs=XS, ys=YS, gap=0.0):
    for top, bottom in pairwise(ys):
        for left, right in pairwise(xs):
            sheet.rect(left + gap, top + gap, right - gap, bottom - gap)


def double(sheet):
    boxes(sheet, gap=1)
    sheet.rect(XS[0] - 1, YS[0] - 1, XS[-1] + 1, YS[-1] + 1)


def dashes(sheet):
    for y in YS:
        for x in range(XS[0], XS[-1], 4):
            sheet.line(x, y, x + 2, y)
    for x in XS:
        sheet.line(x, YS[0], x, YS[-1])


def open_sides(sheet):
    for y in YS:
        sheet.line(XS[0], y, XS[-1], y)
    for x in XS[1:-1]:
        sheet.line(x, YS[0], x, YS[-1])


def columns_only(sheet):
    for y in (YS[0], YS[1], YS[-1]):
        sheet.line(XS[0], y, XS[-1], y)
    for x in XS[1:-1]:
        sheet.line(x, YS[0], x, YS[-1])


def below_rows(sheet):
    for y in YS[1:]:
        sheet.line(XS[0], y, XS[-1], y)


def between_rows(sheet):
    for y in YS[1:-1]:
        sheet.line(XS[0], y, XS[-1], y)


def booktabs(sheet):
    for y in (YS[0], YS[1], YS[-1]):
        sheet.line(XS[0], y, XS[-1], y)


def top_and_bottom(sheet):
    for y in (YS[0], YS[-1]):
        sheet.line(XS[0], y, XS[-1], y)


def header_rule(sheet):
    sheet.line(XS[0], YS[1], XS[-1], YS[1])


def rules_below_columns(sheet):
    for left, right in pairwise(XS):
        sheet.line(left, YS[1], right - 8, YS[1])


def outer_box(sheet):
    sheet.rect(XS[0], YS[0], XS[-1], YS[-1])
    sheet.line(XS[0], YS[1], XS[-1], YS[1])


def striped(sheet):
    for top, bottom in ((YS[0], YS[1]), (YS[2], YS[3])):
        for left, right in pairwise(XS):
            sheet.rect(left, top, right, bottom, fill=(0.8, 0.85, 0.9))


def shaded_header(sheet):
    sheet.rect(XS[0], YS[0], XS[-1], YS[1], fill=(0.2, 0.2, 0.4))


DRAWN = [
    lines,
    bars,
    cell_bars,
    boxes,
    double,
    dashes,
    open_sides,
    columns_only,
    below_rows,
    between_rows,
    booktabs,
    top_and_bottom,
    header_rule,
    rules_below_columns,
    outer_box,
    striped,
    shaded_header,
]


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("prose", [False, True], ids=["alone", "in prose"])
def test_rows_are_found_however_their_rules_are_drawn(draw, prose, sheet, pdf_of) -> None:
    page = sheet()
    draw(page)
    put_rows(page, PLANS, XS)
    if prose:
        page.paragraph(72, 80, PROSE, width=400)
        page.paragraph(72, 206, PROSE, width=400)
    (table,) = tables_of(pdf_of(page))
    assert texts_of(table) == PLANS
    assert table.header_rows == 1


@pytest.mark.parametrize("draw", [lines, columns_only, booktabs, shaded_header], ids=lambda draw: draw.__name__)
def test_a_header_is_known_without_bold_type(draw, sheet, pdf_of) -> None:
    page = sheet()
    draw(page)
    put_rows(page, PLANS, XS, header=False)
    (table,) = tables_of(pdf_of(page))
    assert (texts_of(table), table.header_rows) == (PLANS, 1)


def test_rows_that_are_all_alike_have_no_header(sheet, pdf_of) -> None:
    page = sheet()
    lines(page, ys=YS[:4])
    put_rows(page, PLANS[1:], XS, header=False)
    (table,) = tables_of(pdf_of(page))
    assert table.header_rows == 0


@pytest.mark.parametrize("draw", [lines, below_rows, booktabs], ids=lambda draw: draw.__name__)
def test_cells_of_several_lines_stay_one_cell(draw, sheet, pdf_of) -> None:
    rows = [
        ["Seat", "Starter", "Business"],
        ["Viewer|seat", "no", "up to 5 for|each full seat"],
        ["Full seat", "1", "20"],
    ]
    page = sheet()
    draw_ys = (120, 136, 164, 180)
    for y in {lines: draw_ys, below_rows: draw_ys[1:], booktabs: (120, 136, 180)}[draw]:
        page.line(72, y, 372, y)
    if draw is lines:
        for x in XS:
            page.line(x, 120, x, 180)
    put_rows(page, rows, XS)
    assert rows_of(pdf_of(page)) == [[[cell.replace("|", " ") for cell in row] for row in rows]]


def test_a_cell_beside_the_middle_of_two_lines_stands_in_their_row(sheet, pdf_of) -> None:
    page = sheet()
    lines(page, ys=(120, 136, 168, 184))
    put_rows(page, [["Seat", "Starter", "Business"]], XS)
    page.text(75, 154, "Viewer seat").text(175, 154, "no").text(275, 148, "up to 5 for").text(
        275, 160, "each full seat"
    )
    put_rows(page, [["Full seat", "1", "20"]], XS, top=168, header=False)
    (rows,) = rows_of(pdf_of(page))
    assert rows[1] == ["Viewer seat", "no", "up to 5 for each full seat"]


def test_empty_cells_stay_empty(sheet, pdf_of) -> None:
    rows = [
        ["Role", "Limit", "Note"],
        ["Clerk", "", "no approval"],
        ["Director", "5,000 USD", ""],
        ["", "", "as above"],
    ]
    page = sheet()
    lines(page)
    put_rows(page, rows, XS)
    assert rows_of(pdf_of(page)) == [rows]


def test_a_cell_that_spans_rows_stands_in_each_and_one_that_spans_columns_in_the_first(sheet, pdf_of) -> None:
    page = sheet()
    page.rect(72, 120, 372, 184)
    for x, top in ((172, 120), (272, 136), (272, 136)):
        page.line(x, top, x, 184)
    for y, left in ((136, 172), (152, 72), (168, 172)):
        page.line(left, y, 372, y)
    page.text(75, 139, "Region").text(230, 131, "Limit")
    put_rows(page, [["", "Clerk", "Head"]], XS, top=136)
    page.text(75, 171, "EMEA")
    put_rows(page, [["", "10", "20"], ["", "30", "40"]], XS, top=152, header=False)
    assert rows_of(pdf_of(page)) == [
        [["Region", "Limit", ""], ["Region", "Clerk", "Head"], ["EMEA", "10", "20"], ["EMEA", "30", "40"]]
    ]


def test_a_note_that_spans_the_last_row_is_part_of_the_table(sheet, pdf_of) -> None:
    page = sheet()
    lines(page)
    page.line(72, 200, 372, 200).line(72, 184, 72, 200).line(372, 184, 372, 200)
    put_rows(page, PLANS, XS)
    page.text(75, 195, "Prices are per month and without tax, for each seat that is ordered.")
    (rows,) = rows_of(pdf_of(page))
    assert rows == [*PLANS, ["Prices are per month and without tax, for each seat that is ordered.", "", ""]]


def test_rows_below_a_header_grid_are_told_apart_by_their_words(sheet, pdf_of) -> None:
    page = sheet()
    lines(page, ys=(120, 136))
    page.rect(72, 138, 372, 230)
    rows = [
        ["Document", "Payee", "Amount"],
        ["D-1", "Citibank", "920.68"],
        ["D-2", "Citibank|card of a senator", "907.96"],
    ]
    put_rows(page, [rows[0]], XS)
    put_rows(page, [*rows[1:], ["D-3", "Travel agency", "31.00"]], XS, top=140, pitch=12, header=False)
    (found,) = rows_of(pdf_of(page))
    assert found[1:] == [
        ["D-1", "Citibank", "920.68"],
        ["D-2", "Citibank card of a senator", "907.96"],
        ["D-3", "Travel agency", "31.00"],
    ]


def test_text_in_the_frame_of_a_table_is_left_in_the_text(sheet, pdf_of) -> None:
    page = sheet()
    page.rect(72, 120, 520, 700)
    page.line(72, 152, 520, 152)
    for x in (220, 370):
        page.line(x, 120, x, 152)
    page.line(72, 136, 520, 136)
    put_rows(page, [["Document", "Owner", "Version"], ["Seats", "Finance", "7"]], (72, 220, 370))
    page.paragraph(80, 180, PROSE * 6, width=430)
    (table,) = tables_of(pdf_of(page))
    assert texts_of(table) == [["Document", "Owner", "Version"], ["Seats", "Finance", "7"]]
    assert table.box[3] < 160


def test_two_tables_on_a_page_are_two(sheet, pdf_of) -> None:
    page = sheet()
    lines(page)
    put_rows(page, PLANS, XS)
    page.paragraph(72, 204, PROSE, width=400)
    below_rows(sheet := page)
    for y in (316, 332, 348, 364):
        sheet.line(72, y, 372, y)
    put_rows(page, PLANS, XS, top=300)
    assert rows_of(pdf_of(page)) == [PLANS, PLANS]


@pytest.mark.parametrize("seed", range(8))
def test_every_word_in_the_box_is_in_exactly_one_cell(seed, sheet, pdf_of) -> None:
    chance = random.Random(seed)
    xs = [60 + 90 * place for place in range(chance.randint(3, 6))]
    ys = [100 + 30 * place for place in range(chance.randint(3, 12))]
    page = sheet()
    for y in ys:
        page.line(xs[0], y, xs[-1], y)
    for x in xs:
        page.line(x, ys[0], x, ys[-1])
    for _ in range(60):
        page.text(
            chance.uniform(62, xs[-1] - 30), chance.uniform(112, ys[-1] - 4), chance.choice(("a1", "word", "12.50"))
        )
    raw = pdf_of(page)
    (table,) = tables_of(raw)
    with pdfplumber.open(BytesIO(raw)) as pdf:
        x0, top, x1, bottom = table.box
        inside = [w for w in words_of(pdf.pages[0]) if x0 <= w.middle[0] <= x1 and top <= w.middle[1] <= bottom]
    assert sorted(inside, key=repr) == sorted((w for row in table.rows for cell in row for w in cell), key=repr)


def test_a_drawing_of_thirty_thousand_strokes_is_no_table_and_hides_none(sheet, pdf_of) -> None:
    chance = random.Random(7)
    page = sheet()
    for _ in range(30_000):
        x, y = chance.uniform(50, 500), chance.uniform(400, 800)
        page.line(x, y, x + 10, y) if chance.random() < 0.5 else page.line(x, y, x, y + 10)
    put_rows(page, PLANS, XS)
    assert rows_of(pdf_of(page)) == [PLANS]


def test_a_hatched_area_is_no_table(sheet, pdf_of) -> None:
    page = sheet()
    for place in range(150):
        page.line(100, 400 + 2 * place, 400, 400 + 2 * place).line(100 + 2 * place, 400, 100 + 2 * place, 700)
    page.text(200, 500, "Warehouse").text(300, 600, "Office")
    assert rows_of(pdf_of(page)) == []
