"""Edition folders: what their names and their edition.toml say."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date, datetime, time
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from ingest.dates import Day, Instant, parse_day, parse_instant, show_instant, start_of
from ingest.errors import DateError, SourceError
from ingest.handbook.frontmatter import unknown_key
from ingest.handbook.walk import read_bytes

EDITION_FILE: Final = "edition.toml"
KEYS: Final = ("recorded_at", "base", "removed")
NAMES: Final = "2026-01-01, or 2026-01-01@2026-03-15 (effective @ recorded) for a correction"

_NAME = re.compile(r"(?P<effective>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:@(?P<recorded>[0-9]{4}-[0-9]{2}-[0-9]{2}))?")
_DATE_LIKE = re.compile(
    r"(?:[0-9]{4}[-_./][0-9]{1,2}[-_./][0-9]{1,2}|[0-9]{1,2}[-_./][0-9]{1,2}[-_./][0-9]{4})(?![0-9])"
)


@dataclass(frozen=True, slots=True)
class FolderName:
    """The name of an edition folder, read."""

    name: str
    effective: Day
    recorded: Day | None
    """Only in the name of a correction."""


@dataclass(frozen=True, slots=True)
class Marked:
    """What an edition.toml says."""

    recorded_at: Instant | None = None
    base: str | None = None
    removed: tuple[str, ...] = ()


def folder_name(name: str) -> FolderName | None:
    """The dates in the name of a folder; None where it is no edition's name.

    Raises:
        SourceError: the name looks like a date and is none that is allowed: skipping it would lose an edition.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        if _DATE_LIKE.match(name):
            raise SourceError(f'the folder name "{name}" looks like a date', allowed=NAMES, fix=_rename(name))
        return None
    try:
        recorded = parse_day(match["recorded"]) if match["recorded"] else None
        return FolderName(name, parse_day(match["effective"]), recorded)
    except DateError as error:
        raise SourceError(f"{error.found} in the folder name", where=name, allowed=NAMES, fix="rename it") from None


def _rename(name: str) -> str:
    numbers = re.match(r"([0-9]{4})[-_./]([0-9]{1,2})[-_./]([0-9]{1,2})$", name)
    if numbers:
        return f"rename it to {numbers[1]}-{int(numbers[2]):02d}-{int(numbers[3]):02d}"
    return "rename it, or move it out of the handbook"


def read_edition_file(folder: Path, name: FolderName, *, timezone: str, now: Instant) -> Marked:
    """What the folder's name and its edition.toml say of when it was recorded and what it changes.

    Raises:
        SourceError: no valid TOML, an unknown key, a value of the wrong kind, or two recorded dates.
        DateError: recorded_at cannot be read, or is later than now.
    """
    where = f"{name.name}/{EDITION_FILE}"
    path = folder / EDITION_FILE
    keys = _keys(path, where) if path.is_symlink() or path.exists() else {}
    recorded = _recorded(keys.get("recorded_at"), timezone, where)
    if name.recorded is not None:
        recorded = _one_recorded(start_of(name.recorded, timezone), recorded, where)
    if recorded is not None and recorded > now:
        raise DateError(
            f"recorded_at {show_instant(recorded)} is in the future",
            where=where if "recorded_at" in keys else name.name,
            allowed=f"up to now ({show_instant(now)})",
            fix="a future policy has a future effective date; recorded_at is when it became known",
        )
    return Marked(recorded, _base(keys.get("base"), where), _removed(keys.get("removed"), where))


def _keys(path: Path, where: str) -> dict[str, object]:
    try:
        keys = tomllib.loads(read_bytes(path, where).decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SourceError(f"not valid TOML ({error})", where=where) from None
    for key in keys:
        if key not in KEYS:
            raise unknown_key(key, KEYS, where)
    return keys


def _recorded(value: object, timezone: str, where: str) -> Instant | None:
    if value is None:
        return None
    if not isinstance(value, str | datetime | date) or isinstance(value, time):
        raise SourceError("recorded_at is not a date", where=where, allowed="2026-01-01 or 2026-01-01T09:30:00Z")
    written = value if isinstance(value, str) else value.isoformat()
    return parse_instant(written, timezone, end_of_day=False, where=f"{where}: recorded_at")


def _one_recorded(named: Instant, declared: Instant | None, where: str) -> Instant:
    if declared is not None and declared != named:
        raise DateError(
            f"recorded_at {show_instant(declared)} is not the day in the folder's name ({show_instant(named)})",
            where=where,
            fix="keep one of both",
        )
    return named


def _base(value: object, where: str) -> str | None:
    if isinstance(value, date):
        return value.isoformat()
    if value is not None and not (isinstance(value, str) and value):
        raise SourceError("base is not the name of an edition", where=where, allowed='such as base = "2026-01-01"')
    return value


def _removed(value: object, where: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise SourceError("removed is not a list of ids", where=where, allowed='such as removed = ["05-refunds.md"]')
    return tuple(dict.fromkeys(value))


def nearest_edition(name: str, known: list[str]) -> str | None:
    """A hint at the edition that was meant."""
    nearest = get_close_matches(name, known, n=1, cutoff=0.4)
    return f'did you mean "{nearest[0]}"?' if nearest else None
