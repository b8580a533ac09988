"""Weights of a blend, chosen with each fold of families held back and measured on it (Stone 1974)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.measures.folds import deal
from eval.reranking.contest import Blend, Played

FOLDS: Final = 5
STEPS: Final = 10
"""A weight is a multiple of one tenth."""
BY: Final = "nDCG@10"
"""What weights are chosen by."""
_SAME: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Fitted:
    """What weights bring on questions that did not choose them."""

    weights: tuple[Blend, ...]
    """As chosen without each fold; they sum up to 1."""
    fold_of: Mapping[str, int]
    """By question."""

    def scores(self, result: Played, measure: str) -> dict[str, float]:
        """A measure's value for each question, under the weights that its fold did not choose."""
        every = [result.scores(blend, measure) for blend in self.weights]
        return {question: every[fold][question] for question, fold in self.fold_of.items()}

    @property
    def mean(self) -> dict[str, float]:
        """The mean weight by name."""
        return {name: float(np.mean([blend[name] for blend in self.weights])) for name in self.weights[0]}


def fitted(result: Played, names: Sequence[str]) -> Fitted:
    """Try all weights for the scores of these names; among equals the earlier names get more.

    Raises:
        SourceError: fewer families than folds.
    """
    families = result.families
    dealt = deal(families, dict.fromkeys(families, ""), FOLDS)
    fold_of = {question: dealt[family] for question, family in families.items()}
    tried = {blend: result.scores(dict(zip(names, blend, strict=True)), BY) for blend in shares(len(names))}
    chosen = []
    for fold in range(FOLDS):
        others = [question for question in families if fold_of[question] != fold]
        means = {blend: float(np.mean([scores[one] for one in others])) for blend, scores in tried.items()}
        top = max(means.values())
        best = max(blend for blend, mean in means.items() if mean >= top - _SAME)
        chosen.append(dict(zip(names, best, strict=True)))
    return Fitted(tuple(chosen), fold_of)


def shares(count: int, steps: int = STEPS) -> Iterator[tuple[float, ...]]:
    """All ways to share 1 among `count` in multiples of 1 / steps."""
    for parts in _parts(count, steps):
        yield tuple(part / steps for part in parts)


def _parts(count: int, left: int) -> Iterator[tuple[int, ...]]:
    if count == 1:
        yield (left,)
        return
    for first in range(left + 1):
        for rest in _parts(count - 1, left - first):
            yield first, *rest
