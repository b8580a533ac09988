"""Means with intervals of every measure, over all questions and over what they can be grouped by.

"all" and what follows it are over messages; rewrites, and rewrites that are ambiguous for any reader, stand apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.measures.bootstrap import RESAMPLES, Estimate, bootstrap_each
from eval.measures.definitions import Measure
from eval.measures.judged import Judged
from eval.suites.question import Asked, Question

SEED: Final = 8841
"""Of every bootstrap, so that a table can be made again."""
ALL: Final = "all"
ONE_SECTION: Final = "sections: one"
SEVERAL_SECTIONS: Final = "sections: several"
REWRITES: Final = "rewrites"
AMBIGUOUS: Final = "ambiguous rewrites"
_ASKED: Final[Mapping[Asked, str]] = {"message": ALL, "rewrite": REWRITES, "ambiguous rewrite": AMBIGUOUS}


@dataclass(frozen=True, slots=True)
class Summary:
    """One measure over one slice."""

    measure: Measure
    slice: str
    estimate: Estimate | None
    """None: nothing in the slice could be scored; not measured."""


def summarise(
    questions: Sequence[Question],
    judged: Mapping[str, Judged],
    measures: Sequence[Measure],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    sliced: bool = True,
) -> list[Summary]:
    """Every measure over every slice, slices in their order, "all" first.

    Args:
        questions: All that were asked; one that `judged` lacks scores the default.
        judged: By question id.
        measures: What is measured.
        seed: Of every interval.
        resamples: How often families are drawn for an interval.
        sliced: Whether messages are grouped further than by how they were asked.
    """
    scores = {measure: measure.scores(questions, judged) for measure in measures}
    families = {question.id: question.family for question in questions}
    found: list[Summary] = []
    for name, held in slices(questions, sliced=sliced).items():
        columns = [{one.id: of[one.id] for one in held if one.id in of} for of in scores.values()]
        estimates = bootstrap_each(columns, families, np.random.default_rng(seed), resamples=resamples)
        found += (Summary(measure, name, one) for measure, one in zip(measures, estimates, strict=True))
    return found


def slices(questions: Iterable[Question], *, sliced: bool = True) -> dict[str, list[Question]]:
    """Questions by name of slice: "all", "kind: exception", "sections: several", "chapter: 4 Seats", "rewrites"."""
    found: dict[str, list[Question]] = {ALL: []}
    asked: dict[str, list[Question]] = {}
    for question in questions:
        apart = question.asked != "message"
        for name in _names(question, sliced):
            (asked if apart else found).setdefault(name, []).append(question)
    return found | {name: asked[name] for name in sorted(asked, key=_rewrites_first)}


def _rewrites_first(name: str) -> tuple[bool, bool, str]:
    return name != REWRITES, name != AMBIGUOUS, name


def _names(question: Question, sliced: bool) -> Iterator[str]:
    yield _ASKED[question.asked]
    if not sliced:
        return
    if question.asked == "message":
        yield f"kind: {question.kind}"
        if question.gold:
            yield SEVERAL_SECTIONS if question.crosses_sections else ONE_SECTION
        yield from (f"{key}: {value}" for key, value in question.slices.items() if key != "style")
    elif question.asked == "rewrite" and "style" in question.slices:
        yield f"style: {question.slices['style']}"
