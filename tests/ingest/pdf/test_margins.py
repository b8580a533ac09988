"""Running heads, feet and page numbers are dropped where they repeat; nothing else is."""

from collections import Counter

import pytest

BODY = (
    "Fees are due on the first day of the month.",
    "Seats may be added on any day of the term.",
    "Credits lapse twelve months after they were entered.",
    "Notices are sent to the contract desk in writing.",
    "A dispute is raised within thirty days of the invoice.",
    "Renewals follow the price list of the renewal date.",
    "Partners bill their customers in their own name.",
    "Exceptions are approved by the finance director only.",
)


def pages(sheet, count: int, head: str = "", foot: str = "", first: int = 1) -> list:
    """Pages with a head and a foot, "{}" in them the page number."""
    made = []
    for number in range(first, first + count):
        page = sheet().text(72, 400, BODY[(number - first) % len(BODY)])
        if head:
            page.text(72, 40, head.format(number))
        if foot:
            page.text(280, 810, foot.format(number))
        made.append(page)
    return made


def dropped(parsed) -> Counter[str]:
    return Counter(one.reason for one in parsed.dropped)


@pytest.mark.parametrize(
    ("head", "foot", "reasons"),
    [
        ("Handbook of Fees", "", {"running head": 8}),
        ("Handbook of Fees {}", "", {"running head": 8}),
        ("", "{}", {"page number": 8}),
        ("", "- {} -", {"page number": 8}),
        ("", "Page {} of 8", {"page number": 8}),
        ("", "4-{}", {"page number": 8}),
        ("Edition 2026, page {}", "Quillhaven, Inc.", {"running head": 16}),
    ],
    ids=["text", "with a number", "number", "dashes", "of all", "chapter", "head and foot"],
)
def test_what_repeats_is_dropped(read, sheet, texts, head: str, foot: str, reasons: dict[str, int]) -> None:
    parsed = read(*pages(sheet, 8, head, foot))
    assert texts(parsed) == list(BODY)
    assert dropped(parsed) == reasons


def test_roman_numbers_count_up(read, sheet, texts) -> None:
    made = [
        page.text(290, 810, number)
        for page, number in zip(pages(sheet, 8), ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii"), strict=True)
    ]
    parsed = read(*made)
    assert (texts(parsed), dropped(parsed)) == (list(BODY), {"page number": 8})


def test_heads_may_differ_on_odd_and_even_pages_and_lack_on_the_first(read, sheet, texts) -> None:
    made = pages(sheet, 8)
    for at, page in enumerate(made[1:], start=2):
        page.text(72 if at % 2 else 400, 40, "Finance Handbook" if at % 2 else "Chapter 4, Seats")
    parsed = read(*made)
    assert (texts(parsed), dropped(parsed)) == (list(BODY), {"running head": 7})


def test_a_line_of_two_pages_is_kept(read, sheet, texts) -> None:
    made = pages(sheet, 8)
    for page in made[2:4]:
        page.text(72, 40, "This paragraph was repealed.")
    parsed = read(*made)
    assert texts(parsed).count("This paragraph was repealed.") == 2
    assert not parsed.dropped


@pytest.mark.parametrize("count", [2, 4], ids=["on two pages", "on four pages"])
def test_a_line_with_which_the_text_of_pages_begins_is_kept(read, sheet, texts, count: int) -> None:
    made = [page.text(72, 40, "Handbook of Fees", 8) for page in pages(sheet, 5)]
    for page, name in zip(made[:count], ("shorter", "longer", "fixed", "new"), strict=False):
        page.lines(72, 70, ("The supplier is paid within thirty days unless a", f"{name} term was agreed in writing."))
    parsed = read(*made)
    assert sum(text.startswith("The supplier is paid within") for text in texts(parsed)) == count
    assert dropped(parsed) == {"running head": 5}


def test_a_paragraph_that_two_pages_end_with_is_kept(read, sheet, texts) -> None:
    made = [page.text(280, 810, str(number)) for number, page in enumerate(pages(sheet, 5), start=1)]
    for at, page in enumerate(made[2:4]):
        page.lines(72, 758, (f"Orders of plan {'AB'[at]} are confirmed.", "Orders by mail are not confirmed."))
    parsed = read(*made)
    assert dropped(parsed) == {"page number": 5}
    assert " ".join(texts(parsed)).count("Orders by mail are not confirmed.") == 2


def test_equal_lines_in_the_text_are_kept(read, sheet, texts) -> None:
    made = [page.text(72, 450, "No exceptions.") for page in pages(sheet, 8)]
    assert texts(read(*made)).count("No exceptions.") == 8


def test_a_number_that_does_not_grow_is_no_page_number(read, sheet, texts) -> None:
    made = [page.text(72, 40, "500") for page in pages(sheet, 8)]
    assert texts(read(*made)).count("500") == 8


def test_a_head_that_was_recognised_wrongly_is_one_still(read, sheet, texts) -> None:
    made = pages(sheet, 8, "Contract No. 076 of the group")
    made[4] = sheet().text(72, 400, BODY[4]).text(72, 40, "Contract N0. 076 of the group")
    assert texts(read(*made)) == list(BODY)


def test_a_running_title_of_one_page_is_dropped_where_its_section_has_it_too(read, sheet, texts) -> None:
    made = pages(sheet, 8, "Handbook of Fees")
    made[5] = sheet().text(72, 40, "Refunds").text(72, 370, "Refunds", 16).text(72, 400, BODY[5])
    assert texts(read(*made)) == [*BODY[:5], "# Refunds", *BODY[5:]]


def test_a_head_with_the_page_number_is_dropped_in_a_chapter_of_one_page_too(read, sheet, texts) -> None:
    made = pages(sheet, 8)
    for number, page in enumerate(made, start=1):
        page.text(72, 40, f"Chapter {'1: Fees' if number < 7 else '2: Seats'} {number + 3}")
    parsed = read(*made)
    assert (texts(parsed), dropped(parsed)) == (list(BODY), {"running head": 8})


def test_the_header_of_a_table_without_lines_is_kept(read, sheet) -> None:
    made = []
    for at in range(4):
        page = sheet()
        for row, cells in enumerate(
            (("Plan", "Seats", "Price"), *((f"Plan {at}{n}", f"{n}", f"{n}0") for n in range(5)))
        ):
            for x, cell in zip((72, 250, 400), cells, strict=True):
                page.text(x, 60 + 14 * row, cell)
        made.append(page)
    assert not [one for one in read(*made).dropped if one.reason == "running head"]


@pytest.mark.parametrize(
    ("foot", "is_dropped"),
    [("Page 1 of 1", True), ("Page 1", True), ("1", True), ("7-45", True), ("2", False), ("Handbook of Fees", False)],
)
def test_one_page_loses_only_a_clear_page_number(read, sheet, texts, foot: str, is_dropped: bool) -> None:
    parsed = read(*pages(sheet, 1, foot=foot))
    assert (foot not in texts(parsed)) is is_dropped


def test_copies_of_one_form_are_no_running_heads(read, sheet, texts) -> None:
    made = [sheet().text(72, 40, "I agree to the terms.").text(72, 90, "Name and date:") for _ in range(6)]
    assert texts(read(*made)).count("I agree to the terms.") == 6


def test_a_line_that_runs_upward_on_every_page_is_dropped(read, sheet, texts) -> None:
    made = [page.text(30, 600, "Confidential", turn=True) for page in pages(sheet, 8)]
    parsed = read(*made)
    assert (texts(parsed), dropped(parsed)) == (list(BODY), {"running head": 8})


def test_a_line_that_runs_upward_on_one_page_is_kept(read, sheet, texts) -> None:
    made = pages(sheet, 8)
    made[2].text(30, 600, "Not yet approved", turn=True)
    assert "Not yet approved" in texts(read(*made))
