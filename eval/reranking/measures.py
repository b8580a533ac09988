"""Rank measures over the ids of sections: recall, MRR and nDCG (Järvelin and Kekäläinen 2002), one question each."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence


def recall(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int = 5) -> float:
    """Share of the gold among the first k."""
    return len(set(ranked[:k]) & set(gold)) / len(gold)


def reciprocal_rank(ranked: Sequence[Hashable], gold: Collection[Hashable]) -> float:
    """1 over the rank of the first gold one, from 1; 0 without one."""
    return next((1 / rank for rank, name in enumerate(ranked, 1) if name in gold), 0.0)


def ndcg(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int = 10) -> float:
    """Discounted gain of the first k over the best one possible; every gold one gains 1."""
    gain = sum(1 / math.log2(rank + 1) for rank, name in enumerate(ranked[:k], 1) if name in gold)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), k) + 1))
    return gain / best
