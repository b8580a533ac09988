"""Columns without rules: strips of white that no word crosses, wide in the lines that have words on both sides."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Final

from ingest.pdf.geometry import Cell, Word
from ingest.pdf.tabular.text import WIDE, Line

NARROWEST: Final = 0.3
"""Points of a strip between columns; a header may leave no more than that."""
_MANY: Final = 3
"""Lines in which the spaces of running text do not lie below each other by chance."""
_NO_SPACE: Final = 0.5
"""Of the font size: wider than a space between words, unless lines are stretched."""
ALIGNED: Final = 0.75
"""Points by which words that start at one edge may differ."""
_ROUNDING: Final = 0.01

Gutter = tuple[float, float]
"""Left and right end of the white between two columns."""


@dataclass(frozen=True, slots=True)
class Strip:
    """White in all lines so far."""

    start: float
    end: float
    wide: int = 0
    """Lines that have a wide gap there, between words."""

    @property
    def established(self) -> bool:
        """Whether more than one line has it."""
        return self.wide > 1


EVERYWHERE: Final = (Strip(-inf, inf),)


def narrowed(strips: Sequence[Strip], line: Line) -> list[Strip]:
    """What is white in `line`, too.

    Of strips in one wide gap only one beside a word gains by it, and of a strip that a long cell reaches into only
    the part beside the cell keeps what it had: the rest is spaces between words.
    """
    limit = WIDE * line.size
    pieces = _pieces(strips, list(_white(line)))
    best_of_gap = _best(pieces, lambda piece: piece.gap, limit)
    best_of_strip = _best(pieces, lambda piece: (piece.strip.start, piece.strip.end), limit)
    found = []
    for piece in pieces:
        kept = piece.strip.wide if piece is best_of_strip[piece.strip.start, piece.strip.end] else 0
        is_wide = -inf < piece.gap[0] and piece.gap[1] < inf and piece.gap[1] - piece.gap[0] > limit
        found.append(Strip(piece.start, piece.end, kept + (is_wide and piece is best_of_gap[piece.gap])))
    return found


@dataclass(frozen=True, slots=True)
class _Piece:
    start: float
    end: float
    strip: Strip
    gap: Gutter


def _pieces(strips: Sequence[Strip], whites: Sequence[Gutter]) -> list[_Piece]:
    """What is in a strip and in a line's white."""
    pieces = []
    place = 0
    for strip in strips:
        while place < len(whites) and whites[place][1] - strip.start < NARROWEST:
            place += 1
        for gap in whites[place:]:
            if gap[0] >= strip.end:
                break
            start, end = max(gap[0], strip.start), min(gap[1], strip.end)
            if end - start >= NARROWEST:
                pieces.append(_Piece(start, end, strip, gap))
    return pieces


def _best(pieces: Sequence[_Piece], held: Callable[[_Piece], Gutter], limit: float) -> dict[Gutter, _Piece]:
    """For each that holds pieces the widest; where none is wider than `limit`, one where a column starts or ends."""
    found: dict[Gutter, tuple[tuple[bool, int, bool, float], _Piece]] = {}
    for piece in pieces:
        holder, width = held(piece), piece.end - piece.start
        aligned = _alignment((piece.strip.start, piece.strip.end), piece.gap)
        outer = piece.start == holder[0] or piece.end == holder[1]
        rank = (width > limit, aligned, outer, width)
        if holder not in found or rank > found[holder][0]:
            found[holder] = (rank, piece)
    return {holder: piece for holder, (_, piece) in found.items()}


def _alignment(one: Gutter, other: Gutter) -> int:
    """How well two whites are one: most columns have their words start at one edge, those of numbers end at one."""
    return 2 * (abs(one[1] - other[1]) <= ALIGNED) + (abs(one[0] - other[0]) <= ALIGNED)


def lost(strips: Sequence[Strip], left: Sequence[Strip], line: Line) -> bool:
    """Whether a line crosses white that was established; `left` is what it leaves of `strips`."""
    for strip in strips:
        if not strip.established:
            continue
        # Running text may have a space there by chance, but hardly a word that starts where the column does.
        across = not line.gapped and line.x0 < strip.start and line.x1 > strip.end
        if across and all(abs(word.x0 - strip.end) > ALIGNED for word in line.words):
            return True
        if not any(one.end > strip.start and one.start < strip.end for one in left):
            return True
    return False


def _white(line: Line) -> Iterator[Gutter]:
    end = -inf
    for word in line.words:
        if word.x0 > end:
            yield end, word.x0
        end = max(end, word.x1)
    yield end, inf


def gutters(lines: Sequence[Line], support: int) -> list[Gutter]:
    """The white between columns, left to right; each is wide in most of the lines that show it, and in `support`."""
    strips: Sequence[Strip] = EVERYWHERE
    for line in lines:
        strips = narrowed(strips, line)
    found = [(strip.start, strip.end) for strip in strips if strip.start > -inf and strip.end < inf]
    aligned = {gutter: _aligned(lines, gutter) for gutter in found}
    while found:
        shown = _shown(lines, found)
        false = [(place, gaps) for place, gaps in enumerate(shown) if gaps and not _parts(gaps)]
        weak = false or [(place, gaps) for place, gaps in enumerate(shown) if len(gaps) < support]
        if not weak:
            break
        # One at a time: without a false one, its neighbours have more lines to show them.
        place, _ = min(weak, key=lambda one: (aligned[found[one[0]]], found[one[0]][1] - found[one[0]][0]))
        del found[place]
    return found


def _parts(gaps: Sequence[float]) -> bool:
    """Whether gaps in one place, in font sizes, part columns: wide ones, or many that are no spaces between words."""
    return median(gaps) > WIDE or (len(gaps) >= _MANY and min(gaps) > _NO_SPACE)


def _aligned(lines: Sequence[Line], gutter: Gutter) -> int:
    """Lines with a word that starts where a gutter ends."""
    return sum(any(abs(word.x0 - gutter[1]) <= ALIGNED for word in line.words) for line in lines)


def _shown(lines: Sequence[Line], found: Sequence[Gutter]) -> list[list[float]]:
    """For each gutter, the gaps (in font sizes) of lines that hold it alone."""
    starts = [start for start, _ in found]
    shown: list[list[float]] = [[] for _ in found]
    for line in lines:
        for start, end in _white(line):
            if start == -inf or end == inf:
                continue
            first = bisect_right(starts, start - _ROUNDING)
            held = [place for place in range(first, len(found)) if found[place][1] <= end + _ROUNDING]
            if len(held) == 1:
                shown[held[0]].append((end - start) / line.size)
    return shown


def has_spaces_only(between: Sequence[Gutter], line: Line) -> bool:
    """Whether a line crosses gutters with no more white there than between words."""
    crossed = [(start, end) for start, end in between if line.x0 < start and line.x1 > end]
    wide = [gap for gap in _white(line) if gap[1] - gap[0] > _NO_SPACE * line.size]
    return not all(any(left < end and right > start for left, right in wide) for start, end in crossed)


def beside(between: Sequence[Gutter], line: Line) -> list[Gutter]:
    """What the words of a line leave of gutters, where a column starts or ends; of none a strip without width."""
    limit = WIDE * line.size
    found = []
    for start, end in between:
        best, rank = (end, end), (0, 0.0)
        for left, right in _white(line):
            piece = (max(start, left), min(end, right))
            width = piece[1] - piece[0]
            aligned = _alignment((start, end), (left, right))
            outer = piece[0] == start or piece[1] == end or width > limit
            if width > 0 and (aligned or outer) and (aligned, width) > rank:
                best, rank = piece, (aligned, width)
        found.append(best)
    return found


def cells_of(line: Line, between: Sequence[Gutter]) -> tuple[Cell, ...]:
    """The words of a line by column; a chunk that crosses a gutter stands where it starts."""
    middles = [(start + end) / 2 for start, end in between]
    cells: list[list[Word]] = [[] for _ in range(len(between) + 1)]
    for chunk in line.chunks():
        if any(_crosses(word, between) for word in chunk):
            cells[bisect_right(middles, chunk[0].x0)] += chunk
        else:
            for word in chunk:
                cells[bisect_right(middles, word.middle[0])].append(word)
    return tuple(map(tuple, cells))


def _crosses(word: Word, between: Sequence[Gutter]) -> bool:
    return any(word.x0 < start + _ROUNDING and word.x1 > end - _ROUNDING for start, end in between)
