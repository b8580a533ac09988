"""How sure a mean over tickets is: seeded percentile bootstrap (Efron 1979), families resampled whole.

Tickets of one family stand or fall together, so that counting them as independent would make intervals
too narrow. Resampled are families, with replacement; the mean is over the tickets drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

RESAMPLES: Final = 10_000
LEVEL: Final = 0.95
_BLOCK: Final = 4_000_000
"""Families drawn at once, at most."""
Floats = NDArray[np.float64]
Tally = tuple[Floats, Floats]
"""Sum and number of the scores of each family, `(n_families,)` each."""


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
    return bootstrap_each([scores], families, rng, resamples=resamples, level=level)[0]


def bootstrap_each(
    columns: Sequence[Mapping[str, float]],
    families: Mapping[str, str],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> list[Estimate | None]:
    """The same for many scores: those over the same number of families share what is drawn, which is what costs."""
    found: list[Estimate | None] = [None] * len(columns)
    tallies = {at: _by_family(scores, families) for at, scores in enumerate(columns) if scores}
    seed = int(rng.integers(2**32))
    for count in sorted({len(sums) for sums, _ in tallies.values()}):
        alike = [at for at, (sums, _) in tallies.items() if len(sums) == count]
        means = _means([tallies[at] for at in alike], np.random.default_rng([seed, count]), resamples)
        bounds = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
        for at, low, high in zip(alike, *bounds.tolist(), strict=True):
            sums, sizes = tallies[at]
            found[at] = Estimate(float(sums.sum() / sizes.sum()), low, high, len(columns[at]), count, level)
    return found


def _means(tallies: Sequence[Tally], rng: np.random.Generator, resamples: int) -> Floats:
    """Means of the resamples, `(resamples, n_columns)`."""
    sums, sizes = (np.stack([tally[side] for tally in tallies], axis=1) for side in (0, 1))
    parts = []
    for drawn in draws(len(sums), rng, resamples):
        parts.append((drawn @ sums) / (drawn @ sizes))
    return np.concatenate(parts)


def draws(count: int, rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    """How often each family is drawn, `(some resamples, count)`, in blocks that fit into memory."""
    block = max(1, _BLOCK // count)
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = rng.integers(count, size=(rows, count)) + np.arange(rows)[:, None] * count
        yield np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count).astype(np.float64)


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


def average(
    sets: Sequence[tuple[Mapping[str, float], Mapping[str, str]]],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Estimate:
    """The mean over sets of their means, a set counting as much as another; each is resampled on its own.

    Args:
        sets: (scores by id, family by id) of each set; none is empty.
        rng: Decides what is drawn.
        resamples: How often.
        level: Share of the resampled means within the interval.
    """
    tallies = [_by_family(scores, families) for scores, families in sets]
    resampled = np.mean([_means([tally], rng, resamples) for tally in tallies], axis=0)
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2]).tolist()
    mean = float(np.mean([sums.sum() / sizes.sum() for sums, sizes in tallies]))
    count = sum(len(sums) for sums, _ in tallies)
    return Estimate(mean, low, high, sum(len(scores) for scores, _ in sets), count, level)


def _by_family(scores: Mapping[str, float], families: Mapping[str, str]) -> Tally:
    """Sum and number of the scores of each family, in the order of their names."""
    names = sorted({families[name] for name in scores})
    place = {family: at for at, family in enumerate(names)}
    sums, sizes = np.zeros(len(names)), np.zeros(len(names))
    for name in sorted(scores):
        sums[place[families[name]]] += scores[name]
        sizes[place[families[name]]] += 1
    return sums, sizes
