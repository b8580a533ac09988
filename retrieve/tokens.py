"""o200k budgets, answered by a cheap bound where that is enough: no text is tokenized for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from index.history.o200k import count_tokens

_SHORT: Final = 4000
"""Characters up to which a text's count is kept: the same lead-ins come with every query."""


def fits(texts: Sequence[str], budget: int) -> bool:
    """Whether `texts` take at most `budget` o200k tokens together.

    A token is at least one byte of UTF-8, so short texts fit without being tokenized.
    """
    if budget < 0:
        return False
    if sum(len(text.encode("utf-8", "replace")) for text in texts) <= budget:
        return True
    return sum(_kept_count(text) if len(text) <= _SHORT else count_tokens(text) for text in texts) <= budget


@lru_cache(maxsize=4096)
def _kept_count(text: str) -> int:
    return count_tokens(text)
