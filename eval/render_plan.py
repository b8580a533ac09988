"""Plans and reports of index runs as text and as plain values: which sections change, from which day."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from eval.paint import Paint, harmless
from ingest.dates import FOREVER_DAY, Day, show_day

if TYPE_CHECKING:
    from index.history.changes import SectionChange
    from index.history.plan import Plan
    from ingest.document import Note
    from ingest.handbook.editions import Refusal

LISTED: Final = 20
"""Changes of one kind and day that are listed one by one; more of them are counted."""
NOTED: Final = 5
"""Notes of one code that are listed one by one."""


def plan(found: Plan, paint: Paint) -> str:
    """What a run would do."""
    head = paint.bold(f"Plan: {counted(found.counts) or 'nothing changes'}")
    blocks = [head, *changes(found.changes, paint), *remarks(found.refusals, found.notes, paint)]
    blocks += [paint.warn(f"{removal.edition} removes {removal}: needs --allow-removals") for removal in found.removals]
    if found.corrects_from is not None:
        blocks.append(paint.warn(f"The past is corrected from {day(found.corrects_from)} on: needs --correct"))
    return "\n\n".join([*blocks, paint.dim("Nothing was written.")])


def plan_values(found: Plan) -> dict[str, Any]:
    """A plan as plain values, ready for JSON."""
    return {
        "counts": found.counts,
        "changes": [change_values(change) for change in found.changes],
        "corrects_from": show_day(found.corrects_from) if found.corrects_from is not None else None,
        "removals": [{"edition": removal.edition, "removes": str(removal)} for removal in found.removals],
        **remark_values(found.refusals, found.notes),
        "undated": list(found.undated),
    }


def change_values(change: SectionChange) -> dict[str, Any]:
    """One section's change as plain values."""
    return {
        "kind": change.kind.value,
        "section": change.number,
        "address": change.address,
        "old_address": change.old_address,
        "effective_from": show_day(change.valid_from),
        "superseded_at": show_day(change.valid_to),
        "corrects": change.corrects_from is not None,
    }


def remark_values(refusals: Sequence[Refusal], notes: Sequence[Note]) -> dict[str, Any]:
    """Refused files and notes as plain values."""
    return {
        "refusals": [{"edition": one.edition, "file": one.relative, "reason": str(one.error)} for one in refusals],
        "notes": note_values(notes),
    }


def note_values(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Notes as plain values."""
    return [{"code": note.code, "where": note.where, "message": note.message} for note in notes]


def changes(found: Sequence[SectionChange], paint: Paint) -> Iterator[str]:
    """One block for each day from which sections change."""
    for since, of_day in groupby(found, key=lambda change: change.valid_from):
        lines = [paint.bold(_since(since))]
        yield "\n".join([*lines, *_of_day(list(of_day), paint)])


def totals(found: Sequence[SectionChange], paint: Paint) -> Iterator[str]:
    """One block with a line for each day, which counts what changes from then on."""
    days = groupby(found, key=lambda change: change.valid_from)
    lines = [
        f"{_since(since):<16} {counted(Counter(change.kind.value for change in of_day))}" for since, of_day in days
    ]
    if lines:
        yield "\n".join([paint.bold("Sections"), *(f"  {line}" for line in lines)])


def _since(since: Day) -> str:
    return f"from {day(since)}" if since else "since unknown"


def _of_day(found: Sequence[SectionChange], paint: Paint) -> Iterator[str]:
    counts = Counter(change.kind for change in found)
    ordered = sorted(found, key=_place)
    for kind, count in counts.items():
        if count > LISTED:
            yield f"  {kind.value:<10} {count} sections (--json lists them)"
        else:
            yield from (_line(change, paint) for change in ordered if change.kind is kind)


def _place(change: SectionChange) -> tuple[str, list[tuple[int, str]], str]:
    """Sorts as a table of contents does: 4.2 before 4.10."""
    parts = re.findall(r"[0-9]+|[^0-9.]+", change.number or "")
    return change.doc_id, [(int(part), "") if part.isdecimal() else (0, part) for part in parts], change.address


def counted(counts: Mapping[str, int]) -> str:
    """Changes by kind: "38 added, 2 amended"."""
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


def _line(change: SectionChange, paint: Paint) -> str:
    until = f", until {day(change.valid_to)}" if change.valid_to < FOREVER_DAY else ""
    was = f", was {change.old_address}" if change.old_address else ""
    corrects = paint.warn(", corrects the past") if change.corrects_from is not None else ""
    name = f"{change.number} " if change.number else ""
    return f"  {change.kind.value:<10} {name}{paint.dim(harmless(f'{change.address}{was}{until}'))}{corrects}"


def remarks(refusals: Sequence[Refusal], notes: Iterable[Note], paint: Paint) -> Iterator[str]:
    """Refused files, then what was noted about the others."""
    if refusals:
        lines = [paint.bad("Refused; what was in force of them stays in force:")]
        yield "\n".join([*lines, *(f"  {harmless(_refused(one))}" for one in refusals)])
    if lines := list(_noted(notes, paint)):
        yield "\n".join([paint.warn("Notes:"), *lines])


def _noted(notes: Iterable[Note], paint: Paint) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for note in notes:
        counts[note.code] += 1
        if counts[note.code] <= NOTED:
            yield f"  {note.where}: {harmless(note.message)} {paint.dim(f'[{note.code}]')}"
    for code, count in counts.items():
        if count > NOTED:
            yield f"  {count - NOTED} more {paint.dim(f'[{code}] (--json or caveat lint lists them)')}"


def _refused(refusal: Refusal) -> str:
    reason = str(refusal.error)
    return reason if refusal.relative in reason else f"{refusal.edition}/{refusal.relative}: {reason}"


def day(value: Day) -> str:
    """A day in words."""
    return show_day(value) or ("unknown" if not value else "without end")
