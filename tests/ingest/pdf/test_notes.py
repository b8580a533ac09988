"""Footnotes: what is one, where it is marked, and how it goes on."""

import pytest

from ingest.pdf.geometry import Word
from ingest.pdf.lines import Line
from ingest.pdf.measures import Measures
from ingest.pdf.notes import find_notes
from ingest.writing import write


def marked(page, x: float, y: float, before: str, mark: str, after: str = ""):
    """Words, a raised mark, words."""
    from pdfminer.fontmetrics import FONT_METRICS

    end = x + sum(FONT_METRICS["Helvetica"][1].get(char, 556) for char in before) / 100
    page.text(x, y, before).text(end, y - 4, mark, 6)
    return page.text(end + 6, y, after) if after else page


def note(page, y: float, mark: str, text: str, size: float = 8):
    """A note: a raised mark and its text."""
    return page.text(72, y - 3, mark, 5).text(77, y, text, size)


def test_a_raised_mark_and_small_type_are_a_footnote(read, sheet, texts, prose) -> None:
    page = marked(sheet(), 72, 100, "Credits lapse", "1", "after a year.")
    page.paragraph(72, 130, prose)
    note(page, 780, "1", "Except for resellers.")
    assert texts(read(page)) == ["Credits lapse[^1] after a year.", prose, "[^1]: Except for resellers."]


def test_marks_in_brackets_and_notes_with_a_hanging_number(read, sheet, texts, prose) -> None:
    page = sheet().text(72, 100, "Credits lapse [1] after a year, fees [2] after two.")
    page.paragraph(72, 130, prose)
    for y, (number, text) in zip((770, 784), (("1", "Except for resellers."), ("2", "Not in India.")), strict=True):
        page.text(72, y, number, 8).text(90, y, text, 8)
    assert texts(read(page)) == [
        "Credits lapse [^1] after a year, fees [^2] after two.",
        prose,
        "[^1]: Except for resellers.",
        "[^2]: Not in India.",
    ]


def test_numbers_that_start_again_on_each_page_have_labels_of_their_own(read, sheet, texts, prose) -> None:
    pages = []
    for name in ("Fees", "Seats"):
        page = marked(sheet(), 72, 100, f"{name} are due", "1")
        page.paragraph(72, 130, prose)
        pages.append(note(page, 780, "1", f"About {name}."))
    found = texts(read(*pages))
    assert [text for text in found if text != prose] == [
        "Fees are due[^1-p1]", "Seats are due[^1-p2]", "[^1-p1]: About Fees.", "[^1-p2]: About Seats.",
    ]  # fmt: skip


def test_a_note_goes_on_at_the_foot_of_the_next_page(read, sheet, texts, prose) -> None:
    first = marked(sheet(), 72, 100, "Fees are due", "1")
    first.paragraph(72, 130, prose)
    note(first, 780, "1", "A fee is due on the first day that both parties agree")
    second = sheet()
    second.paragraph(72, 100, prose)
    second.text(72, 780, "on, whatever the order says.", 8)
    assert texts(read(first, second))[-1] == (
        "[^1]: A fee is due on the first day that both parties agree on, whatever the order says."
    )


def test_a_mark_in_a_table_takes_its_note_along(read, sheet, prose) -> None:
    page = sheet()
    page.paragraph(72, 60, prose)
    for row, cells in enumerate((("Role", "Limit"), ("Lead", "500 USD"), ("Director", "900 USD"))):
        for x, cell in zip((72, 200), cells, strict=True):
            page.text(x + 4, 120 + 16 * row, cell)
        page.rect(72, 108 + 16 * row, 200, 124 + 16 * row).rect(200, 108 + 16 * row, 330, 124 + 16 * row)
    page.text(243, 148, "1", 6)
    parsed = read(note(page, 780, "1", "Not for resellers."))
    (table,) = [block for block in parsed.blocks if block.cells]
    assert table.cells[2][1] == "900 USD[^1]"
    assert write(parsed.blocks)[0].endswith("| Director | 900 USD[^1] |\n\n[^1]: Not for resellers.\n")


def test_symbols_mark_notes(read, sheet, texts, prose) -> None:
    page = marked(sheet(), 72, 100, "Fees are due", "*")
    page.paragraph(72, 130, prose)
    assert texts(read(note(page, 780, "*", "Without tax.")))[::2] == ["Fees are due[^*]", "[^*]: Without tax."]


def test_a_list_that_ends_the_file_may_be_the_notes(read, sheet, texts, prose) -> None:
    page = marked(sheet(), 72, 100, "Fees are due", "1")
    marked(page, 72, 125, "Seats are counted", "2")
    y = page.paragraph(72, 150, prose) + 12
    page.text(72, y, "1.").text(90, y, "Without tax.").text(72, y + 18, "2.").text(90, y + 18, "Each quarter.")
    assert texts(read(page)) == [
        "Fees are due[^1]", "Seats are counted[^2]", prose, "[^1]: Without tax.", "[^2]: Each quarter.",
    ]  # fmt: skip


def test_a_tab_may_part_a_raised_mark_from_its_note(read, sheet, texts, prose) -> None:
    page = marked(sheet(), 72, 100, "Fees are due", "1")
    marked(page, 72, 125, "Seats are counted", "2")
    page.paragraph(72, 150, prose)
    for y, mark, words in ((766, "1", "Without tax."), (778, "2", "Each quarter.")):
        page.text(72, y - 3, mark, 5).text(89, y, words, 8)
    assert texts(read(page)) == [
        "Fees are due[^1]", "Seats are counted[^2]", prose, "[^1]: Without tax.", "[^2]: Each quarter.",
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["tax. ↩", "tax.↩", "tax. ↩\ufe0e"], ids=["apart", "touching", "as text"])
def test_the_arrow_back_of_a_web_page_is_left_out(end: str) -> None:
    def line(y: float, size: float, words: str) -> Line:
        at = enumerate(words.split())
        placed = [
            Word(text, 72 + 30 * n, y - size, 95 + 30 * n, y, size, "Times", raised=text == "1") for n, text in at
        ]
        return Line(tuple(placed), 1, 1, 72, 500)

    flow = [line(100, 10, "Fees are due 1"), line(780, 8, f"1 Without {end}")]
    (note,) = find_notes(flow, Measures(10, 1.2)).found
    assert [word.text for _, words in note.strips for word in words] == ["Without", "tax."]


def test_numbered_headings_are_no_notes_though_the_text_bears_their_numbers(read, sheet, texts, prose) -> None:
    page, y = sheet(), 80.0
    for number, name in enumerate(("Purpose", "Form", "End"), start=1):
        page.text(72, y, f"{number}.", 13, "Helvetica-Bold").text(90, y, name, 13, "Helvetica-Bold")
        marked(page, 72, y + 20, f"{name} of a rule", str(number) if number < 3 else "", "is set so.")
        y = page.paragraph(72, y + 40, prose) + 20
    for y, mark, words in ((766, "1", "Without tax."), (778, "2", "Each quarter.")):
        page.text(72, y - 3, mark, 5).text(180, y, words, 8)
    found = texts(read(page))
    assert [text for text in found if text[0] == "#"] == ["# 1 Purpose", "# 2 Form", "# 3 End"]
    assert not [text for text in found if text.startswith("[^")]


@pytest.mark.parametrize(
    ("mark", "shown"), [("2", "10 m^2"), ("th", "10 mth"), ("TM", "10 mTM")], ids=["power", "ordinal", "trade mark"]
)
def test_what_is_raised_and_marks_nothing_stays_text(read, sheet, texts, mark: str, shown: str) -> None:
    assert texts(read(marked(sheet(), 72, 100, "10 m", mark))) == [shown]


def test_small_type_without_a_mark_stays_text(read, sheet, texts, prose) -> None:
    page = sheet()
    page.paragraph(72, 100, prose)
    page.text(72, 780, "2 copies of this form are sent to the customer.", 8)
    assert texts(read(page)) == [prose, "2 copies of this form are sent to the customer."]
