"""Lines in reading order, as the later steps read them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, TypeVar

from ingest.pdf.geometry import FoundTable, Word

_Value = TypeVar("_Value", float, str)

GLUED: Final = 0.15
"""Of the em: a raised word that is nearer belongs to the word before it."""
_ITALIC: Final = re.compile(r"italic|oblique|kursiv|[-,](?:it|i|bdit|bi)$", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """Words of one column on one baseline."""

    words: tuple[Word, ...]
    page: int
    column: int
    """Counted through the file in reading order."""
    left: float
    right: float
    """Edges of its column."""

    @cached_property
    def x0(self) -> float:
        """Where it starts."""
        return min(word.x0 for word in self.words)

    @cached_property
    def x1(self) -> float:
        """Where it ends."""
        return max(word.x1 for word in self.words)

    @cached_property
    def level(self) -> tuple[Word, ...]:
        """Its words without the raised ones, or all where all are."""
        return tuple(word for word in self.words if not word.raised) or self.words

    @cached_property
    def bottom(self) -> float:
        """Its lower edge; lines of one baseline share it."""
        return max(word.bottom for word in self.level if word.size >= 0.9 * self.size)

    @cached_property
    def top(self) -> float:
        """Its upper edge."""
        return min(word.top for word in self.level)

    @cached_property
    def size(self) -> float:
        """Of most of its letters, in points."""
        return _most((word.size, len(word.text)) for word in self.level)

    @cached_property
    def largest(self) -> float:
        """Size of its largest letters: of a line with small capitals, that of the others."""
        return max(word.size for word in self.level)

    @cached_property
    def font(self) -> str:
        """Of most of its letters."""
        return _most((word.font, len(word.text)) for word in self.level)

    @cached_property
    def bold(self) -> bool:
        """Whether all its letters are."""
        return all(word.bold for word in self.level if any(map(str.isalnum, word.text)))

    @cached_property
    def italic(self) -> bool:
        """Whether all its letters are."""
        return all(_ITALIC.search(word.font) for word in self.level if any(map(str.isalnum, word.text)))

    @cached_property
    def text(self) -> str:
        """Its words in a row."""
        return text_of(self.words)

    @property
    def caps(self) -> bool:
        """Whether its letters are capitals, two or more."""
        return self.text.isupper() and sum(map(str.isalpha, self.text)) > 1


@dataclass(frozen=True, slots=True)
class Placed:
    """A table in the stream of lines."""

    table: FoundTable
    page: int
    column: int
    left: float
    """Left edge of its column."""


Flow = Line | Placed


def _most(weighted: Iterable[tuple[_Value, int]]) -> _Value:
    counts: Counter[_Value] = Counter()
    for value, weight in weighted:
        counts[value] += weight
    return counts.most_common(1)[0][0]


def gap(left: Word, right: Word) -> str:
    """What stands between two words of a line."""
    glued = (left.raised or right.raised) and right.x0 - left.x1 <= GLUED * max(left.size, right.size)
    return "" if glued else " "


def text_of(words: Sequence[Word]) -> str:
    """Words of one line in a row."""
    if not words:
        return ""
    return words[0].text + "".join(gap(left, right) + right.text for left, right in pairwise(words))
