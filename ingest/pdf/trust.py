"""Pages whose text cannot be read: images of text, and text layers that say nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from ingest.blocks import Remark
from ingest.errors import SourceError
from ingest.pdf.columns import row_of
from ingest.pdf.garbage import NOTED
from ingest.pdf.margins import PageRows, margins
from ingest.pdf.ocr import INSTALL
from ingest.pdf.pages import COVERED, ReadPage

_FEW: Final = 16
"""Letters of a page that is an image, but for a stamp or a page number."""
_STAMPED: Final = 0.5
"""Of a page, by an image, beside which nothing stands but a head and a foot."""

_LAYER: Final = "its words lie unseen in the image of a scan, as they were once recognised: they may say something else"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done about the pages of a file."""

    images: tuple[int, ...]
    """Pages that are images without text."""
    garbage: tuple[int, ...]
    """Pages with a text layer that says nothing."""
    remarks: tuple[Remark, ...]

    @property
    def unreadable(self) -> list[int]:
        """All pages that need another way of reading, in order."""
        return sorted({*self.images, *self.garbage})


def judge(pages: Sequence[ReadPage]) -> Verdict:
    """Judge each page by its letters, its images and its text's statistics.

    A page that has an image and its running head only is an image where half of the file is so, as in stamped scans;
    else it is a figure, and noted.
    """
    bare = {page.number for page in pages if page.health.letters < _FEW and page.pictured >= COVERED}
    stamped = _stamped(pages) - bare
    images = bare | stamped if 2 * len(bare | stamped) >= len(pages) else bare
    garbage = tuple(page.number for page in pages if page.health.hopeless and page.number not in images)
    remarks = [_figure(page) for page in pages if page.number in stamped - images]
    remarks += [
        Remark("garbage-text", page.place, f"{page.health.said}: some of its text cannot be read")
        for page in pages
        if page.health.unknown >= NOTED and not page.health.hopeless
    ]
    remarks += [Remark("recognised-layer", page.place, _LAYER) for page in pages if page.shown.recognised]
    return Verdict(tuple(sorted(images)), garbage, tuple(remarks))


def _stamped(pages: Sequence[ReadPage]) -> set[int]:
    """Pages of which an image covers most, and that have no text but heads and feet."""
    rows = [PageRows(page.number, page.height, [row_of(words) for words in page.shown.rows]) for page in pages]
    held: dict[int, set[int]] = {}
    for margin in margins(rows, sparing=False):
        held.setdefault(margin.page, set()).add(margin.row)
    found = set()
    for page, one in zip(pages, rows, strict=True):
        body = [row for at, row in enumerate(one.rows) if at not in held.get(page.number, set())]
        letters = sum(char.isalnum() for row in body for word in row.words for char in word.text)
        if page.pictured >= _STAMPED and letters < _FEW:
            found.add(page.number)
    return found


def _figure(page: ReadPage) -> Remark:
    return Remark(
        "image-page", page.place, f"an image covers {page.pictured:.0%} of it; words in the image are not read"
    )


def refuse(verdict: Verdict, pages: Sequence[ReadPage], where: str) -> None:
    """Refuse a file with pages that cannot be read.

    Raises:
        SourceError: it names all such pages.
    """
    if not verdict.unreadable:
        return
    found = []
    if verdict.images:
        many = len(verdict.images) > 1
        found.append(f"{named(verdict.images)} {'are images' if many else 'is an image'} without text")
    if verdict.garbage:
        said = next(page.health.said for page in pages if page.number == verdict.garbage[0])
        found.append(f"the text layer of {named(verdict.garbage)} is garbage ({said})")
    fix = f'set image_pages = "ocr" in the section [ingest] of caveat.toml (needs: {INSTALL})'
    raise SourceError("; ".join(found), where=where, allowed="pages with a text layer", fix=fix)


def named(pages: Sequence[int]) -> str:
    """ "page 3", "pages 1-4, 7"."""
    runs = [list(run) for _, run in groupby(enumerate(sorted(pages)), key=lambda pair: pair[1] - pair[0])]
    shown = [f"{run[0][1]}-{run[-1][1]}" if len(run) > 1 else str(run[0][1]) for run in runs]
    return f"page{'s' if len(pages) > 1 else ''} {', '.join(shown)}"
