"""Lines to paragraphs and items; hyphens at line ends."""

import pytest

from ingest.pdf.geometry import Word
from ingest.pdf.joining import Joiner, Strip
from ingest.pdf.references import closed
from ingest.pdf.vocabulary import Vocabulary


def lines_page(sheet, *lines: str, x: float = 72, leading: float = 1.2):
    page = sheet()
    page.lines(x, 100, lines, leading=leading)
    return page


# Hyphens


def strip(text: str) -> Strip:
    words = []
    for place, word in enumerate(text.split()):
        words.append(Word(word, 100.0 * place, 0, 100.0 * place + 50, 10, 10, "Helvetica"))
    return Strip(words, 1)


@pytest.mark.parametrize(
    ("above", "below", "known", "expected"),
    [
        ("the con-", "tract ends", "", "the contract ends"),
        ("the con\xad", "tract ends", "", "the contract ends"),
        ("are non-", "refundable fees", "", "are non-refundable fees"),
        ("are non-", "refundable fees", "nonrefundable", "are nonrefundable fees"),
        ("a long-", "term plan", "a long-term plan", "a long-term plan"),
        ("a long-", "term plan", "longterm", "a longterm plan"),
        ("years 2024–", "2026 only", "", "years 2024–2026 only"),
        ("the Anti-", "Money Act", "", "the Anti-Money Act"),
        ("section 737-", "8 applies", "", "section 737-8 applies"),
        ("see https://a.b/plans-", "and-fees now", "", "see https://a.b/plans-and-fees now"),
        ("write to desk@", "a.b today", "", "write to desk@a.b today"),
        ("a pause -", "then more", "", "a pause - then more"),
        ("and/", "or more", "", "and/or more"),
    ],
    ids=["mended", "soft", "kept prefix", "known joined", "known compound", "known without", "dash", "capital",
         "digits", "address", "mail", "pause", "slash"],
)  # fmt: skip
def test_hyphens_at_line_ends(above: str, below: str, known: str, expected: str) -> None:
    joiner = Joiner(Vocabulary.of([strip(known).words, strip(above).words, strip(below).words]))
    assert joiner.text([strip(above), strip(below)]) == expected


def test_a_file_that_divides_no_words_keeps_its_hyphens() -> None:
    lines = [strip(f"line {number} of many").words for number in range(60)]
    pair = strip("unless it is de-"), strip("identified so that")
    joiner = Joiner(Vocabulary.of([*lines, *(one.words for one in pair)]))
    assert joiner.text(pair) == "unless it is de-identified so that"


def test_numbers_of_references_are_closed_where_they_are_typed_with_spaces() -> None:
    def near(text: str) -> list[Word]:
        return [Word(word, 52.0 * at, 0, 52.0 * at + 50, 10, 10, "") for at, word in enumerate(text.split())]

    told = "as clause 2. 3. 11, and clauses 11. 3 and 11. 5 say, 4. 2 of them"
    assert " ".join(word.text for word in closed(near(told))) == (
        "as clause 2.3.11, and clauses 11.3 and 11.5 say, 4. 2 of them"
    )


# Paragraphs


def test_a_gap_ends_a_paragraph(read, sheet, texts, prose) -> None:
    page = sheet()
    page.paragraph(72, page.paragraph(72, 100, prose) + 8, f"Then: {prose}")
    assert texts(read(page)) == [prose, f"Then: {prose}"]


def test_an_indent_starts_a_paragraph(read, sheet, texts, prose) -> None:
    page, y = sheet(), 100.0
    for name in ("One.", "Two.", "Three."):
        first, *rest = _wrapped(f"{name} {prose}", 420)
        page.text(92, y, first)
        y = page.lines(72, y + 12, rest)
    assert texts(read(page)) == [f"{name} {prose}" for name in ("One.", "Two.", "Three.")]


def _wrapped(words: str, width: float) -> list[str]:
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        lines[-1:] = [longer] if not lines or len(longer) * 5 <= width else [lines[-1], word]
    return lines


def test_a_short_last_line_ends_a_paragraph(read, sheet, texts, prose) -> None:
    page = sheet()
    page.paragraph(72, page.paragraph(72, 100, prose, 400), f"Then: {prose}", 400)
    assert texts(read(page)) == [prose, f"Then: {prose}"]


def test_a_name_in_mid_sentence_starts_no_paragraph(read, sheet, texts) -> None:
    told = [
        "Each of the parties named above has told the other that it wishes to",
        "TELKOM and SAP alike are told in time.",
    ]
    page = lines_page(sheet, *told)
    assert texts(read(page)) == [" ".join(told)]


@pytest.mark.parametrize("marks", [("(a)", "(b)", "(c)"), ("1.", "2.", "3."), ("i)", "ii)", "iii)")])
def test_typed_marks_start_paragraphs_with_hanging_lines(read, sheet, texts, prose, marks) -> None:
    page, y = sheet(), 100.0
    for mark in marks:
        page.text(90, y, mark)
        y = page.paragraph(110, y, prose, 380)
    assert texts(read(page)) == [f"{mark} {prose}" for mark in marks]


def test_a_mark_that_wrapping_puts_first_stays_in_its_paragraph(read, sheet, texts) -> None:
    lines = [
        "The order may (a) be accepted at once on the day on which it came, (b)",
        "be refused, or (c) be sent back to the customer.",
    ]
    assert texts(read(lines_page(sheet, *lines))) == [" ".join(lines)]


def test_the_last_item_of_a_list_without_indents_ends_with_its_stop(read, sheet, texts) -> None:
    lines = [
        "(a) for the team lead, one thousand dollars in each of the quarters, and",
        "(b) for the director, ten thousand dollars in each of the four quarters.",
        "A specialist cannot write anything off, and neither can the manager of it",
        "all.",
    ]
    assert texts(read(lines_page(sheet, *lines)))[1:] == [lines[1], f"{lines[2]} {lines[3]}"]


def test_bullets_are_items_by_indent(read, sheet, texts) -> None:
    page = sheet()
    for at, (x, words) in enumerate(((80, "one"), (100, "one of one"), (100, "two of one"), (80, "two"))):
        page.text(x, 100 + 14 * at, "\x95".encode("latin-1").decode("cp1252")).text(x + 12, 100 + 14 * at, words)
    assert texts(read(page)) == ["- one", "  - one of one", "  - two of one", "- two"]


def test_bullets_that_are_drawn_are_items(read, sheet, texts) -> None:
    page = sheet()
    for at, (x, words) in enumerate(((80, "one"), (100, "one of one"), (80, "two"))):
        page.rect(x, 93 + 20 * at, x + 4, 97 + 20 * at, fill=(0.0, 0.0, 0.0)).text(x + 12, 100 + 20 * at, words)
    page.rect(72, 300, 76, 304, fill=(0.0, 0.0, 0.0)).text(150, 340, "far away")
    assert texts(read(page)) == ["- one", "  - one of one", "- two", "far away"]


def test_dashes_are_bullets_where_several_stand_below_each_other(read, sheet, texts) -> None:
    page = sheet().text(72, 80, "Fees are due")
    for at, words in enumerate(("for seats.", "for storage.", "for support.")):
        page.text(72, 100 + 14 * at, "-").text(90, 100 + 14 * at, words)
    assert texts(read(page))[1:] == ["- for seats.", "- for storage.", "- for support."]


def test_bullets_that_are_letters_are_no_lost_words(read, sheet, texts) -> None:
    page = sheet().text(72, 80, "Fees are due")
    for at, words in enumerate(("for seats.", "for storage.", "for support.")):
        page.text(72, 100 + 14 * at, "o", font="Courier").text(90, 100 + 14 * at, words)
    parsed = read(page)
    assert texts(parsed)[1:] == ["- for seats.", "- for storage.", "- for support."]
    assert [(one.reason, one.text) for one in parsed.dropped] == [("list mark", "o")] * 3


def test_a_further_paragraph_of_an_item_lies_in_it(read, sheet) -> None:
    page = (
        sheet()
        .text(80, 100, "\u2022")
        .text(92, 100, "one item.")
        .text(92, 130, "It goes on here.")
        .text(72, 160, "After.")
    )
    assert [(block.kind.value, block.level) for block in read(page).blocks] == [
        ("item", 1), ("paragraph", 1), ("paragraph", 0),
    ]  # fmt: skip


def test_a_paragraph_goes_on_on_the_next_page(read, sheet, texts, prose) -> None:
    first, second = sheet(), sheet()
    first.paragraph(72, 700, prose.removesuffix("it covers and for no longer."))
    second.text(72, 100, "it covers and for no longer.")
    assert texts(read(first, second)) == [prose]


def test_a_caption_between_two_pages_does_not_cut_a_paragraph(read, sheet, texts, prose) -> None:
    first, second = sheet(), sheet()
    first.paragraph(72, 600, prose.removesuffix("it covers and for no longer."))
    first.text(72, 780, "Figure 3. Where the credit goes.", 8)
    second.text(72, 100, "it covers and for no longer.")
    assert texts(read(first, second)) == [prose, "Figure 3. Where the credit goes."]


def test_bold_words_and_links_are_kept(read, sheet, texts) -> None:
    page = sheet().text(72, 100, "A").text(82, 100, "seat", font="Helvetica-Bold").text(106, 100, "is defined")
    page.text(160, 100, "here.").link(158, 90, 182, 103, "https://a.b/c")
    assert texts(read(page)) == ["A **seat** is defined [here](https://a.b/c)."]


def test_signs_of_markdown_are_no_markup(read, sheet, texts) -> None:
    (text,) = texts(read(sheet().text(72, 100, "price * seats * days [x](y)")))
    assert text.replace("\\", "").replace("&#91;", "[") == "price * seats * days [x](y)"


def test_a_sentence_goes_on_below_a_masthead(read, sheet, texts, prose) -> None:
    page = sheet()
    for x, words in (
        (72, f"{prose} {prose} Refer to a portion of the"),
        (310, f"proposal that is meant. {prose} {prose}"),
    ):
        page.paragraph(x, 120, words, 210)
    page.text(310, 70, "Gazette of Fees", 8, "Helvetica-Bold").text(310, 84, "Vol. 85, No. 152", 8)
    found = texts(read(page))
    assert any("portion of the proposal that is meant." in text for text in found)
    assert "Vol. 85, No. 152" in found
