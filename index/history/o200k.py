"""o200k tokens: the measure of handbook size and budgets. The tokenizer takes most of a second to load, once."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any


def count_tokens(text: str) -> int:
    """Number of o200k tokens of a text."""
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> Any:
    with warnings.catch_warnings():
        # It reads its tables by an importlib function that Python has deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding

        return get_encoding("o200k_base")
