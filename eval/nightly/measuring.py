"""The night's questions, asked and judged, in the form in which a night keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.measures.bootstrap import Estimate
from eval.measures.definitions import Measure, standard
from eval.measures.grouped import confidence_separation, date_accuracy, rewrite_robustness
from eval.measures.judged import Judged
from eval.measures.judging import judge
from eval.measures.summary import ALL, summarise
from eval.nightly.record import Figure, Slow, TicketNight
from eval.policy import Policy
from eval.progress import Told
from eval.redaction.redactor import Redactor
from eval.retrievers.answer import Answer, Contender, Given
from eval.suites.question import Question, Questions, check_names

K: Final = 5
"""Passages that count, whatever a search returns: figures of all nights are to be comparable."""
MEAN_OF_REWRITES: Final = "rewrites: mean of each ticket"
WORST_OF_REWRITES: Final = "rewrites: worst of each ticket"
_ROBUST: Final = ("Recall@5", "PolicyExceptionRecall@5+links")
_SLOWEST: Final = 10
LEAST_TIMED: Final = 5
"""Of fewer questions that were really asked, no percentile is told."""
_TOTAL: Final = "total"
_DIGITS: Final = 6
"""Of a question's scores, which are written by the hundred."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A suite as one night saw it."""

    figures: tuple[Figure, ...]
    tickets: tuple[TicketNight, ...]
    slowest: tuple[Slow, ...]
    p95: float | None
    """Milliseconds, over the questions that were really asked; None where nearly every answer was kept."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asked, and what answers are held against."""

    contender: Contender
    policy: Policy | None
    """None: staleness cannot be told."""
    redactor: Redactor
    fresh: Callable[[], frozenset[str]]
    """Ids of the questions that were really asked, once all are."""
    progress: Told | None = None
    further: Callable[[Sequence[Question], Mapping[str, Answer]], Sequence[Figure]] = lambda questions, answers: ()
    """What else is measured on the same answers."""


def measure(questions: Questions, asking: Asking) -> Measured:
    """Ask every question and judge the answers.

    Raises:
        QueryError: a question's id or family holds what is taken out of queries.
    """
    check_names(questions.questions, asking.redactor)
    answers = dict(_answers(questions.questions, asking))
    judged = {one.id: judge(one, answers[one.id], asking.policy) for one in questions.questions}
    measures = standard(K)
    tickets = tuple(_ticket(one, answers[one.id], judged[one.id], measures, asking) for one in questions.questions)
    fresh = asking.fresh()
    timed = [ticket for ticket in tickets if ticket.id in fresh and ticket.milliseconds is not None]
    return Measured(
        (*_figures(questions.questions, judged, measures), *asking.further(questions.questions, answers)),
        tickets,
        tuple(_slow(ticket, answers[ticket.id]) for ticket in sorted(timed, key=_slow_first)[:_SLOWEST]),
        _p95([ticket.milliseconds for ticket in timed if ticket.milliseconds is not None]),
    )


def _answers(questions: Sequence[Question], asking: Asking) -> Iterator[tuple[str, Answer]]:
    for done, question in enumerate(questions, 1):
        yield question.id, asking.contender.answer(question, K)
        if asking.progress:
            asking.progress("ask", done, len(questions))


def _figures(
    questions: Sequence[Question], judged: Mapping[str, Judged], measures: Sequence[Measure]
) -> Iterator[Figure]:
    for one in summarise(questions, judged, measures):
        if one.estimate or one.slice == ALL:
            yield _figure(str(one.measure), one.slice, one.estimate)
    for measure in measures:
        if str(measure) in _ROBUST and (held := rewrite_robustness(questions, judged, measure)):
            yield _figure(str(measure), MEAN_OF_REWRITES, held.mean)
            yield _figure(str(measure), WORST_OF_REWRITES, held.worst)
    if accuracy := date_accuracy(questions, judged):
        yield _figure("DateAccuracy", ALL, accuracy)
    if found := confidence_separation(questions, judged):
        n = found.answerable + found.unanswerable
        yield Figure(measure="ConfidenceAUROC", slice=ALL, mean=found.auroc, low=found.low, high=found.high, n=n)


def _figure(measure: str, over: str, estimate: Estimate | None) -> Figure:
    if estimate is None:
        return Figure(measure=measure, slice=over, mean=None)
    return Figure(measure=measure, slice=over, mean=estimate.mean, low=estimate.low, high=estimate.high, n=estimate.n)


def _ticket(
    question: Question, answer: Answer, judged: Judged, measures: Sequence[Measure], asking: Asking
) -> TicketNight:
    scores = ((str(measure), measure.score(question, judged)) for measure in measures)
    return TicketNight(
        id=question.id,
        query=asking.redactor.text(question.query),
        asked=question.asked,
        kind=question.kind,
        family=question.family,
        as_of=question.as_of,
        slices=dict(question.slices),
        scores={name: round(score, _DIGITS) for name, score in scores if score is not None},
        expected=[quote for gold in question.gold for quote in (gold.quotes or (gold.id,))],
        came=[*map(_named, answer.passages), *(f"via {_named(one)}" for one in answer.linked)],
        ranks=list(judged.sections),
        lost=dict(judged.lost),
        confidence=answer.confidence,
        milliseconds=answer.milliseconds.get(_TOTAL),
    )


def _named(given: Given) -> str:
    return given.id or "a passage without an id"


def _slow_first(ticket: TicketNight) -> tuple[float, str]:
    return -(ticket.milliseconds or 0.0), ticket.id


def _slow(ticket: TicketNight, answer: Answer) -> Slow:
    stages = {name: spent for name, spent in answer.milliseconds.items() if name != _TOTAL}
    return Slow(id=ticket.id, query=ticket.query, milliseconds=ticket.milliseconds or 0.0, stages=stages)


def _p95(milliseconds: Sequence[float]) -> float | None:
    return float(np.quantile(milliseconds, 0.95)) if len(milliseconds) >= LEAST_TIMED else None
