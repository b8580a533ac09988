"""The files of a handbook: editions, their files, and what was refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.dates import Day, Instant
from ingest.document import Note
from ingest.errors import SourceError
from ingest.formats import MARKDOWN, format_of

LIVE: Final = "live"
"""Name of the one edition of a folder without dated folders."""
SIDECAR: Final = ".meta.toml"
"""`04-seats.md.meta.toml` says of `04-seats.md` what its front matter could."""


def declares_in(file: str) -> str:
    """Where a file's own id, title and date are written: in its front matter, or beside it."""
    if format_of(file) in (MARKDOWN, None):
        return "its front matter"
    return f"{file.rpartition('/')[2]}{SIDECAR} beside it"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of an edition, in a format that is read."""

    path: Path
    relative: str
    """Below the edition folder, with "/", in Unicode's composed form (NFC): the same on every machine."""
    digest: str
    """sha256 of its bytes, and of those of its sidecar where it has one."""
    size: int = 0
    """Bytes, without the sidecar."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file at fault: its last good versions stay in force, and the others are not stopped."""

    edition: str
    relative: str
    error: SourceError
    doc_id: str | None = None
    """None where the file could not be read far enough to know."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One dated state of the handbook, or (with a base) the difference to another one."""

    name: str
    effective: Day | None
    """None for the live folder."""
    recorded_at: Instant | None = None
    """When this edition became known; None: when it is first indexed."""
    base: str | None = None
    """Name of the edition that this one is a difference to; None for a whole edition."""
    removed: tuple[str, ...] = ()
    """Of a difference: the doc_ids that it removes."""
    files: tuple[SourceFile, ...] = ()
    """By relative path."""
    refused: tuple[Refusal, ...] = ()

    def where(self, relative: str) -> str:
        """The path that messages show: below the root."""
        return relative if self.name == LIVE else f"{self.name}/{relative}"


@dataclass(frozen=True, slots=True)
class Handbook:
    """A root folder as found."""

    root: Path
    editions: tuple[Edition, ...]
    """By effective day, then by recorded_at, then by name."""
    notes: tuple[Note, ...]
    """What was skipped, by name."""
    flat: bool
    """No dated folders: one live edition."""
