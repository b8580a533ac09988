"""What changed in the handbook since the last night: as edited, and by the calendar alone.

Both come from the state folder's own history, so that it does not matter who indexed in between. Where that history
began after the last night (a fresh machine), only a digest of all that the editions say is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, Literal

from eval.difference import Change, difference
from eval.nightly.record import HandbookChange, Night
from eval.surroundings import Surroundings
from index.history.believing import as_timeline, belief_of
from index.history.catalog import Catalog
from index.history.changes import ChangeKind, SectionChange, describe, differing
from index.history.plan import looks
from index.history.stating import Texts
from index.history.tellings import LIVE, Telling
from index.state import State
from ingest.dates import Day, Instant, parse_day, parse_instant, show_day

Kind = Literal["added", "removed", "changed", "moved", "renumbered"]
_KINDS: Final[dict[ChangeKind, Kind]] = {
    ChangeKind.ADDED: "added",
    ChangeKind.REINSTATED: "added",
    ChangeKind.ENDED: "removed",
    ChangeKind.MOVED: "moved",
    ChangeKind.AMENDED: "changed",
    ChangeKind.RETITLED: "changed",
    ChangeKind.RENUMBERED: "renumbered",
}


@dataclass(frozen=True, slots=True)
class Handbook:
    """The handbook of one night, and what became of it since the last."""

    digest: str
    """Of all that its editions say."""
    changes: tuple[HandbookChange, ...] = ()
    live: tuple[str, ...] = ()
    """Editions that came into force since the last night's day."""
    known: bool = True
    """Whether the state folder's history reaches back to the last night."""


def handbook_since(around: Surroundings, before: Night | None) -> Handbook:
    """What changed since `before`; nothing where there is no earlier night.

    Raises:
        StateError: nothing was indexed yet, or the history cannot be read.
    """
    with Catalog.open_reading(State(around.state).catalog) as catalog:
        tellings = tuple(catalog.tellings().values())
        digest = _digest(tellings)
        if before is None:
            return Handbook(digest)
        then = _sequence_then(catalog, parse_instant(before.at, "UTC", end_of_day=False))
        edited = tuple(_edited(catalog, then)) if then is not None else ()
    came = tuple(_by_the_calendar(around, before, known=then is not None))
    # What was edited as well is told once, as an edit.
    told = {change.address for change in edited}
    changes = (*edited, *(change for change in came if change.address not in told))
    return Handbook(digest, changes, _live(tellings, parse_day(before.today), around.today), then is not None)


def _digest(tellings: Sequence[Telling]) -> str:
    said = sorted(
        (telling.key.name, str(telling.key.effective), doc_id, one.skeleton)
        for telling in tellings
        for doc_id, one in telling.said.items()
    )
    return blake2b(repr(said).encode(), digest_size=8).hexdigest()


def _sequence_then(catalog: Catalog, at: Instant) -> int | None:
    """The last recorded run at an instant; None where no run of a person was recorded by then."""
    runs = [run for run in catalog.runs() if run.instant <= at]
    # Steps that editions declare for the past have no summary: they may have been written yesterday.
    return runs[-1].seq if any(run.summary for run in runs) else None


def _edited(catalog: Catalog, then: int) -> Iterator[HandbookChange]:
    spans = differing(
        as_timeline(belief_of(catalog.believed_at(then))), as_timeline(belief_of(catalog.believed_at(catalog.sequence)))
    )
    for change in describe(spans, looks(catalog, spans, Texts()), lambda doc_id, day: False):
        yield HandbookChange(address=change.address, change=_KINDS[change.kind], detail=_detail(change))


def _detail(change: SectionChange) -> str:
    since = show_day(change.valid_from)
    parts = [f"from {since}" if since else "from the beginning"]
    parts += [f"until {day}" for day in (show_day(change.valid_to),) if day]
    parts += [f"was {change.old_address}"] if change.old_address else []
    return ", ".join(parts)


def _by_the_calendar(around: Surroundings, before: Night, *, known: bool) -> Iterator[HandbookChange]:
    """What is in force today and was not on the last night's day, as believed then."""
    today = show_day(around.today) or before.today
    if today <= before.today:
        return
    for change in difference(around, before.today, today, before.at if known else None).changes:
        yield _came(change, today)


def _came(change: Change, today: str) -> HandbookChange:
    kind: Literal["ended", "came into force"] = "ended" if change.kind == "ended" else "came into force"
    return HandbookChange(address=change.version.address, change=kind, detail=f"{change.kind}, by {today}")


def _live(tellings: Sequence[Telling], then: Day, now: Day) -> tuple[str, ...]:
    names = {
        telling.key.name for telling in tellings if telling.key.name != LIVE and then < telling.key.effective <= now
    }
    return tuple(sorted(names))
