"""Words of a page as lines, and lines as chunks that wide gaps part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Final

from ingest.pdf.geometry import Box, Word

WIDE: Final = 0.9
"""Of the font size: a wider gap between two words is no space between words, not even in justified text."""
_SAME_LINE: Final = 0.55
"""Share of the lower of two words that lies beside the other on one line; lines half a line apart share less."""
_OVERLAP: Final = 0.25
"""Share of the font size by which lines must overlap to stand beside each other; tight leading overlaps less."""
_DOT: Final = re.compile(r"[.…·]")
_DOTS: Final = re.compile(r"[.…·]{2,}")
_LEADER: Final = re.compile(r"[.…·]{4,}|…{2,}")
_TYPED: Final = re.compile(r"(?i)courier|mono|nimbusmon|consol|menlo|typewriter|cmtt|terminal|fixed")
_FEWEST_DOTS: Final = 4
"""Dots that stand alone, on a page whose leaders are made of such."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words side by side, left to right."""

    words: tuple[Word, ...]
    top: float
    bottom: float
    size: float
    """Font size of its largest word."""

    @property
    def x0(self) -> float:
        """Where it starts."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Where it ends."""
        return max(word.x1 for word in self.words)

    @property
    def middle(self) -> float:
        """The height of its centre."""
        return (self.top + self.bottom) / 2

    @property
    def bold(self) -> bool:
        """Whether all of it is."""
        return all(word.bold for word in self.words)

    def chunks(self) -> list[tuple[Word, ...]]:
        """Its words, cut at wide gaps."""
        found: list[list[Word]] = [[self.words[0]]]
        for left, right in pairwise(self.words):
            if right.x0 - left.x1 > WIDE * self.size:
                found.append([])
            found[-1].append(right)
        return [tuple(words) for words in found]

    @property
    def gapped(self) -> bool:
        """Whether it has a wide gap."""
        limit = WIDE * self.size
        return any(right.x0 - left.x1 > limit for left, right in pairwise(self.words))


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Lines from top to bottom; words of columns side by side stand on one line where their heights agree."""
    lines: list[Line] = []
    members: list[Word] = []
    top = bottom = 0.0
    for word in sorted(words, key=lambda word: (word.top + word.bottom, word.x0)):
        shared = min(bottom, word.bottom) - max(top, word.top)
        if members and shared < _SAME_LINE * min(bottom - top, word.bottom - word.top):
            lines.append(_line(members))
            members = []
        top, bottom = (min(top, word.top), max(bottom, word.bottom)) if members else (word.top, word.bottom)
        members.append(word)
    return [*lines, _line(members)] if members else []


def _line(words: Sequence[Word]) -> Line:
    ordered = tuple(sorted(words, key=lambda word: word.x0))
    top, bottom = min(word.top for word in words), max(word.bottom for word in words)
    return Line(ordered, top, bottom, max(word.size for word in words))


def strands(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that stand beside each other, such as one beside the middle of two, put together."""
    found: list[list[Line]] = []
    bottom = 0.0
    for line in lines:
        if found and line.top < bottom - _OVERLAP * line.size:
            found[-1].append(line)
            bottom = max(bottom, line.bottom)
        else:
            found.append([line])
            bottom = line.bottom
    return found


def side_by_side(lines: Sequence[Line]) -> Line:
    """Lines that stand beside each other as one, such as the lines of the cells of a row."""
    words = tuple(sorted((word for line in lines for word in line.words), key=lambda word: word.x0))
    return Line(words, lines[0].top, max(line.bottom for line in lines), max(line.size for line in lines))


def without_leaders(words: Sequence[Word]) -> tuple[list[Word], list[float]]:
    """Words without the dots that lead from a name to its value, also where they are part of a word; their heights."""
    single = sum(word.text == "." for word in words) >= _FEWEST_DOTS
    found: list[Word] = []
    heights: list[float] = []
    for word in words:
        rest = _beside_leaders(word, single=single)
        found += rest
        if rest != [word]:
            heights.append(word.middle[1])
    return found, heights


def _beside_leaders(word: Word, *, single: bool) -> list[Word]:
    text = word.text
    if text == "." and single:
        return []
    if not _DOTS.search(text) or text in ("...", "…", "·"):
        return [word]
    if _DOTS.fullmatch(text):
        return []
    leaders = [leader.span() for leader in _LEADER.finditer(text)]
    if not leaders:
        return [word]
    # A dot takes about half of the room of a letter.
    ends = list(accumulate((0.5 if _DOT.match(char) else 1.0 for char in text), initial=0.0))
    unit = (word.x1 - word.x0) / ends[-1]
    gaps = [(0, 0), *leaders, (len(text), len(text))]
    parts = [(end, start) for (_, end), (start, _) in pairwise(gaps) if start > end]
    return [replace(word, text=text[a:b], x0=word.x0 + unit * ends[a], x1=word.x0 + unit * ends[b]) for a, b in parts]


def is_typed(word: Word) -> bool:
    """Whether a word is in a typewriter face, as programs and what machines print are."""
    return bool(_TYPED.search(word.font))


def text_of(words: Iterable[Word]) -> str:
    """The words in a row."""
    return " ".join(word.text for word in words)


def box_of(words: Sequence[Word]) -> Box:
    """The smallest box around words."""
    return (
        min(word.x0 for word in words),
        min(word.top for word in words),
        max(word.x1 for word in words),
        max(word.bottom for word in words),
    )
