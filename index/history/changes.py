"""What a run changes, section by section, in the words of a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from index.history.records import SECTION
from index.history.skeleton import Traits
from index.history.timeline import Timeline
from ingest.dates import Day


class ChangeKind(StrEnum):
    """How a section changes from a day on; where several apply, the first one."""

    ADDED = "added"
    ENDED = "ended"
    REINSTATED = "reinstated"
    MOVED = "moved"
    AMENDED = "amended"
    RETITLED = "retitled"
    RENUMBERED = "renumbered"


@dataclass(frozen=True, slots=True)
class SectionChange:
    """One section that will be believed to differ on some days."""

    kind: ChangeKind
    section_id: str
    doc_id: str
    address: str
    """After the change; for one that ended, before it."""
    number: str | None
    valid_from: Day
    """First day on which belief differs."""
    valid_to: Day
    """First day after them on which it does not, or differs in another way."""
    old_address: str | None = None
    """Where it was before, if elsewhere."""
    corrects_from: Day | None = None
    """The first of the days that were told otherwise before, where the change corrects the past."""


def counted(changes: Iterable[SectionChange]) -> dict[str, int]:
    """How many changes there are of each kind, by name of the kind."""
    return dict(sorted(Counter(change.kind.value for change in changes).items()))


@dataclass(frozen=True, slots=True)
class Look:
    """A version as changes are described by it."""

    doc_id: str
    parent_id: str | None
    traits: Traits

    @property
    def address(self) -> str:
        """`doc_id#title path`."""
        return f"{self.doc_id}#{self.traits.address_path}"


class Span(NamedTuple):
    """Days (half-open) on which belief about a section differs: version digests before and after, None for none."""

    valid_from: Day
    valid_to: Day
    old: str | None
    new: str | None
    preceding: str | None
    """The version in force on the day before, after the change."""
    was_before: bool
    """Whether the section is in force on any earlier day, after the change."""


def differing(old: Timeline, new: Timeline) -> dict[str, list[Span]]:
    """By section id, the spans of days on which belief differs, in day order."""
    changed = sorted({key.id for key in old if old[key] != new.get(key)} | {key.id for key in new if key not in old})
    wanted = frozenset(changed)
    before, after = _by_section(old, wanted), _by_section(new, wanted)
    spans = {section_id: list(_spans(before.get(section_id, []), after.get(section_id, []))) for section_id in changed}
    return {section_id: found for section_id, found in spans.items() if found}


def describe(
    spans: Mapping[str, Iterable[Span]], look: Callable[[str], Look], corrects: Callable[[str, Day], bool]
) -> tuple[SectionChange, ...]:
    """Spans in words, by day and address.

    Args:
        spans: by section id.
        look: what a version digest stands for.
        corrects: whether a change of a document (doc_id, first day) corrects the past.
    """
    found = [_change(section_id, span, look, corrects) for section_id, found in spans.items() for span in found]
    return tuple(sorted(found, key=lambda change: (change.valid_from, change.address, change.section_id)))


_Placed = tuple[Day, Day, str]


def _by_section(timeline: Timeline, wanted: Collection[str]) -> dict[str, list[_Placed]]:
    found: dict[str, list[_Placed]] = {}
    for key, intervals in timeline.items():
        if key.kind == SECTION and key.id in wanted:
            found.setdefault(key.id, []).extend(intervals)
    return found


def _spans(old: list[_Placed], new: list[_Placed]) -> Iterator[Span]:
    days = sorted({day for valid_from, valid_to, _ in (*old, *new) for day in (valid_from, valid_to)})
    preceding, was_before = None, False
    for day, following in pairwise(days):
        then, now = _on(day, old), _on(day, new)
        if then != now:
            yield Span(day, following, then, now, preceding, was_before)
        preceding, was_before = now, was_before or now is not None


def _on(day: Day, placed: list[_Placed]) -> str | None:
    return min((digest for valid_from, valid_to, digest in placed if valid_from <= day < valid_to), default=None)


def _change(
    section_id: str, span: Span, look: Callable[[str], Look], corrects: Callable[[str, Day], bool]
) -> SectionChange:
    before = span.old or span.preceding
    shown = look(span.new or span.old or "")
    was = look(before) if before else None
    return SectionChange(
        _kind(span, was, shown),
        section_id,
        shown.doc_id,
        shown.address,
        shown.traits.number,
        span.valid_from,
        span.valid_to,
        was.address if was and was.address != shown.address else None,
        span.valid_from if any(corrects(one.doc_id, span.valid_from) for one in (shown, was) if one) else None,
    )


def _kind(span: Span, was: Look | None, now: Look) -> ChangeKind:
    if span.new is None:
        return ChangeKind.ENDED
    if was is None:
        return ChangeKind.REINSTATED if span.was_before else ChangeKind.ADDED
    if was.doc_id != now.doc_id:
        return ChangeKind.MOVED
    if was.traits.body != now.traits.body:
        return ChangeKind.AMENDED
    if was.parent_id != now.parent_id:
        return ChangeKind.MOVED
    if was.traits.titles != now.traits.titles:
        return ChangeKind.RETITLED
    return ChangeKind.REINSTATED if span.new in (span.old, span.preceding) else ChangeKind.RENUMBERED
