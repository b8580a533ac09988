"""What a parser reports of a document, before any section tree: one flat list of elements."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """The kinds of element; every reader (Markdown, and later HTML, DOCX, PDF) speaks these."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"
    DEFINITION = "definition"
    FOOTNOTE = "footnote"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class Element:
    """One element: a half-open span of characters of the text that holds it.

    Elements of one text are in order, do not overlap, and every character outside them is white space
    or markup without words. An ITEM ends where its first nested item starts.
    """

    kind: Kind
    start: int
    end: int
    line: int
    """1-based line in the source file."""
    level: int = 0
    """HEADING: 1 to 6. ITEM: depth of the list, from 1. Else 0."""
    ordinal: str | None = None
    """ITEM: its full ordinal as written, outermost first: "(a)(ii)", "3.b"; None for bullets. HEADING: that of
    the list item which it heads."""
    rows: tuple[tuple[int, int], ...] = ()
    """TABLE: spans of the body rows."""
    header: tuple[int, int] | None = None
    """TABLE: span of the caption (if any), header row and rule, repeated by each child of the table."""
    page: int | None = None
    made: tuple[str, ...] = field(default=(), compare=False)
    """As in `ingest.blocks.Block`; for the measure of loss only, and not stored."""

    def shifted(self, by: int) -> Element:
        """The same element in a text that starts `by` characters earlier (negative: later)."""
        return Element(
            self.kind,
            self.start + by,
            self.end + by,
            self.line,
            self.level,
            self.ordinal,
            tuple((a + by, b + by) for a, b in self.rows),
            (self.header[0] + by, self.header[1] + by) if self.header else None,
            self.page,
            self.made,
        )
