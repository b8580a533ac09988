"""Headings by bookmarks, by numbers and by looks, and how deep they lie."""

import pytest

BOLD = "Helvetica-Bold"


def heads(texts: list[str]) -> list[str]:
    return [text for text in texts if text.startswith("#")]


def page_of(sheet, prose: str, *lines: tuple[str, float, str]):
    """Headings (text, size, font), each with a paragraph below."""
    page, y = sheet(), 60.0
    for text, size, font in lines:
        y = (
            page.paragraph(72, y + size, prose, 440) + 10
            if text == ""
            else page.lines(72, y + size, [text], size, font)
        )
        y = page.paragraph(72, y + 4, prose, 440) + 10 if text else y
    return page


# Bookmarks


def test_bookmarks_name_headings_and_their_levels(read, sheet, bookmark, texts, prose) -> None:
    page = page_of(sheet, prose, ("Fees", 10, BOLD), ("Late fees", 10, BOLD), ("Seats", 10, BOLD))
    marks = [bookmark("Fees", 1, 60), bookmark("Late fees", 1, 130, level=2), bookmark("Seats", 1, 200)]
    assert heads(texts(read(page, bookmarks=marks))) == ["# Fees", "## Late fees", "# Seats"]


@pytest.mark.parametrize(
    ("title", "line", "heading"),
    [
        ("4.2 Downgrades", "4.2   DOWNGRADES", "# 4.2 DOWNGRADES"),
        ("Downgrades", "4.2 Downgrades", "# 4.2 Downgrades"),
        ("4.2. Downgrades", "4.2 Downgrades:", "# 4.2 Downgrades"),
    ],
    ids=["space and case", "without its number", "punctuation"],
)
def test_a_bookmark_need_not_spell_its_heading_alike(
    read, sheet, bookmark, texts, prose, title: str, line: str, heading: str
) -> None:
    page = page_of(sheet, prose, (line, 10, BOLD))
    assert heads(texts(read(page, bookmarks=[bookmark(title, 1, 60)]))) == [heading]


def test_a_bookmarked_heading_may_take_two_lines(read, sheet, bookmark, texts, prose) -> None:
    page = sheet()
    y = page.lines(72, 80, ["4.2 What happens to seats that were re-", "duced in the middle of a term"], 12, BOLD)
    page.paragraph(72, y + 10, prose)
    mark = bookmark("4.2 What happens to seats that were reduced in the middle of a term", 1, 70)
    assert heads(texts(read(page, bookmarks=[mark]))) == [f"# {mark.title}"]


def test_a_bookmark_may_name_the_title_that_runs_into_its_text(read, sheet, bookmark, texts) -> None:
    page = sheet()
    page.paragraph(
        72, 100, "Usage. Customer may use the service for its own business in each term that it has paid for."
    )
    assert texts(read(page, bookmarks=[bookmark("Usage", 1, 90)])) == [
        "# Usage.",
        "Customer may use the service for its own business in each term that it has paid for.",
    ]


def test_flat_bookmarks_get_the_levels_of_their_numbers(read, sheet, bookmark, texts, prose) -> None:
    page = page_of(sheet, prose, ("4 Seats", 18, BOLD), ("4.2 Downgrades", 13, BOLD), ("4.2.1 Credit", 11, BOLD))
    marks = [bookmark(text, 1, 60) for text in ("4 Seats", "4.2 Downgrades", "4.2.1 Credit")]
    assert heads(texts(read(page, bookmarks=marks))) == ["# 4 Seats", "## 4.2 Downgrades", "### 4.2.1 Credit"]


def test_a_bookmark_that_names_no_line_changes_nothing(read, sheet, bookmark, texts, prose) -> None:
    page = sheet()
    page.paragraph(72, 100, prose)
    assert texts(read(page, bookmarks=[bookmark("Cover", 1)])) == [prose]


# Looks


def test_larger_lines_are_headings_by_size(read, sheet, texts, prose) -> None:
    page = page_of(
        sheet, prose, ("Handbook", 22, BOLD), ("Fees", 16, BOLD), ("Late fees", 13, BOLD), ("Seats", 16, BOLD)
    )
    assert heads(texts(read(page))) == ["# Handbook", "## Fees", "### Late fees", "## Seats"]


def test_a_heading_of_two_lines_is_one(read, sheet, texts, prose) -> None:
    page = sheet()
    y = page.lines(72, 80, ["What happens to seats that", "nobody uses"], 16, BOLD)
    page.paragraph(72, y + 10, prose)
    assert heads(texts(read(page))) == ["# What happens to seats that nobody uses"]


def test_bold_lines_stay_bold_paragraphs(read, sheet, texts, prose) -> None:
    page = page_of(sheet, prose, ("Late fees", 10, BOLD))
    assert texts(read(page)) == ["**Late fees**", prose]


@pytest.mark.parametrize(
    ("line", "font"),
    [("LATE FEES AND INTEREST", "Helvetica"), ("Late fees", "Times-Italic")],
    ids=["capitals", "italics"],
)
def test_lines_in_capitals_or_italics_are_headings(read, sheet, texts, prose, line: str, font: str) -> None:
    page = page_of(sheet, prose, (line, 10, font))
    assert heads(texts(read(page))) == [f"# {line}"]


def test_a_list_in_capitals_is_no_heading(read, sheet, texts) -> None:
    page = sheet()
    page.lines(72, 100, ["BCC 4.0", "Business Connector 3.1", "ITS 3.0", "Round Trip Broker 1.1"], leading=1.5)
    assert heads(texts(read(page))) == []


def test_a_page_in_larger_type_is_no_heading(read, sheet, texts, prose) -> None:
    page, large = sheet(), sheet()
    page.paragraph(72, 100, f"{prose} {prose} {prose} {prose}")
    y = 100.0
    for _ in range(4):
        y = large.paragraph(72, y, prose, 440, size=12) + 10
    assert heads(texts(read(page, large))) == []


def test_captions_and_labels_in_figures_are_no_headings(read, sheet, texts, prose) -> None:
    page = sheet().text(72, 300, "Locking nut", 7, BOLD).text(72, 330, "Table 4.1 - Plans", 13, BOLD)
    page.paragraph(72, 100, f"{prose} {prose}")
    assert texts(read(page))[-2:] == ["Locking nut", "**Table 4.1 - Plans**"]


def test_titles_of_one_sequence_are_alike_on_a_page_of_small_print(read, sheet, texts, prose) -> None:
    first, second = sheet(), sheet()
    first.text(72, 90, "(a) Fees", 8, BOLD).text(72, 600, "Locking nut", 8, BOLD)
    first.paragraph(72, 110, f"{prose} {prose}", 440, 9)
    second.text(72, 90, "(b) Seats", 8, BOLD)
    second.paragraph(72, 110, f"{prose} {prose} {prose}", 200, 8)
    first.paragraph(72, 300, f"{prose} {prose} {prose} {prose}", 440, 9)
    found = texts(read(first, second))
    assert [text for text in found if len(text) < 20] == ["**(a) Fees**", "Locking nut", "**(b) Seats**"]


# Numbers


def clauses(sheet, *paragraphs: str, hang: float = 30):
    """Numbered paragraphs: each number at the margin, its text beside it."""
    page, y = sheet(), 80.0
    for paragraph in paragraphs:
        number, _, text = paragraph.partition(" ")
        page.text(72, y, number)
        y = page.paragraph(72 + hang, y, text, 400) + 8
    return page


def test_a_clause_without_a_title_is_a_section_with_its_text(read, sheet, texts, prose) -> None:
    page = clauses(sheet, f"1.1 {prose}", f"1.2 {prose}", f"1.2.1 {prose}", f"2.1 {prose}")
    assert texts(read(page)) == ["# 1.1", prose, "# 1.2", prose, "## 1.2.1", prose, "# 2.1", prose]


def test_a_clause_that_goes_on_on_the_next_page_is_no_title(read, sheet, texts, prose) -> None:
    first, second = page_of(sheet, prose, ("1 Offers", 10, BOLD), ("2 Prices", 10, BOLD)), sheet()
    first.text(72, 780, "2.1").text(100, 780, "The buyer keeps the offers for five")
    y = second.paragraph(72, 80, "years after the order was placed; the seller need not.")
    second.text(72, y, "2.2").text(100, y, "The seller keeps them for two years.")
    found = texts(read(first, second))
    at = found.index("## 2.1")
    text = "The buyer keeps the offers for five years after the order was placed; the seller need not."
    assert found[at : at + 3] == ["## 2.1", text, "## 2.2"]


def test_titles_that_run_into_the_text_head_it(read, sheet, texts, prose) -> None:
    page = clauses(sheet, f"5.1. Use of Customer Data. {prose}", f"5.2. Security: {prose}", f"5.3. DPA. {prose}")
    assert texts(read(page)) == ["# 5.1 Use of Customer Data", prose, "# 5.2 Security", prose, "# 5.3 DPA", prose]


def test_a_bold_title_runs_into_the_text(read, sheet, texts, prose) -> None:
    page, y = sheet(), 80.0
    for number, title in (("1.", "The Agreement."), ("2.", "Users of it."), ("3.", "Affiliates.")):
        page.text(72, y, number, font=BOLD).text(100, y, title, font=BOLD)
        page.text(180, y, "Customer may permit it.")
        y += 24
    told = "Customer may permit it."
    assert texts(read(page)) == ["# 1 The Agreement", told, "# 2 Users of it", told, "# 3 Affiliates", told]


def test_a_defined_term_is_no_title(read, sheet, texts) -> None:
    page, y = sheet(), 80.0
    for number, term in (("1.1", '"Fees"'), ("1.2", '"Seats"'), ("1.3", '"Term"')):
        page.text(72, y, number).text(100, y, term, font=BOLD).text(140, y, "means what the order says.")
        y += 24
    assert texts(read(page))[:2] == ["# 1.1", '**"Fees"** means what the order says.']


def test_a_reference_that_a_line_starts_with_is_no_section(read, sheet, texts, prose) -> None:
    page = clauses(sheet, f"4.1 {prose}", f"4.2 {prose}", f"4.3 {prose}")
    page.lines(
        72, 400, ["The credit is computed by the formula that is found in section", "4.2 and lapses at the end."]
    )
    assert heads(texts(read(page))) == ["# 4.1", "# 4.2", "# 4.3"]


def test_a_numbered_list_stays_text(read, sheet, texts) -> None:
    page = clauses(sheet, "1. it is sent in writing,", "2. it names the seats, or", "3. it is signed.", hang=18)
    assert texts(read(page)) == ["1. it is sent in writing,", "2. it names the seats, or", "3. it is signed."]


def test_numbers_may_be_typed_with_spaces(read, sheet, texts, prose) -> None:
    page, y = sheet().text(72, 60, "2. INTERPRETATION", font=BOLD), 84.0
    for number in ("2. 1.", "2. 2.", "2. 2. 1.", "2. 2. 2.", "2. 3."):
        page.text(72, y, number)
        y = page.paragraph(120, y, prose, 380) + 8
    assert heads(texts(read(page))) == [
        "# 2 INTERPRETATION", "## 2.1", "## 2.2", "### 2.2.1", "### 2.2.2", "## 2.3",
    ]  # fmt: skip


def test_articles_and_annexes_have_words_for_numbers(read, sheet, texts, prose) -> None:
    lines = [("ARTICLE IV", 10, BOLD), ("4.1 Fees", 10, BOLD), ("4.2 Seats", 10, BOLD), ("Annex A", 10, BOLD)]
    page = page_of(sheet, prose, *lines, ("1 Rates", 10, BOLD), ("1.1 Partners", 10, BOLD))
    assert heads(texts(read(page))) == [
        "# ARTICLE IV", "## 4.1 Fees", "## 4.2 Seats", "# Annex A", "## 1 Rates", "### 1.1 Partners",
    ]  # fmt: skip


def test_no_word_is_in_a_heading_and_in_the_text(read, sheet, texts, prose) -> None:
    page = clauses(sheet, f"5.1. Security. {prose}", f"5.2. Usage Data. {prose}", f"5.3. {prose}")
    joined = " ".join(text.lstrip("# ") for text in texts(read(page)))
    assert joined == f"5.1 Security {prose} 5.2 Usage Data {prose} 5.3 {prose}"
