"""A root folder to a handbook: its editions in order, what was skipped, and since when a document is in force."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.dates import UNKNOWN_DAY, Day, Instant, show_day, zone
from ingest.document import Document, Note
from ingest.errors import DateError, SourceError
from ingest.formats import ALLOWED
from ingest.handbook.folders import EDITION_FILE, FolderName, Marked, folder_name, nearest_edition, read_edition_file
from ingest.handbook.read import read_document
from ingest.handbook.sources import LIVE, Edition, Handbook, Refusal, SourceFile
from ingest.handbook.walk import OURS, Found, Walk, is_folder, listed, shown

__all__ = ["LIVE", "Edition", "Handbook", "Refusal", "SourceFile", "effective_of", "read_document", "scan"]


def scan(root: Path, *, timezone: str, now: Instant, max_file_bytes: int) -> Handbook:
    """Find the editions of the handbook at `root` and digest their files; nothing is parsed yet.

    Where folders named by dates exist, they are the editions and everything beside them is skipped, by
    name. Otherwise the whole folder is one live edition.

    Raises:
        SourceError: no such folder, nothing to read in it or in an edition, an impossible folder name, or a
            faulty edition.toml.
        ConfigError: unknown time zone.
    """
    zone(timezone)
    real = _real(root)
    entries = listed(real, str(root))
    named = [(entry, name) for entry in entries if is_folder(entry) and (name := folder_name(entry.name))]
    if not named:
        return _flat(root, real, max_file_bytes)
    found = [_folder(Path(entry.path), name, real, timezone, now, max_file_bytes) for entry, name in named]
    editions = _with_bases(found)
    dated = {entry.name for entry, _ in named}
    skipped = [_outside(entry) for entry in entries if entry.name not in dated | OURS]
    notes = [note for one in found for note in one.found.notes]
    return Handbook(root, tuple(sorted(editions, key=_order)), (*skipped, *notes), flat=False)


def _real(root: Path) -> Path:
    real = Path(os.path.realpath(root))
    if not real.exists():
        raise SourceError("no such folder", where=str(root), fix="name the handbook's folder")
    if not real.is_dir():
        raise SourceError("not a folder", where=str(root), fix="name the folder that holds the handbook")
    return real


def _outside(entry: os.DirEntry[str]) -> Note:
    kind = "folder" if is_folder(entry) else "file"
    return Note("outside-editions", shown(entry.name), f"a {kind} beside the dated folders, so it is skipped")


def _flat(root: Path, real: Path, max_file_bytes: int) -> Handbook:
    found = Walk(real, real, LIVE, "", max_file_bytes).run()
    if not found.files and not found.refused:
        fix = "put such files there, in folders such as 2026-01-01 if they are dated"
        raise SourceError("no file to read in this folder", where=str(root), allowed=ALLOWED, fix=fix)
    _refuse_nested(root, found)
    edition = Edition(LIVE, None, files=tuple(found.files), refused=tuple(found.refused))
    return Handbook(root, (edition,), tuple(found.notes), flat=True)


def _refuse_nested(root: Path, found: Found) -> None:
    """Editions one level too deep would all be in force together."""
    above = {parent for file in found.files if (parent := _above_dated(file.relative)) is not None}
    if above and all(_above_dated(file.relative) is not None for file in found.files):
        fix = f"index {root / sorted(above)[0]}"
        raise SourceError("the dated folders are further down", where=str(root), fix=fix)


def _above_dated(relative: str) -> str | None:
    parts = relative.split("/")[:-1]
    return next(("/".join(parts[:at]) for at, part in enumerate(parts) if folder_name(part)), None)


@dataclass(frozen=True, slots=True)
class _Folder:
    name: FolderName
    marked: Marked
    found: Found


def _folder(path: Path, name: FolderName, root: Path, timezone: str, now: Instant, max_file_bytes: int) -> _Folder:
    folder = Path(os.path.realpath(path))
    if not folder.is_relative_to(root):
        raise SourceError("an edition folder that is a link out of the handbook", where=name.name, fix="copy it there")
    marked = read_edition_file(folder, name, timezone=timezone, now=now)
    found = Walk(root, folder, name.name, f"{name.name}/", max_file_bytes).run()
    if not found.files and not found.refused and not marked.removed:
        raise SourceError(
            "an edition without a file to read",
            where=name.name,
            allowed=ALLOWED,
            fix=f"remove the folder, or say in its {EDITION_FILE} what it changes (base, removed)",
        )
    return _Folder(name, marked, found)


def _with_bases(folders: Sequence[_Folder]) -> list[Edition]:
    whole = {folder.name.name: folder.name.effective for folder in folders}
    return [_edition(folder, whole) for folder in folders]


def _edition(folder: _Folder, known: dict[str, Day]) -> Edition:
    name, marked = folder.name, folder.marked
    base = _corrected(name, known) if marked.base is None and name.recorded is not None else marked.base
    where = f"{name.name}/{EDITION_FILE}"
    if base is not None and (known.get(base, name.effective + 1) > name.effective or base == name.name):
        others = sorted(other for other, day in known.items() if day <= name.effective and other != name.name)
        raise SourceError(
            f'base "{base}" is no earlier edition',
            where=where,
            allowed=", ".join(others) or "no edition is earlier",
            fix=nearest_edition(base, others),
        )
    if marked.removed and base is None:
        raise SourceError("removed without base", where=where, fix="name the edition that this folder is a change to")
    held = sorted({file.relative for file in folder.found.files}.intersection(marked.removed))
    if held:
        raise SourceError(f"removed names {held[0]}, which the folder holds", where=where, fix="remove one of both")
    files, refused = tuple(folder.found.files), tuple(folder.found.refused)
    return Edition(name.name, name.effective, marked.recorded_at, base, marked.removed, files, refused)


def _corrected(name: FolderName, known: dict[str, Day]) -> str:
    """The whole edition in force on the day that a correction takes effect."""
    earlier = [(day, other) for other, day in known.items() if day <= name.effective and "@" not in other]
    if not earlier:
        raise SourceError(
            "a correction of no edition",
            where=name.name,
            allowed=f"an edition folder of {show_day(name.effective)} or earlier beside it",
            fix="rename it to a date alone if it is a whole edition",
        )
    return max(earlier)[1]


_DECIDERS: Final = {"edition": "the folder's date", "override": "--effective-from"}
_FIRST: Final = -(2**62)


def _order(edition: Edition) -> tuple[Day, Instant, str]:
    recorded = edition.recorded_at if edition.recorded_at is not None else _FIRST
    return (edition.effective or UNKNOWN_DAY, recorded, edition.name)


def effective_of(document: Document, edition: Edition, override: Day | None = None) -> tuple[Day, tuple[Note, ...]]:
    """Since when the document is in force in this edition (UNKNOWN_DAY: nothing says it), and what differs.

    The first that is there decides: `override` (`--effective-from`), sidecar, front matter, the edition
    folder's name, an "Effective ..." line.

    Raises:
        DateError: two dates of the rank that decides differ.
    """
    dates = [*_stated(document, "sidecar"), *_stated(document, "front-matter")]
    dates += [(edition.effective, "edition", f"the folder {edition.name}")] if edition.effective is not None else []
    dates += _stated(document, "text")
    dates = [(override, "override", "--effective-from"), *dates] if override is not None else dates
    if not dates:
        return UNKNOWN_DAY, ()
    day, rank, where = dates[0]
    for other, same, place in dates[1:]:
        if same == rank and other != day:
            found = f"{show_day(day)} here, but {show_day(other)} in {place}"
            raise DateError(found, where=where, fix="correct one of them, or state effective_from in the front matter")
    used = f"{_DECIDERS.get(rank) or f'the date in {where},'} {show_day(day)}"
    notes = (_differs(other, place, used) for other, _, place in dates[1:] if other != day)
    return day, tuple(dict.fromkeys(notes))


def _stated(document: Document, rank: str) -> list[tuple[Day, str, str]]:
    return [(one.day, rank, one.where) for one in document.dates if one.rank == rank]


def _differs(day: Day, where: str, used: str) -> Note:
    return Note("date-differs", where, f"states {show_day(day)}; {used} is used")
