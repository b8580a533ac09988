"""o200k budgets, answered by a cheap bound where that is enough: loading the tokenizer takes most of a second."""

from __future__ import annotations

from collections.abc import Sequence

from index.o200k import count_tokens


def fits(texts: Sequence[str], budget: int) -> bool:
    """Whether `texts` take at most `budget` o200k tokens together.

    A token is at least one byte of UTF-8, so short texts fit without being tokenized.
    """
    if budget < 0:
        return False
    if sum(len(text.encode("utf-8", "replace")) for text in texts) <= budget:
        return True
    return sum(count_tokens(text) for text in texts) <= budget
