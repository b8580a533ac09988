"""Pages to one stream of lines and tables in reading order, without what belongs to the page only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from ingest.blocks import Dropped
from ingest.pdf.columns import Column, Row, columns_of, row_of
from ingest.pdf.contents import contents
from ingest.pdf.geometry import Box, FoundTable, Word
from ingest.pdf.lines import Flow, Line, Placed, text_of
from ingest.pdf.marginalia import MarginNote, with_notes, without_notes
from ingest.pdf.margins import PageRows, margins
from ingest.pdf.pages import ReadPage

_FULL_PAGE: Final = 8
"""Rows of a page or column that show its edges."""
_WIDEST_GUTTER: Final = 60
"""Points."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The text of a file in reading order."""

    flow: tuple[Flow, ...]
    dropped: tuple[Dropped, ...]
    listed: tuple[str, ...]
    """Titles in its table of contents."""
    turned: tuple[Line, ...]
    """Lines that do not run level, page by page."""


@dataclass(slots=True)
class _Page:
    read: ReadPage
    tables: list[FoundTable]
    rows: list[Row]
    dropped: list[Dropped] = field(default_factory=list)

    def drop(self, places: dict[int, tuple[str, int, int | None]]) -> None:
        """Leave words of rows out: (reason, first word, end) by row."""
        kept = []
        for at, row in enumerate(self.rows):
            if at not in places:
                kept.append(row)
                continue
            reason, first, last = places[at]
            self.dropped.append(Dropped(reason, self.read.place, text_of(row.words[first:last])))
            rest = row.words[:first] + (row.words[last:] if last is not None else ())
            kept += [row_of(rest)] if rest else []
        self.rows = kept

    def take_notes(self) -> list[MarginNote]:
        """Take the notes in the margins out of the rows."""
        self.rows, notes = without_notes(self.rows)
        return notes


def stream_of(pages: Sequence[ReadPage]) -> Stream:
    """The lines and tables of all pages; running heads, page numbers and tables of contents are dropped."""
    sheets = [_Page(page, list(page.tables), []) for page in pages]
    listed = _without_contents(sheets)
    _without_margins(sheets)
    notes = [sheet.take_notes() for sheet in sheets]
    own = [_gutters(columns_of(sheet.rows)) for sheet in sheets]
    counts = Counter(gutter for gutters in own for gutter in gutters)
    shared = {gutter for gutter, count in counts.items() if count > 1}
    edges = _edges(sheets)
    flow: list[Flow] = []
    column = 0
    for sheet, gutters, beside in zip(sheets, own, notes, strict=True):
        columns = columns_of(sheet.rows, sorted(shared | gutters))
        for one in with_notes(columns, beside):
            column += 1
            flow += _column(one, sheet, column, edges)
    turned = tuple(
        Line(words, page.number, -1, words[0].x0, words[0].x1) for page in pages for words in page.shown.turned if words
    )
    dropped = [one for sheet in sheets for one in sheet.dropped]
    return Stream(tuple(flow), tuple(dropped), tuple(listed), turned)


def _without_contents(sheets: Sequence[_Page]) -> list[str]:
    """Drop tables of contents, also where they were taken for tables, and set the rows of text."""
    every = [[row_of(words) for words in sheet.read.shown.rows] for sheet in sheets]
    entries = contents([(sheet.read.number, rows) for sheet, rows in zip(sheets, every, strict=True)])
    places: dict[int, set[int]] = defaultdict(set)
    for entry in entries:
        places[entry.page].add(entry.row)
    for sheet, rows in zip(sheets, every, strict=True):
        listed = places.get(sheet.read.number, set())
        sheet.tables = [one for one in sheet.tables if not _is_listing(one, [rows[at] for at in listed])]
        boxes = [table.box for table in sheet.tables]
        for at, row in enumerate(rows):
            if at in listed:
                sheet.dropped.append(Dropped("table of contents", sheet.read.place, text_of(row.words)))
                continue
            words = [word for word in row.words if not any(_lies_in(word, box) for box in boxes)]
            sheet.rows += [row_of(words)] if words else []
    return [entry.title for entry in entries]


def _lies_in(word: Word, box: Box) -> bool:
    x, y = word.middle
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_listing(table: FoundTable, rows: Sequence[Row]) -> bool:
    """Whether most rows of a table are entries of a table of contents."""
    inside = sum(table.box[1] <= (row.box[1] + row.box[3]) / 2 <= table.box[3] for row in rows)
    return 2 * inside > len(table.rows)


def _without_margins(sheets: Sequence[_Page]) -> None:
    found: dict[int, dict[int, tuple[str, int, int | None]]] = defaultdict(dict)
    for one in margins([PageRows(sheet.read.number, sheet.read.height, sheet.rows) for sheet in sheets]):
        found[one.page][one.row] = (one.reason, one.first, one.last)
    for sheet in sheets:
        sheet.drop(found[sheet.read.number])
        sheet.rows += [Row((), table.box, table) for table in sheet.tables]


def _gutters(columns: Sequence[Column]) -> set[float]:
    """Where gutters lie between columns that are no mere handful of lines, in steps of four points."""
    full = [column for column in columns if len(column.rows) >= _FULL_PAGE]
    edges = [(one.right, other.left) for one in full for other in full if 0 < other.left - one.right < _WIDEST_GUTTER]
    return {round((right + left) / 2 / 4) * 4.0 for right, left in edges}


def _edges(sheets: Sequence[_Page]) -> float:
    """The right edge of most pages' text."""
    rights = [max(row.box[2] for row in sheet.rows) for sheet in sheets if len(sheet.rows) >= _FULL_PAGE]
    return median(rights) if rights else 0.0


def _column(column: Column, sheet: _Page, number: int, edge: float) -> Iterator[Flow]:
    sparse = len(sheet.rows) < _FULL_PAGE
    right = (
        max(column.right, edge) if sparse and column.right == max(row.box[2] for row in sheet.rows) else column.right
    )
    for row in column.rows:
        if row.table:
            yield Placed(row.table, sheet.read.number, number, column.left)
        else:
            yield Line(row.words, sheet.read.number, number, column.left, right)


def words_of_flow(flow: Sequence[Flow]) -> Iterator[Sequence[Word]]:
    """The words of each line, and of each cell."""
    for one in flow:
        if isinstance(one, Line):
            yield one.words
        else:
            yield from (cell for row in one.table.rows for cell in row)
