"""`caveat tune`: settings chosen on the tune side, and what the choice is worth on tickets that it did not see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from eval.measures.bootstrap import Estimate, paired_difference
from eval.measures.definitions import Measure
from eval.suites.question import Questions
from eval.tuning.choosing import TIE, Outcome, Trial
from eval.tuning.measuring import Ask, Sheet, marks, outcome, stale
from eval.tuning.nested import SEED, Nested, Plan, Progress, nested, remembered
from eval.tuning.space import axes, difference
from eval.tuning.threshold import Threshold, threshold
from ingest.errors import GuardError, SourceError
from retrieve.settings import RetrieveSettings

if TYPE_CHECKING:
    from eval.policy import Policy

TIMED: Final = 24
"""Questions that are asked anew to see what settings cost in time."""
AskUnder = Callable[[RetrieveSettings], Ask]
"""Settings to a search under them; `k` is the settings' own."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What is asked, and how."""

    questions: Questions
    measure: Measure
    settings: RetrieveSettings
    """In force."""
    quick: AskUnder
    """Asks nothing twice; its times mean nothing."""
    plain: AskUnder
    """As a person would be answered."""
    policy: Policy | None = None
    tie: float = TIE


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer costs."""

    tokens: float
    """Mean o200k tokens, links included."""
    milliseconds: float
    """Median, without encoding the query."""
    stale: int | None
    """Questions that got text which was not in force; None: not known."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was found, and whether it is better than what is in force."""

    suite: str
    measure: str
    tickets: int
    questions: int
    families: int
    present: Mapping[str, Any]
    """Of the settings in force: those that the choice changes."""
    changes: Mapping[str, Any]
    """What the choice changes; empty where nothing better was seen."""
    score: float
    """Of the settings in force."""
    nested: Nested
    cost: Cost
    chosen_cost: Cost
    others: Estimate | None
    """Gain in AnchorRecall of the tickets that the measure does not score; None where there are none."""
    low_confidence: Threshold | None
    """None: too few questions without an answer."""
    unanswerable: int
    """Families of questions without an answer."""
    present_low_confidence: float

    @property
    def reasons(self) -> list[str]:
        """Why the settings in force are kept; none where they are not."""
        if not self.changes:
            return ["nothing better was seen"]
        found = []
        if not self.nested.beyond_noise:
            found.append("the gain on unseen folds is not beyond noise")
        if self.others and self.others.high < 0:
            found.append("the other tickets lose")
        if (self.chosen_cost.stale or 0) > (self.cost.stale or 0):
            found.append("more answers hold text that was not in force")
        return found

    @property
    def writes(self) -> dict[str, Any]:
        """Keys of `[retrieve]` that are worth changing, with their values."""
        settings = {} if self.reasons else dict(self.changes)
        if self.low_confidence and self.low_confidence.beyond_noise:
            settings["low_confidence"] = self.low_confidence.value
        return settings

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        values = asdict(self)
        for fold, plain in zip(self.nested.folds, values["nested"]["folds"], strict=True):
            plain["chosen"] = fold.chosen.model_dump()
        values["nested"]["chosen"] = self.nested.chosen.model_dump()
        return {**values, "reasons": self.reasons, "writes": self.writes}


def tune(bench: Bench, progress: Progress | None = None) -> Tuned:
    """Search, choose, and measure the choice.

    Raises:
        GuardError: a question is on the holdout side.
        SourceError: the measure scores no ticket, or too few families.
    """
    refuse_holdout(bench.questions)
    everything = Sheet.of(bench.questions.questions)
    sheet = everything.scored_by(bench.measure)
    if not sheet.shares:
        raise SourceError(f"{bench.measure} scores none of its questions", where=bench.questions.name)
    trial = remembered(partial(_trial, bench, sheet))
    plan = Plan(sheet.families, sheet.kinds, axes(bench.settings, bench.measure.k), tie=bench.tie)
    found = nested(bench.settings, trial, plan, progress)
    sure = threshold(marks(everything.questions, bench.quick(bench.settings)), bench.settings.low_confidence)
    changes = difference(found.chosen, bench.settings)
    return Tuned(
        bench.questions.name,
        str(bench.measure),
        len(sheet.shares),
        len(sheet.questions),
        len(set(sheet.families.values())),
        {name: getattr(bench.settings, name) for name in changes},
        changes,
        float(np.mean(list(trial(bench.settings).scores.values()))),
        found,
        *_costs(bench, sheet, trial, found.chosen),
        _others(bench, everything, found.chosen),
        sure,
        len({one.family for one in everything.questions if not one.gold}),
        bench.settings.low_confidence,
    )


def refuse_holdout(questions: Questions) -> None:
    """Raises GuardError where a question is on the holdout side: what is tuned on it cannot be reported on it."""
    held = sum(question.split == "holdout" for question in questions.questions)
    if held:
        found = f"{held} of {len(questions.questions)} questions are on the holdout side"
        raise GuardError(found, where=questions.name, fix="tune on the tune side; holdout is for `caveat eval` alone")


def _trial(bench: Bench, sheet: Sheet, settings: RetrieveSettings) -> Outcome:
    return outcome(sheet, settings, bench.quick(settings), bench.measure)


def _others(bench: Bench, everything: Sheet, chosen: RetrieveSettings) -> Estimate | None:
    """What the choice does to the answerable tickets that it was not made for."""
    measure = Measure("AnchorRecall", bench.measure.k or bench.settings.k, links=True)
    sheet = everything.where(lambda one: measure.applies(one) and not bench.measure.applies(one))
    new, old = (
        outcome(sheet, settings, bench.quick(settings), measure).scores for settings in (chosen, bench.settings)
    )
    return paired_difference(new, old, sheet.families, np.random.default_rng(SEED))


def _costs(bench: Bench, sheet: Sheet, trial: Trial, chosen: RetrieveSettings) -> tuple[Cost, Cost]:
    both = bench.settings, chosen
    cut = bench.measure.k or bench.settings.k
    times = _times(bench, sheet, both)
    found = [
        Cost(
            float(np.mean(list(trial(settings).tokens.values()))),
            times[settings],
            stale(sheet, bench.quick(settings), bench.policy, cut),
        )
        for settings in both
    ]
    return found[0], found[1]


def _times(bench: Bench, sheet: Sheet, both: tuple[RetrieveSettings, ...]) -> dict[RetrieveSettings, float]:
    """Median milliseconds of a search once its query is encoded, which costs both the same; in turns."""
    asks = {settings: bench.plain(settings) for settings in both}
    spent: dict[RetrieveSettings, list[float]] = {settings: [] for settings in asks}
    every = sheet.questions
    for turn, question in enumerate(every[:: max(1, len(every) // TIMED)]):
        asks[both[0]](question)
        for settings in list(asks)[:: 1 if turn % 2 else -1]:
            start = perf_counter()
            asks[settings](question)
            spent[settings].append((perf_counter() - start) * 1000)
    return {settings: float(np.median(times)) for settings, times in spent.items()}
