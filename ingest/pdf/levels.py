"""How deep each heading lies: bookmarks first, then numbers, then how it looks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Final

from ingest.pdf.heads import Head, Style

_ORDER: Final = ("title", "part", "division", "chapter", "article", "section")
"""Words of numbered headings, the outermost first."""
_ANNEXES: Final = frozenset(("appendix", "annexure", "annex", "schedule", "exhibit", "attachment", "addendum"))


def levels_of(heads: Sequence[Head]) -> list[int]:
    """The level of each heading, from 1; a title above all others takes the first for itself."""
    titled = _has_title(heads)
    found = _numbered(heads[titled:])
    looks = _by_look(heads[titled:], found)
    deep = [level or looks[head.style] for head, level in zip(heads[titled:], found, strict=True)]
    deep = _below_parents(heads[titled:], deep)
    # A file that starts with "1.1" and has no "1" anywhere has its outermost headings there.
    outermost = min(deep, default=1) - 1
    return [1] * titled + [level - outermost + titled for level in deep]


def _below_parents(heads: Sequence[Head], levels: Sequence[int]) -> list[int]:
    """Levels, where "4.2" lies below "4" even if the file's bookmarks are all of one level."""
    placed: dict[tuple[int, ...], int] = {}
    found = []
    for head, level in zip(heads, levels, strict=True):
        parts = head.number.parts if head.number else ()
        above = max((placed[parts[:length]] for length in range(1, len(parts)) if parts[:length] in placed), default=0)
        level = max(level, above + 1)
        if parts:
            placed[parts] = level
        found.append(level)
    return found


def _has_title(heads: Sequence[Head]) -> int:
    """1 if the first heading looks higher than every other and is neither numbered nor a bookmark."""
    if len(heads) < 2 or heads[0].number or heads[0].word or heads[0].level or heads[0].style is None:
        return 0
    own = heads[0].style
    return int(all(head.style is None or head.style.size < own.size or _is_below(head, own) for head in heads[1:]))


def _is_below(head: Head, title: Style) -> bool:
    return head.style is not None and head.style.rank < title.rank and head.number is not None


def _numbered(heads: Sequence[Head]) -> list[int | None]:
    """Levels by bookmarks and numbers; None where there is neither."""
    words = sorted({head.word for head in heads if head.word in _ORDER}, key=_ORDER.index)
    shift = _parents(heads)
    marked: dict[tuple[int, ...], int] = {}
    found: list[int | None] = []
    outer = 0
    for head in heads:
        level = head.level
        parts = head.number.parts if head.number else None
        if level is None and head.word:
            level = 1 if head.word in _ANNEXES else words.index(head.word) + 1
        if level is None and parts:
            level = _below_bookmark(parts, marked) or len(parts) + (outer or shift)
        if head.word and level is not None:
            # "4.1" lies in "Article 4" as its number says, and in an annex one level deeper.
            outer = level if head.word in _ANNEXES or head.word in ("part", "title", "division") else level - 1
        if head.level is not None and parts:
            marked[parts] = head.level
        found.append(level)
    return found


def _parents(heads: Sequence[Head]) -> int:
    """1 if headings without numbers, two or more of one look, are larger than all numbered ones."""
    numbered = [head.style.size for head in heads if head.number and head.style and len(head.number.parts) == 1]
    if not numbered or any(head.level for head in heads):
        return 0
    larger: dict[Style, int] = defaultdict(int)
    for head in heads:
        if head.style and not head.number and not head.word and head.style.size > max(numbered) + 0.4:
            larger[head.style] += 1
    return int(any(count >= 2 for count in larger.values()))


def _below_bookmark(parts: tuple[int, ...], marked: dict[tuple[int, ...], int]) -> int | None:
    for length in range(len(parts) - 1, 0, -1):
        if parts[:length] in marked:
            return marked[parts[:length]] + len(parts) - length
    same = [level for other, level in marked.items() if len(other) == len(parts)]
    return round(median(same)) if same else None


def _by_look(heads: Sequence[Head], found: Sequence[int | None]) -> dict[Style | None, int]:
    """Levels of looks, the highest first: known where numbered headings look so, else one below the look above."""
    known: dict[Style, list[int]] = defaultdict(list)
    for head, level in zip(heads, found, strict=True):
        if head.style and level:
            known[head.style].append(level)
    levels: dict[Style | None, int] = {None: 1}
    above = 0
    for style in sorted({head.style for head in heads if head.style}, key=lambda style: style.rank, reverse=True):
        above = round(median(known[style])) if style in known else above + 1
        levels[style] = above
    return levels
