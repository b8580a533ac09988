"""How often a rewrite loses what its query brought, and how likely green re-runs miss that: the incident's arithmetic.

In the incident a bad rewrite came in a quarter of the runs, and the bad state behind it 12 % of the day: a branch that
0.25 x 0.12 = 3 % of the runs take, which five green re-runs miss with probability 0.97^5 = 0.859. In general

    branch = share x loss      share: of the runs in which the model rewrites so, and the state is bad; an assumption
    missed = (1 - branch)^n    n green re-runs, independent of each other

Tickets differ: of one drawn at random the chance of a miss is that or more (Jensen's inequality), never less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.fuzzing.tried import Tried
from eval.fuzzing.ways import Way
from eval.measures.bootstrap import LEVEL, Estimate, bootstrap_each

SURE: Final = 0.95
"""How sure one wants to be of seeing the fault once."""


@dataclass(frozen=True, slots=True)
class Runs:
    """What is assumed of the runs of an agent."""

    runs: int = 5
    """Green ones."""
    share: float = 0.25
    """Of the runs that take the way, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Of the rewrites whose query brought everything: how many lose something."""

    loses: Estimate
    losses: int
    branch: float
    """Share of the runs that lose it."""
    missed: float
    """Chance that the green re-runs all miss it."""
    missed_low: float
    missed_high: float
    needed: int | None
    """Runs after which it was seen once, `SURE` of it; None where nothing was lost."""


@dataclass(frozen=True, slots=True)
class WayChances:
    """One way of rewriting."""

    way: str
    rewrites: int
    """All that were asked."""
    anchor: Chance | None
    """Losing any anchor; None: no query brought all of its own."""
    exception: Chance | None
    """The same of exception tickets alone."""
    rule_alone: int
    """Of those, losses in which a rule came back without what limits it."""


def chances(tried: Sequence[Tried], runs: Runs, seed: int) -> tuple[WayChances, ...]:
    """Each way that was tried, then all of them together."""
    ways = [(way.value, [one for one in tried if one.way is way]) for way in Way]
    groups = [(name, found) for name, found in ways if found]
    groups += [("all of them", list(tried))] if len(groups) > 1 else []
    fair = [[one for one in found if one.fair] for _, found in groups]
    limited = [[one for one in found if one.is_exception] for found in fair]
    every = _estimates([*fair, *limited], seed)
    return tuple(
        WayChances(
            name,
            len(found),
            _chance(every[at], fair[at], runs),
            _chance(every[len(groups) + at], limited[at], runs),
            sum(one.rule_alone for one in limited[at]),
        )
        for at, (name, found) in enumerate(groups)
    )


def missed(branch: float, runs: int) -> float:
    """Chance that so many independent runs all miss a branch that this share of the runs takes."""
    return float((1 - branch) ** runs)


def needed(branch: float, sure: float = SURE) -> int | None:
    """Runs after which a branch was taken once with this probability; None for one that never is."""
    if branch <= 0:
        return None
    return 1 if branch >= 1 else math.ceil(math.log(1 - sure) / math.log(1 - branch))


def exact(families: int, *, all_of_them: bool, level: float = LEVEL) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share of 0, or 1, over so many families, where a bootstrap has no width."""
    edge = ((1 - level) / 2) ** (1 / families)
    return (edge, 1.0) if all_of_them else (0.0, 1 - edge)


def _estimates(groups: Sequence[Sequence[Tried]], seed: int) -> list[Estimate | None]:
    scores: list[Mapping[str, float]] = [{one.id: float(one.loses) for one in group} for group in groups]
    families = {one.id: one.family for group in groups for one in group}
    return [_widened(one) for one in bootstrap_each(scores, families, np.random.default_rng(seed))]


def _widened(one: Estimate | None) -> Estimate | None:
    if one is None or one.mean not in (0.0, 1.0):
        return one
    return Estimate(one.mean, *exact(one.families, all_of_them=one.mean == 1), one.n, one.families, one.level)


def _chance(one: Estimate | None, found: Sequence[Tried], runs: Runs) -> Chance | None:
    if one is None:
        return None
    branch = runs.share * one.mean
    return Chance(
        one,
        sum(each.loses for each in found),
        branch,
        missed(branch, runs.runs),
        missed(runs.share * one.high, runs.runs),
        missed(runs.share * one.low, runs.runs),
        needed(branch),
    )
