"""report.md: a summary in which foreign text is only ever text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from eval.nightly.glance import glance
from eval.nightly.markdown_report import MOST_FLIPS, markdown, plain
from tests.eval.nightly import sample

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ALLOWED = {"text", "softbreak"}


def inner(text: str) -> list[Token]:
    """What a text becomes within a paragraph."""
    return [child for token in READER.parse(text) for child in token.children or ()]


@pytest.mark.parametrize(
    "text",
    [
        "# head",
        "[link](javascript:alert(1))",
        "![x](https://example.org/x.png)",
        "<script>alert(1)</script>",
        "<https://example.org>",
        "`code` *bold* _it_ ~~gone~~",
        "- item",
        "1. item",
        "&lt;b&gt; &amp;",
        "a | b",
        "    code",
        "```\nfence\n```",
        "---",
        "> quote",
        "\\",
        "[a]: https://example.org",
    ],
)
def test_foreign_text_is_a_paragraph_of_text(text: str) -> None:
    assert READER.parse(plain(text))[0].type == "paragraph_open"
    assert {token.type for token in inner(plain(text))} <= {"text", "text_special"}
    assert "".join(token.content for token in inner(plain(text))).strip() == " ".join(text.split())


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_no_text_becomes_mark_up(text: str) -> None:
    found = inner(f"x{plain(text)}x")
    assert {token.type for token in found} <= {"text", "text_special"}


@pytest.mark.parametrize("text", ["https://example.org", "www.example.org", "@team", "a@example.org"])
def test_no_text_is_linked_by_its_looks(text: str) -> None:
    assert text not in plain(text)


def test_the_summary_answers_first() -> None:
    night, before = sample.eventful()
    lines = markdown(glance(night, before, before[3])).replace("\\", "").split("\n\n")
    assert lines[0] == "# ✗ Recall@5 is not all right"
    assert lines[1] == "0.906 [0.824, 0.989] over 48 questions; wanted: at least 0.85."
    assert lines[2].startswith("**Changed:** Since run 29 (30 Nov): Recall@5 −0.083 [−0.193, 0.000], which may be")
    assert lines[3].startswith("**Why:** The handbook changed: 1 section moved")


def test_each_row_of_figures_has_a_name_of_its_own() -> None:
    night, before = sample.eventful()
    text = markdown(glance(night, before, None)).replace("\\", "")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in text.split("\n\n")[4].splitlines()[2:]]
    assert rows == [
        "Recall@5",
        "Policy-exception recall (PolicyExceptionRecall@5+links)",
        "Stale rate (StaleRate@5+links)",
        "Rewrite robustness (Recall@5)",
    ]


def test_tables_hold_whatever_a_cell_says() -> None:
    html = READER.render(markdown(glance(sample.hostile(), [sample.hostile()], None)))
    assert html.count("<table>") == 2
    assert not {"<script", "<img", "<a ", "<code", "<h3"} & {tag for tag in ("<script", "<img", "<a ") if tag in html}


def test_what_does_not_fit_is_counted() -> None:
    night, before = sample.eventful()
    text = markdown(glance(night, before, None)).replace("\\", "")
    assert "## Went worse: 50 questions" in text
    assert f"{50 - MOST_FLIPS} more stand in tickets.csv." in text


def test_a_summary_fits_what_ci_systems_take() -> None:
    night = sample.night(sample.Recipe(2, messages=200, hit=0.0))
    text = markdown(glance(night, [sample.night(sample.Recipe(1, messages=200, hit=1.0))], None))
    assert len(text.encode()) < 100_000
