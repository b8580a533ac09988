"""From ranked chunks to ranked sections: reduction to the best child, then reciprocal rank or min-max fusion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from retrieve.trace import Ranked, SectionKey

if TYPE_CHECKING:
    from index.snapshot import Hit

Ranking = tuple[Ranked, ...]


def reduce_to_sections(hits: Sequence[Hit]) -> Ranking:
    """Sections by their best child, best first; ties in score go by id."""
    best: dict[tuple[str, str], float] = {}
    for hit in hits:
        key = (hit.doc_id, hit.section_id)
        if hit.score > best.get(key, -math.inf):
            best[key] = hit.score
    return by_score({SectionKey(*key): score for key, score in best.items()})


def by_score(scores: Mapping[SectionKey, float]) -> Ranking:
    """Ranks from 1, highest score first, ties by id."""
    order = sorted(scores.items())
    order.sort(key=itemgetter(1), reverse=True)
    return tuple([Ranked(key, rank, score) for rank, (key, score) in enumerate(order, 1)])


def rrf(lists: Iterable[tuple[Ranking, float]], k: int = 60) -> Ranking:
    """Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) of `(ranking, weight)` pairs."""
    fused: dict[SectionKey, float] = {}
    for ranking, weight in _counting(lists):
        for entry in ranking:
            fused[entry.key] = fused.get(entry.key, 0.0) + weight / (k + entry.rank)
    return by_score(fused)


def minmax(lists: Iterable[tuple[Ranking, float]]) -> Ranking:
    """Weighted sum of scores scaled to 0..1 in each list; a section missing from a list scores 0 there."""
    fused: dict[SectionKey, float] = {}
    for ranking, weight in _counting(lists):
        for key, score in scaled(ranking).items():
            fused[key] = fused.get(key, 0.0) + weight * score
    return by_score(fused)


def _counting(lists: Iterable[tuple[Ranking, float]]) -> Iterator[tuple[Ranking, float]]:
    return ((ranking, weight) for ranking, weight in lists if weight)


def scaled(ranking: Ranking) -> dict[SectionKey, float]:
    """Scores scaled to 0..1; all 1 where they are all the same."""
    if not ranking:
        return {}
    scores = [entry.score for entry in ranking]
    low, high = min(scores), max(scores)
    if high == low:
        return {entry.key: 1.0 for entry in ranking}
    return {entry.key: (entry.score - low) / (high - low) for entry in ranking}


def blend(lists: Iterable[tuple[Ranking, float]]) -> Ranking:
    """Weighted mean of scores scaled to 0..1 in each list, 0 to 1; all lists rank the same sections."""
    counting = list(_counting(lists))
    total = sum(weight for _, weight in counting)
    return minmax((ranking, weight / total) for ranking, weight in counting)
