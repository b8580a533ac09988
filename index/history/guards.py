"""Changes that want a human's word first: too much removed, or the past told otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from index.history.matching import Turn
from index.history.retelling import Prior, is_declared, last_told, touched
from index.history.tellings import Said, Telling
from index.history.timeline import EditionKey
from ingest.dates import FOREVER_DAY, UNKNOWN_DAY, Day


@dataclass(frozen=True, slots=True)
class Removal:
    """An edition that ends many sections."""

    edition: str
    ended: int
    before: int

    @property
    def share(self) -> float:
        """Share of the sections before it, 0 to 1."""
        return self.ended / self.before if self.before else 0.0

    def __str__(self) -> str:
        return f"{self.ended} of {self.before} sections ({self.share:.0%})"


def removals(
    prior: Prior, tellings: Sequence[Telling], turns: Mapping[EditionKey, Turn], limit: float
) -> tuple[Removal, ...]:
    """Editions that end a larger share than `limit` of the sections before them, or of their own at the last run.

    What an edition ended at the last run was allowed then. A delta names what it removes, so it is taken at its word.
    """
    found = [
        _removal(prior, telling, turns[telling.key])
        for telling in tellings
        if (telling.full or telling.is_live) and (telling.key not in prior or touched(prior, telling))
    ]
    return tuple(removal for removal in found if removal.share > limit)


def _removal(prior: Prior, telling: Telling, turn: Turn) -> Removal:
    before = last_told(prior, telling)
    if before is None:
        return Removal(telling.key.name, len(turn.ended), turn.before)
    then = _section_ids(before)
    return Removal(telling.key.name, len(then - _section_ids(telling)), len(then))


def _section_ids(telling: Telling) -> set[str]:
    return {section_id for said in telling.said.values() for section_id, _ in said.sections}


def correction_test(prior: Prior, tellings: Sequence[Telling]) -> Callable[[str, Day], bool]:
    """Whether a change of a document (doc_id, first day) corrects the past.

    It does when the day lies before the latest edition that the last run knew, or when an edition is gone.
    What an edition newly declares with `recorded_at` is a planned correction, which needs no one's word.
    """
    if not prior:
        return lambda _doc_id, _day: False
    if any(telling.is_live for telling in tellings):
        return _live_test(prior, tellings)
    planned, unplanned = _by_plan(prior, tellings)
    vanished = {key.name for key in prior} - {telling.key.name for telling in tellings}
    frontier = FOREVER_DAY if vanished else max(key.effective for key in prior)
    exempt = planned - unplanned if unplanned or vanished else None
    return lambda doc_id, day: day < frontier and exempt is not None and doc_id not in exempt


def _by_plan(prior: Prior, tellings: Sequence[Telling]) -> tuple[set[str], set[str]]:
    names = {key.name for key in prior}
    planned: set[str] = set()
    unplanned: set[str] = set()
    for telling in tellings:
        new_and_declared = is_declared(telling) and telling.key.name not in names
        (planned if new_and_declared else unplanned).update(touched(prior, telling))
    return planned, unplanned


def _live_test(prior: Prior, tellings: Sequence[Telling]) -> Callable[[str, Day], bool]:
    since: dict[str, Day] = {}
    for telling in prior.values():
        for said in telling.said.values():
            since[said.doc_id] = max(said.valid_from, since.get(said.doc_id, UNKNOWN_DAY))
    redated = {said.doc_id for telling in tellings for said in _redated(prior, telling)}
    return lambda doc_id, day: doc_id in redated or day < since.get(doc_id, UNKNOWN_DAY)


def _redated(prior: Prior, telling: Telling) -> list[Said]:
    before = prior[telling.key].said if telling.key in prior else {}
    return [s for s in telling.said.values() if s.doc_id in before and before[s.doc_id].valid_from != s.valid_from]
