"""A section of a corpus that is no handbook: an id, a title, a text, and the days on which it was in force."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.dates import FOREVER_DAY, UNKNOWN_DAY, Day
from ingest.document import Section


@dataclass(frozen=True, slots=True)
class Passage:
    """A section to be searched: its title path and its text."""

    id: str
    title: str
    text: str
    section: Section | None = None
    """As a handbook's file has it, with its elements; None: the text is paragraphs between blank lines."""
    document: str = ""
    """Title of the document it stands in."""
    valid_from: Day = UNKNOWN_DAY
    valid_to: Day = FOREVER_DAY
    """In force on these days, half-open."""

    def in_force(self, day: Day) -> bool:
        """Whether it holds on a day."""
        return self.valid_from <= day < self.valid_to
