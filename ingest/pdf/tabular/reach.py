"""How far down a page lines leave the white between columns free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ingest.markdown.captions import starts_caption
from ingest.pdf.tabular.columns import (
    ALIGNED,
    EVERYWHERE,
    NARROWEST,
    Gutter,
    beside,
    has_spaces_only,
    lost,
    narrowed,
)
from ingest.pdf.tabular.rows import LOOSER
from ingest.pdf.tabular.rules import Drawing
from ingest.pdf.tabular.text import Line, text_of

FARTHEST: Final = 2.5
"""Font sizes of white between two rows; more of it ends a table, unless a rule lies between."""
_FARTHEST_RULED: Final = 5.0
_SIZES: Final = 1.15
"""Larger or smaller text than that, times, is another thing."""


def reach(lines: Sequence[Line], start: int, drawing: Drawing) -> int:
    """Where the lines end that leave the white between columns free."""
    strips = narrowed(EVERYWHERE, lines[start])
    widest = 0.0
    for place in range(start + 1, len(lines)):
        line = lines[place]
        if _apart(lines[place - 1], line, drawing) or starts_caption(text_of(line.words), 0):
            return place
        left = narrowed(strips, line)
        if lost(strips, left, line) or not any(strip.wide for strip in left):
            return place
        if not line.gapped and crosses(line, [(one.start, one.end) for one in strips if one.established]):
            # Prose stands off from the rows, or goes on in the next line, which no column holds.
            near = widest + LOOSER * line.size if place - start > 1 else FARTHEST * line.size
            below = lines[place + 1] if place + 1 < len(lines) else None
            goes_on = below and below.top - line.bottom <= near and lost(left, narrowed(left, below), below)
            if goes_on or line.top - lines[place - 1].bottom > near:
                return place
        widest = max(widest, line.top - lines[place - 1].bottom)
        strips = left
    return len(lines)


def within(lines: Sequence[Line], start: int, between: Sequence[Gutter], drawing: Drawing) -> tuple[int, list[Gutter]]:
    """Where the lines end that leave something of given gutters free, and what they leave."""
    kept = list(between)
    for place in range(start, len(lines)):
        line = lines[place]
        left = beside(kept, line)
        if starts_caption(text_of(line.words), 0) or any(end - begin < NARROWEST for begin, end in left):
            return place, kept
        if (place > start and _apart(lines[place - 1], line, drawing)) or not is_row(line, kept):
            return place, kept
        kept = left
    return len(lines), kept


def _apart(above: Line, below: Line, drawing: Drawing) -> bool:
    sizes = sorted((above.size, below.size))
    gap = below.top - above.bottom
    if sizes[1] > _SIZES * sizes[0] or gap > _FARTHEST_RULED * sizes[1]:
        return True
    return gap > FARTHEST * sizes[1] and not any(
        above.middle < rule.at < below.middle and rule.start < below.x1 and rule.end > below.x0
        for rule in drawing.level
    )


def is_row(line: Line, between: Sequence[Gutter]) -> bool:
    """Whether a line without wide gaps stands in columns: by more white than between words, or by where words start."""
    if not has_spaces_only(between, line):
        return True
    # One word in the right place may be chance, unless the line is set off.
    crossed = sum(line.x0 < start and line.x1 > end for start, end in between)
    return (line.bold or crossed > 1) and _starts_columns(line, between)


def _starts_columns(line: Line, between: Sequence[Gutter]) -> bool:
    """Whether a line has a word where each column starts that it reaches."""
    starts = [end for start, end in between if line.x0 < start and line.x1 > end]
    return all(any(abs(word.x0 - start) <= ALIGNED for word in line.words) for start in starts)


def crosses(line: Line, between: Sequence[Gutter]) -> bool:
    """Whether a line has words on both sides of a gutter."""
    return any(line.x0 < start and line.x1 > end for start, end in between)
