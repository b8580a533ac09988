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
