"""What a section said over time, and when anything was in force at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ingest.dates import FOREVER_DAY, UNKNOWN_DAY, Day, show_day, show_instant
from retrieve.when import Moment, show_asked

if TYPE_CHECKING:
    from index.history.records import Outline, Row, Version
    from index.snapshot import View

Span = tuple[Day, Day]
"""Half-open."""


@dataclass(frozen=True, slots=True)
class Era:
    """One version of a section: what it said, on which days, and while the index believed so."""

    section_id: str
    address: str
    section: str | None
    path: tuple[str, ...]
    text: str
    effective_from: str | None
    superseded_at: str | None
    recorded_from: str
    """Instant since which the index believed it."""
    recorded_to: str | None
    """Instant at which a later run corrected it; None: believed still."""
    in_force: bool
    """Whether it is in force on the day that was asked about, as believed last."""
    first_recorded: str = ""
    """Instant since which it was believed without a gap, whatever was believed about its end."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "section_id": self.section_id,
            "address": self.address,
            "section": self.section,
            "path": list(self.path),
            "text": self.text,
            "effective_from": self.effective_from,
            "superseded_at": self.superseded_at,
            "recorded_from": self.recorded_from,
            "recorded_to": self.recorded_to,
            "in_force": self.in_force,
            "first_recorded": self.first_recorded,
        }


def eras_of(rows: Iterable[tuple[Row, Version]], moment: Moment) -> tuple[Era, ...]:
    """Rows of belief in their order, as seen from a moment, each with the instant that it was first recorded."""
    eras: list[Era] = []
    for row, version in rows:
        era = era_of(row, version, moment)
        first = next((one.first_recorded for one in eras if only_end_changed(one, era)), era.recorded_from)
        eras.append(replace(era, first_recorded=first))
    return tuple(eras)


def only_end_changed(before: Era, after: Era) -> bool:
    """Whether `after` took the place of `before` in the record, and differs in its end alone."""
    return (before.recorded_to, before.effective_from, before.text) == (
        after.recorded_from,
        after.effective_from,
        after.text,
    )


def era_of(row: Row, version: Version, moment: Moment) -> Era:
    """One row of belief, as seen from a moment."""
    return Era(
        version.section_id,
        version.address,
        version.number,
        version.path,
        version.text.strip("\n"),
        show_day(row.valid_from),
        show_day(row.valid_to),
        show_instant(row.rec_from) or "",
        show_instant(row.rec_to),
        row.holds(moment.as_of, moment.known_at),
    )


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document in force, and since when and until when without a gap."""

    doc_id: str
    title: str
    effective_from: str | None
    superseded_at: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "doc_id": self.doc_id,
            "title": self.title,
            "effective_from": self.effective_from,
            "superseded_at": self.superseded_at,
        }


def documents_in_force(view: View, spans: Iterable[tuple[str, Day, Day]], as_of: Day) -> tuple[DocumentEntry, ...]:
    """The view's documents; `spans` says when which document was in force, changes of its outline apart."""
    days: dict[str, list[Span]] = {}
    for doc_id, start, end in spans:
        days.setdefault(doc_id, []).append((start, end))
    return tuple(_entry(view.outline(doc_id), joined(days[doc_id]), as_of) for doc_id in view.documents())


def _entry(outline: Outline, spans: Sequence[Span], as_of: Day) -> DocumentEntry:
    start, end = next(span for span in spans if span[0] <= as_of < span[1])
    return DocumentEntry(outline.doc_id, outline.title, show_day(start), show_day(end))


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch or overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def around(spans: Sequence[Span], day: Day) -> str:
    """Where `day` stands among spans that do not hold it, in words: what was before and what comes after."""
    first = min(start for start, _ in spans)
    if day < first:
        return f"the first edition is of {show_asked(first)}"
    before = [end for _, end in spans if end <= day]
    after = [start for start, _ in spans if start > day]
    words = [f"the last day before was {show_asked(max(before) - 1)}"] if before else []
    words += [f"the first day after is {show_asked(min(after))}"] if after else []
    return "; ".join(words)


def in_words(spans: Sequence[Span]) -> str:
    """Spans as "from 2025-07-01 to 2026-06-30", several joined by "and"."""
    return " and ".join(f"{_since(start)} {_until(end)}" for start, end in spans)


def _since(start: Day) -> str:
    return "since unknown" if start == UNKNOWN_DAY else f"from {show_asked(start)}"


def _until(end: Day) -> str:
    return "without end" if end == FOREVER_DAY else f"to {show_asked(end - 1)}"
