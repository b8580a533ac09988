"""Tables over a page break: one table, its header once, a cut row whole; other tables stay apart."""

from __future__ import annotations

import pytest

from ingest.pdf.continuation import joined, repeated_rows
from ingest.pdf.geometry import Cell, FoundTable, Word
from tests.ingest.pdf.finding import Texts, texts_of

XS = (72.0, 172.0, 272.0)


def cell(text: str, x: float, y: float, *, bold: bool) -> Cell:
    words = []
    for word in text.split():
        words.append(Word(word, x, y, x + 5 * len(word), y + 10, 10, "Helvetica", bold=bold))
        x += 5 * len(word) + 3
    return tuple(words)


def table(rows: Texts, *, header: int = 1, xs=XS, ruled: bool = True, bold: bool = True) -> FoundTable:
    cells = tuple(
        tuple(cell(text, x, 100 + 15 * number, bold=bold and number < header) for x, text in zip(xs, row, strict=True))
        for number, row in enumerate(rows)
    )
    return FoundTable((xs[0], 100, xs[-1] + 80, 100 + 15 * len(rows)), cells, header, tuple(xs), ruled)


HEAD = ["Plan", "Seats", "Price"]
ABOVE = [HEAD, ["Starter", "5", "20 USD"], ["Team", "25", "90 USD"]]
MORE = [["Business", "100", "320 USD"], ["Enterprise", "as agreed", "on request"]]


def rest(rows: Texts, **how) -> Texts | None:
    """What is joined to ABOVE, without it."""
    whole = joined(table(ABOVE), table(rows, **how))
    if whole is None:
        return None
    assert (whole.header_rows, whole.columns, texts_of(whole)[:3]) == (1, XS, ABOVE)
    return texts_of(whole)[3:]


def test_rows_without_a_header_go_on() -> None:
    assert rest(MORE, header=0) == MORE


def test_a_repeated_header_is_left_out() -> None:
    assert rest([HEAD, *MORE]) == MORE
    assert rest([[word.upper() for word in HEAD], *MORE]) == MORE
    assert rest([HEAD, *MORE], header=0) == MORE


def test_another_header_is_another_table() -> None:
    assert rest([["Region", "Tax", "Since"], *MORE]) is None


def test_a_row_taken_for_a_header_is_a_row_beside_a_bold_one() -> None:
    assert rest(MORE, bold=False) == MORE


@pytest.mark.parametrize("xs", [(72.0, 130.0, 330.0), (72.0, 190.0, 272.0)], ids=["all", "one"])
def test_other_columns_are_another_table(xs) -> None:
    assert rest(MORE, header=0, xs=xs) is None


@pytest.mark.parametrize("shift", [-3.0, 3.0, 40.0], ids=["left", "right", "mirrored margins"])
def test_columns_may_lie_a_little_aside_or_all_aside_alike(shift) -> None:
    assert rest(MORE, header=0, xs=tuple(x + shift for x in XS)) == MORE


def test_two_columns_far_aside_are_another_table() -> None:
    two = [row[:2] for row in ABOVE]
    above, below = table(two, xs=XS[:2]), table([["Other", "7"]], header=0, xs=(112.0, 212.0))
    assert joined(above, below) is None


def test_a_column_that_is_empty_on_the_next_page_stays() -> None:
    assert rest([["Business", "320 USD"]], header=0, xs=(72.0, 272.0)) == [["Business", "", "320 USD"]]


def test_more_columns_are_another_table() -> None:
    assert rest([["a", "b", "c", "d"]], header=0, xs=(72.0, 122.0, 172.0, 272.0)) is None


def test_a_header_alone_at_the_foot_of_a_page_gets_its_rows() -> None:
    whole = joined(table([HEAD]), table(MORE, header=0))
    assert whole is not None
    assert (texts_of(whole), whole.header_rows) == ([HEAD, *MORE], 1)


def test_tables_without_headers_are_joined_and_a_repeated_first_row_is_their_header() -> None:
    whole = joined(table(ABOVE, header=0), table([HEAD, *MORE], header=0))
    assert whole is not None
    assert (texts_of(whole), whole.header_rows) == ([*ABOVE, *MORE], 1)


@pytest.mark.parametrize(
    ("last", "first", "ruled", "cut"),
    [
        (["Team", "25", "90 USD for the"], ["", "", "first year"], False, True),
        (["Team", "25", "90 USD for the"], ["", "", "first year"], True, True),
        (["Team", "25", "Paid once."], ["", "", "Never refunded."], True, True),
        (["Team", "25", "90 USD"], ["", "", "First year only"], True, False),
        (["Team", "25", "90 USD"], ["", "50", "170 USD"], False, False),
        (["", "25", "90 USD"], ["", "", "and more"], False, False),
        (["Team", "", "90 USD"], ["", "from 50", "less"], False, False),
        (["Team", "25", "90 USD"], ["Business", "", "and more"], False, False),
    ],
    ids=[
        "text",
        "text in rules",
        "sentences in rules",
        "new sentence in rules",
        "values",
        "no first cell above",
        "new cell",
        "first cell",
    ],
)
def test_a_cut_row_is_put_together_where_that_is_clear(last, first, ruled, cut) -> None:
    above = table([HEAD, last], ruled=ruled)
    whole = joined(above, table([first, *MORE], header=0, ruled=ruled))
    assert whole is not None
    joint = [" ".join(filter(None, pair)) for pair in zip(last, first, strict=True)]
    assert texts_of(whole) == ([HEAD, joint, *MORE] if cut else [HEAD, last, first, *MORE])


def test_a_row_below_a_name_for_several_rows_is_no_rest_of_one() -> None:
    several = table([HEAD, ["Team", "25", "Paid once."], ["Team", "25", "Billed later."]])
    name = several.rows[1][0]
    above = FoundTable(several.box, (*several.rows[:2], (name, *several.rows[2][1:])), 1, XS, True)
    whole = joined(above, table([["", "", "Never refunded."], *MORE], header=0))
    assert whole is not None
    assert texts_of(whole)[3] == ["", "", "Never refunded."]


def test_the_rest_of_a_row_is_no_header() -> None:
    whole = joined(table([*ABOVE[:2], ["Team", "25 for", "90 USD and"]]), table([["", "each", "more"], *MORE]))
    assert whole is not None
    assert texts_of(whole)[2:] == [["Team", "25 for each", "90 USD and more"], *MORE]


def test_only_the_repeated_header_is_left_out() -> None:
    above = table([HEAD, ["Team", "25", "90 USD for the"]])
    below = table([HEAD, ["", "", "first year"], *MORE])
    assert repeated_rows(above, below) == below.rows[:1]
    assert repeated_rows(above, table([["", "", "first year"]], header=0)) == ()
    assert repeated_rows(above, table([["a", "b", "c", "d"]], xs=(72.0, 122.0, 172.0, 272.0))) == ()


def test_a_cut_header_is_not_mended() -> None:
    whole = joined(table([HEAD]), table([["", "", "in euro"], *MORE], header=0, ruled=False))
    assert whole is not None
    assert texts_of(whole)[:2] == [HEAD, ["", "", "in euro"]]
