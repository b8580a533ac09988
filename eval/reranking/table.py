"""The table of what reranking brings: a part for each set, and one for their average."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from eval.measures.bootstrap import Estimate, average
from eval.reranking.contest import FIRST, MEASURES, SEED, Blend, Played
from eval.reranking.fitted import BY, FOLDS, Fitted, fitted

LATE: Final = "late"
CROSS: Final = "cross"
DEFAULT: Final = f"{LATE} and {FIRST}"
FITTED: Final = "cross-fitted"
START: Final[Blend] = {FIRST: 1.0}
Columns = Mapping[str, Mapping[str, float]]
"""Scores by question, by measure."""


def blends(names: Sequence[str]) -> dict[str, Blend]:
    """What is compared, for the rerankers there are."""
    alone = {name: {name: 1.0} for name in names}
    halves = {f"{name} and {FIRST}": {name: 0.5, FIRST: 0.5} for name in names}
    every = {"all three": {FIRST: 0.3, LATE: 0.3, CROSS: 0.4}} if len(names) > 1 else {}
    return {FIRST: START, **alone, **halves, **every}


class Table:
    """Sets as they are played, and their rows."""

    def __init__(self, rerankers: Sequence[str]):
        self._names = [FIRST, *rerankers]
        self._blends = blends(rerankers)
        self._gains: dict[str, dict[str, list[tuple[Mapping[str, float], Mapping[str, str]]]]] = {}
        self._sets: list[str] = []

    def of_set(self, result: Played) -> Iterator[str]:
        """One set's part."""
        yield f"{result.name}, n={len(result.questions)}"
        yield from _head()
        columns = {name: _columns(result, blend) for name, blend in self._blends.items()}
        found = fitted(result, self._names)
        columns[FITTED] = {measure: found.scores(result, measure) for measure in MEASURES}
        for name, scores in columns.items():
            gains = [_gain(result, scores[measure], measure) for measure in MEASURES]
            means = [float(np.mean(list(scores[measure].values()))) for measure in MEASURES]
            spent = self._milliseconds(result, name, found)
            cells = [_cell(mean, None if name == FIRST else gain) for mean, gain in zip(means, gains, strict=True)]
            yield f"| {name} | " + " | ".join(cells) + f" | {f'{spent:.0f}' if spent else ''} |"
        yield self._about(result, found, columns[FITTED][BY])
        if not result.is_seen:
            self._keep(result, columns)

    def of_average(self) -> Iterator[str]:
        """The sets together, one counting as much as another."""
        yield f"average of {len(self._sets)} sets: {'; '.join(self._sets)}"
        yield from _head(timed=False)
        for name, by_measure in self._gains.items():
            cells = [_signed(average(by_measure[measure], np.random.default_rng(SEED))) for measure in MEASURES]
            yield f"| {name} | " + " | ".join(cells) + " |"

    def _about(self, result: Played, found: Fitted, scores: Mapping[str, float]) -> str:
        """The weights that were fitted, and what they bring beyond the default's."""
        weights = ", ".join(f"{name} {weight:.2f}" for name, weight in found.mean.items())
        beyond = _gain(result, scores, BY, self._blends[DEFAULT])
        return f"{FITTED}: {weights} (mean of {FOLDS} folds); {BY} against {DEFAULT}, half and half: {_signed(beyond)}"

    def _milliseconds(self, result: Played, name: str, found: Fitted) -> float:
        blend = found.mean if name == FITTED else self._blends[name]
        return sum(float(np.median(result.milliseconds[one])) for one in blend if one != FIRST and blend[one])

    def _keep(self, result: Played, columns: Mapping[str, Columns]) -> None:
        self._sets.append(result.name)
        first = columns[FIRST]
        for name in [one for one in columns if one != FIRST]:
            for measure in MEASURES:
                gains = {one: score - first[measure][one] for one, score in columns[name][measure].items()}
                self._gains.setdefault(name, {}).setdefault(measure, []).append((gains, result.families))


def _head(timed: bool = True) -> Iterator[str]:
    columns = [*MEASURES, *(["ms (p50)"] if timed else [])]
    yield "| order by | " + " | ".join(columns) + " |"
    yield "|---|" + "---|" * len(columns)


def _columns(result: Played, blend: Blend) -> Columns:
    return {measure: result.scores(blend, measure) for measure in MEASURES}


def _gain(result: Played, scores: Mapping[str, float], measure: str, over: Blend = START) -> Estimate:
    found = result.gain(scores, over, measure)
    assert found is not None, "a set has questions"
    return found


def _cell(mean: float, gain: Estimate | None) -> str:
    return f"{mean:.3f}" + (f" ({_signed(gain)})" if gain else "")


def _signed(gain: Estimate) -> str:
    return f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
