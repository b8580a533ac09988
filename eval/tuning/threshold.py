"""`low_confidence`: below which confidence a result is marked, chosen by the questions that have no answer.

What a threshold is worth is Youden's J (1950): the share of unanswerable questions that it marks, less the share of
answerable ones. It is chosen without each fold in turn and scored on that fold, as settings are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from eval.measures.folds import deal
from eval.tuning.nested import FOLDS, SEED

RESAMPLES: Final = 2_000
LEVEL: Final = 0.95
DIGITS: Final = 3
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mark:
    """How sure a retriever was of one question."""

    question: str
    family: str
    answerable: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Worth:
    """What marking below a threshold brings on questions that it was not chosen by."""

    caught: float
    """Share of the unanswerable questions that are marked."""
    alarms: float
    """Share of the answerable ones that are marked."""
    j: float
    low: float
    high: float
    """Interval of `j`; families resampled, each side by itself."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The value chosen from all questions, and whether there are enough of them to tell."""

    value: float
    low: float
    high: float
    """Where the value falls when families are resampled."""
    unseen: Worth
    present: Worth
    """Of the threshold in force."""
    gain: tuple[float, float, float]
    """`unseen.j` less `present.j`, with its interval."""
    unanswerable: int
    answerable: int
    families: int
    """Of unanswerable questions."""

    @property
    def beyond_noise(self) -> bool:
        """Whether marking works on unseen folds, and better than now, both beyond their intervals."""
        return self.unseen.low > 0 and self.gain[1] > 0


def threshold(marks: Sequence[Mark], present: float) -> Threshold | None:
    """The threshold with the largest J; None where one side has fewer families than there are folds.

    Args:
        marks: Of each question.
        present: The threshold in force.
    """
    marks = sorted(marks, key=lambda mark: mark.question)
    families = [len({mark.family for mark in marks if mark.answerable is side}) for side in (False, True)]
    if min(families) < FOLDS:
        return None
    table = _Table.of(marks)
    unseen, now = table.confidence < _held_back(marks), table.confidence < present
    weights = table.resampled(np.random.default_rng(SEED))
    drawn = [table.j(flags, weights) for flags in (unseen, now)]
    low, high = np.quantile([table.best(weight) for weight in weights], _ENDS).tolist()
    new, old = table.worth(unseen, drawn[0]), table.worth(now, drawn[1])
    least, most = np.quantile(drawn[0] - drawn[1], _ENDS).tolist()
    return Threshold(
        round(table.best(np.ones(len(marks))), DIGITS),
        low,
        high,
        new,
        old,
        (new.j - old.j, least, most),
        int((~table.answerable).sum()),
        int(table.answerable.sum()),
        families[0],
    )


_ENDS: Final = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


def _held_back(marks: Sequence[Mark]) -> Floats:
    """For each mark the threshold that the other folds choose."""
    sides = {mark.question: str(mark.answerable) for mark in marks}
    fold_of = deal({mark.question: mark.family for mark in marks}, sides, FOLDS)
    found = np.zeros(len(marks))
    for fold in range(FOLDS):
        held = np.array([fold_of[mark.family] == fold for mark in marks])
        table = _Table.of([mark for mark, out in zip(marks, held, strict=True) if not out])
        found[held] = table.best(np.ones(int((~held).sum())))
    return found


@dataclass(frozen=True, slots=True)
class _Table:
    """Marks as arrays `(n,)`."""

    confidence: Floats
    answerable: NDArray[np.bool_]
    family: NDArray[np.int64]

    @classmethod
    def of(cls, marks: Sequence[Mark]) -> _Table:
        # A family on both sides counts as one on each: the sides are resampled apart.
        names = sorted({(mark.answerable, mark.family) for mark in marks})
        place = {name: at for at, name in enumerate(names)}
        return cls(
            np.array([mark.confidence for mark in marks]),
            np.array([mark.answerable for mark in marks]),
            np.array([place[mark.answerable, mark.family] for mark in marks]),
        )

    def best(self, weights: Floats) -> float:
        """The threshold with the largest J, between two confidences; the lowest of equal ones."""
        order = np.argsort(self.confidence, kind="stable")
        sorted_, sides = self.confidence[order], self._shares(weights)[order]
        # Thresholds lie above each confidence; those within a run of equal ones do not exist.
        gains = np.where(np.append(sorted_[1:] > sorted_[:-1], True), np.cumsum(sides), -np.inf)
        at = int(np.argmax(gains > gains.max() - 1e-12))
        above = sorted_[at + 1] if at + 1 < len(sorted_) else sorted_[at] + 1e-3
        return float((sorted_[at] + above) / 2)

    def _shares(self, weights: Floats) -> Floats:
        """What marking each question adds to J; weights `(n,)` or `(resamples, n)`."""
        with_answer = weights * self.answerable
        without = weights * ~self.answerable
        shares: Floats = without / without.sum(-1, keepdims=True) - with_answer / with_answer.sum(-1, keepdims=True)
        return shares

    def j(self, flags: NDArray[np.bool_], weights: Floats) -> Floats:
        """J of marking by `flags`, for each resample."""
        found: Floats = (self._shares(weights) * flags).sum(axis=-1)
        return found

    def worth(self, flags: NDArray[np.bool_], drawn: Floats) -> Worth:
        """J of marking by `flags`, with the interval of its resamples."""
        caught, alarms = float(flags[~self.answerable].mean()), float(flags[self.answerable].mean())
        low, high = np.quantile(drawn, _ENDS).tolist()
        return Worth(caught, alarms, caught - alarms, low, high)

    def resampled(self, rng: np.random.Generator) -> Floats:
        """How often each mark is drawn, `(RESAMPLES, n)`; families whole, each side by itself."""
        counts = np.zeros((RESAMPLES, int(self.family.max()) + 1))
        for side in (False, True):
            families = np.unique(self.family[self.answerable == side])
            share = np.full(len(families), 1 / len(families))
            counts[:, families] = rng.multinomial(len(families), share, size=RESAMPLES)
        return counts[:, self.family]
