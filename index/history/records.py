"""What the catalog keeps, as values: contents, versions, outlines, rows of belief, runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from ingest.dates import FOREVER, FOREVER_DAY, Day, Instant
from ingest.document import Link, address_path
from ingest.elements import Element, Kind

RowKind = Literal["section", "document"]
SECTION: Final = "section"
DOCUMENT: Final = "document"


@dataclass(frozen=True, slots=True)
class Content:
    """What a section says, wherever it stands: the same in two editions or documents is stored once."""

    digest: str
    number: str | None
    title: str
    path: tuple[str, ...]
    titles: tuple[str, ...]
    level: int
    occurrence: int
    text: str
    elements: tuple[Element, ...]
    """Offsets in `text`; `line` counts from 1 in `text`."""
    links: tuple[Link, ...]
    page: int | None


@dataclass(frozen=True, slots=True)
class Version:
    """One content as the content of one section of one document."""

    digest: str
    section_id: str
    parent_id: str | None
    """Section id of the parent; None for the preamble and for sections without one."""
    doc_id: str
    content: str
    """Digest of the content."""
    text_digest: str
    """Digest of `text` alone: equal for identical texts of different sections."""
    number: str | None
    title: str
    path: tuple[str, ...]
    titles: tuple[str, ...]
    level: int
    occurrence: int
    text: str
    elements: tuple[Element, ...]
    links: tuple[Link, ...]
    page: int | None
    tokens: int
    """Size of `text` in o200k tokens."""

    @property
    def address_path(self) -> str:
        """The part of the address after `#`, with " (2)" for a repeated path."""
        return address_path(self.titles, self.occurrence)

    @property
    def address(self) -> str:
        """`doc_id#title path`."""
        return f"{self.doc_id}#{self.address_path}"

    @property
    def is_bare(self) -> bool:
        """Whether it is a heading and nothing else: alone it would answer with a title."""
        return all(
            element.kind is Kind.HEADING or self.text.startswith("<!--", element.start) for element in self.elements
        )


class Label(NamedTuple):
    """What one version is called."""

    digest: str
    number: str | None
    title: str
    titles: tuple[str, ...]
    occurrence: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A document's sections in order, each with its parent."""

    digest: str
    doc_id: str
    title: str
    sections: tuple[tuple[str, str | None], ...]
    """(section_id, parent's section_id), the preamble first."""

    @property
    def parents(self) -> frozenset[str]:
        """Ids of the sections that have subsections."""
        return frozenset(parent for _, parent in self.sections if parent is not None)


@dataclass(frozen=True, slots=True)
class Row:
    """One belief: from `rec_from` to `rec_to` the catalog held that `digest` is in force on these days."""

    row_id: int
    kind: RowKind
    doc_id: str
    id: str
    """Section id; for kind "document" the doc_id."""
    digest: str
    """Of a version; for kind "document" of an outline."""
    valid_from: Day
    valid_to: Day
    rec_from: Instant
    rec_to: Instant = FOREVER
    seq_from: int = 0
    seq_to: int | None = None

    def holds(self, as_of: Day, known_at: Instant) -> bool:
        """Whether the row was believed at `known_at` to be in force on `as_of` (both half-open)."""
        return self.valid_from <= as_of < self.valid_to and self.rec_from <= known_at < self.rec_to

    @property
    def superseded_at(self) -> Day | None:
        """First day on which it no longer holds; None while no end is known."""
        return None if self.valid_to >= FOREVER_DAY else self.valid_to


@dataclass(frozen=True, slots=True)
class Run:
    """One recorded step of belief."""

    seq: int
    instant: Instant
    kind: str
    """"index", "rollback" or "import"."""
    summary: Mapping[str, Any]
