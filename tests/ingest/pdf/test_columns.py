"""Reading order: columns, full-width lines between them, and what only looks like columns."""

import pytest

LEFT, RIGHT, WIDTH = 72, 310, 210


def two_columns(page, y: float, left: str, right: str) -> float:
    return max(page.paragraph(LEFT, y, left, WIDTH), page.paragraph(RIGHT, y + 3, right, WIDTH))


def test_two_columns_are_read_one_after_the_other(read, sheet, texts, prose) -> None:
    page = sheet()
    two_columns(page, 100, f"Left. {prose}", f"Right. {prose}")
    assert texts(read(page)) == [f"Left. {prose}", f"Right. {prose}"]


def test_three_columns_are_read_from_the_left(read, sheet, texts, prose) -> None:
    page = sheet()
    for x, name in ((60, "One."), (230, "Two."), (400, "Three.")):
        page.paragraph(x, 100, f"{name} {prose}", 140)
    assert texts(read(page)) == [f"{name} {prose}" for name in ("One.", "Two.", "Three.")]


def test_full_width_text_parts_bands_of_columns(read, sheet, texts, prose) -> None:
    page = sheet()
    y = two_columns(page.text(72, 80, "Part one of the terms", 16), 110, f"A. {prose}", f"B. {prose}")
    y = page.paragraph(72, y + 20, f"Across. {prose}", 448)
    two_columns(page, y + 20, f"C. {prose}", f"D. {prose}")
    assert [text[:6] for text in texts(read(page))] == ["# Part", "A. A c", "B. A c", "Across", "C. A c", "D. A c"]


def test_a_paragraph_goes_on_in_the_next_column(read, sheet, texts, prose) -> None:
    words = f"Long. {prose} {prose}".split()
    page = sheet()
    page.paragraph(LEFT, 100, " ".join(words[:45]), WIDTH)
    page.paragraph(RIGHT, 100, " ".join(words[45:]), WIDTH)
    assert texts(read(page)) == [" ".join(words)]


def test_numbers_that_hang_beside_clauses_are_no_column(read, sheet, texts, prose) -> None:
    page, y = sheet(), 100.0
    for number in ("(a)", "(b)", "(c)"):
        page.text(72, y, number)
        y = page.paragraph(100, y, prose, 420) + 6
    assert texts(read(page)) == [f"{number} {prose}" for number in ("(a)", "(b)", "(c)")]


def test_terms_beside_their_definitions_are_no_column(read, sheet, texts) -> None:
    page, y = sheet(), 100.0
    told = "is what the order form names, and where it names nothing, what this chapter says about each plan and seat."
    for term in ("Annual plan", "Credit", "Downgrade", "Full seat"):
        page.text(72, y, term, font="Helvetica-Bold")
        y = page.paragraph(200, y, told, 320) + 8
    assert "Annual plan" in texts(read(page))[0]
    assert "is what the order form" in texts(read(page))[0]


def test_a_few_lines_are_divided_where_other_pages_have_a_gutter(read, sheet, texts, prose) -> None:
    full = [sheet(), sheet()]
    for page in full:
        two_columns(page, 100, f"A. {prose} {prose}", f"B. {prose} {prose}")
    short = sheet().text(LEFT, 100, "The last words of the left").text(RIGHT, 100, "Then the right column says")
    short.text(LEFT, 112, "column end in this line.").text(RIGHT, 112, "what is still to be said.")
    assert texts(read(*full, short))[-2:] == [
        "The last words of the left column end in this line.",
        "Then the right column says what is still to be said.",
    ]


def test_columns_above_a_figure_come_before_those_below(read, sheet, texts) -> None:
    page = sheet()
    sentence = (
        "{} is said here in a sentence that is long enough to fill three lines of its column, or nearly so, I hope."
    )
    two_columns(page, 100, sentence.format("One"), sentence.format("Two"))
    page.image(72, 180, 520, 420)
    two_columns(page, 460, sentence.format("Three"), sentence.format("Four"))
    assert [text.split()[0] for text in texts(read(page))] == ["One", "Two", "Three", "Four"]


@pytest.mark.parametrize("shift", [0, 4], ids=["on one baseline", "apart"])
def test_columns_need_no_common_baseline(read, sheet, texts, prose, shift: int) -> None:
    page = sheet()
    page.paragraph(LEFT, 100, f"Left. {prose}", WIDTH)
    page.paragraph(RIGHT, 100 + shift, f"Right. {prose}", WIDTH, size=9)
    assert [text.split()[0] for text in texts(read(page))] == ["Left.", "Right."]


@pytest.mark.parametrize(("notes", "text"), [(60, 160), (460, 60)], ids=["left", "right"])
def test_notes_in_the_margin_stand_beside_their_paragraph(read, sheet, texts, prose, notes: int, text: int) -> None:
    page, y = sheet(), 100.0
    for name in ("Fees", "Seats", "Terms"):
        page.paragraph(notes, y + 1, f"{name} of every plan, and their dates.", 80, size=7)
        y = page.paragraph(text, y, f"{name}. {prose}", 360) + 12
    found = texts(read(page))
    assert [one for one in found if len(one) > 60] == [f"{name}. {prose}" for name in ("Fees", "Seats", "Terms")]
    for name in ("Fees", "Seats", "Terms"):
        assert abs(found.index(f"{name} of every plan, and their dates.") - found.index(f"{name}. {prose}")) == 1
