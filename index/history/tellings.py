"""What each edition says, document by document, as read from its files; kept from run to run.

A telling outlives the reading: where a file is refused, what its edition said of the document at the last
run stands; and the telling of a live folder's earlier state is the only record of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from index.history.timeline import EditionKey
from ingest.dates import UNKNOWN_DAY, Day

LIVE: Final = "live"
"""Name of the editions that are snapshots of a folder without dated editions."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one edition says of one document."""

    doc_id: str
    relative: str
    """Path of its file below the edition folder."""
    valid_from: Day
    """Day on which the document takes effect in this edition."""
    declared: Day | None
    """The day as its file or edition states it; None where nothing does."""
    skeleton: str
    """Digest of the skeleton."""
    outline: str = ""
    sections: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """(section_id, version digest) in document order, once identified."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What one edition says."""

    key: EditionKey
    full: bool
    """A full edition says of every document that it lacks that it is absent; a delta only of `gone`."""
    said: Mapping[str, Said]
    """By doc_id."""
    gone: tuple[str, ...] = ()
    """doc_ids that a delta removes."""
    silent: tuple[str, ...] = ()
    """doc_ids of refused files that were never read well in this edition: it says nothing of them."""
    gone_from: Day = UNKNOWN_DAY
    """Day from which what it lacks or removes is absent."""

    @property
    def is_live(self) -> bool:
        """Whether it is a snapshot of a live folder."""
        return self.key.name == LIVE
