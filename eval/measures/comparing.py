"""Two retrievers on the same questions: the paired difference, McNemar's exact test, and what n could show at all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.measures.bootstrap import RESAMPLES, Estimate, bootstrap
from eval.measures.definitions import Measure
from eval.measures.judged import Judged
from eval.measures.summary import SEED
from eval.suites.question import Question

BOUND: Final = 1.96
"""Standard normal quantile of a two-sided test at 5 %."""
LEAST: Final = 6
"""Questions that must change to one side before McNemar's test can find anything at 5 %: 2 / 2**6 = 0.03."""
POWER: Final = 0.84
"""Of a power of 80 %: a difference as large as `smallest` is found in four of five suites like this one."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """Questions that only one of two retrievers answers well (McNemar 1947)."""

    gained: int
    """Right now, wrong before."""
    lost: int
    """Wrong now, right before."""

    @property
    def p(self) -> float:
        """Two-sided exact binomial probability that so uneven a split is chance, 0 to 1.

        It counts questions as independent; where families are large, the bootstrap's interval is the wider word.
        """
        n, few = self.gained + self.lost, min(self.gained, self.lost)
        tail = sum(math.comb(n, at) for at in range(few + 1))
        return min(1.0, float(2 * tail / 2**n))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of a retriever minus another's, over the questions that both have scored."""

    measure: Measure
    difference: Estimate
    """Mean difference with its paired interval; below 0 is better where lower is."""
    mcnemar: McNemar | None
    """Of measures that are 0 or 1."""
    smallest: float | None
    """The smallest difference that this n can show; None where that cannot be told, or is none."""
    unpaired: int = 0
    """Questions that only one of the two has a score for; left out."""

    @property
    def better(self) -> bool | None:
        """Whether the interval lies on the better side of 0; False: on the worse; None: it holds 0."""
        if self.difference.low <= 0 <= self.difference.high:
            return None
        return (self.difference.low > 0) == self.measure.higher_is_better


def compare(
    questions: Sequence[Question],
    judged: Mapping[str, Judged],
    others: Mapping[str, Judged],
    measure: Measure,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Comparison | None:
    """A measure of `judged` minus that of `others`, question by question; None without a question that both score.

    Args:
        questions: Asked of both; a question that one lacks scores its default.
        judged: By question id.
        others: What it is compared with.
        measure: What is compared.
        seed: Of the interval.
        resamples: How often families are drawn.
    """
    families = {question.id: question.family for question in questions}
    scores = measure.scores(questions, judged), measure.scores(questions, others)
    return compare_scores(*scores, families, measure, seed=seed, resamples=resamples)


def compare_scores(
    scores: Mapping[str, float],
    others: Mapping[str, float],
    families: Mapping[str, str],
    measure: Measure,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Comparison | None:
    """The same of scores by question id."""
    both = sorted(scores.keys() & others.keys())
    differences = {name: scores[name] - others[name] for name in both}
    estimate = bootstrap(differences, families, np.random.default_rng(seed), resamples=resamples)
    if estimate is None:
        return None
    values = list(differences.values())
    mcnemar = McNemar(sum(value > 0 for value in values), sum(value < 0 for value in values))
    return Comparison(
        measure,
        estimate,
        mcnemar if measure.zero_one else None,
        smallest_difference(differences, families, measure),
        len(scores.keys() | others.keys()) - len(both),
    )


def smallest_difference(
    differences: Mapping[str, float], families: Mapping[str, str], measure: Measure
) -> float | None:
    """The smallest true difference that questions like these show in four of five tries, at 5 % two-sided.

    (1.96 + 0.84) * sd / sqrt(m): m families, sd the standard deviation over families of their summed difference, less
    its mean, over their mean size. With families of one and a 0/1 measure, sd**2 is the share of questions on which the
    two disagree, less the difference squared. A 0/1 measure shows nothing below 6 / n, where all six go one way.
    None: of a measure that is not 0/1, where all differ alike; and where not even a difference of 1 could be shown.
    """
    floor = LEAST / len(differences) if measure.zero_one else 0.0
    found = max(floor, (BOUND + POWER) * _standard_error(differences, families))
    return None if found == 0 or (measure.zero_one and found > 1) else found


def _standard_error(differences: Mapping[str, float], families: Mapping[str, str]) -> float:
    """Of the mean difference, families as the units; 0 where all differ alike."""
    held: dict[str, list[float]] = {}
    for name, difference in differences.items():
        held.setdefault(families[name], []).append(difference)
    mean = sum(differences.values()) / len(differences)
    residuals = [sum(values) - mean * len(values) for values in held.values()]
    # Rounding leaves crumbs where all differ alike.
    if len(held) < 2 or max(map(abs, residuals)) < 1e-12:
        return 0.0
    variance = sum(value * value for value in residuals) / (len(held) - 1)
    return math.sqrt(variance * len(held)) / len(differences)
