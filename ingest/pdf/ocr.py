"""Words of a page that is a picture, by Tesseract (https://tesseract-ocr.github.io), which runs on this machine.

Needs the extra `ocr` (pytesseract) and the program `tesseract`, which no Python package carries. Nothing is
downloaded. Bold type, superscripts and tables' rules are not seen; English is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

import pdfplumber

from ingest.errors import SourceError
from ingest.pdf.geometry import Word

if TYPE_CHECKING:
    from PIL.Image import Image

RESOLUTION: Final = 300
"""Dots per inch: what Tesseract was trained for."""
MOST_DOTS: Final = 40_000_000
"""Of one picture (120 MB); a larger page is drawn with fewer dots per inch."""
SECONDS: Final = 90
"""For one reading of one page."""
SURE: Final = 75.0
"""Per cent: a page that is read with less confidence may lie on its side or upside down."""
LEAST: Final = 30.0
"""Per cent: what is read with less confidence is a stain, a line or part of a picture."""
INSTALL: Final = 'pip install -e ".[ocr]"'
PROGRAM: Final = (
    'the program: "apt-get install tesseract-ocr" (Debian, Ubuntu), "brew install tesseract" (macOS, Homebrew)'
)
_INK: Final = 0.92
"""Height of a line with ascenders and descenders, of its font size."""
_FONT: Final = "image"


@dataclass(frozen=True, slots=True)
class ImageText:
    """What was read from a picture of a page."""

    words: tuple[Word, ...] = ()
    """In the order of lines, upright: of a page that lies on its side, width and height change places."""
    confidence: float = 0.0
    """Per cent, the mean over letters, as Tesseract believes."""
    left_out: tuple[str, ...] = ()
    """Words read with less confidence than LEAST."""


def read_image(page: pdfplumber.page.Page, where: str) -> ImageText:
    """The words of a page, how sure they are, and what was left out.

    A page that is hardly understood is read again in the other directions, and the best reading counts.

    Raises:
        SourceError: pytesseract or tesseract is missing, or the page cannot be read.
    """
    tesseract = _tesseract(where)
    inches = float(page.width) * float(page.height) / 72**2
    resolution = min(RESOLUTION, (MOST_DOTS / inches) ** 0.5)
    picture = page.to_image(resolution=resolution).original
    best = _Reading(_read(tesseract, picture, where))
    for turn in () if best.is_sure() else best.other_turns():
        reading = _Reading(_read(tesseract, picture.rotate(turn, expand=True), where))
        best = max(best, reading, key=_Reading.score)
    return best.text(72 / resolution)


def _tesseract(where: str) -> ModuleType:
    try:
        import pytesseract
    except ImportError:
        found = "reading pictures of pages needs the package pytesseract, which is not installed"
        raise SourceError(found, where=where, fix=f"{INSTALL} and {PROGRAM}") from None
    return cast(ModuleType, pytesseract)


def _read(tesseract: ModuleType, picture: Image, where: str) -> Mapping[str, Sequence[Any]]:
    try:
        found = tesseract.image_to_data(picture, output_type=tesseract.Output.DICT, timeout=SECONDS)
    except tesseract.TesseractNotFoundError:
        found = "reading pictures of pages needs the program tesseract, which is not installed"
        raise SourceError(found, where=where, fix=f"install {PROGRAM}") from None
    except (RuntimeError, OSError) as error:
        # pytesseract reports a timeout as RuntimeError, and a failed run as a subclass of it.
        raise SourceError(
            f"tesseract cannot read this page ({str(error)[:200]})", where=where, fix="scan it anew, or type it"
        ) from None
    return cast(Mapping[str, Sequence[Any]], found)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Tesseract's table for one picture: a line each for pages, blocks, paragraphs, lines (level 4), words (5)."""

    data: Mapping[str, Sequence[Any]]

    def places(self) -> list[int]:
        """The lines of the table with words."""
        return [
            place for place, text in enumerate(self.data["text"]) if str(text).strip() and self.sureness(place) >= 0
        ]

    def sureness(self, place: int) -> float:
        return float(self.data["conf"][place])

    def letters(self, place: int) -> int:
        return sum(map(str.isalnum, self.data["text"][place]))

    def confidence(self) -> float:
        places = self.places()
        total = sum(map(self.letters, places))
        return sum(self.letters(place) * self.sureness(place) for place in places) / total if total else 0.0

    def lies(self) -> bool:
        """Whether most words are higher than wide, as on a page on its side."""
        long = [place for place in self.places() if self.letters(place) > 3]
        tall = sum(self.data["height"][place] > self.data["width"][place] for place in long)
        return bool(2 * tall > len(long))

    def is_sure(self) -> bool:
        return not self.places() or (self.confidence() >= SURE and not self.lies())

    def other_turns(self) -> tuple[int, ...]:
        """Degrees against the clock that may set it upright."""
        return (90, 270) if self.lies() else (180, 90, 270)

    def score(self) -> float:
        """Letters that are surely read; upright words before others."""
        sure = sum(self.letters(place) for place in self.places() if self.sureness(place) >= SURE)
        return sure * (0.5 if self.lies() else 1.0)

    def text(self, scale: float) -> ImageText:
        """The words in points; `scale`: points of a dot."""
        lines = self._lines()
        sizes = self._sizes(scale)
        kept = [place for place in self.places() if self.sureness(place) >= LEAST]
        words = tuple(self._word(place, lines, sizes, scale) for place in kept)
        left = tuple(str(self.data["text"][place]) for place in self.places() if self.sureness(place) < LEAST)
        return ImageText(words, self.confidence(), left)

    def _key(self, place: int, depth: int) -> tuple[int, ...]:
        return tuple(int(self.data[name][place]) for name in ("block_num", "par_num", "line_num")[:depth])

    def _lines(self) -> dict[tuple[int, ...], int]:
        return {self._key(place, 3): place for place, level in enumerate(self.data["level"]) if level == 4}

    def _sizes(self, scale: float) -> dict[tuple[int, ...], float]:
        """The font size of each paragraph: a line without descenders is lower than its neighbours."""
        heights: dict[tuple[int, ...], list[int]] = {}
        for place in self._lines().values():
            heights.setdefault(self._key(place, 2), []).append(self.data["height"][place])
        return {paragraph: round(2 * median(found) * scale / _INK) / 2 for paragraph, found in heights.items()}

    def _word(
        self, place: int, lines: Mapping[tuple[int, ...], int], sizes: Mapping[tuple[int, ...], float], scale: float
    ) -> Word:
        """A word as high as its line, so that all words of a line stand side by side."""
        line = lines.get(self._key(place, 3), place)
        left, width = self.data["left"][place], self.data["width"][place]
        top, height = self.data["top"][line], self.data["height"][line]
        size = sizes.get(self._key(place, 2), height * scale)
        text = str(self.data["text"][place]).strip()
        return Word(text, left * scale, top * scale, (left + width) * scale, (top + height) * scale, size, _FONT)
