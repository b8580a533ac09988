"""What a reader of HTML, DOCX or PDF finds in a file: blocks to write as Markdown, and the raw file's own lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ingest.elements import Kind
from ingest.settings import IngestSettings

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One block in reading order.

    `text` is inline Markdown on one line, words of the file passed through `ingest.markdown.escape.escaped`;
    "\\n" is a line break that the author set.
    """

    kind: Kind
    text: str = ""
    page: int | None = None
    """1-based page on which the block starts, where the file has pages."""
    level: int = 0
    """HEADING: from 1. ITEM: depth of the list, from 1. Else: depth of the item that the block lies in, or 0."""
    mark: str | None = None
    """ITEM: its mark as shown, "1." or "(a)" or "4.2"; None for bullets. A mark of which only the sequence can
    tell whether it is one stays in the text of a PARAGRAPH, and `ingest.writing` decides."""
    cells: Rows = ()
    """TABLE: its rows, header rows first, all of one length; a cell spanning rows stands in each of them, one
    spanning columns in the first."""
    header_rows: int = 0
    caption: str = ""
    """TABLE: the caption that the file marks as such; a paragraph that looks like one is found later."""
    label: str = ""
    """FOOTNOTE: unique in the file; "[^label]" in a text marks it."""
    explicit_id: str | None = None
    """HEADING: the id that an author gave it."""
    made: tuple[str, ...] = ()
    """Words in it that the file does not hold at this place, in order and without markup: automatic numbers, the mark
    of an item that is counted, a cell or header that is repeated, "[^1]". They must not stand in for words that were
    lost."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the raw file, found without the parser: all of them are all of its words."""

    where: str
    """In the file's own terms: "page 3", "paragraph 14", "line 7"."""
    text: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """Words left out on purpose; `reason` is a short name such as "running head" or "deleted revision"."""

    reason: str
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something noticed that does not stop the reading; `where` as in SourceLine, or "" for the whole file."""

    code: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file as a reader found it."""

    blocks: tuple[Block, ...]
    source: tuple[SourceLine, ...]
    dropped: tuple[Dropped, ...] = ()
    remarks: tuple[Remark, ...] = ()
    title: str | None = None
    """What the file's properties say; often wrong, so that a heading goes before it."""
    pages: int | None = None


Reader = Callable[[bytes, IngestSettings, str], Parsed]
"""(bytes, settings, where) -> Parsed; a SourceError's `where` starts with the given one. No file is opened."""
