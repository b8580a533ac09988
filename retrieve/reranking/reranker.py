"""What a reranker is, and the score of a section by its children."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Protocol

from retrieve.trace import SectionKey

Texts = Mapping[SectionKey, Sequence[str]]
"""The best children of each candidate, each as it was encoded: titles, then words."""


class Reranker(Protocol):
    """Reads the query with each text."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, higher is better; of any scale, since it is scaled over the candidates."""
        ...

    def unread(self, query: str, texts: Sequence[str]) -> int:
        """How many of the pairs are too long to be read to their end."""
        ...


def flat(texts: Texts) -> list[str]:
    """All texts, section after section."""
    return [text for children in texts.values() for text in children]


def best_of(texts: Texts, scores: Sequence[float]) -> dict[SectionKey, float]:
    """Each section's best score: a section is as good as its best child. `scores` are those of `flat(texts)`."""
    best: dict[SectionKey, float] = {}
    owners = (key for key, children in texts.items() for _ in children)
    for key, score in zip(owners, scores, strict=True):
        best[key] = max(score, best.get(key, -math.inf))
    return best


def nearest(texts: Texts, scores: Sequence[float]) -> Texts:
    """Of each section its best child alone, the first of equals. `scores` are those of `flat(texts)`."""
    told, found = iter(scores), dict[SectionKey, Sequence[str]]()
    for key, children in texts.items():
        own = list(islice(told, len(children)))
        found[key] = [children[own.index(max(own))]] if own else []
    return found
