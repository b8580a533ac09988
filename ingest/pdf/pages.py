"""What is read from one page by itself: its words, tables, links and pictures, and whether its text can be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from pdfminer.pdftypes import resolve1

from ingest.pdf.garbage import Health, health_of
from ingest.pdf.geometry import Box, FoundTable
from ingest.pdf.opening import Opened, RecordedPage, border
from ingest.pdf.tables import find_tables
from ingest.pdf.words import PageWords, Sheet, words_of

COVERED: Final = 0.3
"""Of a page, by images: enough to be a scan, with its margins cut."""
_FOOT: Final = 2
"""Lines of a foot."""
_SMALL: Final = 0.93
"""Times the usual size: type of notes."""
_MOST_LINKS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """An area that leads somewhere."""

    box: Box
    href: str


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
    pictured: float
    """Share of the page that images cover."""
    health: Health

    @property
    def place(self) -> str:
        """As losses and remarks name it."""
        return f"page {self.number}"

    @property
    def last_table(self) -> FoundTable | None:
        """The table that ends it, with nothing below but a foot, a page number or notes."""
        if not self.tables:
            return None
        table = self.tables[-1]
        usual = median(row[0].size for row in self.shown.rows)
        below = [row for row in self.shown.rows if row[0].top > table.box[3] and row[0].size > _SMALL * usual]
        return table if len(below) <= _FOOT else None


def read_page(opened: Opened, number: int, above: FoundTable | None = None) -> ReadPage:
    """Read a page, turned so that most of its text is level; `above` is the last table of the page before.

    Raises:
        SourceError: the page is damaged, or a stream of it beyond the limit.
    """
    page, shown = _upright(opened, number)
    with border(opened.place(number), opened.inflation):
        tables = find_tables(page, [word for row in shown.rows for word in row], above)
        links = tuple(_links(page))
        pictured = _pictured(page)
    page.close()
    return ReadPage(
        number,
        float(page.width),
        float(page.height),
        shown,
        tuple(tables),
        links,
        pictured,
        health_of(shown),
    )


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
    """Share of the page that images cover; where they overlap they count twice, up to the whole."""
    covered = 0.0
    for image in page.images:
        width = min(image["x1"], page.width) - max(image["x0"], 0)
        height = min(image["bottom"], page.height) - max(image["top"], 0)
        covered += max(width, 0) * max(height, 0)
    return float(min(1.0, covered / (page.width * page.height or 1)))


def _links(page: RecordedPage) -> Iterator[Link]:
    """Links to addresses; of a turned page none, since their boxes are not turned with it."""
    entries = resolve1(page.page_obj.annots)
    if page.rotation or not isinstance(entries, list):
        return
    for entry in map(resolve1, entries[:_MOST_LINKS]):
        action = resolve1(entry.get("A")) if isinstance(entry, dict) else None
        href = resolve1(action.get("URI")) if isinstance(action, dict) else None
        box = _numbers(resolve1(entry.get("Rect"))) if isinstance(entry, dict) else None
        if isinstance(href, bytes) and box:
            x0, y0, x1, y1 = box
            top = float(page.height + page.mediabox[1])
            yield Link(
                (min(x0, x1), top - max(y0, y1), max(x0, x1), top - min(y0, y1)), href.decode("utf-8", "replace")
            )


def _numbers(values: Any) -> tuple[float, float, float, float] | None:
    if not isinstance(values, list) or len(values) != 4:
        return None
    resolved = [resolve1(value) for value in values]
    if not all(isinstance(value, int | float) for value in resolved):
        return None
    return (float(resolved[0]), float(resolved[1]), float(resolved[2]), float(resolved[3]))
