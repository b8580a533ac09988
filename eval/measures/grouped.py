"""What only several questions together can tell: families over days, tickets over rewrites, confidence, time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.measures.bootstrap import LEVEL, RESAMPLES, Estimate, Floats, bootstrap, draws
from eval.measures.definitions import Measure
from eval.measures.judged import Judged
from eval.measures.summary import SEED
from eval.suites.question import Asked, Question

RIGHT: Final = Measure("AnchorRecall", 5)
"""What a dated question is right by, unless told otherwise: all of its quotes came back."""


def date_accuracy(
    questions: Iterable[Question], judged: Mapping[str, Judged], measure: Measure = RIGHT, *, seed: int = SEED
) -> Estimate | None:
    """Share of the dated families that are right on all of their days; None without a dated family.

    A family is right where every message of it has a score of 1; one day alone is no family.
    """
    members: dict[str, list[Question]] = {}
    for question in questions:
        if question.kind == "dated" and question.asked == "message" and measure.applies(question):
            members.setdefault(question.family, []).append(question)
    right = {
        family: float(all(measure.score(one, judged.get(one.id)) == 1 for one in of_family))
        for family, of_family in members.items()
        if len({one.as_of for one in of_family}) > 1
    }
    return bootstrap(right, {family: family for family in right}, np.random.default_rng(seed))


@dataclass(frozen=True, slots=True)
class Robustness:
    """One measure over the frozen rewrites of each ticket."""

    measure: Measure
    messages: Estimate | None
    """Of the same tickets as they were asked."""
    mean: Estimate | None
    """Of each ticket's mean over its rewrites that are not ambiguous."""
    worst: Estimate | None
    """Of each ticket's worst such rewrite."""
    ambiguous: Estimate | None
    """Of each ticket's mean over the rewrites that are ambiguous for any reader."""


def rewrite_robustness(
    questions: Sequence[Question],
    judged: Mapping[str, Judged],
    measure: Measure,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Robustness | None:
    """How well a measure holds when the query is rewritten; None without a rewrite that it applies to.

    Args:
        questions: Messages and rewrites.
        judged: By question id.
        measure: Scored for each.
        seed: Of the intervals.
        resamples: How often families are drawn.
    """
    scored = {asked: _by_ticket(questions, judged, measure, asked) for asked in ("rewrite", "ambiguous rewrite")}
    if not any(scored.values()):
        return None
    rewrites, ambiguous = scored["rewrite"], scored["ambiguous rewrite"]
    messages = _by_ticket(questions, judged, measure, "message")
    families = {question.ticket: question.family for question in questions}
    worst_of = min if measure.higher_is_better else max

    def over(scores: Mapping[str, float]) -> Estimate | None:
        return bootstrap(scores, families, np.random.default_rng(seed), resamples=resamples)

    return Robustness(
        measure,
        over({ticket: messages[ticket][0] for ticket in rewrites if ticket in messages}),
        over({ticket: sum(scores) / len(scores) for ticket, scores in rewrites.items()}),
        over({ticket: worst_of(scores) for ticket, scores in rewrites.items()}),
        over({ticket: sum(scores) / len(scores) for ticket, scores in ambiguous.items()}),
    )


def _by_ticket(
    questions: Iterable[Question], judged: Mapping[str, Judged], measure: Measure, asked: Asked
) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for question in questions:
        score = measure.score(question, judged.get(question.id)) if question.asked == asked else None
        if score is not None:
            found.setdefault(question.ticket, []).append(score)
    return found


@dataclass(frozen=True, slots=True)
class Separation:
    """How well a retriever's confidence tells what the handbook answers from what it does not."""

    auroc: float
    """Chance that an answerable question has more confidence than an unanswerable one; 0.5 says nothing."""
    low: float
    high: float
    answerable: int
    unanswerable: int
    marked: tuple[int, int] | None = None
    """(answerable, unanswerable) that were marked as probably no answer; None where the retriever marks none."""
    level: float = LEVEL

    def __str__(self) -> str:
        counts = f"n={self.answerable}+{self.unanswerable}"
        return f"{self.auroc:.3f} [{self.low:.3f}, {self.high:.3f}] ({counts})"


def confidence_separation(
    questions: Iterable[Question],
    judged: Mapping[str, Judged],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Separation | None:
    """AUROC of confidence with its interval, families of each class resampled whole; messages only.

    None where a class is empty, or a question that was answered has no confidence. Where nothing came back at all,
    that is the least confidence there is.
    """
    sides: tuple[list[_Asked], list[_Asked]] = [], []
    for question in questions:
        if question.asked == "message":
            sides[not question.gold].append(_Asked.of(question, judged.get(question.id)))
    if not all(sides) or any(one.confidence is None for side in sides for one in side):
        return None
    wins = _wins(*([one.confidence or 0.0 for one in side] for side in sides))
    rng = np.random.default_rng(seed)
    answerable, unanswerable = (_weights([one.family for one in side], rng, resamples) for side in sides)
    totals = answerable.sum(axis=1) * unanswerable.sum(axis=1)
    drawn = ((answerable @ wins) * unanswerable).sum(axis=1) / totals
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    return Separation(float(wins.mean()), low, high, len(sides[0]), len(sides[1]), _marked(*sides))


@dataclass(frozen=True, slots=True)
class _Asked:
    family: str
    confidence: float | None
    marked: bool | None

    @classmethod
    def of(cls, question: Question, judged: Judged | None) -> _Asked:
        if judged is None:
            return cls(question.family, None, None)
        nothing = not judged.relevant and not judged.unanswered
        return cls(question.family, -math.inf if nothing else judged.confidence, judged.low_confidence)


def _marked(answerable: Sequence[_Asked], unanswerable: Sequence[_Asked]) -> tuple[int, int] | None:
    if any(one.marked is None for one in (*answerable, *unanswerable)):
        return None
    return sum(bool(one.marked) for one in answerable), sum(bool(one.marked) for one in unanswerable)


def _wins(answerable: Sequence[float], unanswerable: Sequence[float]) -> Floats:
    """1 where the answerable question has more confidence, 1/2 where both have the same, `(n_a, n_u)`."""
    more, less = np.array(answerable)[:, None], np.array(unanswerable)[None, :]
    return np.asarray((more > less) + (more == less) / 2, np.float64)


def _weights(families: Sequence[str], rng: np.random.Generator, resamples: int) -> Floats:
    """How often each question is drawn, its family whole, `(resamples, n_questions)`."""
    names = sorted(set(families))
    places = [names.index(family) for family in families]
    return np.concatenate([drawn[:, places] for drawn in draws(len(names), rng, resamples)])


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of one stage; "total" for all of a search."""

    median: float
    p95: float
    n: int


def latencies(judged: Iterable[Judged]) -> dict[str, Latency]:
    """Milliseconds by stage, of the answers that were timed; empty where none was."""
    held: dict[str, list[float]] = {}
    for one in judged:
        for stage, milliseconds in one.milliseconds.items():
            held.setdefault(stage, []).append(milliseconds)
    return {stage: _latency(values) for stage, values in held.items()}


def _latency(values: Sequence[float]) -> Latency:
    median, p95 = np.quantile(values, [0.5, 0.95]).tolist()
    return Latency(median, p95, len(values))
