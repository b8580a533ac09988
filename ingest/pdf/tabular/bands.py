"""Level rules among the lines of a table, and the blocks of rows that they part."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from ingest.pdf.tabular.rows import Row
from ingest.pdf.tabular.rules import Drawing, Rule
from ingest.pdf.tabular.text import Line

_WHOLE: Final = 0.8
"""Share of a table's width that a rule of it has at least."""
_PIECES: Final = 0.6
"""The same for all rules of one height, such as one below each word of a header."""


def heights_of(lines: Sequence[Line], drawing: Drawing, *, whole: bool = False) -> list[float]:
    """Heights of rules and of edges of shades along most of the width of lines, at most a line away from them.

    `whole`: without those in pieces, such as lines to sign on side by side.
    """
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    top, bottom = lines[0].top - 2 * lines[0].size, lines[-1].bottom + lines[-1].size
    heights = _along([rule for rule in drawing.level if top <= rule.at <= bottom], x0, x1, whole=whole)
    for shade in drawing.shades:
        if shade.box[0] <= x0 + 1 and shade.box[2] >= x1 - 1:
            heights += [height for height in (shade.box[1], shade.box[3]) if top <= height <= bottom]
    heights.sort()
    return [height for place, height in enumerate(heights) if not place or height - heights[place - 1] > 1]


def _along(rules: Sequence[Rule], x0: float, x1: float, *, whole: bool) -> list[float]:
    """Heights at which one rule, or unless `whole` one below each column, lies along most of the way."""
    found: dict[float, list[float]] = {}
    height = -inf
    for rule in rules:
        height = rule.at if rule.at - height > 1 else height
        found.setdefault(height, []).append(max(0.0, min(rule.end, x1) - max(rule.start, x0)))
    room = x1 - x0 or 1
    return [
        height
        for height, covered in found.items()
        if max(covered) >= _WHOLE * room or (not whole and sum(covered) >= _PIECES * room)
    ]


def ruled_places(rows: Sequence[Row], ruled: Sequence[float]) -> int:
    """How many of the places above, between and below rows have rules."""
    return len({sum(row.middle < height for row in rows) for height in ruled})


def blocks_of(rows: Sequence[Row], ruled: Sequence[float]) -> list[list[Row]]:
    """Rows between rules."""
    blocks: list[list[Row]] = []
    for place, row in enumerate(rows):
        if not place or any(rows[place - 1].middle < height < row.middle for height in ruled):
            blocks.append([])
        blocks[-1].append(row)
    return blocks
