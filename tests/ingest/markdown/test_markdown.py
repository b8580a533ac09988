"""Markdown to elements; a test shows each element as (kind, ordinal or level, text)."""

from textwrap import dedent

import pytest

from ingest.elements import Kind
from ingest.markdown.reader import read_markdown


def shown(markdown: str) -> list[tuple[str, str | int | None, str]]:
    text = dedent(markdown)
    return [
        (one.kind.value, one.ordinal if one.kind is Kind.ITEM else one.level, text[one.start : one.end])
        for one in read_markdown(text)
    ]


def ordinals(markdown: str) -> list[tuple[str | None, int]]:
    return [(one.ordinal, one.level) for one in read_markdown(dedent(markdown)) if one.kind is Kind.ITEM]


def only(markdown: str, kind: Kind):
    text = dedent(markdown)
    (element,) = [one for one in read_markdown(text) if one.kind is kind]
    return text, element


def test_headings_of_both_forms_have_levels() -> None:
    assert shown("# Seats #\n\nFees\n====\n\nLate\n---\n") == [
        ("heading", 1, "# Seats #"),
        ("heading", 1, "Fees\n===="),
        ("heading", 2, "Late\n---"),
    ]


def test_a_paragraph_over_a_rule_is_no_heading() -> None:
    assert [kind for kind, *_ in shown("The seat is billed\nevery month.\n---\nMore.")] == ["paragraph", "paragraph"]


def test_an_empty_heading_is_none() -> None:
    assert shown("#\n\ntext\n") == [("paragraph", 0, "text")]


def test_list_ordinals_are_kept_at_every_depth() -> None:
    markdown = """
        1. Notice:
           (a) in writing:
               (i) by post
               (ii) by mail
           (b) signed
        2. Payment

           - at once
           - or later

        3) other
        """
    assert ordinals(markdown) == [
        ("1", 1),
        ("1(a)", 2),
        ("1(a)(i)", 3),
        ("1(a)(ii)", 3),
        ("1(b)", 2),
        ("2", 1),
        (None, 2),
        (None, 2),
        ("3", 1),
    ]


def test_nested_markdown_lists_join_their_ordinals() -> None:
    assert ordinals("3. a\n   1. b\n   2. c\n4. d\n") == [("3", 1), ("3.1", 2), ("3.2", 2), ("4", 1)]


def test_a_list_of_ones_counts_up_and_other_numbers_stand_as_written() -> None:
    assert ordinals("1. a\n1. b\n1. c\n") == [("1", 1), ("2", 1), ("3", 1)]
    assert ordinals("1. a\n3. b\n4. c\n") == [("1", 1), ("3", 1), ("4", 1)]


def test_letters_in_paragraphs_of_their_own_are_items() -> None:
    markdown = """
        (a) one

        (b) two, where

        (i) three

        (ii) four

        (c) five
        """
    assert [ordinal for ordinal, _ in ordinals(markdown)] == ["(a)", "(b)", "(b)(i)", "(b)(ii)", "(c)"]


def test_i_after_h_is_a_letter_where_j_follows() -> None:
    markdown = "\n\n".join(f"({letter}) x" for letter in "abcdefghij")
    assert [ordinal for ordinal, _ in ordinals(markdown)] == [f"({letter})" for letter in "abcdefghij"]


def test_letters_below_a_numbered_item_lie_in_it_though_not_indented() -> None:
    markdown = "1. The buyer may:\n\n(a) sue\n\n(b) withdraw\n\n2. Law.\n"
    assert [ordinal for ordinal, _ in ordinals(markdown)] == ["1", "1(a)", "1(b)", "2"]


def test_dotted_numbers_in_bold_or_in_sequence_are_items() -> None:
    markdown = "**3.7** Security\n\n**3.7.1** Risk\n\n**3.8** Other\n"
    assert ordinals(markdown) == [("3.7", 1), ("3.7.1", 2), ("3.8", 1)]
    assert ordinals("9.1 One\n\n9.2 Two\n") == [("9.1", 1), ("9.2", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "A. Smith signs for the buyer.",
        "as stated in\n(b) above and",
        "2.5 million seats were sold.",
        "e.g. seats",
        "I. Newton",
        "(i) one, (ii) two",
    ],
    ids=["initial", "wrapped", "amount", "abbreviation", "roman initial", "in one line"],
)
def test_a_mark_out_of_sequence_is_no_item(text: str) -> None:
    assert shown(text) == [("paragraph", 0, text)]


def test_an_item_ends_where_its_nested_list_starts_and_keeps_its_paragraphs() -> None:
    assert shown("1. One\n\n   more\n   - in\n\n   after\n") == [
        ("item", "1", "1. One\n\n   more"),
        ("item", None, "- in"),
        ("paragraph", 0, "after"),
    ]


def test_lists_on_one_line_start_with_all_their_marks() -> None:
    assert shown("- 1. deep\n  2. next\n") == [("item", "1", "- 1. deep"), ("item", "2", "2. next")]


def test_an_item_that_starts_with_code_keeps_its_mark() -> None:
    assert shown("1. ```\n   x = 1\n   ```\n") == [("item", "1", "1."), ("code", 0, "```\n   x = 1\n   ```")]


def test_a_heading_in_a_numbered_item_is_a_section_and_in_bullets_or_quotes_it_is_not() -> None:
    assert shown("1. ## Scope\n\n   text\n") == [("heading", 2, "1. ## Scope"), ("paragraph", 0, "text")]
    assert shown("- ## Scope\n") == [("item", None, "- ## Scope")]
    assert shown("> ## Scope\n> text\n") == [("quote", 0, "> ## Scope\n> text")]


def test_a_table_has_its_header_and_rows() -> None:
    text, table = only("| Plan | Fee |\n|---|---|\n| Team | 5 \\| 6 |\n| Free | 0 |\n", Kind.TABLE)
    assert text[slice(*table.header)] == "| Plan | Fee |\n|---|---|"
    assert [text[a:b] for a, b in table.rows] == ["| Team | 5 \\| 6 |", "| Free | 0 |"]


@pytest.mark.parametrize(
    "caption",
    [
        "Table 4.2 - Credit",
        "**Table 4.2:** Credit",
        "*Table 3. Fees*",
        "Table: Fees by plan",
        "Table 4.2 Credit by plan",
    ],
)
def test_a_caption_above_is_part_of_the_table_header(caption: str) -> None:
    text, table = only(f"Before.\n\n{caption}\n\n| a |\n|---|\n| b |\n", Kind.TABLE)
    assert text[slice(*table.header)] == f"{caption}\n\n| a |\n|---|"


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_caption_below_ends_the_table_and_is_no_row(gap: str) -> None:
    text, table = only(f"| a |\n|---|\n| b |{gap}Table 4.2 - Credit\n\nAfter.\n", Kind.TABLE)
    assert text[table.start : table.end].endswith("Table 4.2 - Credit")
    assert len(table.rows) == 1


def test_a_sentence_about_a_table_is_no_caption() -> None:
    assert shown("Table 4.2 applies.\n\n| a |\n|---|\n| b |\n")[0] == ("paragraph", 0, "Table 4.2 applies.")


def test_footnotes_quotes_and_code_are_whole() -> None:
    markdown = "Text[^1].\n\n[^1]: Note\n    goes on.\n\n> q\n> r\n\n```\n# code\n```\n"
    assert [kind for kind, *_ in shown(markdown)] == ["paragraph", "footnote", "quote", "code"]


@pytest.mark.parametrize(
    "text",
    [
        "Seat\n: A right.",
        "**Seat** means a right.",
        "“**Seat**” has the meaning in 4.1.",
        '"API" means an interface.',
        "**Seat**: a right.",
        "**“App”** or **“Lab”** means a tool.",
    ],
)
def test_definitions_are_told_from_paragraphs(text: str) -> None:
    assert [kind for kind, *_ in shown(text)] == ["definition"]


@pytest.mark.parametrize("text", ["**Note:** no refunds.", "**Seats** are billed monthly.", "“Yes”, they said."])
def test_emphasis_is_no_definition(text: str) -> None:
    assert [kind for kind, *_ in shown(text)] == ["paragraph"]


def test_comments_imports_and_liquid_tags_are_no_elements() -> None:
    markdown = "<!-- hidden -->\n\nimport Tabs from '@theme/Tabs';\n\n{% note %}\n\nSeen.\n\n{% endnote %}\n"
    assert shown(markdown) == [("paragraph", 0, "Seen.")]


def test_jsx_tags_leave_the_markdown_between_them() -> None:
    assert shown('<Tabs>\n<Tab value="x">\n\n- one\n\n</Tab>\n</Tabs>\n') == [("item", None, "- one")]


def test_indented_marks_are_items_and_indented_code_is_code() -> None:
    assert ordinals("Text:\n\n    (a) one\n    (b) two\n") == [("(a)", 1), ("(b)", 1)]
    assert ordinals("1. One\n\n   (a) in\n\n   (b) it\n") == [("1", 1), ("1(a)", 2), ("1(b)", 2)]
    assert shown("Text:\n\n    # no heading\n")[1][0] == "code"


def test_a_link_definition_is_text() -> None:
    assert shown("[terms]: https://example.com 'Terms'\n")[0][0] == "paragraph"


def test_deep_nesting_loses_nothing() -> None:
    text = "- " * 200 + "deep"
    assert "deep" in [shown_text.split()[-1] for *_, shown_text in shown(text)]


def test_lines_and_offsets_hold_with_carriage_returns_and_a_first_line() -> None:
    text = "# A\r\n\r\ntext\r\n\r\n- b\r\n"
    elements = read_markdown(text, first_line=5)
    assert [(text[one.start : one.end], one.line) for one in elements] == [("# A", 5), ("text", 7), ("- b", 9)]


def test_a_line_of_ten_million_characters_is_read() -> None:
    text = "word " * 2_000_000
    (element,) = read_markdown(text)
    assert (element.start, element.end) == (0, len(text) - 1)
