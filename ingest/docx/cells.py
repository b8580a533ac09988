"""Rows and cells of a table as they are read, before it is known what the table is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ingest.docx.drafts import Draft, joined_lines
from ingest.elements import Kind
from ingest.markdown.plain import plain

LONGEST_REPEATED: Final = 500
"""Characters of a merged cell or header that are repeated; a longer one stands once."""


@dataclass(slots=True)
class Cell:
    """A cell and the columns that it takes, `end` not included."""

    start: int
    end: int
    continues: bool
    """Whether it goes on with the cell above it."""
    drafts: list[Draft]
    repeated: str = ""
    """What the cell above says that it goes on with."""
    _texts: dict[bool, str] = field(default_factory=dict)

    def text(self, *, bold: bool = True) -> str:
        """Its lines; tables inside of it stand below the row."""
        if bold not in self._texts:
            own = joined_lines((one for one in self.drafts if one.kind is not Kind.TABLE), bold=bold)
            self._texts[bold] = own or self.repeated
        return self._texts[bold]

    @property
    def made(self) -> tuple[str, ...]:
        """What of its text was not written into it, in order and without markup."""
        own = [one for one in self.drafts if one.kind is not Kind.TABLE]
        if self.repeated and self.text() == self.repeated and not joined_lines(own):
            return (plain(self.repeated),)
        return tuple(words for one in own for words in one.made)

    @property
    def is_bold(self) -> bool:
        """Whether all of it is bold."""
        said = [one for one in self.drafts if one.pieces]
        return bool(said) and all(one.is_bold for one in said)


@dataclass(slots=True)
class Row:
    """A row of cells."""

    cells: list[Cell] = field(default_factory=list)
    is_header: bool = False
    """Whether Word repeats it on each page."""

    @property
    def drafts(self) -> list[Draft]:
        """All blocks in it."""
        return [draft for cell in self.cells for draft in cell.drafts]

    @property
    def tables(self) -> list[Draft]:
        """The tables inside of its cells."""
        return [one for one in self.drafts if one.kind is Kind.TABLE]

    def texts(self, columns: int, *, bold: bool = True) -> tuple[str, ...]:
        """The text of each column; a cell over several stands in the first."""
        found = [""] * columns
        for cell in self.cells:
            found[cell.start] = cell.text(bold=bold)
        return tuple(found)

    @property
    def made(self) -> list[str]:
        """What of its cells was not written into them."""
        return [words for cell in self.cells for words in cell.made]


def renumber_columns(rows: Sequence[Row]) -> int:
    """Number the columns by where cells start, since grids have columns in which none does; how many there are."""
    starts = sorted({cell.start for row in rows for cell in row.cells})
    number = {start: place for place, start in enumerate(starts)}
    ends: dict[int, int] = {}
    place = len(starts)
    for end in sorted({cell.end for row in rows for cell in row.cells}, reverse=True):
        while place and starts[place - 1] >= end:
            place -= 1
        ends[end] = place
    for row in rows:
        for cell in row.cells:
            cell.start, cell.end = number[cell.start], ends[cell.end]
    return len(starts)


def repeat_merged(rows: Sequence[Row]) -> None:
    """Say in each cell that goes on with the one above what that one says."""
    above: dict[int, str] = {}
    for row in rows:
        here: dict[int, str] = {}
        for cell in row.cells:
            if cell.continues:
                cell.repeated = above.get(cell.start, "")
            text = cell.text()
            here[cell.start] = text if len(text) <= LONGEST_REPEATED else ""
        above = here
