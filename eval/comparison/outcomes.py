"""What came of one ticket in one arm, and figures over many of them: means with intervals, differences, times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from eval.comparison.ledger import Call
from eval.comparison.scoring import Decision, Score
from eval.measures.bootstrap import Estimate, bootstrap
from eval.measures.grouped import Latency, Separation, confidence_separation
from eval.measures.judged import Judged
from eval.suites.question import Question


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one ticket in one arm."""

    question: Question
    state: Literal["answered", "unreadable", "failed", "not asked"]
    why: str
    """Of all but an answered one."""
    decision: Decision | None
    """None but for an answered one."""
    score: Score | None
    """None where nothing came back."""
    calls: tuple[Call, ...]
    """In their order; a route may take two, an answer that could not be read another."""
    handed_on: bool = False
    """Whether a route went on to the handbook."""

    @property
    def declined(self) -> float | None:
        """1 if it quotes nothing and says that something is missing; None where no answer could be read."""
        if self.decision is None:
            return None
        return float(not self.decision.clauses and self.decision.missing is not None)


FIGURES: Final[Mapping[str, Callable[[Outcome], float | None]]] = MappingProxyType(
    {
        "anchor recall": lambda one: one.score.anchor_recall if one.score else None,
        "anchor words": lambda one: one.score.anchor_words if one.score else None,
        "policy-exception recall": lambda one: one.score.exception_recall if one.score else None,
        "traceable": lambda one: one.score.traceable if one.score else None,
        "invented quotes": lambda one: one.score.invented if one.score else None,
        "quotes not in force": lambda one: one.score.stale if one.score else None,
        "declined, unanswerable": lambda one: None if one.question.gold else one.declined,
        "declined, answerable": lambda one: one.declined if one.question.gold else None,
    }
)
"""Of one ticket each, 0 to 1; None where it does not apply. The first two are shares of the gold's quotes that are
quoted whole, and of their words; the means of all others are shares of answers."""
LOWER_IS_BETTER: Final = frozenset(("invented quotes", "quotes not in force", "declined, answerable"))


def scores(outcomes: Iterable[Outcome], figure: str) -> dict[str, float]:
    """A figure by question id, where it applies."""
    found = ((one.question.id, FIGURES[figure](one)) for one in outcomes)
    return {name: value for name, value in found if value is not None}


def estimate(outcomes: Sequence[Outcome], figure: str, seed: int) -> Estimate | None:
    """Its mean with the interval; None where it applies to no ticket."""
    return bootstrap(scores(outcomes, figure), _families(outcomes), np.random.default_rng(seed))


def paired(outcomes: Sequence[Outcome], others: Sequence[Outcome], figure: str, seed: int) -> Estimate | None:
    """The mean difference over the tickets that both have a score for, with its paired interval; None without any."""
    one, two = scores(outcomes, figure), scores(others, figure)
    both = {name: value - two[name] for name, value in one.items() if name in two}
    return bootstrap(both, _families(outcomes), np.random.default_rng(seed))


def confidence(outcomes: Sequence[Outcome], seed: int) -> Separation | None:
    """How well the model's own confidence tells answerable tickets from others, over the answers that could be read."""
    read = [(one.question, one.decision.confidence) for one in outcomes if one.decision]
    judged = {question.id: _sure(question, value) for question, value in read}
    return confidence_separation([question for question, _ in read], judged, seed=seed)


def latency(milliseconds: Iterable[float]) -> Latency | None:
    """Median and 95th percentile; None without a call."""
    values = list(milliseconds)
    if not values:
        return None
    median, p95 = np.quantile(values, [0.5, 0.95]).tolist()
    return Latency(median, p95, len(values))


def _families(outcomes: Iterable[Outcome]) -> dict[str, str]:
    return {one.question.id: one.question.family for one in outcomes}


def _sure(question: Question, confidence: float) -> Judged:
    """An answer of which only the confidence matters."""
    return Judged(question.id, (), (), (), (True,), (None,), (0,), 1, confidence=confidence)
