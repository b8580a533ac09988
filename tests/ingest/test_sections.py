"""Elements to section trees; a tree is shown as (number, title, level, parent)."""

import pytest

from ingest.document import Document
from ingest.markdown.reader import read_markdown
from ingest.sections import build_document


def tree(document: Document) -> list[tuple[str | None, str, int, int | None]]:
    return [(one.number, one.title, one.level, one.parent) for one in document.sections]


def test_levels_make_the_tree_and_paths_are_as_displayed(document) -> None:
    made = document("# 4 Seats\n\nIntro.\n\n## 4.2 Downgrades\n\n### Notice\n\n## 4.3 Transfers\n")
    assert tree(made) == [
        ("4", "Seats", 1, None),
        ("4.2", "Downgrades", 2, 0),
        (None, "Notice", 3, 1),
        ("4.3", "Transfers", 2, 0),
    ]
    assert made.sections[2].path == ("4 Seats", "4.2 Downgrades", "Notice")
    assert made.address(made.sections[2]) == "seats.md#Seats > Downgrades > Notice"


def test_text_before_the_first_heading_is_the_preamble_and_blank_text_is_not(document) -> None:
    assert tree(document("Intro.\n\n# A\n"))[0] == (None, "", 0, None)
    assert tree(document("\n\n# A\n")) == [(None, "A", 1, None)]


@pytest.mark.parametrize("text", ["", "  \n", "Only text.\n"])
def test_a_document_without_headings_is_one_section(text: str) -> None:
    (section,) = build_document("a.md", "A", text, read_markdown(text)).sections
    assert (section.text, section.path) == (text, ())


def test_skipped_levels_and_several_first_levels_are_taken_as_they_are(document) -> None:
    assert tree(document("# A\n\n#### B\n\n## C\n\n# D\n")) == [
        (None, "A", 1, None),
        (None, "B", 4, 0),
        (None, "C", 2, 0),
        (None, "D", 1, None),
    ]


def test_numbers_nest_headings_of_one_level(document) -> None:
    made = document("## 4 Seats\n\n## 4.2 Downgrades\n\n## 4.2.1 Credit\n\n## 4.3 Transfers\n\n## 5 Refunds\n")
    assert [(number, level, parent) for number, _, level, parent in tree(made)] == [
        ("4", 2, None),
        ("4.2", 3, 0),
        ("4.2.1", 4, 1),
        ("4.3", 3, 0),
        ("5", 2, None),
    ]


def test_a_numbered_bold_line_is_a_heading_below_the_one_above(document) -> None:
    made = document("# Seats\n\n**4.2 Limits**\n\nText.\n\n**4.3 Fees**\nMore text.\n\n# Next\n")
    assert tree(made) == [
        (None, "Seats", 1, None),
        ("4.2", "Limits", 2, 0),
        ("4.3", "Fees", 2, 0),
        (None, "Next", 1, None),
    ]
    assert made.sections[2].text == "**4.3 Fees**\nMore text.\n\n"


def test_numbers_nest_bold_lines(document) -> None:
    made = document("**4 Seats**\n\nText.\n\n**4.2 Limits**\n\nText.\n")
    assert tree(made) == [("4", "Seats", 1, None), ("4.2", "Limits", 2, 0)]


def test_a_bold_line_without_a_number_is_a_heading_if_it_is_a_short_title_with_text_below(document) -> None:
    assert [one.title for one in document("# A\n\n**Late notice**\n\nText.\n").sections] == ["A", "Late notice"]


@pytest.mark.parametrize(
    "text",
    [
        "**No refunds are given.**\n\nText.",
        "**You must:**\n\n- pay",
        "**Late** notice\n\nText.",
        "**Signed**",
        "- **Late notice**\n\nText.",
        "> **Late notice**\n\nText.",
        "**Table 4.2 - Credit**\n\n| a |\n|---|\n| b |",
        f"**{'Long ' * 30}**\n\nText.",
        "**GitHub B.V.** <br/>\nVijzelstraat 68",
    ],
    ids=["sentence", "lead-in", "part", "nothing below", "item", "quote", "caption", "long", "address"],
)
def test_emphasis_is_no_heading(document, text: str) -> None:
    assert len(document(f"# A\n\n{text}\n").sections) == 1


def test_a_bare_number_takes_the_bold_line_below_as_its_title(document) -> None:
    made = document("##### Clause 8\n\n**Safeguards**\n\nText.\n\n**8.1 Instructions**\n\nText.\n")
    assert tree(made) == [("8", "Safeguards", 5, None), ("8.1", "Instructions", 6, 0)]
    assert made.sections[0].path == ("Clause 8 Safeguards",)


def test_bold_titles_of_a_numbered_list_are_sections_with_the_numbers_shown(document) -> None:
    made = document("1. **Scope**\n\n   All seats.\n\n1. **Fees**\n\n   (a) one\n\n   (b) two\n")
    assert tree(made) == [("1", "Scope", 1, None), ("2", "Fees", 1, None)]
    assert made.sections[1].path == ("2. Fees",)


def test_a_list_with_some_bold_items_is_no_outline(document) -> None:
    assert len(document("# A\n\n1. **Scope**\n   All.\n2. Fees\n3. Tax\n").sections) == 1


def test_numbered_items_with_headings_are_sections(document) -> None:
    assert tree(document("1. ## Scope\n\n   Text.\n\n2. ## Fees\n")) == [
        ("1", "Scope", 2, None),
        ("2", "Fees", 2, None),
    ]


def test_repeated_titles_get_occurrence_numbers_and_unique_addresses(document) -> None:
    made = document("# A\n\n## Fees\n\n## Fees\n\n## Fees (2)\n")
    assert [one.address_path for one in made.sections] == ["A", "A > Fees", "A > Fees (2)", "A > Fees (2) (2)"]


def test_elements_are_placed_in_the_text_of_their_section(document) -> None:
    section = document("# A\n\n## B\n\nOne.\n\n1. Two\n").sections[1]
    assert [section.text[one.start : one.end] for one in section.elements] == ["## B", "One.", "1. Two"]


def test_a_footnote_comes_with_every_section_that_marks_it(document) -> None:
    made = document("# A\n\nRule[^1].\n\n# B\n\nOther[^1].\n\n# Notes\n\n[^1]: Unless[^2] late.\n\n[^2]: By 30 days.\n")
    a, b, notes = made.sections
    assert a.text == "# A\n\nRule[^1].\n\n[^1]: Unless[^2] late.\n\n[^2]: By 30 days."
    assert b.text.endswith("[^2]: By 30 days.")
    assert notes.text.count("[^1]:") == 1
    assert [a.text[one.start : one.end] for one in a.elements][2:] == ["[^1]: Unless[^2] late.", "[^2]: By 30 days."]


def test_a_footnote_in_its_own_section_comes_once(document) -> None:
    (section,) = document("# A\n\nRule[^1].\n\n[^1]: Note.\n").sections
    assert section.text.count("Note.") == 1


def test_links_are_found_in_the_section_text_with_its_footnotes(document) -> None:
    a, *_ = document("# A\n\nRule[^1].\n\n# B\n\n[^1]: Except as provided in Section 9.1.\n").sections
    assert [(link.target, "9.1" in a.text[link.start : link.end]) for link in a.links] == [("9.1", True)]


def test_an_explicit_id_counts_once(document) -> None:
    made = document("# A {#x}\n\n# B {#x}\n\n# C {#y}\n")
    assert [one.explicit_id for one in made.sections] == ["x", None, "y"]
    assert [(note.code, note.where) for note in made.notes] == [("duplicate-section-id", "seats.md:3")]


def test_moved_from_is_by_title_path_and_an_unknown_path_is_noted() -> None:
    text = "# Seats\n\n## Fees\n"
    made = build_document("a.md", "A", text, read_markdown(text), moved={"Seats > Fees": "b.md#Fees", "Old": "c.md#X"})
    assert made.sections[1].moved_from == "b.md#Fees"
    assert [note.code for note in made.notes] == ["moved-from-unknown"]


def test_a_dotted_number_that_comes_back_is_noted(document) -> None:
    made = document("# A\n\n## 4.2 Fees\n\n# B\n\n## 4.2 Taxes\n")
    assert [(note.code, note.where) for note in made.notes] == [("duplicate-number", "seats.md:7")]
    assert document("# A\n\n## 1. Fees\n\n# B\n\n## 1. Taxes\n").notes == ()


def test_links_in_headings_leave_the_title_bare(document) -> None:
    assert document("## [B. Account Terms](#b)\n").sections[0].titles == ("Account Terms",)
