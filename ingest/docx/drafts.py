"""Blocks as they are found, before it is known how deep they lie: what `ingest.docx.listing` completes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from ingest.blocks import Rows
from ingest.docx.runs import Piece
from ingest.elements import Kind
from ingest.markdown.escape import Run, inline

LONGEST_TITLE: Final = 100
"""Characters of a line that may be a title because it is bold; a longer one is emphasis."""
_BLANKS: Final = re.compile(r" {2,}")
_AROUND_BREAK: Final = re.compile(r" *\n *")
_BULLET: Final = "•"


@dataclass(slots=True)
class Draft:
    """A block with what only the blocks around it decide."""

    kind: Kind
    place: str
    pieces: list[Piece] = field(default_factory=list)
    level: int = 0
    """HEADING: from 1."""
    mark: str | None = None
    joined: bool = False
    """No blank between mark and text."""
    series: str = ""
    """The list that it is an item of."""
    ilvl: int = 0
    left: int = 0
    """Where its lines start, in twentieths of a point."""
    role: str = ""
    """Of its style: "title", "caption", "continuation", "listing", "listing title"."""
    continued: int = 0
    """Depth that a style such as "List Continue 2" names."""
    explicit_id: str | None = None
    rows: Rows = ()
    header_rows: int = 0
    caption: str = ""
    repeated: tuple[str, ...] = ()
    """TABLE: what `made` is."""
    shows_bold: bool = True
    """Whether bold words are marked as such."""

    @property
    def words(self) -> str:
        """What it says, without marks."""
        return "".join(piece.text for piece in self.pieces).strip()

    @property
    def made(self) -> tuple[str, ...]:
        """Numbers, labels of notes and repeated cells, as in `ingest.blocks.Block`."""
        if self.kind in (Kind.TABLE, Kind.CODE):
            return self.repeated
        own = [f"[^{piece.note}]" if piece.note else piece.text for piece in self.pieces if piece.made]
        return (self.mark, *own) if self.kind is Kind.ITEM and self.mark else tuple(own)

    @property
    def is_bold(self) -> bool:
        """Whether all of its words are bold, or all in capitals by their look."""
        said = [piece.look for piece in self.pieces if piece.text.strip()]
        return bool(said) and (all(look.bold for look in said) or all(look.caps for look in said))

    def text(self, *, bold: bool = True) -> str:
        """Its words as inline Markdown; `bold`: with bold marked, unless it is a heading or caption."""
        bold = bold and self.shows_bold and self.kind is not Kind.HEADING and self.role != "caption"
        return rendered(self.pieces, bold=bold)

    def lines(self, *, bold: bool = True) -> str:
        """The same as text of a cell or note, its mark included."""
        if self.kind is Kind.CODE:
            return inline([Run(self.words)])
        if self.kind is Kind.TABLE:
            return "\n".join(filter(None, (self.caption, *map(" | ".join, self.rows))))
        if self.kind is Kind.HEADING:
            return self.text()
        mark = f"{self.mark or _BULLET} " if self.kind is Kind.ITEM else ""
        return mark + self.text(bold=bold)


def rendered(pieces: list[Piece], *, bold: bool) -> str:
    """Pieces as inline Markdown."""
    runs = _smooth(pieces) if bold else [Run(one.text, href=one.href, note=one.note) for one in pieces]
    text = inline(_trimmed(runs))
    text = _BLANKS.sub(" ", text) if "  " in text else text
    return (_AROUND_BREAK.sub("\n", text) if "\n" in text else text).strip()


def _smooth(pieces: list[Piece]) -> list[Run]:
    """Runs whose blanks are bold where both neighbours are; a short line all in bold is one line, one run."""
    bold = _boldness(pieces)
    runs = [Run(one.text, is_bold, one.href, one.note) for one, is_bold in zip(pieces, bold, strict=True)]
    said = [is_bold for one, is_bold in zip(pieces, bold, strict=True) if one.text.strip()]
    if all(said) and sum(len(run.text) for run in runs) <= LONGEST_TITLE:
        # A title in two lines, as "Article IV" above "Payment", would not be known as one.
        return [Run(run.text.replace("\n", " "), run.bold, run.href, run.note) for run in runs]
    return runs


def _boldness(pieces: list[Piece]) -> list[bool]:
    shown = [piece for piece in pieces if piece.text.strip()]
    in_capitals = all(piece.look.caps for piece in shown) and sum(len(one.text) for one in shown) <= LONGEST_TITLE
    found = [in_capitals or piece.look.bold for piece in pieces]
    last = False
    after = [False] * len(pieces)
    for place in range(len(pieces) - 1, -1, -1):
        after[place] = last
        last = found[place] if pieces[place].text.strip() else last
    before = False
    for place, piece in enumerate(pieces):
        if piece.text.strip():
            before = found[place]
        elif not piece.note:
            found[place] = before and after[place]
    return found


def _trimmed(runs: list[Run]) -> list[Run]:
    """`runs` without what only looks empty, so that no mark stands around nothing."""
    return [run for run in runs if run.text or run.note]


def joined_lines(drafts: Iterable[Draft], *, bold: bool = True) -> str:
    """Blocks as the text of a cell or a note: one line each."""
    return "\n".join(line for draft in drafts if (line := draft.lines(bold=bold)))


def without_doubles(drafts: list[Draft]) -> list[Draft]:
    """Neighbouring titles as one."""
    found: list[Draft] = []
    for is_title, group in groupby(drafts, key=lambda one: one.role == "title"):
        members = list(group)
        if is_title and len(members) > 1:
            first = members[0]
            blank = Piece("\n", first.pieces[0].look)
            first.pieces = [piece for one in members for piece in (blank, *one.pieces)][1:]
            members = [first]
        found += members
    return found
