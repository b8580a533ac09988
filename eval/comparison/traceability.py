"""What an answer leaves behind: tokens to log so that it can be replayed, and prompts that an edit changes.

An edit is one section that a handbook's own history amends, adds or ends; a section that is renamed ends and begins.
A prompt of the whole handbook holds every section of its edition, so that each edit changes all prompts of its days.
A prompt of retrieved passages changes where it holds the section's old text, or comes to hold its new one. Both are
seen in prompts that were really put together, on the day before and on the day after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from eval.measures.bootstrap import Estimate, bootstrap
from eval.measures.summary import SEED
from eval.policy import Edition, Policy
from eval.retrievers.answer import Answer
from eval.suites.question import Question
from eval.tickets import normal
from ingest.dates import Day, show_day, start_of

_UTC: Final = "UTC"
Ask = Callable[[Question], Answer]
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Edit:
    """One section, before and after; None where it is not there."""

    address: str
    before: str | None
    after: str | None
    """Texts, white space normalised."""


@dataclass(frozen=True, slots=True)
class Change:
    """All edits that came into force on one day, and what they did to the prompts of the same questions."""

    day: str
    edits: int
    by_one: float
    """Share of the retrieval prompts that one edit changes, mean over the edits."""
    by_most: float
    """The same of the edit that changes most."""
    changed: Estimate | None
    """Share of the retrieval prompts that differ at all, after all edits; None where the former text is not searched:
    a correction, which changes what is known of days gone by."""

    @property
    def correction(self) -> bool:
        """Whether it changes the past."""
        return self.changed is None


def changes_measured(
    policy: Policy, questions: Sequence[Question], ask: Ask, told: Told | None = None
) -> tuple[Change, ...]:
    """Every change of a handbook that its editions hold, in their order, corrections last.

    Args:
        policy: The handbook over time.
        questions: Asked on the first day of each edition, whatever their own day is.
        ask: The search.
        told: Called with (answers so far, answers in all).
    """
    prompts = _Prompts(questions, ask, told, len(policy.changes) * len(questions))
    held = {day: prompts.on(day) for day in policy.changes}
    found = [
        _change(policy, (before, after), held[before], held[after], questions)
        for before, after in zip(policy.changes, policy.changes[1:], strict=False)
        if edits_between(policy.on(before), policy.on(after))
    ]
    return (*found, *_corrections(policy, held))


def edits_between(before: Edition, after: Edition) -> tuple[Edit, ...]:
    """Sections that differ, by address."""
    old, new = _texts(before), _texts(after)
    differing = sorted(address for address in old.keys() | new.keys() if old.get(address) != new.get(address))
    return tuple(Edit(address, old.get(address), new.get(address)) for address in differing)


def by_one_edit(changes: Sequence[Change]) -> float | None:
    """Share of the retrieval prompts that one edit changes, mean over all edits; None without any."""
    edits = sum(change.edits for change in changes)
    return sum(change.edits * change.by_one for change in changes) / edits if edits else None


class _Prompts:
    """Retrieval's prompts for the same questions on any day."""

    def __init__(self, questions: Sequence[Question], ask: Ask, told: Told | None, total: int):
        self._questions, self._ask, self._told, self._total = questions, ask, told, total
        self._asked = 0

    def on(self, day: Day) -> Mapping[str, _Shown]:
        """What is shown for each question, by its id."""
        return {question.id: self._shown(question, day) for question in self._questions}

    def _shown(self, question: Question, day: Day) -> _Shown:
        # Without gold, since nothing is judged here, and what lost it need not be found out.
        answer = self._ask(replace(question, as_of=show_day(day), gold=()))
        self._asked += 1
        if self._told:
            self._told(self._asked, self._total)
        given = (*answer.passages, *answer.linked)
        texts = tuple(normal(text) for one in given for text in one.texts)
        return _Shown(frozenset[str]().union(*(one.covers for one in given)), texts)


@dataclass(frozen=True, slots=True)
class _Shown:
    """Texts of one prompt, and the sections that they hold."""

    covers: frozenset[str]
    texts: tuple[str, ...]

    def holds(self, address: str, text: str | None) -> bool:
        """Whether a section stands in it with that text; an identical one elsewhere is not enough."""
        return text is not None and address in self.covers and any(text in shown for shown in self.texts)


def _change(
    policy: Policy,
    days: tuple[Day, Day],
    before: Mapping[str, _Shown],
    after: Mapping[str, _Shown],
    questions: Sequence[Question],
) -> Change:
    edits = edits_between(policy.on(days[0]), policy.on(days[1]))
    shares = [_share(edit, before, after) for edit in edits]
    differs = {name: float(before[name].texts != after[name].texts) for name in before}
    families = {question.id: question.family for question in questions}
    changed = bootstrap(differs, families, np.random.default_rng(SEED))
    return Change(show_day(days[1]) or "", len(edits), sum(shares) / len(shares), max(shares), changed)


def _share(edit: Edit, before: Mapping[str, _Shown], after: Mapping[str, _Shown]) -> float:
    seen = [
        before[name].holds(edit.address, edit.before) or after[name].holds(edit.address, edit.after) for name in after
    ]
    return sum(seen) / len(seen)


def _corrections(policy: Policy, held: Mapping[Day, Mapping[str, _Shown]]) -> Iterator[Change]:
    """Changes of days that had begun when they were written down."""
    for instant in policy.recorded:
        for day in (day for day in policy.changes if start_of(day, _UTC) <= instant):
            edits = edits_between(policy.on(day, instant - 1), policy.on(day, instant))
            if edits and policy.on(day, instant - 1).documents:
                # Only the new text can be searched for: the index answers as of what is known today.
                shares = [_share(replace(edit, before=None), held[day], held[day]) for edit in edits]
                yield Change(show_day(day) or "", len(edits), sum(shares) / len(shares), max(shares), None)


def _texts(edition: Edition) -> dict[str, str]:
    return {section.address: section.text for section in edition.sections}
