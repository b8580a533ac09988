"""Plans and reports of index runs as text and as plain values: which sections change, from which day."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from eval.paint import Paint, harmless
from ingest.dates import FOREVER_DAY, Day, show_day
from ingest.places import file_of

if TYPE_CHECKING:
    from index.history.changes import SectionChange
    from index.history.plan import LostText, Plan
    from ingest.document import Note
    from ingest.handbook.editions import Refusal

LISTED: Final = 20
"""Changes of one kind and day that are listed one by one, and files with lost text; more of them are counted."""
NOTED: Final = 5
"""Notes of one code that are listed one by one; of more, as many files with one line each."""


def plan(found: Plan, paint: Paint) -> str:
    """What a run would do."""
    head = paint.bold(f"Plan: {counted(found.counts) or 'nothing changes'}")
    blocks = [head, *changes(found.changes, paint), *lost(found.lost, paint)]
    blocks += remarks(found.refusals, found.notes, paint)
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
        "lost": lost_values(found.lost),
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


def lost(found: Sequence[LostText], paint: Paint) -> Iterator[str]:
    """The files with text that no search will find."""
    if found:
        lines = [harmless(f"  {one}") for one in found[:LISTED]]
        lines += [f"  and {len(found) - LISTED} more files (--json lists them)"] if len(found) > LISTED else []
        head = paint.bad("Lost; no section holds this text, so no search will find it:")
        yield "\n".join([head, *lines, "  `caveat read FILE` lists every lost line of a file."])


def lost_values(found: Iterable[LostText]) -> list[dict[str, Any]]:
    """Lost text by file as plain values; `caveat read` has its lines."""
    return [
        {
            "file": one.file,
            "lines": len(one.loss.lines),
            "characters": one.loss.total.lost,
            "first": {"where": one.loss.lines[0].where, "text": one.loss.lines[0].text},
        }
        for one in found
    ]


def remarks(refusals: Sequence[Refusal], notes: Iterable[Note], paint: Paint) -> Iterator[str]:
    """Refused files, then what was noted about the others; lost lines are told of by `lost`."""
    if refusals:
        lines = [paint.bad("Refused; what was in force of them stays in force:")]
        yield "\n".join([*lines, *(f"  {harmless(_refused(one))}" for one in refusals)])
    if lines := list(_noted(notes, paint)):
        yield "\n".join([paint.warn("Notes:"), *lines])


def _noted(notes: Iterable[Note], paint: Paint) -> Iterator[str]:
    by_code: dict[str, list[Note]] = {}
    for note in notes:
        if note.code != "lost-line":
            by_code.setdefault(note.code, []).append(note)
    for code, of_code in by_code.items():
        groups = [[note] for note in of_code] if len(of_code) <= NOTED else _by_file(of_code)
        yield from (_note(group, paint) for group in groups[:NOTED])
        if left := sum(map(len, groups[NOTED:])):
            files = len(groups) - NOTED
            of_files = f" in {files} files" if files < left else ""
            yield f"  {left:,} more{of_files} {paint.dim(f'[{code}] (--json or caveat lint lists them)')}"


def _by_file(notes: Iterable[Note]) -> list[list[Note]]:
    found: dict[str, list[Note]] = {}
    for note in notes:
        found.setdefault(file_of(note.where), []).append(note)
    return list(found.values())


def _note(group: Sequence[Note], paint: Paint) -> str:
    """The first of the notes on one file, and how many more there are."""
    first, more = group[0], f" (and {len(group) - 1:,} more in this file)" if len(group) > 1 else ""
    return f"  {harmless(first.where)}: {harmless(first.message)}{more} {paint.dim(f'[{first.code}]')}"


def _refused(refusal: Refusal) -> str:
    reason = str(refusal.error)
    return reason if refusal.relative in reason else f"{refusal.edition}/{refusal.relative}: {reason}"


def day(value: Day) -> str:
    """A day in words."""
    return show_day(value) or ("unknown" if not value else "without end")
