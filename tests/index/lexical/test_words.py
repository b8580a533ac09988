from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.lexical.words import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a 30-day notice", ["30-day", "30", "day", "notic"]),
        ("within 30 days", ["within", "30-day", "30", "day"]),
        ("$5,000", ["$5,000", "5000"]),
        ("$ 5000.00", ["$5,000", "5000"]),
        ("5,000 USD", ["5000", "usd"]),
        ("Section 4.2", ["section", "4.2"]),
        ("Section 4.2(b)(ii)", ["section", "4.2(b)(ii)", "4.2(b)", "4.2"]),
        ("§ 12.3(a)", ["12.3(a)", "12.3"]),
        ("12(a)", ["12(a)", "12"]),
        ("10 percent", ["10%", "10"]),
        ("10.0%", ["10%", "10"]),
        ("non-refundable", ["non-refund", "non", "refund"]),
        ("credit_usd", ["credit_usd", "credit", "usd"]),
        ("the customers’ Refunds", ["custom", "refund"]),
        ("U.S. e.g. résumé", ["us", "resum"]),
        ("30\u201160 d\u00adays", ["30-60", "30", "60", "day"]),
        ("of the and is", []),
        ("", []),
        ("!? — …", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize("word", ["not", "no", "only", "unless", "except", "without", "before", "after", "must", "if"])
def test_words_that_carry_a_condition_stay(word: str) -> None:
    assert len(tokens(word)) == 1


@given(st.text(max_size=200))
def test_any_text_gives_tokens_without_white_space(text: str) -> None:
    assert all(token and not any(char.isspace() for char in token) for token in tokens(text))


@given(st.text(max_size=60), st.text(max_size=60))
def test_lines_are_read_apart(first: str, second: str) -> None:
    assert tokens(f"{first}\n{second}") == tokens(first) + tokens(second)
