"""What a page's content stream shows: glyphs with their face, place and ink, and what was painted below them.

ISO 32000-1, chapter 9. Coordinates are pdfminer's: points from the lower left corner of the page as displayed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Final, NamedTuple

from pdfminer.converter import PDFPageAggregator
from pdfminer.pdfcolor import PDFColorSpace
from pdfminer.pdffont import PDFFont, PDFType3Font, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFGraphicState, PDFTextState
from pdfminer.pdftypes import PDFStream
from pdfminer.utils import Matrix, mult_matrix

from ingest.pdf.images import is_opaque
from ingest.pdf.paints import Area, Clip, Ink, Paint, alike, area_of, image_area, ink_of, painted

UNKNOWN: Final = "\ufffd"
"""A glyph of which the file does not say what character it is."""
_BOLD: Final = re.compile(r"bold|black|heavy|semibold|demi|[-,](?:b|bd|bdit|bi)$", re.IGNORECASE)
_SUBSET: Final = re.compile(r"^[A-Z]{6}\+")
_BOLD_WEIGHT: Final = 600
_INVISIBLE: Final = (3, 7)
_STROKED: Final = 1
_THICK: Final = 2
"""Text rendering modes (table 106): neither filled nor stroked; stroked; filled and stroked."""
OFF: Final = "on a layer that is off"
CUT: Final = "cut away"
_MIDDLE: Final = 0.3
"""Of the em, above the baseline: the middle of letters."""
_DENSE: Final = 0.5
"""Paint that is more transparent is no ground."""
_SOLID: Final = 0.95
"""Below paint that is as dense nothing can be seen."""
_FLAT: Final = 0.02
"""Slope, below which text is level."""


@dataclass(frozen=True, slots=True)
class Face:
    """How a string of glyphs looks."""

    font: str
    size: float
    """Of the em, in points of the page."""
    bold: bool
    turn: int | None
    """Quarter turns counterclockwise in which the text runs: 0 is level, 1 upward; None is aslant."""
    along: tuple[float, float]
    """Direction of the baseline, of length 1."""
    rise: float
    tracking: float
    """Extra points after each glyph."""
    ink: Ink | None
    """None: not known, a pattern or a separation in use."""
    alpha: float
    """From 0 (not there) to 1."""
    invisible: bool


class Glyph(NamedTuple):
    """A character on its place."""

    face: Face
    text: str
    x: float
    y: float
    advance: float
    """Points along the baseline."""
    below: int
    """How many paints lie below it."""
    unseen: str | None = None
    """Why it is not shown, whatever lies below it."""


class Recorder(PDFPageAggregator):
    """A pdfminer device that keeps glyphs and paints as tuples; paths and images become layout objects as usual."""

    def __init__(self, rsrcmgr: Any, pageno: int) -> None:
        super().__init__(rsrcmgr, pageno=pageno)
        self.glyphs: list[Glyph] = []
        self.paints: list[Paint] = []
        self.runs = 0
        """Content streams that were run."""
        self._faces: dict[tuple[object, ...], Face] = {}
        self._characters: dict[tuple[int, int], tuple[str, float]] = {}
        self._mode = 0
        self._tracking = 0.0
        self._face: Face | None = None
        self._stretch = 1.0
        self.unshown: list[bool] = []
        """Of every marked content, form and image around: whether its layer is off."""
        self.state: Any = None
        """Graphics state in which an image is drawn."""
        self._clip: Clip | None = None
        self._within_path = False

    def render_string(
        self, textstate: PDFTextState, seq: Any, ncs: PDFColorSpace, graphicstate: PDFGraphicState
    ) -> None:
        """Record a string; its face is the same for all its glyphs."""
        font = textstate.font
        if font is None or self.ctm is None:
            return
        self._mode, self._tracking = textstate.render, textstate.charspace
        matrix = mult_matrix(textstate.matrix, self.ctm)
        self._stretch = hypot(matrix[0], matrix[1])
        self._face = self._face_of(font, textstate, matrix, graphicstate)
        self._clip = getattr(graphicstate, "clip", None)
        super().render_string(textstate, seq, ncs, graphicstate)

    def _face_of(self, font: PDFFont, state: PDFTextState, matrix: Matrix, graphics: PDFGraphicState) -> Face:
        key = (font, state.fontsize, matrix[:4], state.rise, state.charspace, state.render, *_paint_key(graphics))
        face = self._faces.get(key)
        if face is None:
            a, b, c, d = matrix[:4]
            sign = -1.0 if state.fontsize < 0 else 1.0
            a, b = sign * a, sign * b
            length = hypot(a, b) or 1.0
            face = self._faces[key] = Face(
                font=_name(font),
                size=abs(state.fontsize) * hypot(c, d) * _em(font),
                bold=_is_bold(font) or state.render == _THICK,
                turn=_turn(a, b),
                along=(a / length, b / length),
                rise=state.rise * hypot(c, d),
                tracking=state.charspace * state.scaling * 0.01 * length,
                ink=_text_ink(state.render, graphics),
                alpha=_text_alpha(state.render, graphics),
                invisible=state.render in _INVISIBLE,
            )
        return face

    def render_char(
        self,
        matrix: Matrix,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        cid: int,
        ncs: PDFColorSpace,
        graphicstate: PDFGraphicState,
    ) -> float:
        """Record a glyph."""
        key = (id(font), cid)
        found = self._characters.get(key)
        if found is None:
            found = self._characters[key] = (_character(font, cid), font.char_width(cid))
        advance = found[1] * fontsize * scaling
        if self._face is not None:
            x, y = matrix[4], matrix[5]
            shown = abs(advance) * self._stretch
            unseen = self._unseen(x, y, shown)
            self.glyphs.append(Glyph(self._face, found[0], x, y, shown, len(self.paints), unseen))
        return advance

    def _unseen(self, x: float, y: float, advance: float) -> str | None:
        if any(self.unshown):
            return OFF
        if self._clip is None or self._face is None:
            return None
        (cos, sin), size = self._face.along, self._face.size
        u, v = advance / 2, _MIDDLE * size
        x, y = x + u * cos - v * sin, y + u * sin + v * cos
        x0, y0, x1, y1 = self._clip.box
        reach = _MIDDLE * size
        if not (x0 - reach <= x <= x1 + reach and y0 - reach <= y <= y1 + reach):
            return CUT
        near = [(x, y), (x - reach, y), (x + reach, y), (x, y - reach), (x, y + reach)]
        outside = any(all(area.covers(*point) is False for point in near) for area in self._clip.areas)
        return CUT if outside else None

    def paint_path(self, gstate: PDFGraphicState, stroke: bool, fill: bool, evenodd: bool, path: Sequence[Any]) -> None:
        """Keep a path as usual, and remember what it fills."""
        # A path of several parts comes back here part by part.
        outermost, self._within_path = not self._within_path, True
        if fill and outermost and self.ctm is not None:
            area = area_of(path, self.ctm, evenodd)
            if area is not None:
                self._paint(area, gstate, ink_of(gstate.ncs, gstate.ncolor))
        super().paint_path(gstate, stroke, fill, evenodd, path)
        if outermost:
            self._within_path = False

    def render_image(self, name: str, stream: PDFStream) -> None:
        """Keep an image as usual, and remember where it lies."""
        super().render_image(name, stream)
        area = image_area(self.ctm) if self.ctm is not None else None
        if area is not None and self.state is not None:
            self._paint(area, self.state, None, stream)

    def shade(self, gstate: Any) -> None:
        """Remember a shading, which fills what the clip leaves."""
        self._paint(None, gstate, None)

    def _paint(self, area: Area | None, state: Any, ink: Ink | None, image: PDFStream | None = None) -> None:
        alpha, plain = getattr(state, "alpha", 1.0), getattr(state, "plain", True)
        if any(self.unshown) or alpha < _DENSE:
            return
        solid = plain and alpha >= _SOLID and (ink is not None if image is None else is_opaque(image))
        self.paints.append(painted(area, getattr(state, "clip", None), ink if plain else None, solid, image))


def _text_alpha(mode: int, state: PDFGraphicState) -> float:
    return float(getattr(state, "stroke_alpha" if mode == _STROKED else "alpha", 1.0))


def _text_ink(mode: int, state: PDFGraphicState) -> Ink | None:
    fill, stroke = ink_of(state.ncs, state.ncolor), ink_of(state.scs, state.scolor)
    if mode != _THICK:
        return stroke if mode == _STROKED else fill
    # A fill with an outline of another colour can be seen on either.
    return fill if fill and stroke and alike(fill, stroke) else None


def _paint_key(state: PDFGraphicState) -> tuple[object, ...]:
    alphas = getattr(state, "alpha", 1.0), getattr(state, "stroke_alpha", 1.0)
    return (state.ncs.name, _hashable(state.ncolor), state.scs.name, _hashable(state.scolor), *alphas)


def _hashable(colour: Any) -> object:
    return (
        tuple(map(str, colour)) if isinstance(colour, list | tuple) else colour if _is_number(colour) else str(colour)
    )


def _character(font: PDFFont, cid: int) -> str:
    try:
        text = font.to_unichr(cid) or UNKNOWN
    except PDFUnicodeNotDefined:
        return UNKNOWN
    # Code 173 of WinAnsiEncoding is a hyphen (annex D.2); pdfminer.six takes it for a space.
    return "-" if cid == 0xAD and text == " " and not font.is_multibyte() else text


def _name(font: PDFFont) -> str:
    name = font.fontname
    return _SUBSET.sub("", name.decode("latin-1") if isinstance(name, bytes) else str(name))


def _is_bold(font: PDFFont) -> bool:
    weight = font.descriptor.get("FontWeight")
    return bool(_BOLD.search(_name(font))) or (isinstance(weight, int | float) and weight >= _BOLD_WEIGHT)


def _em(font: PDFFont) -> float:
    """Points of the em at size 1; a Type 3 font has its own units (9.6.5)."""
    if not isinstance(font, PDFType3Font):
        return 1.0
    height = abs(font.bbox[3] - font.bbox[1]) * abs(font.vscale)
    return height if height > 0 else 1.0


def _turn(a: float, b: float) -> int | None:
    if abs(b) <= _FLAT * abs(a):
        return 0 if a >= 0 else 2
    if abs(a) <= _FLAT * abs(b):
        return 1 if b > 0 else 3
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
