"""Which words of a page nobody sees: white on white, outside of the page, invisible, smaller than a point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ingest.pdf.glyphs import Paint
from ingest.pdf.pieces import Piece, Sheet, joins

_TINY: Final = 1.0
"""Points; nobody reads such text."""
_FAINT: Final = 0.04
"""Difference in lightness between text and what lies below it that no eye sees."""
_PAPER: Final = 1.0
_MOST_PAINTS: Final = 500
"""Areas of one lightness among which the ground of a text is looked for; a drawing has thousands."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Words that are in the file but not to be seen."""

    text: str
    why: str
    """"white on white", "outside of the page", "invisible", "smaller than a point"."""


def seen(pieces: Sequence[Piece], paints: Sequence[Paint], sheet: Sheet) -> tuple[list[Piece], list[Hidden]]:
    """The pieces that can be seen; the others, neighbours of one reason joined."""
    found: list[Piece] = []
    hidden: list[Hidden] = []
    ground = _Ground(paints, sheet)
    last: Piece | None = None
    for piece in pieces:
        why = _hidden(piece, ground)
        if why is None:
            found.append(piece)
        elif last and hidden[-1].why == why:
            space = "" if not piece.spaced and joins(last, piece, piece.y) else " "
            hidden[-1] = replace(hidden[-1], text=f"{hidden[-1].text}{space}{piece.text}")
        else:
            hidden.append(Hidden(piece.text, why))
        last = piece if why else last
    return found, hidden


def _hidden(piece: Piece, ground: _Ground) -> str | None:
    if piece.face.size < _TINY:
        return "smaller than a point"
    sheet = ground.sheet
    x0, top, x1, bottom = sheet.box(piece)
    x, y = (x0 + x1) / 2, (top + bottom) / 2
    if not (sheet.crop[0] <= x <= sheet.crop[2] and sheet.crop[1] <= y <= sheet.crop[3]):
        return "outside of the page"
    if piece.face.invisible:
        return None if sheet.has_picture else "invisible"
    return "of the colour of its ground" if ground.hides(piece, x - sheet.left, sheet.base - y) else None


class _Ground:
    """What was painted on a page, by lightness."""

    def __init__(self, paints: Sequence[Paint], sheet: Sheet) -> None:
        self.sheet = sheet
        self._paints = paints
        self._alike: dict[float, list[Paint]] = defaultdict(list)
        for paint in paints:
            if paint.ink is not None:
                self._alike[round(paint.ink, 1)].append(paint)

    def hides(self, piece: Piece, x: float, y: float) -> bool:
        """Whether a piece at a point has the lightness of what lies right below it."""
        ink = piece.face.ink
        if ink is None or not (abs(ink - _PAPER) < _FAINT or self._may_hide(ink, x, y)):
            return False
        below = (paint for paint in reversed(self._paints[: piece.first.below]) if _covers(paint, x, y))
        uppermost = next(below, None)
        lightness = _PAPER if uppermost is None else uppermost.ink
        return lightness is not None and abs(ink - lightness) < _FAINT

    def _may_hide(self, ink: float, x: float, y: float) -> bool:
        """Whether something as light was painted there at all, which most dark text needs not be asked."""
        near = {round(ink - _FAINT, 1), round(ink, 1), round(ink + _FAINT, 1)}
        alike = [paint for lightness in near for paint in self._alike.get(lightness, ())]
        return len(alike) <= _MOST_PAINTS and any(_covers(paint, x, y) for paint in alike)


def _covers(paint: Paint, x: float, y: float) -> bool:
    return paint.x0 <= x <= paint.x1 and paint.y0 <= y <= paint.y1
