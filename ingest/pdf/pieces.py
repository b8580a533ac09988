"""Glyphs to pieces: runs without a gap, ligatures and accents as the characters that they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ingest.pdf.geometry import Box
from ingest.pdf.glyphs import UNKNOWN, Face, Glyph

DESCENT: Final = 0.2
"""Of the em, below the baseline: one value for all fonts, so that words of one line have one lower edge."""
_GAP: Final = 0.15
"""Of the em: a wider gap between glyphs is a space; the narrowest space in use is about 0.2."""
_OVERLAP: Final = 0.4
"""Of the em: glyphs are set back by less (kerning, accents)."""
SAME: Final = 0.12
"""Of the em: the same character again, so near, is printed twice to look bold."""
_DOUBLED: Final = 0.5
"""Of its own width: so near in type that is set narrow."""
ON_LINE: Final = 0.12
"""Of the em: baselines that differ by less are one."""
_RAISED: Final = 0.15
_FRACTION: Final = "\u2044"
_SPACES: Final = frozenset(
    " \u00a0\t\n\r\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_NOTHING: Final = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\x00-\x1f\x7f-\x9f]")
_LIGATURE: Final = re.compile("[\ufb00-\ufdff\ufe70-\ufefc]")
_INNER_SOFT: Final = re.compile("\u00ad(?=.)")
_PICTURES: Final = re.compile(r"wingding|webding|dingbat", re.IGNORECASE)
# The private codes that Word gives to characters of the font Symbol, as far as texts use them.
_SYMBOLS: Final = {
    "\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0a8": "▪", "\uf0b0": "°", "\uf0b1": "±",
    "\uf0b3": "≥", "\uf0a3": "≤", "\uf0b4": "×", "\uf0b9": "≠", "\uf0bb": "≈", "\uf0ae": "→", "\uf0de": "⇒",
    "\uf06d": "μ", "\uf02b": "+", "\uf02d": "-", "\uf03d": "=", "\uf0a5": "∞", "\uf053": "Σ", "\uf0e5": "∑",
}  # fmt: skip
PICTURE: Final = "▪"
ACCENTS: Final = {
    "ˆ": "\u0302", "¸": "\u0327", "˜": "\u0303", "´": "\u0301", "¨": "\u0308", "ˇ": "\u030c", "˘": "\u0306",
    "˚": "\u030a", "˛": "\u0328", "˝": "\u030b", "¯": "\u0304", "˙": "\u0307",
}  # fmt: skip
"""Accents that old fonts print over a letter, as the characters that combine with it."""


@dataclass(slots=True)
class Piece:
    """A run of glyphs without a gap, in one face; `x` and `y` are along and across its direction."""

    face: Face
    text: str
    x: float
    end: float
    y: float
    spaced: bool
    """A space comes before it."""
    first: Glyph
    doubled: bool = False
    last: float = 0.0
    """Where its last glyph starts."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where a page lies: pdfminer's points to those of `ingest.pdf.geometry`."""

    left: float
    base: float
    """Height of the page, so that y is measured from its top."""
    crop: Box
    has_picture: bool
    """An image covers much of it, so that invisible text is what was recognised in it."""

    def box(self, piece: Piece) -> Box:
        """(x0, top, x1, bottom) of a piece."""
        (cos, sin), size = piece.face.along, piece.face.size
        low, high = piece.y - DESCENT * size, piece.y + (1 - DESCENT) * size
        xs = [u * cos - v * sin for u in (piece.x, piece.end) for v in (low, high)]
        ys = [u * sin + v * cos for u in (piece.x, piece.end) for v in (low, high)]
        return min(xs) + self.left, self.base - max(ys), max(xs) + self.left, self.base - min(ys)


def is_unknown(char: str) -> bool:
    """Whether a character says nothing: the replacement character, private use, not assigned."""
    return char == UNKNOWN or (ord(char) > 0xDFF and unicodedata.category(char) in ("Co", "Cn", "Cs"))


def pieces_of(glyphs: Sequence[Glyph]) -> list[Piece]:
    """Glyphs that follow each other without a gap, in the order of the file."""
    found: list[Piece] = []
    piece: Piece | None = None
    spaced = False
    for glyph in glyphs:
        face, text, x, y, advance, _, unseen = glyph
        if text in _SPACES:
            spaced, piece = True, None
            continue
        if text in ACCENTS and piece is not None and piece.text[-1:].isalpha() and x < piece.end - SAME * face.size:
            piece.text += ACCENTS[text]
            continue
        if face.turn != 0:
            cos, sin = face.along
            x, y = x * cos + y * sin, y * cos - x * sin
        same = piece is not None and piece.face is face and piece.first.unseen == unseen
        if piece is not None and same and not spaced and _follows(piece, x, y):
            if text == piece.text[-1:] and x - piece.last < min(SAME * face.size, _DOUBLED * advance):
                piece.doubled = True
                continue
            piece.text += text
            piece.end, piece.last = max(piece.end, x + advance), x
            continue
        piece = Piece(face, text, x, x + advance, y + face.rise, spaced, glyph, last=x)
        found.append(piece)
        spaced = False
    for piece in found:
        piece.text = _clean(piece)
    return [piece for piece in found if piece.text]


def _follows(piece: Piece, x: float, y: float) -> bool:
    size = piece.face.size
    gap = x - piece.end - max(piece.face.tracking, 0.0)
    return abs(y + piece.face.rise - piece.y) <= ON_LINE * size and -_OVERLAP * size < gap <= _GAP * size


def _clean(piece: Piece) -> str:
    text = piece.text
    if text.isascii() and text.isprintable():
        return PICTURE * len(text) if _PICTURES.search(piece.face.font) else text
    text = "".join(_SYMBOLS.get(char, char) for char in text)
    if _PICTURES.search(piece.face.font):
        text = "".join(
            PICTURE if char.isalnum() or is_unknown(char) or not char.isprintable() else char for char in text
        )
    text = _LIGATURE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return unicodedata.normalize("NFC", _NOTHING.sub("", _INNER_SOFT.sub("", text)))


def joins(left: Piece, right: Piece, main: float) -> bool:
    """Whether two neighbours of a row are one word; `main` is the row's baseline."""
    size = min(left.face.size, right.face.size)
    gap = right.x - left.end - max(left.face.tracking, 0.0)
    fraction = left.text.endswith(_FRACTION) or right.text.startswith(_FRACTION)
    same_height = fraction or is_raised(left, main) == is_raised(right, main)
    return not right.spaced and same_height and -2 * _OVERLAP * size < gap <= _GAP * size


def is_raised(piece: Piece, main: float) -> bool:
    """Whether a piece stands above its row's baseline."""
    return piece.y - main > _RAISED * piece.face.size
