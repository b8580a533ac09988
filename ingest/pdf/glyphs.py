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
from pdfminer.layout import LTComponent
from pdfminer.pdfcolor import PDFColorSpace
from pdfminer.pdffont import PDFFont, PDFType3Font, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFGraphicState, PDFTextState
from pdfminer.pdftypes import PDFStream
from pdfminer.utils import Matrix, mult_matrix

UNKNOWN: Final = "\ufffd"
"""A glyph of which the file does not say what character it is."""
_BOLD: Final = re.compile(r"bold|black|heavy|semibold|demi|[-,](?:b|bd|bdit|bi)$", re.IGNORECASE)
_SUBSET: Final = re.compile(r"^[A-Z]{6}\+")
_BOLD_WEIGHT: Final = 600
_INVISIBLE: Final = (3, 7)
_THICK: Final = 2
"""Text rendering modes (table 106): neither filled nor stroked; filled and stroked."""
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
    ink: float | None
    """From 0 (black) to 1 (white); None: not known, a pattern or a separation in use."""
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


class Paint(NamedTuple):
    """An area that was painted; `ink` as in Face, None for images."""

    x0: float
    y0: float
    x1: float
    y1: float
    ink: float | None


class Recorder(PDFPageAggregator):
    """A pdfminer device that keeps glyphs as tuples; paths and images become layout objects as usual."""

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
        super().render_string(textstate, seq, ncs, graphicstate)

    def _face_of(self, font: PDFFont, state: PDFTextState, matrix: Matrix, graphics: PDFGraphicState) -> Face:
        key = (font, state.fontsize, matrix[:4], state.rise, state.charspace, state.render, *_paint_key(graphics))
        face = self._faces.get(key)
        if face is None:
            a, b, c, d = matrix[:4]
            space, colour = (graphics.scs, graphics.scolor) if state.render == 1 else (graphics.ncs, graphics.ncolor)
            length = hypot(a, b) or 1.0
            face = self._faces[key] = Face(
                font=_name(font),
                size=abs(state.fontsize) * hypot(c, d) * _em(font),
                bold=_is_bold(font) or state.render == _THICK,
                turn=_turn(a, b),
                along=(a / length, b / length),
                rise=state.rise * hypot(c, d),
                tracking=state.charspace * state.scaling * 0.01 * length,
                ink=_ink(space, colour),
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
            self.glyphs.append(Glyph(self._face, found[0], x, y, advance * self._stretch, len(self.paints)))
        return advance

    def paint_path(self, gstate: PDFGraphicState, stroke: bool, fill: bool, evenodd: bool, path: Sequence[Any]) -> None:
        """Keep a path as usual, and remember what it fills."""
        held = self.cur_item._objs
        before = len(held)
        super().paint_path(gstate, stroke, fill, evenodd, path)
        if fill:
            ink = _ink(gstate.ncs, gstate.ncolor)
            self.paints += [Paint(*item.bbox, ink) for item in held[before:] if isinstance(item, LTComponent)]

    def render_image(self, name: str, stream: PDFStream) -> None:
        """Keep an image as usual, and remember where it lies."""
        super().render_image(name, stream)
        self.paints.append(Paint(*self.cur_item.bbox, None))


def _paint_key(state: PDFGraphicState) -> tuple[object, ...]:
    return (state.ncs.name, _hashable(state.ncolor), _hashable(state.scolor))


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


def _ink(space: PDFColorSpace, colour: Any) -> float | None:
    """How light a colour is, judged by the number of its components."""
    values = colour if isinstance(colour, list | tuple) else (colour,)
    if space.name in ("Pattern", "Indexed", "Lab") or not values or not all(map(_is_number, values)):
        return None
    if space.name in ("Separation", "DeviceN"):
        return 1.0 if all(value <= _FLAT for value in values) else None
    if len(values) == 4:
        c, m, y, k = values
        return _light(tuple((1 - one) * (1 - k) for one in (c, m, y)))
    return _light(values) if len(values) == 3 else float(values[0])


def _light(red_green_blue: Sequence[float]) -> float:
    red, green, blue = red_green_blue
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
