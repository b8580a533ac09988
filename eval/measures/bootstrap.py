"""How sure a mean over tickets is: seeded percentile bootstrap (Efron 1979), families resampled whole.

Tickets of one family stand or fall together, so that counting them as independent would make intervals
too narrow. Resampled are families, with replacement; the mean is over the tickets drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 10_000
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval."""

    mean: float
    low: float
    high: float
    n: int
    """Scores."""
    families: int
    level: float = LEVEL

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}] (n={self.n})"


def bootstrap(
    scores: Mapping[str, float],
    families: Mapping[str, str],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Estimate | None:
    """The mean of scores by id, with its percentile interval; None without any score.

    Args:
        scores: By id.
        families: Family by id, for every scored id.
        rng: Decides what is drawn.
        resamples: How often.
        level: Share of the resampled means within the interval.
    """
    if not scores:
        return None
    sums, sizes = _by_family(scores, families)
    drawn = rng.integers(len(sums), size=(resamples, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Estimate(float(sums.sum() / sizes.sum()), low, high, len(scores), len(sums), level)


def paired_difference(
    scores: Mapping[str, float],
    others: Mapping[str, float],
    families: Mapping[str, str],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Estimate | None:
    """The mean of `scores` minus `others`, ticket by ticket, with its interval.

    Raises:
        ValueError: the two do not score the same ids.
    """
    if scores.keys() != others.keys():
        raise ValueError("a paired difference wants scores of the same tickets")
    differences = {name: score - others[name] for name, score in scores.items()}
    return bootstrap(differences, families, rng, resamples=resamples, level=level)


def _by_family(
    scores: Mapping[str, float], families: Mapping[str, str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and number of the scores of each family, in the order of their names."""
    names = sorted({families[name] for name in scores})
    place = {family: at for at, family in enumerate(names)}
    sums, sizes = np.zeros(len(names)), np.zeros(len(names))
    for name in sorted(scores):
        sums[place[families[name]]] += scores[name]
        sizes[place[families[name]]] += 1
    return sums, sizes
