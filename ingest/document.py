"""A document as read: its text, its section tree, its links and what was noticed while reading."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ingest.dates import Day
from ingest.elements import Element


class Relation(StrEnum):
    """What a link says; read "limiter limits limited" (design: typed links)."""

    LIMITS = "limits"
    CONDITION = "condition"
    DEFINITION = "definition"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Link:
    """A typed link from one section to a target as written; resolved later, among what is in force."""

    relation: Relation
    target: str
    """As written, without markup: "9.1(b)", "Schedule C", "05-refunds.md#Refunds > Late"."""
    start: int
    end: int
    """Span of the linking phrase in the section's text, half-open."""
    limiter: Literal["target", "self"] = "target"
    """"target": the target limits this section ("except as provided in 9.1"); "self": the other way
    round ("notwithstanding 4.2")."""


def address_path(titles: tuple[str, ...], occurrence: int) -> str:
    """The part of an address after `#`: "Seats > Downgrades", with " (2)" for a repeated path."""
    path = " > ".join(titles)
    return path if occurrence == 1 else f"{path} ({occurrence})"


@dataclass(frozen=True, slots=True)
class Section:
    """A node of a document's heading tree with its own text: heading line and body, no subsection.

    Sections are in document order; the own spans of all of a document's sections, joined, give the
    document's text back. Text before the first heading makes a first section of level 0, the
    preamble, which is left out where it is blank. A heading of the outermost rank has no parent (None).
    """

    number: str | None
    """As written, without its word or trailing dot: "4.2", "12.3(a)", "IV", "B"; never invented."""
    title: str
    path: tuple[str, ...]
    """Headings from the outermost down to this one as displayed: ("4 Seats", "4.2 Downgrades"); () for the preamble."""
    titles: tuple[str, ...]
    """The same without numbers: ("Seats", "Downgrades")."""
    level: int
    parent: int | None
    """Index of the parent in Document.sections."""
    start: int
    end: int
    """Own span in Document.text, half-open."""
    text: str
    """Document.text[start:end], then the footnotes it marks whose text stands in another section."""
    elements: tuple[Element, ...]
    """Offsets in `text`; the heading itself is the first one (but for the preamble)."""
    links: tuple[Link, ...] = ()
    occurrence: int = 1
    """2, 3, ... where an earlier section of the document has the same `titles`."""
    explicit_id: str | None = None
    """`{#seat-downgrades}` after the heading."""
    moved_from: str | None = None
    """The address that front matter says this section had before."""
    page: int | None = None

    @property
    def address_path(self) -> str:
        """The part of the address after `#`: "Seats > Downgrades", with " (2)" for a repeated path."""
        return address_path(self.titles, self.occurrence)


@dataclass(frozen=True, slots=True)
class Note:
    """Something noticed that does not stop the work: a skipped file, a date that differs, a lost line."""

    code: str
    """Stable kebab-case name, such as "date-differs"."""
    where: str
    """File, file:line, or "file, page 3"."""
    message: str


@dataclass(frozen=True, slots=True)
class DateEvidence:
    """One place that says since when a document is in force."""

    rank: Literal["sidecar", "front-matter", "text"]
    day: Day
    where: str


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read."""

    doc_id: str
    title: str
    text: str
    """The body, verbatim but for front matter (removed) and line ends (all "\\n")."""
    sections: tuple[Section, ...]
    dates: tuple[DateEvidence, ...] = ()
    notes: tuple[Note, ...] = ()
    moved_from: str | None = None
    """The doc_id that this document had in earlier editions."""

    def address(self, section: Section) -> str:
        """`doc_id#title path`, unique in the edition."""
        return f"{self.doc_id}#{section.address_path}"
