"""What tuning is worth on tickets it has not seen: the whole choice is made again without each fold (Stone 1974).

A setting learns nothing from tickets, so within the other folds its mean is its score; what learns is the choice
among settings, and that is what the folds are held back from. The gain on all of them together is the estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.measures.bootstrap import Estimate, paired_difference
from eval.measures.folds import deal
from eval.tuning.choosing import TIE, Asked, Climb, Outcome, Trial
from eval.tuning.space import Axis
from retrieve.settings import RetrieveSettings

SEED: Final = 8841
FOLDS: Final = 5
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """Which tickets there are, and how the choice is made."""

    families: Mapping[str, str]
    """By ticket."""
    kinds: Mapping[str, str]
    """By ticket."""
    axes: tuple[Axis, ...]
    folds: int = FOLDS
    tie: float = TIE


@dataclass(frozen=True, slots=True)
class Fold:
    """A choice that was made without one fold, and what it brings there."""

    tickets: int
    """Held back."""
    chosen: RetrieveSettings
    gain: float
    """On the tickets held back, over the settings in force."""


@dataclass(frozen=True, slots=True)
class Nested:
    """The choice from all tickets, and what such a choice brings where it has not looked."""

    chosen: RetrieveSettings
    folds: tuple[Fold, ...]
    unseen: Estimate
    """Gain over the settings in force on the folds held back, all together."""
    seen: Estimate
    """Gain of `chosen` on the tickets it was chosen by; too good, shown to say by how much."""
    tried: int
    """Settings that were asked."""

    @property
    def beyond_noise(self) -> bool:
        """Whether the interval of the gain on unseen folds lies above 0."""
        return bool(self.unseen.low > 0)


def nested(start: RetrieveSettings, trial: Trial, plan: Plan, progress: Progress | None = None) -> Nested:
    """Choose with each fold held back, then with all.

    Raises:
        SourceError: fewer families than folds.
    """
    fold_of = deal(plan.families, plan.kinds, plan.folds)
    present, tried = trial(start), {start}
    folds: list[Fold] = []
    better: dict[str, float] = {}
    for fold in range(plan.folds):
        _tell(progress, fold, plan.folds)
        held = [ticket for ticket, family in plan.families.items() if fold_of[family] == fold]
        climb = _climb(start, trial, plan, [ticket for ticket in plan.families if ticket not in set(held)])
        chosen = climb.choice(plan.axes)
        tried |= climb.seen.keys()
        gains = {ticket: trial(chosen).scores[ticket] - present.scores[ticket] for ticket in held}
        better |= gains
        folds.append(Fold(len(held), chosen, float(np.mean(list(gains.values())))))
    _tell(progress, plan.folds, plan.folds)
    last = _climb(start, trial, plan, list(plan.families))
    chosen = last.choice(plan.axes)
    unseen = _gain(better, dict.fromkeys(better, 0.0), plan)
    seen = _gain(trial(chosen).scores, present.scores, plan)
    return Nested(chosen, tuple(folds), unseen, seen, len(tried | last.seen.keys()))


def _climb(start: RetrieveSettings, trial: Trial, plan: Plan, tickets: Sequence[str]) -> Climb:
    return Climb(start, trial, Asked(tuple(tickets), plan.families), plan.tie)


def _gain(scores: Mapping[str, float], others: Mapping[str, float], plan: Plan) -> Estimate:
    mine, theirs = ({ticket: of[ticket] for ticket in plan.families} for of in (scores, others))
    found = paired_difference(mine, theirs, plan.families, np.random.default_rng(SEED))
    assert found is not None, "there is a ticket in every fold"
    return found


def _tell(progress: Progress | None, fold: int, folds: int) -> None:
    if progress:
        progress("folds", fold, folds + 1)


def remembered(trial: Trial) -> Trial:
    """The same trial, each of whose outcomes is worked out once."""
    known: dict[RetrieveSettings, Outcome] = {}

    def once(settings: RetrieveSettings) -> Outcome:
        if settings not in known:
            known[settings] = trial(settings)
        return known[settings]

    return once
