"""Glyphs to words: spaces by gaps, superscripts, fake bold, ligatures, and what a reader of the page cannot see."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.pdf.geometry import Box, Word
from ingest.pdf.glyphs import UNKNOWN, Face, Glyph, Paint

DESCENT: Final = 0.2
"""Of the em, below the baseline: one value for all fonts, so that words of one line have one lower edge."""
_GAP: Final = 0.15
"""Of the em: a wider gap between glyphs is a space; the narrowest space in use is about 0.2."""
_OVERLAP: Final = 0.4
"""Of the em: glyphs are set back by less (kerning, accents)."""
_SAME: Final = 0.12
"""Of the em: the same character again, so near, is printed twice to look bold."""
_ON_LINE: Final = 0.12
"""Of the em: baselines that differ by less are one."""
_RAISED: Final = 0.15
_SMALL: Final = 0.86
"""Superscripts are smaller than this part of their line."""
_TINY: Final = 1.0
"""Points; nobody reads such text."""
_FAINT: Final = 0.04
"""Difference in lightness between text and what lies below it that no eye sees."""
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


@dataclass(frozen=True, slots=True)
class Hidden:
    """Words that are in the file but not to be seen."""

    text: str
    why: str
    """"white on white", "outside of the page", "invisible", "smaller than a point"."""


@dataclass(frozen=True, slots=True)
class PageWords:
    """The words of one page."""

    rows: tuple[tuple[Word, ...], ...]
    """Level ones by their baseline, from the top, each row from the left: a line of every column."""
    turned: tuple[tuple[Word, ...], ...] = ()
    """Lines that run upward, downward or aslant."""
    hidden: tuple[Hidden, ...] = ()
    glyphs: int = 0
    """Visible ones, without spaces."""
    unknown: int = 0
    """Of these, the ones of which nobody knows what character they are."""
    turn: int | None = 0
    """Quarter turns (as in Face) of most of the page's text."""


@dataclass(slots=True)
class _Piece:
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


@dataclass(slots=True)
class _Row:
    y: float
    size: float
    pieces: list[_Piece] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where a page lies: pdfminer's points to those of `ingest.pdf.geometry`."""

    left: float
    base: float
    """Height of the page, so that y is measured from its top."""
    crop: Box
    has_picture: bool
    """An image covers much of it, so that invisible text is what was recognised in it."""

    def box(self, piece: _Piece) -> Box:
        """(x0, top, x1, bottom) of a piece."""
        (cos, sin), size = piece.face.along, piece.face.size
        low, high = piece.y - DESCENT * size, piece.y + (1 - DESCENT) * size
        xs = [u * cos - v * sin for u in (piece.x, piece.end) for v in (low, high)]
        ys = [u * sin + v * cos for u in (piece.x, piece.end) for v in (low, high)]
        return min(xs) + self.left, self.base - max(ys), max(xs) + self.left, self.base - min(ys)


def words_of(glyphs: Sequence[Glyph], paints: Sequence[Paint], sheet: Sheet) -> PageWords:
    """The words of a page, and those that cannot be seen."""
    pieces, hidden = _seen(_pieces(glyphs), paints, sheet)
    level = [piece for piece in pieces if piece.face.turn == 0]
    rows = _rows(level)
    turned = _turned([piece for piece in pieces if piece.face.turn != 0])
    text = "".join(piece.text for piece in pieces)
    turns = Counter({0: 1})
    for piece in pieces:
        turns[piece.face.turn if piece.face.turn is not None else 0] += len(piece.text)
    return PageWords(
        tuple(tuple(_words(row, sheet)) for row in rows),
        tuple(tuple(_words(row, sheet)) for row in turned),
        tuple(hidden),
        len(text),
        sum(map(is_unknown, text)),
        turns.most_common(1)[0][0],
    )


def is_unknown(char: str) -> bool:
    """Whether a character says nothing: the replacement character, private use, not assigned."""
    return char == UNKNOWN or (ord(char) > 0xDFF and unicodedata.category(char) in ("Co", "Cn", "Cs"))


# Glyphs to pieces


def _pieces(glyphs: Sequence[Glyph]) -> list[_Piece]:
    """Glyphs that follow each other without a gap, in the order of the file."""
    found: list[_Piece] = []
    piece: _Piece | None = None
    spaced = False
    for glyph in glyphs:
        face, text, x, y, advance, _ = glyph
        if text in _SPACES:
            spaced, piece = True, None
            continue
        if text in ACCENTS and piece is not None and piece.text[-1:].isalpha() and x < piece.end - _SAME * face.size:
            piece.text += ACCENTS[text]
            continue
        if face.turn != 0:
            cos, sin = face.along
            x, y = x * cos + y * sin, y * cos - x * sin
        if piece is not None and piece.face is face and not spaced and _follows(piece, x, y):
            if text == piece.text[-1:] and x - piece.last < _SAME * face.size:
                piece.doubled = True
                continue
            piece.text += text
            piece.end, piece.last = max(piece.end, x + advance), x
            continue
        piece = _Piece(face, text, x, x + advance, y + face.rise, spaced, glyph, last=x)
        found.append(piece)
        spaced = False
    for piece in found:
        piece.text = _clean(piece)
    return [piece for piece in found if piece.text]


def _follows(piece: _Piece, x: float, y: float) -> bool:
    size = piece.face.size
    gap = x - piece.end - max(piece.face.tracking, 0.0)
    return abs(y + piece.face.rise - piece.y) <= _ON_LINE * size and -_OVERLAP * size < gap <= _GAP * size


def _clean(piece: _Piece) -> str:
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


# What can be seen


def _seen(pieces: list[_Piece], paints: Sequence[Paint], sheet: Sheet) -> tuple[list[_Piece], list[Hidden]]:
    """The pieces that can be seen; the others, neighbours of one reason joined."""
    seen: list[_Piece] = []
    hidden: list[Hidden] = []
    last: _Piece | None = None
    for piece in pieces:
        why = _hidden(piece, paints, sheet)
        if why is None:
            seen.append(piece)
        elif last and hidden[-1].why == why:
            space = "" if not piece.spaced and _joins(last, piece, piece.y) else " "
            hidden[-1] = replace(hidden[-1], text=f"{hidden[-1].text}{space}{piece.text}")
        else:
            hidden.append(Hidden(piece.text, why))
        last = piece if why else last
    return seen, hidden


def _hidden(piece: _Piece, paints: Sequence[Paint], sheet: Sheet) -> str | None:
    face = piece.face
    if face.size < _TINY:
        return "smaller than a point"
    x0, top, x1, bottom = sheet.box(piece)
    x, y = (x0 + x1) / 2, (top + bottom) / 2
    if not (sheet.crop[0] <= x <= sheet.crop[2] and sheet.crop[1] <= y <= sheet.crop[3]):
        return "outside of the page"
    if face.invisible:
        return None if sheet.has_picture else "invisible"
    # Dark text is looked at only where something dark was painted first.
    if face.ink is None or (face.ink < 0.9 and not paints):
        return None
    ground = _ground(x - sheet.left, sheet.base - y, paints[: piece.first.below])
    return "of the colour of its ground" if ground is not None and abs(face.ink - ground) < _FAINT else None


def _ground(x: float, y: float, paints: Sequence[Paint]) -> float | None:
    """How light the uppermost paint is at a point; paper is white."""
    for paint in reversed(paints):
        if paint.x0 <= x <= paint.x1 and paint.y0 <= y <= paint.y1:
            return paint.ink
    return 1.0


# Pieces to rows


def _rows(pieces: list[_Piece]) -> list[_Row]:
    """Lines of pieces from the top, superscripts with the line that they touch."""
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda one: (-one.y, one.x)):
        row = rows[-1] if rows else None
        if row is None or abs(row.y - piece.y) > _ON_LINE * min(row.size, piece.face.size) + 0.3:
            rows.append(row := _Row(piece.y, piece.face.size))
        row.pieces.append(piece)
        row.size = max(row.size, piece.face.size)
    return [row for row in _with_scripts(rows) if row.pieces]


def _with_scripts(rows: list[_Row]) -> list[_Row]:
    """Rows whose small pieces went to the larger line above or below that they touch."""
    for place, row in enumerate(rows):
        near = [other for other in rows[max(0, place - 3) : place + 4] if other is not row]
        kept: list[_Piece] = []
        for piece in row.pieces:
            home = next((other for other in near if _is_script(piece, other)), None)
            (home.pieces if home else kept).append(piece)
        row.pieces = kept
    return rows


def _is_script(piece: _Piece, row: _Row) -> bool:
    distance = piece.y - row.y
    small = piece.face.size < _SMALL * row.size
    if not small or not -0.35 * row.size < distance < 0.7 * row.size:
        return False
    reach = 0.6 * row.size
    return any(
        other.face.size > piece.face.size and other.x - reach < piece.end and piece.x < other.end + reach
        for other in row.pieces
    )


def _turned(pieces: list[_Piece]) -> list[_Row]:
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda one: (str(one.face.turn), one.face.along, -one.y, one.x)):
        row = rows[-1] if rows else None
        same = row is not None and row.pieces[0].face.along == piece.face.along
        if row is None or not same or abs(row.y - piece.y) > _ON_LINE * piece.face.size + 0.3:
            rows.append(row := _Row(piece.y, piece.face.size))
        row.pieces.append(piece)
        row.size = max(row.size, piece.face.size)
    return rows


# Rows to words


def _words(row: _Row, sheet: Sheet) -> Iterator[Word]:
    row.pieces.sort(key=lambda piece: piece.x)
    main = max((piece.y for piece in row.pieces if piece.face.size >= _SMALL * row.size), default=row.y)
    group: list[_Piece] = []
    for piece in _undoubled(row.pieces):
        if group and not _joins(group[-1], piece, main):
            yield _word(group, sheet, main, row.size)
            group = []
        group.append(piece)
    if group:
        yield _word(group, sheet, main, row.size)


def _undoubled(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Pieces without the ones that are printed twice to look bold."""
    last: _Piece | None = None
    for piece in pieces:
        near = _SAME * piece.face.size
        if last and piece.text == last.text and abs(piece.x - last.x) < near and abs(piece.y - last.y) < near:
            last.doubled = True
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def _joins(left: _Piece, right: _Piece, main: float) -> bool:
    size = min(left.face.size, right.face.size)
    gap = right.x - left.end - max(left.face.tracking, 0.0)
    fraction = left.text.endswith(_FRACTION) or right.text.startswith(_FRACTION)
    same_height = fraction or _is_raised(left, main) == _is_raised(right, main)
    return not right.spaced and same_height and -2 * _OVERLAP * size < gap <= _GAP * size


def _is_raised(piece: _Piece, main: float) -> bool:
    return piece.y - main > _RAISED * piece.face.size


def _word(group: list[_Piece], sheet: Sheet, main: float, size: float) -> Word:
    text = "".join(piece.text for piece in group)
    boxes = [sheet.box(piece) for piece in group]
    longest = max(group, key=lambda piece: len(piece.text))
    bold = sum(len(piece.text) for piece in group if piece.face.bold or piece.doubled)
    raised = longest.face.size < _SMALL * size and all(_is_raised(piece, main) for piece in group)
    return Word(
        text,
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
        longest.face.size,
        longest.face.font,
        2 * bold > len(text),
        raised,
    )
