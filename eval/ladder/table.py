"""The ladder as figures: every measure of every rung with its interval, and each rung beside the one before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np

from eval.ladder.climbing import Climbed
from eval.ladder.rungs import Ladder, NotApplicable
from eval.measures.bootstrap import Estimate, bootstrap_each
from eval.measures.comparing import McNemar, smallest_difference
from eval.measures.definitions import Measure
from eval.measures.grouped import (
    Robustness,
    Separation,
    confidence_separation,
    date_accuracy,
    rewrite_robustness,
)
from eval.measures.ragas_scores import RagasScore
from eval.measures.summary import SEED, slices, summarise
from eval.suites.question import Asked, Question, Questions

STEPS: Final = ("all", "sections: one", "sections: several", "kind: plain", "kind: dated", "rewrites")
"""Slices in which a rung is compared with the one before."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure over one slice."""

    measure: str
    slice: str
    estimate: Estimate | None
    """None: not measured."""


@dataclass(frozen=True, slots=True)
class Step:
    """One measure beside that of the rung before, question by question."""

    measure: str
    slice: str
    after: str
    difference: Estimate
    """Mean difference with its paired interval."""
    better: int
    worse: int
    """Questions that score better, and worse, than before."""
    p: float | None
    """Exact McNemar test, two-sided; of measures that are 0 or 1 for each question."""
    smallest: float | None
    """The smallest difference that so many questions can show; None where that cannot be told."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rung's figures."""

    name: str
    k: int
    links: bool
    figures: tuple[Figure, ...]
    steps: tuple[Step, ...]
    p50: float | None
    p95: float | None
    """Milliseconds of a question; of a kept answer, those of the run that asked it."""
    fresh: int
    """Questions that were really asked now; the answers to all others were kept."""
    unanswered: int
    """Questions without an answer on record."""
    lost: Mapping[str, int]
    """Gold sections of messages that did not come back, by the stage that lost them."""
    robustness: Robustness | None = None
    """Over the rewrites of each ticket: of exceptions where there are some, else of recall."""
    dates: Estimate | None = None
    """Share of the dated families that are right on all of their days."""
    separation: Separation | None = None
    """How well confidence tells what has an answer from what has none."""

    def figure(self, name: str, over: str = "all") -> Estimate | None:
        """The estimate of a measure by its whole name ("Recall@5"), or by the one without cut: the row's first."""
        return next(
            (one.estimate for one in self.figures if name in (one.measure, _bare(one.measure)) and one.slice == over),
            None,
        )

    def step(self, name: str, over: str = "all") -> Step | None:
        """The step of a measure by its name without cut."""
        return next((one for one in self.steps if _bare(one.measure) == name and one.slice == over), None)


@dataclass(frozen=True, slots=True)
class Table:
    """All of one run."""

    suite: str
    digest: str
    split: str | None
    k: int
    seed: int
    questions: Mapping[str, int]
    """How many are asked in each way."""
    rows: tuple[Row | NotApplicable, ...]
    readings: int | None = None
    """How often the holdout side was read, this time included; None on other sides."""
    ragas: tuple[RagasScore, ...] = ()
    """Of the last rung above the dates."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; measures by their names."""
        return asdict(self) | {"rows": [_plain_row(row) for row in self.rows]}

    def measured(self) -> tuple[Row, ...]:
        """The rows with figures."""
        return tuple(row for row in self.rows if isinstance(row, Row))


def table_of(
    questions: Questions, split: str | None, k: int, ladder: Ladder, climbed: Sequence[Climbed], readings: int | None
) -> Table:
    """The figures of all rungs, in their order."""
    by_name = {one.rung.name: one for one in climbed}
    rows = (rung if isinstance(rung, NotApplicable) else _row(by_name[rung.name], by_name) for rung in ladder)
    counts = {str(asked): len(held) for asked in _ASKED if (held := questions.of(asked))}
    return Table(questions.name, questions.digest, split, k, SEED, counts, tuple(rows), readings)


_ASKED: Final[tuple[Asked, ...]] = ("message", "rewrite", "ambiguous rewrite")


def _plain_row(row: Row | NotApplicable) -> dict[str, Any]:
    values = asdict(row)
    if isinstance(row, Row) and row.robustness:
        values["robustness"]["measure"] = str(row.robustness.measure)
    return values


def _row(climbed: Climbed, others: Mapping[str, Climbed]) -> Row:
    rung, spent = climbed.rung, climbed.milliseconds()
    found = summarise(_plain(climbed.questions), climbed.judged, rung.measures())
    figures = tuple(Figure(str(one.measure), one.slice, one.estimate) for one in found)
    before = others.get(rung.after or "")
    return Row(
        rung.name,
        rung.k,
        rung.links,
        figures,
        tuple(_steps(climbed, before)) if before else (),
        float(np.quantile(spent, 0.5)) if spent else None,
        float(np.quantile(spent, 0.95)) if spent else None,
        len(climbed.fresh),
        sum(one.unanswered for one in climbed.judged.values()),
        dict(climbed.losses().most_common()),
        _robustness(climbed),
        date_accuracy(climbed.questions, climbed.judged, Measure("AnchorRecall", rung.k, rung.links)),
        confidence_separation(climbed.questions, climbed.judged),
    )


def _robustness(climbed: Climbed) -> Robustness | None:
    cut = climbed.rung.k, climbed.rung.links
    exceptions = any(question.kind == "exception" for question in climbed.questions)
    measure = Measure("PolicyExceptionRecall" if exceptions else "Recall", *cut)
    return rewrite_robustness(climbed.questions, climbed.judged, measure)


def _plain(questions: Iterable[Question]) -> tuple[Question, ...]:
    """Without their slices: chapters and documents are too small to tell rungs apart."""
    return tuple(replace(question, slices={}) for question in questions)


def _steps(climbed: Climbed, before: Climbed) -> Iterator[Step]:
    both = [one for one in _plain(climbed.questions) if before.rung.puts(one)]
    families = {one.id: one.family for one in both}
    found = [
        pair for name, held in slices(both).items() if name in STEPS for pair in _pairs(name, held, climbed, before)
    ]
    # Together: what is drawn for one measure serves all, and drawing is what costs.
    rng = np.random.default_rng(SEED)
    estimates = bootstrap_each([pair.differences for pair in found], families, rng)
    for pair, estimate in zip(found, estimates, strict=True):
        if estimate:
            yield _step(pair, before.rung.name, estimate, families)


@dataclass(frozen=True, slots=True)
class _Pair:
    measure: Measure
    slice: str
    differences: Mapping[str, float]
    """By question id, of those that both score."""


def _pairs(name: str, held: Sequence[Question], climbed: Climbed, before: Climbed) -> Iterator[_Pair]:
    earlier = {measure.name: measure for measure in reversed(before.rung.measures())}
    for measure in climbed.rung.measures():
        if measure.name in earlier:
            mine, others = measure.scores(held, climbed.judged), earlier[measure.name].scores(held, before.judged)
            both = sorted(mine.keys() & others.keys())
            yield _Pair(measure, name, {one: mine[one] - others[one] for one in both})


def _step(pair: _Pair, after: str, estimate: Estimate, families: Mapping[str, str]) -> Step:
    counted = McNemar(*(sum(sign * value > 0 for value in pair.differences.values()) for sign in (1, -1)))
    better, worse = counted.gained, counted.lost
    if not pair.measure.higher_is_better:
        better, worse = worse, better
    return Step(
        str(pair.measure),
        pair.slice,
        after,
        estimate,
        better,
        worse,
        counted.p if pair.measure.zero_one else None,
        smallest_difference(pair.differences, families, pair.measure),
    )


def _bare(measure: str) -> str:
    return measure.partition("@")[0]
