"""What changed in the handbook between two days, section by section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ingest.dates import Instant, show_day
from ingest.errors import QueryError
from retrieve.when import as_of_day, known_at_instant, show_asked

if TYPE_CHECKING:
    from eval.surroundings import Surroundings
    from index.history.records import Version
    from index.snapshot import Placed, Snapshot, View

Kind = Literal["added", "ended", "amended", "renumbered", "retitled", "moved"]


@dataclass(frozen=True, slots=True)
class Change:
    """One section that is not the same on both days; `amended` also where it was renumbered as well."""

    kind: Kind
    version: Version
    """The later one, or the one that ended."""
    before: Placed | None = None
    after: Placed | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "kind": self.kind,
            "section": self.version.number,
            "address": self.version.address,
            "before": _side(self.before),
            "after": _side(self.after),
        }


def _side(placed: Placed | None) -> dict[str, Any] | None:
    if placed is None:
        return None
    version = placed.version
    dates = {"effective_from": show_day(placed.valid_from), "superseded_at": show_day(placed.valid_to)}
    return {"section": version.number, "address": version.address, **dates, "text": version.text}


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes between two days, in document order."""

    before: str
    after: str
    changes: tuple[Change, ...]
    unchanged: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        changes = [change.to_dict() for change in self.changes]
        return {"before": self.before, "after": self.after, "unchanged": self.unchanged, "changes": changes}


def difference(
    around: Surroundings, before: str, after: str, known_at: str | int | None = None, document: str | None = None
) -> Difference:
    """Compare two days, as believed at one time.

    Raises:
        QueryError: a day cannot be read, `known_at` is in the future, or the document was never known.
    """
    from index.snapshot import Snapshot

    snapshot = Snapshot.open(around.state)
    believed = _believed(snapshot, known_at, around.now)
    days = [as_of_day(day, around.now, snapshot.timezone) for day in (before, after)]
    first, second = (snapshot.view(day, believed) for day in days)
    changes, same = _changes(first, second, _documents(snapshot, document))
    return Difference(show_asked(days[0]), show_asked(days[1]), tuple(changes), same)


def _believed(snapshot: Snapshot, known_at: str | int | None, now: Instant) -> Instant | None:
    if known_at is None:
        return None
    if isinstance(known_at, int):
        return snapshot.recorded_at(known_at)
    return known_at_instant(known_at, now, snapshot.timezone)


def _documents(snapshot: Snapshot, document: str | None) -> Sequence[str]:
    known = snapshot.known_documents()
    if document is None:
        return known
    if document not in known:
        raise QueryError(f'no document "{document}"', where="--document", allowed=", ".join(known[:10]))
    return [document]


def _changes(first: View, second: View, documents: Sequence[str]) -> tuple[list[Change], int]:
    found: list[Change] = []
    same = 0
    for doc_id in documents:
        old, new = _sections(first, doc_id), _sections(second, doc_id)
        for section_id in _in_order(list(old), list(new)):
            change = compared(old.get(section_id), new.get(section_id))
            found += [change] if change else []
            same += change is None
    return found, same


def _sections(view: View, doc_id: str) -> dict[str, Placed]:
    if doc_id not in view.documents():
        return {}
    return {placed.version.section_id: placed for placed in view.sections(doc_id)}


def _in_order(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """The new order, each section that ended after the one it used to follow."""
    follows: dict[str | None, list[str]] = {}
    last: str | None = None
    staying = set(new)
    for section in old:
        if section in staying:
            last = section
        else:
            follows.setdefault(last, []).append(section)
    yield from follows.get(None, ())
    for section in new:
        yield section
        yield from follows.get(section, ())


def compared(before: Placed | None, after: Placed | None) -> Change | None:
    """How a section differs between two days; None where it does not."""
    if before is None or after is None:
        return _on_one_side(before, after)
    old, new = before.version, after.version
    checks: tuple[tuple[Kind, object, object], ...] = (
        ("amended", body(old), body(new)),
        ("renumbered", old.number, new.number),
        ("retitled", old.title, new.title),
        ("moved", old.titles, new.titles),
    )
    return next((Change(kind, new, before, after) for kind, was, now in checks if was != now), None)


def _on_one_side(before: Placed | None, after: Placed | None) -> Change | None:
    if after:
        return Change("added", after.version, after=after)
    return Change("ended", before.version, before=before) if before else None


def body(version: Version) -> str:
    """The section's text below its heading; line wrapping aside."""
    heading = version.elements[0].end if version.level and version.elements else 0
    return " ".join(version.text[heading:].split())
