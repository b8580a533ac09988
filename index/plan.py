"""What an index run would do, worked out before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from index.change import Change
from index.changes import SectionChange
from index.guards import Removal
from index.matching import Turn
from index.timeline import EditionKey
from ingest.dates import UNKNOWN_DAY, Day, show_day
from ingest.document import Note
from ingest.editions import Refusal
from ingest.errors import GuardError, SourceError


@dataclass(frozen=True, slots=True)
class Plan:
    """A change, and what a human should know before it is made."""

    change: Change
    changes: tuple[SectionChange, ...]
    """By first day, then by address."""
    refusals: tuple[Refusal, ...]
    notes: tuple[Note, ...]
    removals: tuple[Removal, ...]
    """Editions that end more sections than the limit allows without a word; empty at the first run."""
    removal_limit: float
    undated: tuple[str, ...]
    """Documents in force since nobody knows when."""
    turns: Mapping[EditionKey, Turn]
    """What ended and began with each edition: where likely moves are looked for."""

    @property
    def is_empty(self) -> bool:
        """Whether a run would write nothing."""
        return self.change.is_empty

    @property
    def counts(self) -> dict[str, int]:
        """Changes by kind."""
        return dict(sorted(Counter(change.kind.value for change in self.changes).items()))

    @property
    def corrects_from(self) -> Day | None:
        """The first day of the past that would be told otherwise; None where none would be."""
        return min((c.corrects_from for c in self.changes if c.corrects_from is not None), default=None)

    def check(self, *, allow_removals: bool = False, correct: bool = False, strict: bool = False) -> None:
        """Refuse what was not allowed.

        Raises:
            SourceError: strict, and a file was refused or a document has no date.
            GuardError: sections are removed beyond the limit, or the past is corrected, without a word for it.
        """
        if strict:
            self._check_strictly()
        if self.removals and not allow_removals:
            raise GuardError(
                "; ".join(f"edition {removal.edition} removes {removal}" for removal in self.removals),
                allowed=f"up to {self.removal_limit:.0%} in one edition",
                fix='--allow-removals if that is meant, or base = "..." in edition.toml where the folder is a delta',
            )
        if self.corrects_from is not None and not correct:
            raise GuardError(self._correction(), fix="--correct if the past was told wrongly, or undo the edit")

    def _check_strictly(self) -> None:
        if self.refusals:
            first = self.refusals[0]
            more = f" (and {len(self.refusals) - 1} more)" if len(self.refusals) > 1 else ""
            raise SourceError(f"refused under --strict{more}: {first.error}")
        if self.undated:
            raise SourceError(
                f"no effective date under --strict in {len(self.undated)} documents, first {self.undated[0]}",
                fix="put effective_from into front matter or a sidecar, or give --effective-from",
            )

    def _correction(self) -> str:
        past = [change for change in self.changes if change.corrects_from is not None]
        since = show_day(self.corrects_from or UNKNOWN_DAY) or "the beginning"
        return f"{len(past)} changes correct the past from {since} on, first {past[0].address} ({past[0].kind})"
