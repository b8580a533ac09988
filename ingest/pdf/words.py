"""Pieces to words: rows, spaces by gaps, superscripts, fake bold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.pdf.geometry import Word
from ingest.pdf.glyphs import Glyph
from ingest.pdf.paints import Paint
from ingest.pdf.pieces import ON_LINE, SAME, Piece, Sheet, is_raised, is_unknown, joins, pieces_of
from ingest.pdf.visible import Hidden, seen

_SMALL: Final = 0.86
"""Superscripts are smaller than this part of their line."""
_BESIDE: Final = 0.6
"""Of the em: a word in a field stands on the line whose baseline is no farther."""
_COLUMN_GAP: Final = 1.0
"""Em between columns, at least."""
_TAB: Final = 3.5
"""Em between the mark of a footnote and its text, where a tab parts them."""
_NOTE_MARK: Final = re.compile(r"[(\[]?(?:\d{1,3}|[a-z]|[*†‡§¶#]{1,3})[\])]?")


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
    recognised: bool = False
    """They lie unseen in the image of a scan, as what was recognised in it."""


@dataclass(slots=True)
class _Row:
    y: float
    size: float
    pieces: list[Piece] = field(default_factory=list)


def words_of(glyphs: Sequence[Glyph], paints: Sequence[Paint], sheet: Sheet) -> PageWords:
    """The words of a page, and those that cannot be seen."""
    pieces, hidden, recognised = seen(pieces_of(glyphs), paints, sheet)
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
        recognised,
    )


def with_rows(shown: PageWords, further: Sequence[Sequence[Word]]) -> PageWords:
    """A page's words with further ones, each in the row on whose baseline it stands, or in one of its own."""
    rows = [list(row) for row in shown.rows]
    for words in further:
        low, size = words[0].bottom, words[0].size
        near = [row for row in rows if abs(row[0].bottom - low) < _BESIDE * min(size, row[0].size)]
        row = min(near, key=lambda row: abs(row[0].bottom - low), default=None)
        if row is None:
            rows.append(row := [])
        row += words
        row.sort(key=lambda word: word.x0)
    rows.sort(key=lambda row: row[0].bottom)
    return replace(shown, rows=tuple(map(tuple, rows))) if further else shown


def _rows(pieces: list[Piece]) -> list[_Row]:
    """Lines of pieces from the top, superscripts with the line that they touch."""
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda one: (-one.y, one.x)):
        row = rows[-1] if rows else None
        if row is None or abs(row.y - piece.y) > ON_LINE * min(row.size, piece.face.size) + 0.3:
            rows.append(row := _Row(piece.y, piece.face.size))
        row.pieces.append(piece)
        row.size = max(row.size, piece.face.size)
    return [row for row in _with_scripts(rows) if row.pieces]


def _with_scripts(rows: list[_Row]) -> list[_Row]:
    """Rows whose small pieces went to the larger line above or below that they touch."""
    for place, row in enumerate(rows):
        near = [other for other in rows[max(0, place - 3) : place + 4] if other is not row]
        kept: list[Piece] = []
        for piece in row.pieces:
            home = next((other for other in near if _is_script(piece, other)), None)
            (home.pieces if home else kept).append(piece)
        row.pieces = kept
    return rows


def _is_script(piece: Piece, row: _Row) -> bool:
    distance = piece.y - row.y
    small = piece.face.size < _SMALL * row.size
    if not small or not -0.35 * row.size < distance < 0.7 * row.size:
        return False
    reach = 0.6 * row.size
    larger = [other for other in row.pieces if other.face.size > piece.face.size]
    if any(other.x - reach < piece.end and piece.x < other.end + reach for other in larger):
        return True
    return distance > 0 and _opens_note(piece, row, larger)


def _opens_note(piece: Piece, row: _Row, larger: Sequence[Piece]) -> bool:
    """Whether a raised mark stands left of a line, with a tab between them and nothing else on its own side."""
    reach = _TAB * row.size
    return (
        _NOTE_MARK.fullmatch(piece.text) is not None
        and any(0 <= other.x - piece.end < reach for other in larger)
        and not any(piece.x - reach < other.end <= piece.x for other in row.pieces)
    )


def _turned(pieces: list[Piece]) -> list[_Row]:
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda one: (str(one.face.turn), one.face.along, -one.y, one.x)):
        row = rows[-1] if rows else None
        same = row is not None and row.pieces[0].face.along == piece.face.along
        if row is None or not same or abs(row.y - piece.y) > ON_LINE * piece.face.size + 0.3:
            rows.append(row := _Row(piece.y, piece.face.size))
        row.pieces.append(piece)
        row.size = max(row.size, piece.face.size)
    return rows


def _words(row: _Row, sheet: Sheet) -> Iterator[Word]:
    row.pieces.sort(key=lambda piece: piece.x)
    for pieces in _stretches(list(_undoubled(row.pieces)), row.size):
        # Small type beside the larger type of another column is not raised; a mark alone may be.
        own = max(piece.face.size for piece in pieces)
        is_text = own < _SMALL * row.size and any(char.isalpha() for piece in pieces[1:] for char in piece.text)
        line, size = (pieces, own) if is_text else (row.pieces, row.size)
        main = max((piece.y for piece in line if piece.face.size >= _SMALL * size), default=row.y)
        yield from _words_of(pieces, sheet, main, size)


def _stretches(pieces: Sequence[Piece], size: float) -> Iterator[list[Piece]]:
    """Pieces of a row without a gap as wide as between columns."""
    stretch: list[Piece] = []
    for piece in pieces:
        if stretch and piece.x - stretch[-1].end > _COLUMN_GAP * size:
            yield stretch
            stretch = []
        stretch.append(piece)
    if stretch:
        yield stretch


def _words_of(pieces: Sequence[Piece], sheet: Sheet, main: float, size: float) -> Iterator[Word]:
    group: list[Piece] = []
    for piece in pieces:
        if group and not joins(group[-1], piece, main):
            yield _word(group, sheet, main, size)
            group = []
        group.append(piece)
    if group:
        yield _word(group, sheet, main, size)


def _undoubled(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Pieces without the ones that are printed twice to look bold."""
    last: Piece | None = None
    for piece in pieces:
        near = SAME * piece.face.size
        beside = min(near, (piece.end - piece.x) / 2)
        if last and piece.text == last.text and abs(piece.x - last.x) < beside and abs(piece.y - last.y) < near:
            last.doubled = True
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def _word(group: list[Piece], sheet: Sheet, main: float, size: float) -> Word:
    text = "".join(piece.text for piece in group)
    boxes = [sheet.box(piece) for piece in group]
    longest = max(group, key=lambda piece: len(piece.text))
    raised = longest.face.size < _SMALL * size and all(is_raised(piece, main) for piece in group)
    return Word(
        text,
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
        longest.face.size,
        longest.face.font,
        _is_bold(group),
        raised,
    )


def _is_bold(group: Sequence[Piece]) -> bool:
    """Whether most letters of a word are bold; quotes and brackets around it have no weight."""
    by_letters = any(char.isalnum() for piece in group for char in piece.text)
    weights = [sum(map(str.isalnum, piece.text)) if by_letters else len(piece.text) for piece in group]
    bold = [piece.face.bold or piece.doubled for piece in group]
    return 2 * sum(weight for weight, is_bold in zip(weights, bold, strict=True) if is_bold) > sum(weights)
