"""What is read from one page by itself: its words, tables, links and pictures, and whether its text can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Final

from ingest.pdf.annotations import Link, annotations_of
from ingest.pdf.dots import with_bullets
from ingest.pdf.garbage import Health, health_of
from ingest.pdf.geometry import FoundTable
from ingest.pdf.images import covered
from ingest.pdf.opening import Opened, RecordedPage, border
from ingest.pdf.pieces import Sheet
from ingest.pdf.tables import find_tables
from ingest.pdf.words import PageWords, with_rows, words_of

COVERED: Final = 0.3
"""Of a page, by images: enough to be a scan, with its margins cut."""
_FOOT: Final = 2
"""Lines of a foot."""
_SMALL: Final = 0.93
"""Times the usual size: type of notes."""
_MOST_LINKS: Final = 2_000


@dataclass(frozen=True, slots=True)
class ReadPage:
    """One page as read by itself."""

    number: int
    """From 1."""
    width: float
    height: float
    shown: PageWords
    tables: tuple[FoundTable, ...]
    links: tuple[Link, ...]
    typed: tuple[str, ...]
    """Lines typed into form fields, which are no part of the page's content."""
    pictured: float
    """Share of the page that images cover."""
    health: Health
    unread: int = 0
    """Comments, stamps and attached files on it."""

    @property
    def place(self) -> str:
        """As losses and remarks name it."""
        return f"page {self.number}"

    @property
    def last_table(self) -> FoundTable | None:
        """The table that ends it, with nothing below but a foot, a page number or notes; of columns, the last one."""
        if not self.tables:
            return None
        table = max(self.tables, key=lambda one: (any(one.box[0] >= other.box[2] for other in self.tables), one.box[1]))
        usual = median(row[0].size for row in self.shown.rows)
        low = [row[-1] for row in self.shown.rows if row[0].top > table.box[3] and row[0].size > _SMALL * usual]
        below = [word for word in low if word.x1 > table.box[0]]
        return table if len(below) <= _FOOT else None


def read_page(opened: Opened, number: int, above: FoundTable | None = None) -> ReadPage:
    """Read a page, turned so that most of its text is level; `above` is the last table of the page before.

    Raises:
        SourceError: the page is damaged, or a stream of it beyond the limit.
    """
    page, shown = _upright(opened, number)
    with border(opened.place(number), opened.inflation):
        beside = annotations_of(page)
        pictured = _pictured(page)
        drawn = with_bullets(shown, page)
    # Judged without what was typed into the form, which may be a scan.
    health = health_of(shown)
    shown = with_rows(drawn, beside.rows)
    tables = find_tables(page, [word for row in shown.rows for word in row], above)
    page.close()
    typed = tuple(" ".join(word.text for word in row) for row in beside.rows)
    size = float(page.width), float(page.height)
    return ReadPage(number, *size, shown, tuple(tables), beside.links, typed, pictured, health, beside.unread)


def _upright(opened: Opened, number: int) -> tuple[RecordedPage, PageWords]:
    page = opened.page(number)
    shown = _shown(opened, page)
    if shown.turn:
        page = page.turned(90 * shown.turn)
        shown = _shown(opened, page)
    return page, shown


def _shown(opened: Opened, page: RecordedPage) -> PageWords:
    with border(opened.place(page.page_number), opened.inflation):
        page.layout  # noqa: B018 - records the glyphs
        left, low = float(page.mediabox[0]), float(page.height + page.mediabox[1])
        x0, top, x1, bottom = map(float, page.cropbox)
        sheet = Sheet(left, low, (x0, top, x1, bottom), _pictured(page) >= COVERED)
    return words_of(page.recorder.glyphs, page.recorder.paints, sheet)


def _pictured(page: RecordedPage) -> float:
    """Share of the page that images cover."""
    page.layout  # noqa: B018 - records the paints
    boxes = [paint.box for paint in page.recorder.paints if paint.image is not None]
    return covered(boxes, float(page.width), float(page.height))
