"""One choice of settings from one set of tickets: climb along each axis in turn, then prefer the cheaper among equals.

A climb from the settings in force, not a grid: the axes hold thousands of combinations, and a climb tries some fifty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from eval.tuning.space import Axis, around, difference, work
from retrieve.settings import RetrieveSettings

ROUNDS: Final = 2
"""Times that all axes are gone through; a third changed nothing on the demo's tickets."""

TIE: Final = 1.0
"""What counts as equally good: standard errors of the paired difference to the best (Breiman et al. 1984: one)."""
_SAME: Final = 1e-9
"""Means closer than this are the same number, added up in another order."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What settings bring, ticket by ticket."""

    scores: Mapping[str, float]
    """By ticket; higher is better."""
    tokens: Mapping[str, float]
    """o200k tokens of what came back, by ticket."""


Trial = Callable[[RetrieveSettings], Outcome]
"""Asks every ticket under some settings; asked again, it remembers."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The tickets that a choice may look at."""

    tickets: tuple[str, ...]
    families: Mapping[str, str]

    def scores(self, outcome: Outcome) -> NDArray[np.float64]:
        """In the order of the tickets."""
        return np.array([outcome.scores[ticket] for ticket in self.tickets])

    def tokens(self, outcome: Outcome) -> float:
        """Mean o200k tokens of an answer."""
        return float(np.mean([outcome.tokens[ticket] for ticket in self.tickets]))

    def standard_error(self, differences: NDArray[np.float64]) -> float:
        """Of the mean of paired differences, families counted whole (the cluster-robust estimate).

        Infinite with a single family: it cannot tell anything.
        """
        residuals: dict[str, float] = {}
        for ticket, off in zip(self.tickets, (differences - differences.mean()).tolist(), strict=True):
            residuals[self.families[ticket]] = residuals.get(self.families[ticket], 0.0) + off
        count = len(residuals)
        if count < 2:
            return float("inf")
        spread = sum(residual**2 for residual in residuals.values())
        return float(np.sqrt(spread * count / (count - 1)) / len(differences))


class Climb:
    """One search from `start` over the tickets of `asked`; `tie` as TIE."""

    def __init__(self, start: RetrieveSettings, trial: Trial, asked: Asked, tie: float):
        self.start, self._trial, self._asked, self._tie = start, trial, asked, tie
        self.seen: dict[RetrieveSettings, Outcome] = {}

    def choice(self, axes: Sequence[Axis]) -> RetrieveSettings:
        """The cheapest of what is as good as the best that was seen, and no worse than `start`."""
        here = self.start
        for _ in range(ROUNDS):
            before = here
            for axis in axes:
                here = self._best(around(here, axis))
            if here == before:
                break
        return self._cheapest_as_good_as(here)

    def _best(self, tried: Sequence[RetrieveSettings]) -> RetrieveSettings:
        """The highest mean; equal ones by cost."""
        means = {settings: self._mean(settings) for settings in tried}
        top = max(means.values())
        return min((one for one in tried if means[one] >= top - _SAME), key=self._cost)

    def _cheapest_as_good_as(self, best: RetrieveSettings) -> RetrieveSettings:
        top, floor = self._asked.scores(self._outcome(best)), self._mean(self.start)
        as_good = [best]
        for settings, outcome in self.seen.items():
            behind = top - self._asked.scores(outcome)
            margin = self._tie * self._asked.standard_error(behind) if behind.any() else 0.0
            if behind.mean() <= margin + _SAME and self._mean(settings) >= floor - _SAME:
                as_good.append(settings)
        return min(as_good, key=self._cost)

    def _outcome(self, settings: RetrieveSettings) -> Outcome:
        if settings not in self.seen:
            self.seen[settings] = self._trial(settings)
        return self.seen[settings]

    def _mean(self, settings: RetrieveSettings) -> float:
        return float(self._asked.scores(self._outcome(settings)).mean())

    def _cost(self, settings: RetrieveSettings) -> tuple[float, float, int, str]:
        """Tokens to a tenth, then reading again, then changes from the start; the last part only breaks ties."""
        changes = difference(settings, self.start)
        tokens = round(self._asked.tokens(self._outcome(settings)), 1)
        return tokens, work(settings), len(changes), str(changes)
