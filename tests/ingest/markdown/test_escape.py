"""Words of other formats written as Markdown: what reads it sees the same words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.markdown.escape import Run, escaped, inline
from ingest.markdown.markup import anchors
from ingest.markdown.plain import plain

SIGNS = st.text(alphabet="ab *_<>[]()`{}%/!&;#lt\\\n-|~.x1\"'^:", max_size=30)


def squeezed(text: str) -> str:
    return " ".join(text.split())


@given(SIGNS)
def test_escaped_words_read_back(words: str) -> None:
    assert plain(escaped(words)) == squeezed(words)
    assert anchors(escaped(words)) == ()


@given(st.lists(st.builds(Run, SIGNS), max_size=4))
def test_runs_read_back_together(runs: list[Run]) -> None:
    assert plain(inline(runs)) == squeezed("".join(run.text for run in runs))


@pytest.mark.parametrize(
    "words",
    [
        "credit_usd = (prior_seats - new_seats) * annual_seat_price",
        "AT&T, 5 < 6",
        "[Customer]",
        "a > b",
        "snake_case_name",
    ],
)
def test_text_without_markup_stays_as_it_is(words: str) -> None:
    assert escaped(words) == words


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("<Customer Name>", "&lt;Customer Name&gt;"),
        ("*not emphasis*", r"\*not emphasis\*"),
        ("[terms](x)", "&#91;terms](x)"),
        ("see [^1]", "see &#91;^1]"),
    ],
)
def test_markup_by_chance_is_escaped(words: str, shown: str) -> None:
    assert escaped(words) == shown


def test_bold_links_and_notes() -> None:
    runs = [
        Run("See "),
        Run("the", href="a.md"),
        Run(" terms", href="a.md"),
        Run("."),
        Run("", note="1"),
        Run(" Net ", bold=True),
    ]
    assert inline(runs) == "See [the terms](a.md).[^1] **Net** "


def test_a_destination_that_markdown_cannot_hold_is_no_link() -> None:
    assert inline([Run("terms", href="a b.md")]) == "terms"
