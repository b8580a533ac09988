"""Tables of contents are left out, and only they."""

import pytest

ENTRIES = ("1 Fees", "1.1 Late fees", "2 Seats", "2.1 Adding seats", "3 Renewals", "4 Notices")


def listing(page, y: float = 100, dots: str = " . . . . . . . . ", heading: str = "Contents"):
    if heading:
        page.text(72, y, heading, 14)
    for place, entry in enumerate(ENTRIES):
        page.text(72, y + 24 + 14 * place, f"{entry}{dots}").text(500, y + 24 + 14 * place, str(place + 2))
    return page


def chapters(sheet, prose: str) -> list:
    made = []
    for entry in ENTRIES:
        page = sheet().text(72, 100, entry, 14)
        page.paragraph(72, 130, prose)
        made.append(page)
    return made


@pytest.mark.parametrize(
    ("dots", "heading"),
    [(" . . . . . . ", "Contents"), (".........", ""), ("", "TABLE OF CONTENTS"), (" \x85\x85\x85", "Contents")],
    ids=["spaced dots", "no heading", "no dots", "ellipses"],
)
def test_a_table_of_contents_is_dropped(read, sheet, texts, prose, dots: str, heading: str) -> None:
    front = listing(sheet(), dots=dots.encode("latin-1").decode("cp1252"), heading=heading)
    parsed = read(front, *chapters(sheet, prose))
    assert [text for text in texts(parsed) if text != prose] == [
        "# 1 Fees", "## 1.1 Late fees", "# 2 Seats", "## 2.1 Adding seats", "# 3 Renewals", "# 4 Notices",
    ]  # fmt: skip
    assert {one.reason for one in parsed.dropped} == {"table of contents"}
    assert len(parsed.dropped) == len(ENTRIES) + bool(heading)


def test_it_may_go_on_on_the_next_page_and_wrap(read, sheet, texts, prose) -> None:
    front = listing(sheet(), y=600)
    rest = (
        sheet()
        .text(72, 60, "5 What happens to credits that nobody has asked for before the end")
        .text(72, 74, "of the term . . . .")
    )
    rest.text(500, 74, "9").text(72, 88, "6 Appendix . . . .").text(500, 88, "10").text(72, 140, prose[:60])
    parsed = read(front, rest, *chapters(sheet, prose))
    assert [one.where for one in parsed.dropped].count("page 2") == 3
    assert prose[:60] in texts(parsed)


def test_a_price_list_with_leaders_is_no_table_of_contents(read, sheet) -> None:
    page = sheet()
    for place, (name, price) in enumerate(
        (("Starter", 90), ("Team", 45), ("Business", 70), ("Partner", 30), ("Trial", 5))
    ):
        page.text(72, 100 + 14 * place, f"{name} ........").text(500, 100 + 14 * place, str(price))
    assert not [one for one in read(page).dropped if one.reason == "table of contents"]


def test_a_section_called_contents_is_kept(read, sheet, texts, prose) -> None:
    page = sheet().text(72, 100, "Contents", 16)
    page.paragraph(72, 130, f"The contents of a box are insured. {prose}")
    parsed = read(page, *chapters(sheet, prose))
    assert texts(parsed)[0] == "# Contents"
    assert not parsed.dropped


def test_titles_of_a_table_of_contents_are_headings_whatever_they_look_like(read, sheet, texts, prose) -> None:
    made = []
    for entry in ENTRIES:
        page = sheet().text(72, 100, entry.split(" ", 1)[1])
        page.paragraph(72, 130, prose)
        made.append(page)
    front = sheet().text(72, 100, "Contents", 14)
    for place, entry in enumerate(ENTRIES):
        front.text(72, 124 + 14 * place, f"{entry.split(' ', 1)[1]} ......").text(500, 124 + 14 * place, str(place + 2))
    assert [text for text in texts(read(front, *made)) if text != prose] == [
        "# Fees", "# Late fees", "# Seats", "# Adding seats", "# Renewals", "# Notices",
    ]  # fmt: skip
