"""What was in force when: one pure function of what the editions say.

Each edition says of each document what its sections are, or that it is absent, from a day on. On any
day the statement of the latest edition wins among those that have taken effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from index.history.records import DOCUMENT, SECTION, RowKind
from ingest.dates import FOREVER, FOREVER_DAY, Day, Instant

UNDECLARED: Final[Instant] = -(2**62)
"""Recorded time of an edition that declares none: before every instant."""


class EditionKey(NamedTuple):
    """Identity and order of editions: by effective day, then by declared recorded time, then by name."""

    effective: Day
    recorded: Instant
    """Declared `recorded_at`, or UNDECLARED. A snapshot of a live folder: when it was taken."""
    name: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What one edition says of one document."""

    edition: EditionKey
    doc_id: str
    effective: Day
    """Own effective day of the document, which may differ from its edition's."""
    recorded: Instant
    """Since when the statement is known; UNDECLARED: ever since."""
    sections: tuple[tuple[str, str], ...] | None
    """(section_id, version digest) in document order; None: the document is absent."""
    outline: str | None
    """Digest of the outline; None where absent."""


class Key(NamedTuple):
    """What has intervals: a section of a document, or the document itself."""

    kind: RowKind
    doc_id: str
    id: str


class Interval(NamedTuple):
    """Days on which one digest is in force, half-open."""

    valid_from: Day
    valid_to: Day
    digest: str


Timeline = dict[Key, tuple[Interval, ...]]


def timeline(statements: Iterable[Statement], known_at: Instant = FOREVER) -> Timeline:
    """Intervals of every section and document, in day order, as known at an instant.

    Intervals of one key are disjoint; adjacent ones with one digest are merged.
    """
    known = sorted((s for s in statements if s.recorded <= known_at), key=lambda s: s.doc_id)
    intervals: dict[Key, list[Interval]] = {}
    for _, of_document in groupby(known, key=lambda s: s.doc_id):
        for valid_from, valid_to, winner in reigns(list(of_document)):
            _extend(intervals, winner, valid_from, valid_to)
    return {key: tuple(found) for key, found in intervals.items()}


def reigns(statements: Sequence[Statement]) -> list[tuple[Day, Day, Statement]]:
    """Which statement about one document wins from which day to which (half-open), in day order."""
    by_day = sorted(statements, key=lambda s: (s.effective, s.edition))
    changes: list[tuple[Day, Statement]] = []
    for statement in by_day:
        if changes and statement.edition < changes[-1][1].edition:
            continue
        if changes and changes[-1][0] == statement.effective:
            changes.pop()
        changes.append((statement.effective, statement))
    ends = [day for day, _ in changes[1:]] + [FOREVER_DAY]
    return [(day, end, statement) for (day, statement), end in zip(changes, ends, strict=True)]


def _extend(intervals: dict[Key, list[Interval]], winner: Statement, valid_from: Day, valid_to: Day) -> None:
    if winner.sections is None or winner.outline is None:
        return
    _append(intervals, Key(DOCUMENT, winner.doc_id, winner.doc_id), Interval(valid_from, valid_to, winner.outline))
    for section_id, digest in winner.sections:
        _append(intervals, Key(SECTION, winner.doc_id, section_id), Interval(valid_from, valid_to, digest))


def _append(intervals: dict[Key, list[Interval]], key: Key, new: Interval) -> None:
    found = intervals.setdefault(key, [])
    if found and found[-1].digest == new.digest and found[-1].valid_to == new.valid_from:
        new = Interval(found.pop().valid_from, new.valid_to, new.digest)
    found.append(new)
