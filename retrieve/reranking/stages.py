"""Who reads the candidates again, and how what they say becomes one order.

Each stage's scores are scaled to 0..1 over the candidates, whatever their own scale; the blended score is their mean
by weight, from 0 to 1. A stage of weight 0 is not run. Late interaction reads every child; a cross-encoder, whose time
goes with the number of texts, reads of each section the one that late interaction likes best, and all where that is
not run.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from retrieve import fusion
from retrieve.reranking.late import LateInteraction
from retrieve.reranking.reranker import Reranker, Texts, best_of, flat, nearest
from retrieve.result import Reranking
from retrieve.settings import Weights
from retrieve.trace import Trace

Stage = Callable[[str], AbstractContextManager[None]]
"""Times what is done inside, by name."""


@dataclass(frozen=True, slots=True)
class Stages:
    """Second readers of the candidates; one without weight is None."""

    weights: Weights
    late: LateInteraction | None = None
    cross: Reranker | None = None
    model: str | None = None
    """Name of the cross-encoder."""

    def __bool__(self) -> bool:
        return self.late is not None or self.cross is not None

    def rerank(self, query: str, texts: Texts, trace: Trace, stage: Stage) -> tuple[Trace, Reranking]:
        """The candidates in their new order, with everyone's scores, and how they came about."""
        told = Reranking(self.weights._asdict(), self.model)
        late: fusion.Ranking = ()
        cross: fusion.Ranking = ()
        if self.late:
            with stage("late"):
                scores, computed = self.late.read(query, flat(texts))
                late = fusion.by_score(best_of(texts, scores))
                texts = nearest(texts, scores)
            told = replace(told, late_computed=computed)
        if self.cross:
            with stage("cross"):
                cross = fusion.by_score(best_of(texts, self.cross.scores(query, flat(texts))))
                told = replace(told, cross_unread=self.cross.unread(query, flat(texts)))
        lists = zip((trace.ranked, late, cross), self.weights, strict=True)
        blended = fusion.blend((ranking, weight) for ranking, weight in lists if ranking)
        return replace(trace, ranked=blended, late=late, cross=cross, rerank=blended), told
