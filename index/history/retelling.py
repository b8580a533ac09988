"""How what the editions say differs from what they said at the last run, and from when that is known.

An edition that declares `recorded_at` is believed from that instant on if it lies after the last run;
what is said without one, or too late for it, is believed from now on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from index.history.change import Retold
from index.history.tellings import Said, Telling
from index.history.timeline import UNDECLARED, EditionKey
from ingest.dates import Instant, show_instant
from ingest.document import Note

Prior = Mapping[EditionKey, Telling]


def retold(prior: Prior, tellings: Iterable[Telling]) -> Retold:
    """What to close and what to open so that the catalog tells what the editions say now."""
    now = {telling.key: telling for telling in tellings}
    news = [telling for key, telling in now.items() if key not in prior or _shell(prior[key]) != _shell(telling)]
    said_then, said_now = _said(prior), _said(now)
    changed = [place for place, said in said_now.items() if said_then.get(place) != said]
    return Retold(
        tuple(_shell(telling) for telling in news),
        tuple((key, said_now[key, doc_id]) for key, doc_id in changed),
        tuple([telling.key for telling in news if telling.key in prior] + [key for key in prior if key not in now]),
        tuple([place for place in changed if place in said_then] + [p for p in said_then if p not in said_now]),
    )


def _shell(telling: Telling) -> Telling:
    return replace(telling, said={})


def _said(tellings: Prior) -> dict[tuple[EditionKey, str], Said]:
    return {(key, doc_id): said for key, telling in tellings.items() for doc_id, said in telling.said.items()}


def touched(prior: Prior, telling: Telling) -> frozenset[str]:
    """doc_ids of which this edition now says something else than at the last run, in files or dates."""
    before = last_told(prior, telling)
    if before is None:
        return frozenset((*telling.said, *telling.gone))
    docs = {*before.said, *telling.said}
    changed = {doc_id for doc_id in docs if _as_read(before, doc_id) != _as_read(telling, doc_id)}
    return frozenset(changed | set(before.gone) ^ set(telling.gone) | set(before.silent) ^ set(telling.silent))


def last_told(prior: Prior, telling: Telling) -> Telling | None:
    """What the same edition said at the last run; its declared times may have changed since."""
    named = (t for t in prior.values() if t.key.name == telling.key.name and not t.is_live)
    return prior.get(telling.key) or next(named, None)


def _as_read(telling: Telling, doc_id: str) -> tuple[int, str] | None:
    said = telling.said.get(doc_id)
    return (said.valid_from, said.skeleton) if said else None


def declared_steps(
    prior: Prior, tellings: Sequence[Telling], last: Instant | None, now: Instant
) -> list[tuple[Instant, tuple[Telling, ...]]]:
    """For each declared instant between the last run and now: what was said then.

    That is what was said at the last run, and what editions recorded since then say in its place.
    """
    since = UNDECLARED if last is None else last
    news = [t for t in tellings if is_declared(t) and since < t.key.recorded < now and touched(prior, t)]
    steps = []
    for instant in sorted({telling.key.recorded for telling in news}):
        known = [telling for telling in news if telling.key.recorded <= instant]
        replaced = {telling.key.name for telling in known}
        kept = [telling for telling in prior.values() if telling.is_live or telling.key.name not in replaced]
        steps.append((instant, tuple(sorted([*kept, *known], key=lambda telling: telling.key))))
    return steps


def too_late(prior: Prior, tellings: Iterable[Telling], last: Instant | None) -> list[Note]:
    """A note for each edition that declares to have been recorded before a run that did not see it so."""
    late = [t for t in tellings if is_declared(t) and last is not None and t.key.recorded <= last and touched(prior, t)]
    return [Note("recorded-late", telling.key.name, _late(prior, telling)) for telling in late]


def _late(prior: Prior, telling: Telling) -> str:
    recorded = show_instant(telling.key.recorded)
    if last_told(prior, telling):
        return f"edited after its recorded_at {recorded}; the edit counts as recorded today"
    return f"its recorded_at {recorded} is before the last run, which did not see it; it counts as recorded today"


def is_declared(telling: Telling) -> bool:
    """Whether its files say since when it is known."""
    return telling.key.recorded != UNDECLARED and not telling.is_live
