"""Counting agrees with the package's own front, which it goes around, and has no largest text."""

from __future__ import annotations

import warnings

import pytest

from index.history.o200k import count_tokens

TEXTS = {
    "empty": "",
    "words": "If a customer asks for fewer seats within 30 calendar days, write the credit_usd into the memo.",
    "spaces": "  \n\n\t a \r\n b   ",
    "unicode": "§ 4.2 – Überziehung, 30 % ½ \u200b 契約 🙂 e\u0301",
    "special": "<|endoftext|> is text here",
    "surrogate": "lone \ud83d half",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_the_count_is_the_number_of_tokens(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding

        assert count_tokens(text) == len(get_encoding("o200k_base").encode_ordinary(text))


def test_a_text_of_more_than_a_million_characters_is_counted() -> None:
    line = "seat credit memo "
    assert count_tokens(line * 100_000) == pytest.approx(300_000, rel=0.01)
