"""Policy text as BM25 tokens: numbers, amounts and section references survive, words are stemmed."""

from __future__ import annotations

from functools import lru_cache

import snowballstemmer

_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Snowball's English stem of one lower-case word."""
    return str(_STEMMER.stemWord(word))
