"""What a night says at a glance: is recall all right, what changed since last night, and which questions flipped.

Everything here is computed from nights alone; pages, tables and summaries only print it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from eval.measures.bootstrap import paired_difference
from eval.measures.summary import SEED
from eval.nightly.record import Figure, Gate, Night, TicketNight

Verdict = Literal["good", "bad", "unknown"]
Unit = Literal["share", "milliseconds"]
_ASKED: Final = {"all": "message", "rewrites": "rewrite"}
"""Slices that are plain means over questions of one way of asking."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A measure that is read first."""

    title: str
    meaning: str
    wanted: tuple[tuple[str, str], ...]
    """Regular expressions of a measure's name, each with the slice it is over; the preferred first."""
    lower_is_better: bool = False


RECALL: Final = Headline(
    "Recall", "share of the sections needed that came back", ((r"Recall@5", "all"), (r"Recall@\d+", "all"))
)
HEADLINES: Final = (
    RECALL,
    Headline(
        "Policy-exception recall",
        "rule and every clause that limits it came together",
        (
            (r"PolicyExceptionRecall@5\+links", "all"),
            (r"PolicyExceptionRecall@\d+\+links", "all"),
            (r"PolicyExceptionRecall@\d+", "all"),
        ),
    ),
    Headline(
        "Stale rate",
        "share of questions with any text that was not in force",
        ((r"StaleRate@5\+links", "all"), (r"StaleRate@\d+\+links", "all"), (r"StaleRate@\d+", "all")),
        lower_is_better=True,
    ),
    Headline(
        "Rewrite robustness",
        "where a model had rewritten the question",
        ((r"Recall@5", "rewrites"), (r"Recall@\d+", "rewrites")),
    ),
)


@dataclass(frozen=True, slots=True)
class Change:
    """How far a measure moved, question by question."""

    mean: float
    low: float | None
    high: float | None
    n: int
    """Questions that both nights have; 0 where only the two means are known."""

    @property
    def beyond_chance(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class Reading:
    """A headline measure tonight, and against before."""

    headline: Headline
    figure: Figure | None
    """None where it was not measured."""
    last: Figure | None
    since_last: Change | None
    since_baseline: Change | None

    @property
    def name(self) -> str:
        """The measure's name, or what it would be about."""
        return self.figure.measure if self.figure else f"{self.headline.title}@5"

    @property
    def label(self) -> str:
        """Title and measure, "Rewrite robustness (Recall@5)"; the title alone where nothing was measured."""
        title = self.headline.title
        if self.figure is None:
            return title
        measure = self.figure.measure
        return measure if measure.startswith(f"{title}@") else f"{title} ({measure})"

    def worse(self, change: Change) -> bool:
        """Whether a change is for the worse."""
        return change.mean > 0 if self.headline.lower_is_better else change.mean < 0


@dataclass(frozen=True, slots=True)
class Flip:
    """A question that went otherwise than the night before."""

    ticket: TicketNight
    before: TicketNight
    moved: dict[str, tuple[float, float]]
    """By measure: what it scored last night and tonight."""
    worse: bool


@dataclass(frozen=True, slots=True)
class Glance:
    """A night beside the night before and the baseline."""

    night: Night
    last: Night | None
    baseline: Night | None
    trend: tuple[Night, ...]
    """Comparable nights, oldest first, tonight's last; at most 30."""
    readings: tuple[Reading, ...]
    flips: tuple[Flip, ...]
    """The worse ones first."""
    misses: tuple[TicketNight, ...]
    """Questions of which something did not come back, flipped or not."""
    broken: tuple[TicketNight, ...]
    """Questions whose gold is out of place; they are not scored."""
    compared: int
    """Questions that last night asked in the same words."""

    @property
    def recall(self) -> Reading:
        """The first of all figures."""
        return self.readings[0]

    @property
    def verdict(self) -> Verdict:
        """On recall alone: good where it was measured and none of its gates failed."""
        gates = [gate.status for gate in self.night.gates if about_recall(gate)]
        if "failed" in gates:
            return "bad"
        if self.recall.figure is None or self.recall.figure.mean is None or "passed" not in gates:
            return "unknown"
        return "good"

    @property
    def failed(self) -> tuple[Gate, ...]:
        """Gates that failed."""
        return tuple(gate for gate in self.night.gates if gate.status == "failed")

    @property
    def lost(self) -> tuple[Flip, ...]:
        """Questions that went worse."""
        return tuple(flip for flip in self.flips if flip.worse)

    @property
    def won(self) -> tuple[Flip, ...]:
        """Questions that went better."""
        return tuple(flip for flip in self.flips if not flip.worse)

    @property
    def losing_stages(self) -> Counter[str]:
        """How many sections of the questions that went worse each stage lost."""
        return Counter(stage for flip in self.lost for stage in flip.ticket.lost.values())


MOST_NIGHTS: Final = 30


def glance(night: Night, before: Sequence[Night], baseline: Night | None) -> Glance:
    """A night beside those before it (oldest first) of the same suite and split, and beside the baseline."""
    night = _listable(night)
    alike = [one for one in before if _alike(one, night)]
    last = alike[-1] if alike else None
    base = baseline if baseline and _alike(baseline, night) else None
    return Glance(
        night=night,
        last=last,
        baseline=base,
        trend=(*alike, night)[-MOST_NIGHTS:],
        readings=tuple(_reading(headline, night, last, base) for headline in HEADLINES),
        flips=tuple(_flips(night, last)) if last else (),
        misses=tuple(one for one in night.tickets if one.lost and not one.broken),
        broken=tuple(one for one in night.tickets if one.broken),
        compared=_compared(night, last) if last else 0,
    )


def about_recall(gate: Gate) -> bool:
    """Whether a gate is about recall@k itself."""
    return bool(re.match(r"recall\b", gate.name, re.IGNORECASE))


def find(night: Night, headline: Headline) -> Figure | None:
    """A night's figure for a headline; None where there is none, or its mean was not measured."""
    known = [figure for figure in night.figures if figure.mean is not None]
    for name, over in headline.wanted:
        for figure in known:
            if figure.slice == over and re.fullmatch(name, figure.measure):
                return figure
    return None


def _listable(night: Night) -> Night:
    """The night without its questions where they are of the holdout side: that side is never read one by one."""
    return night.model_copy(update={"tickets": [], "slowest": []}) if night.split == "holdout" else night


def _compared(night: Night, last: Night) -> int:
    then = {ticket.id: ticket for ticket in last.tickets}
    return sum(ticket.id in then and same_question(ticket, then[ticket.id]) for ticket in night.tickets)


def _alike(one: Night, other: Night) -> bool:
    return (one.suite, one.split) == (other.suite, other.split)


def _reading(headline: Headline, night: Night, last: Night | None, baseline: Night | None) -> Reading:
    figure = find(night, headline)
    return Reading(
        headline,
        figure,
        find(last, headline) if last else None,
        _change(figure, night, last),
        _change(figure, night, baseline),
    )


def _change(figure: Figure | None, night: Night, other: Night | None) -> Change | None:
    before = other.figure(figure.measure, figure.slice) if figure and other else None
    if figure is None or figure.mean is None or other is None or before is None or before.mean is None:
        return None
    paired = _paired(figure, night, other)
    return paired or Change(figure.mean - before.mean, None, None, 0)


def _paired(figure: Figure, night: Night, other: Night) -> Change | None:
    """From scores of the same questions; None where the figure is no plain mean over them."""
    asked = _ASKED.get(figure.slice)
    now = _scored(night, figure.measure, asked)
    # Another figure by that name and slice would be explained by the wrong questions.
    if asked is None or len(now) != figure.n:
        return None
    then = _scored(other, figure.measure, asked)
    both = [name for name, ticket in now.items() if name in then and same_question(ticket, then[name])]
    if both and all(now[name].scores[figure.measure] == then[name].scores[figure.measure] for name in both):
        return Change(0.0, 0.0, 0.0, len(both))
    found = paired_difference(
        {name: now[name].scores[figure.measure] for name in both},
        {name: then[name].scores[figure.measure] for name in both},
        {name: now[name].family for name in both},
        np.random.default_rng(SEED),
    )
    return Change(found.mean, found.low, found.high, found.n) if found else None


def _scored(night: Night, measure: str, asked: str | None) -> dict[str, TicketNight]:
    return {ticket.id: ticket for ticket in night.tickets if ticket.asked == asked and measure in ticket.scores}


def same_question(one: TicketNight, other: TicketNight) -> bool:
    """Whether two nights asked the same in the same words, and expected the same."""
    return (one.query, one.as_of, one.expected) == (other.query, other.as_of, other.expected)


def _flips(night: Night, last: Night) -> list[Flip]:
    then = {ticket.id: ticket for ticket in last.tickets}
    watched = _watched(night)
    found = [flip for ticket in night.tickets for flip in _flip(ticket, then.get(ticket.id), watched)]
    return sorted(found, key=_gravest_first)


def _flip(ticket: TicketNight, before: TicketNight | None, watched: dict[str, bool]) -> Iterator[Flip]:
    # Another question under the same id says nothing about the retriever.
    if before is None or not same_question(ticket, before):
        return
    moved = {
        name: (before.scores[name], ticket.scores[name])
        for name in watched
        if name in before.scores and name in ticket.scores and before.scores[name] != ticket.scores[name]
    }
    if moved:
        worse = any((now > then) == watched[name] for name, (then, now) in moved.items())
        yield Flip(ticket, before, moved, worse)


def _watched(night: Night) -> dict[str, bool]:
    """By measure that flips are told of: whether a lower score is better."""
    found = {figure.measure: one.lower_is_better for one in HEADLINES if (figure := find(night, one))}
    scored = {name for ticket in night.tickets for name in ticket.scores}
    return {name: lower for name, lower in found.items() if name in scored}


def _gravest_first(flip: Flip) -> tuple[bool, bool, bool, str]:
    ticket = flip.ticket
    return not flip.worse, ticket.asked != "message", ticket.kind != "exception", ticket.id


def missing(tickets: Iterable[TicketNight]) -> Counter[str]:
    """How many sections each stage lost."""
    return Counter(stage for ticket in tickets for stage in ticket.lost.values())
