"""What one run writes to the catalog, worked out before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from index.history.records import Content, Outline, Row
from index.history.skeleton import Skeleton
from index.history.tellings import Said, Telling
from index.history.timeline import EditionKey
from ingest.dates import Instant


class VersionKey(NamedTuple):
    """What makes a version, without its texts."""

    section_id: str
    parent_id: str | None
    doc_id: str
    content: str


@dataclass(frozen=True, slots=True)
class Step:
    """Rows opened and closed at one instant; one run in the log."""

    instant: Instant
    opens: tuple[Row, ...] = ()
    """With their row ids."""
    closes: tuple[int, ...] = ()
    """Row ids."""


@dataclass(frozen=True, slots=True)
class Retold:
    """How what the editions say differs from what they said at the last run."""

    tellings: tuple[Telling, ...] = ()
    """New, or changed in more than their documents."""
    said: tuple[tuple[EditionKey, Said], ...] = ()
    """New or changed."""
    tellings_gone: tuple[EditionKey, ...] = ()
    said_gone: tuple[tuple[EditionKey, str], ...] = ()
    """(edition, doc_id) said no longer, or said differently now."""

    def __bool__(self) -> bool:
        return bool(self.tellings or self.said or self.tellings_gone or self.said_gone)


def _no_contents(digests: Collection[str]) -> Iterable[Content]:
    return ()


@dataclass(frozen=True, slots=True)
class Change:
    """One append-only change of the catalog, applied in one transaction or not at all."""

    kind: str
    base: int
    """Sequence number that it was worked out against."""
    steps: tuple[Step, ...]
    """In the order of their instants; the last one is now."""
    retold: Retold = Retold()
    versions: Mapping[str, VersionKey] = field(default_factory=dict)
    outlines: Mapping[str, Outline] = field(default_factory=dict)
    skeletons: Mapping[str, Skeleton] = field(default_factory=dict)
    contents: Callable[[Collection[str]], Iterable[Content]] = _no_contents
    """Loads contents by digest: asked only for those that the catalog lacks."""
    summary: Mapping[str, Any] = field(default_factory=dict)
    """Kept in the log with the last step."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not self.retold and not any(step.opens or step.closes for step in self.steps)
