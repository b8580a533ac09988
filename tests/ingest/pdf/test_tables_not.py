"""What is no table: prose in columns, lists, contents, blocks to sign, boxes and rules of other kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.pdf.conftest import width_of, wrapped
from tests.ingest.pdf.finding import PROSE, rows_of, tables_of

DOCS = Path(__file__).parents[4] / "shared" / "docs"


def columns(page, count, width=None, lines=30, rag=0.0):
    gap = 18
    width = width or (451 - gap * (count - 1)) / count
    for number in range(count):
        text = wrapped(PROSE[number * 40 :] + PROSE * 6, width)[:lines]
        page.lines(72 + number * (width + gap), 100 + rag * number, text)


def two_columns(page):
    columns(page, 2)


def two_columns_off_by_some_points(page):
    columns(page, 2, rag=4.0)


def three_columns(page):
    columns(page, 3)


def columns_between_rules(page):
    page.line(72, 84, 523, 84).line(72, 470, 523, 470)
    columns(page, 3)


def columns_with_a_rule_between(page):
    page.line(72, 84, 523, 84).line(297, 84, 297, 470)
    columns(page, 2)


def columns_with_headings(page):
    for x in (72, 306):
        page.text(x, 100, "Downgrades in general", font="Helvetica-Bold")
        page.lines(x, 114, wrapped(PROSE * 2, 210))


def columns_with_a_caption(page):
    page.text(72, 90, "Table 3 - Prices")
    columns(page, 3, lines=12)


def short_columns(page):
    columns(page, 2, lines=4)


def boxed_paragraph(page):
    page.rect(66, 90, 530, 160)
    page.paragraph(72, 104, PROSE)


def shaded_paragraph(page):
    page.rect(66, 90, 530, 160, fill=(0.9, 0.9, 0.9))
    page.paragraph(72, 104, PROSE)


def boxed_list(page):
    page.rect(66, 90, 530, 300)
    numbered(page)


def numbered(page):
    y = 104.0
    for number in range(1, 7):
        page.text(72, y, f"{number}.")
        y = page.paragraph(100, y, PROSE[: 60 + 20 * number], width=400) + 4


def clauses(page):
    y = 104.0
    for number in ("4.1", "4.2", "4.2.1", "4.2.2", "4.3"):
        page.text(72, y, number)
        y = page.paragraph(120, y, PROSE[:170], width=380) + 4


def lettered(page):
    for number, mark in enumerate(("(a)", "(b)", "(c)", "(d)", "(e)")):
        page.text(90, 104 + 14 * number, mark).text(120, 104 + 14 * number, f"the request of customer {number}")


def nested(page):
    y = 104.0
    for mark, x in (("1.", 72), ("(a)", 92), ("(b)", 92), ("2.", 72), ("(a)", 92), ("(b)", 92)):
        page.text(x, y, mark)
        y = page.paragraph(x + 26, y, PROSE[:120], width=300) + 3


def bullets(page):
    for number in range(6):
        page.text(72, 104 + 14 * number, "•").text(90, 104 + 14 * number, f"purchases of kind {number}")


def contents_with_dots(page):
    for number in range(8):
        title, goal, y = f"{number + 1} Chapter of many things", str(3 + 4 * number), 104 + 14 * number
        page.text(72, y, title).text(72 + width_of(title) + 4, y, "." * 60).text(500 - width_of(goal), y, goal)


def contents_without_dots(page):
    for number in range(8):
        goal, y = str(3 + 4 * number), 104 + 14 * number
        page.text(72, y, f"Chapter of {number + 3} things").text(500 - width_of(goal), y, goal)


def contents_in_three_columns(page):
    for number in range(8):
        goal, y = str(3 + 4 * number), 104 + 14 * number
        page.text(72, y, f"{number + 1}.").text(110, y, "Of many things").text(500 - width_of(goal), y, goal)


def signatures(page):
    for number, label in enumerate(("Signed:", "Name:", "Title:", "Date:")):
        for x in (72, 310):
            page.text(x, 104 + 24 * number, label).text(x + 60, 104 + 24 * number, "_" * 20)


def signature_lines(page):
    for y in (150, 220):
        for x in (72, 310):
            page.line(x, y, x + 160, y).text(x, y + 12, "Director of Finance").text(x, y + 24, "for the customer")


def addresses(page):
    for number, row in enumerate(
        (("Acme, Inc.", "Beta GmbH"), ("1 Main Street", "Hafenstr. 7"), ("Boston", "Hamburg"))
    ):
        page.text(72, 104 + 12 * number, row[0]).text(310, 104 + 12 * number, row[1])


def memo_head(page):
    for number, (label, value) in enumerate((("To:", "All staff"), ("From:", "Finance"), ("Subject:", "Cards"))):
        page.text(72, 104 + 14 * number, label).text(140, 104 + 14 * number, value)
    page.paragraph(72, 170, PROSE)


def index_of_words(page):
    for place, x in enumerate((72, 230, 390)):
        for number in range(12):
            page.text(x, 104 + 12 * number, f"term {'abcdefghijkl'[number]}{place}, see limits")


def index_with_dots(page):
    for x in (72, 300):
        for number in range(12):
            name, goal, y = f"term {'abcdefghijkl'[number]}{x}", str((number * 7 + x) % 90), 104 + 12 * number
            page.text(x, y, name).text(x + width_of(name) + 4, y, "." * 30).text(x + 200 - width_of(goal), y, goal)


def listing(page):
    page.paragraph(72, 104, PROSE)
    for number in range(6):
        y = 170 + 12 * number
        page.text(72, y, f"000{number}0", font="Courier").text(120, y, f"{number}3", font="Courier")
        page.text(150, y, f"6{number}", font="Courier").text(180, y, "|..diff..|", font="Courier")
    page.paragraph(72, 260, PROSE)


def underlined_headings(page):
    for y in (104, 170):
        page.text(72, y, "Downgrade credit", font="Helvetica-Bold").line(72, y + 2, 155, y + 2)
        page.paragraph(72, y + 16, PROSE)


def footnotes(page):
    page.paragraph(72, 104, PROSE * 3)
    page.line(72, 700, 216, 700)
    for number in range(1, 4):
        page.text(72, 700 + 12 * number, str(number), size=6)
        page.text(80, 700 + 12 * number, "The row does not apply to reseller orders.", size=8)


def running_head(page):
    page.text(72, 40, "Pricing handbook").text(480, 40, "Page 7").line(72, 46, 523, 46)
    page.paragraph(72, 70, PROSE * 3)
    page.line(72, 790, 523, 790).text(72, 804, "Internal").text(480, 804, "2026")


def section_rules(page):
    for y in (100, 200, 300):
        page.line(72, y, 523, y)
        page.paragraph(72, y + 16, PROSE)


def picture_labels(page):
    page.rect(100, 100, 400, 300)
    for x, y, label in ((120, 130, "Nut"), (300, 150, "Spring cap"), (160, 220, "Shoulder"), (330, 260, "Keyway")):
        page.text(x, y, label)


def bar_chart(page):
    page.line(100, 100, 100, 300).line(100, 300, 400, 300)
    for number in range(5):
        page.line(100, 100 + 40 * number, 400, 100 + 40 * number).text(80, 103 + 40 * number, str(100 - 20 * number))
        page.rect(120 + 50 * number, 200, 150 + 50 * number, 300, fill=(0.3, 0.5, 0.8))
        page.text(125 + 50 * number, 314, f"Q{number}")


def heading_above_a_grid(page, below=()):
    page.text(72, 100, "2.", size=15, font="Helvetica-Bold").text(108, 100, "Limits", size=15, font="Helvetica-Bold")
    for y, words in zip((114, 126), below, strict=False):
        page.text(72, y, words)
    top = 104 + 14 * len(below)
    page.rect(66, top, 300, top + 100)


def heading_above_a_caption_and_a_grid(page):
    heading_above_a_grid(page, ["Table 1 Limits"])


def formula(page):
    page.paragraph(72, 104, PROSE)
    page.text(120, 170, "credit = (a - b)").text(300, 170, "where a > b").text(480, 170, "(1)")
    page.paragraph(72, 200, PROSE)


NOT = [
    two_columns,
    two_columns_off_by_some_points,
    three_columns,
    columns_between_rules,
    columns_with_a_rule_between,
    columns_with_headings,
    columns_with_a_caption,
    short_columns,
    boxed_paragraph,
    shaded_paragraph,
    boxed_list,
    numbered,
    clauses,
    lettered,
    nested,
    bullets,
    contents_with_dots,
    contents_without_dots,
    contents_in_three_columns,
    signatures,
    signature_lines,
    addresses,
    memo_head,
    index_of_words,
    index_with_dots,
    listing,
    underlined_headings,
    footnotes,
    running_head,
    section_rules,
    picture_labels,
    bar_chart,
    heading_above_a_grid,
    heading_above_a_caption_and_a_grid,
    formula,
]


@pytest.mark.parametrize("draw", NOT, ids=lambda draw: draw.__name__)
def test_it_is_no_table(draw, sheet, pdf_of) -> None:
    page = sheet()
    draw(page)
    assert rows_of(pdf_of(page)) == []


@pytest.mark.skipif(not DOCS.is_dir(), reason="the shared documents are not beside the project")
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("bonterms_cloud_terms_1.0.pdf", 0),
        ("faa_amt_handbook_sample.pdf", 0),
        ("federal_register_2020-17221_3col.pdf", 2),
        ("contract_maintenance_69p_telkom.pdf", 2),
        ("senate_expenditures_1p_table.pdf", 1),
    ],
)
def test_real_documents_have_as_many_tables_as_the_eye_sees(name, count) -> None:
    assert len(tables_of((DOCS / name).read_bytes())) == count
