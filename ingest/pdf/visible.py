"""Which words of a page nobody sees: white on white, covered, cut away, outside of the page, invisible, too small.

Where it is not known what lies below or above a word it counts as seen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ingest.pdf.images import ink_of_image
from ingest.pdf.paints import Ink, Paint, alike
from ingest.pdf.pieces import Piece, Sheet, joins

_TINY: Final = 2.0
"""Points; nobody reads such text."""
_SMALL: Final = "too small to be read"
_MARKS: Final = 3
"""Letters of a page in type too small: a mark or two, not something that is hidden."""
_NARROW: Final = 0.2
"""Points for each letter."""
_PAPER: Final = (1.0, 1.0, 1.0)
_THIN: Final = 2.0
"""Points; rules and hairlines are no ground and hide no word."""
_CELL: Final = 36.0
"""Points; of the squares by which paints are looked up."""
_LARGE: Final = 60
"""Squares; paints over more of them are looked up by themselves."""
_MOST_PAINTS: Final = 500
"""Paints at one point that are looked at; a drawing has thousands."""
_SAMPLES: Final = (0.1, 0.5, 0.9)
"""Of a word's length: it is hidden where it is at all of these."""
_MIDDLE: Final = 0.27
"""Of the em, above the baseline."""
_HEIGHTS: Final = (0.05, 0.5)
"""What covers a word does so at both; what strikes it out does not."""
_BESIDE: Final = 0.1
"""Visible letters to those of a recognised layer: a stamp on a scan."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Words that are in the file but not to be seen."""

    text: str
    why: str
    """"invisible", "covered", "outside of the page" and the like."""


def seen(pieces: Sequence[Piece], paints: Sequence[Paint], sheet: Sheet) -> tuple[list[Piece], list[Hidden], bool]:
    """The pieces that can be seen; the others, neighbours of one reason joined; whether they are a recognised layer.

    Under or over the image of a scan lie the words that were recognised in it; beside visible text there are none.
    """
    ground = _Ground(paints)
    reasons = [_hidden(piece, ground, sheet) for piece in pieces]
    layer = {at for at, why in enumerate(reasons) if why in ("invisible", "covered") and ground.in_picture(pieces[at])}
    letters = sum(len(pieces[at].text) for at in layer)
    beside = sum(len(piece.text) for piece, why in zip(pieces, reasons, strict=True) if why is None)
    recognised = bool(layer) and sheet.has_picture and beside <= _BESIDE * letters
    small = sum(len(piece.text) for piece, why in zip(pieces, reasons, strict=True) if why == _SMALL)
    if small <= _MARKS:
        reasons = [None if why == _SMALL else why for why in reasons]
    if recognised:
        reasons = [None if at in layer else why for at, why in enumerate(reasons)]
    found = [piece for piece, why in zip(pieces, reasons, strict=True) if why is None]
    return found, _joined(pieces, reasons), recognised


def _joined(pieces: Sequence[Piece], reasons: Sequence[str | None]) -> list[Hidden]:
    found: list[tuple[str, list[str]]] = []
    last: Piece | None = None
    for piece, why in zip(pieces, reasons, strict=True):
        if why is None:
            continue
        if last is None or found[-1][0] != why:
            found.append((why, []))
        elif piece.spaced or not joins(last, piece, piece.y):
            found[-1][1].append(" ")
        found[-1][1].append(piece.text)
        last = piece
    return [Hidden("".join(parts), why) for why, parts in found]


def _hidden(piece: Piece, ground: _Ground, sheet: Sheet) -> str | None:
    if piece.first.unseen:
        return piece.first.unseen
    if piece.face.size < _TINY or _is_narrow(piece):
        return _SMALL
    x0, top, x1, bottom = sheet.box(piece)
    x, y = (x0 + x1) / 2, (top + bottom) / 2
    if not (sheet.crop[0] <= x <= sheet.crop[2] and sheet.crop[1] <= y <= sheet.crop[3]):
        return "outside of the page"
    if piece.face.invisible:
        return "invisible"
    if ground.covers(piece):
        return "covered"
    return "of the colour of its ground" if ground.hides(piece) else None


def _is_narrow(piece: Piece) -> bool:
    """Whether a word is drawn as a stroke; a single letter may belong to a font that says no widths."""
    letters = len(piece.text)
    return letters > 2 and piece.end - piece.x < _NARROW * letters


class _Ground:
    """What was painted on a page, by place."""

    def __init__(self, paints: Sequence[Paint]) -> None:
        self._paints = paints
        self._large: list[int] = []
        self._cells: dict[tuple[float, float], list[int]] = defaultdict(list)
        self._inks: dict[int, Ink | None] = {}
        for at, paint in enumerate(paints):
            x0, y0, x1, y1 = paint.box
            if x1 - x0 < _THIN or y1 - y0 < _THIN:
                continue
            if not ((x1 - x0) // _CELL + 2) * ((y1 - y0) // _CELL + 2) <= _LARGE:
                self._large.append(at)
                continue
            for column in range(int(x0 // _CELL), int(x1 // _CELL) + 1):
                for row in range(int(y0 // _CELL), int(y1 // _CELL) + 1):
                    self._cells[column, row].append(at)

    def hides(self, piece: Piece) -> bool:
        """Whether a piece has the colour of what lies right below it."""
        ink, alpha = piece.face.ink, piece.face.alpha
        if ink is None:
            return alike(_PAPER, (0.0, 0.0, 0.0), alpha)
        below = (self._ink_below(piece.first.below, x, y) for x, y in _samples(piece))
        return all(one is not None and alike(ink, one, alpha) for one in below)

    def covers(self, piece: Piece) -> bool:
        """Whether something was laid over a piece through which nothing can be seen."""
        if piece.first.below == len(self._paints):
            return False
        points = [point for height in _HEIGHTS for point in _samples(piece, height)]
        return all(self._covered(piece.first.below, x, y) for x, y in points)

    def in_picture(self, piece: Piece) -> bool:
        """Whether an image lies under or over a piece, and is not all white."""
        x, y = _samples(piece)[1]
        for at in self._near(x, y, 0, len(self._paints)):
            paint = self._paints[at]
            if paint.image is not None and paint.covers(x, y):
                ink = self._ink(at)
                return ink is None or not alike(ink, _PAPER)
        return False

    def _ink_below(self, count: int, x: float, y: float) -> Ink | None:
        near = self._near(x, y, 0, count)
        for at in near:
            covers = self._paints[at].covers(x, y)
            if covers is not False:
                return self._ink(at) if covers else None
        return _PAPER if len(near) < _MOST_PAINTS else None

    def _covered(self, count: int, x: float, y: float) -> bool:
        near = self._near(x, y, count, len(self._paints))
        return any(self._paints[at].solid and self._paints[at].covers(x, y) for at in near)

    def _near(self, x: float, y: float, first: int, end: int) -> list[int]:
        """Paints around a point, of those from `first` to `end`, from the uppermost; at most so many."""
        found: list[int] = []
        for held in (self._cells.get((x // _CELL, y // _CELL), []), self._large):
            low, high = bisect_left(held, first), bisect_left(held, end)
            found += held[max(low, high - _MOST_PAINTS) : high]
        return sorted(found, reverse=True)[:_MOST_PAINTS]

    def _ink(self, at: int) -> Ink | None:
        image = self._paints[at].image
        if image is None:
            return self._paints[at].ink
        if id(image) not in self._inks:
            self._inks[id(image)] = ink_of_image(image)
        return self._inks[id(image)]


def _samples(piece: Piece, height: float = _MIDDLE) -> list[tuple[float, float]]:
    """Points of a piece, all on one line."""
    (cos, sin), size = piece.face.along, piece.face.size
    v = piece.y + height * size
    along = (piece.x + part * (piece.end - piece.x) for part in _SAMPLES)
    return [(u * cos - v * sin, u * sin + v * cos) for u in along]
