"""Columns of a page that only their level rules tell apart: those of one stand at other heights than the other's."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from ingest.pdf.columns import Column, row_of
from ingest.pdf.tabular.rules import Drawing
from ingest.pdf.tabular.text import Line

_LEVEL: Final = 1.0
"""Points by which the heights of one rule, or of two in one line, may differ."""
_ALIKE: Final = 0.5
"""Share of heights that rules on both sides have where they are those of one table."""
_FEWEST: Final = 2
"""Rules on each side."""

_Level = tuple[float, float, float]
"""Height, left and right end of a rule, or of an edge of a shade."""


def ruled_apart(lines: Sequence[Line], drawing: Drawing) -> list[Column]:
    """The left and the right column of a page; none where no gutter parts the rules of two."""
    rules = [(rule.at, rule.start, rule.end) for rule in drawing.level]
    rules += [(at, shade.box[0], shade.box[2]) for shade in drawing.shades for at in (shade.box[1], shade.box[3])]
    for place in sorted({start for _, start, _ in rules}):
        left = [rule for rule in rules if rule[2] < place]
        right = [rule for rule in rules if rule[1] >= place]
        if len(left) + len(right) == len(rules) and _differ(left, right):
            return _columns(lines, (max(end for _, _, end in left), place), min(rules)[0], max(rules)[0])
    return []


def _differ(left: Sequence[_Level], right: Sequence[_Level]) -> bool:
    fewer, more = sorted(([at for at, _, _ in left], [at for at, _, _ in right]), key=len)
    alike = sum(any(abs(at - other) <= _LEVEL for other in more) for at in fewer)
    overlap = len(fewer) >= _FEWEST and min(fewer) < max(more) and min(more) < max(fewer)
    return overlap and alike < _ALIKE * len(fewer)


def _columns(lines: Sequence[Line], between: tuple[float, float], top: float, bottom: float) -> list[Column]:
    """The words on both sides of a gutter, of the lines around the rules that leave it free."""
    places = [place for place, line in enumerate(lines) if top <= line.middle <= bottom]
    inner = [word.x1 for place in places for word in lines[place].words if word.x0 < between[0]]
    start = max(inner, default=inf)
    if start >= between[1]:
        return []
    first, last = places[0], places[-1]
    while first and _is_free(lines[first - 1], start, between[1]):
        first -= 1
    while last + 1 < len(lines) and _is_free(lines[last + 1], start, between[1]):
        last += 1
    held = lines[first : last + 1]
    x = (max(start, between[0]) + between[1]) / 2
    sides = [[tuple(w for w in line.words if (w.x0 < x) == is_left) for line in held] for is_left in (True, False)]
    rows = [tuple(row_of(words) for words in side if words) for side in sides]
    if not all(rows):
        return []
    return [Column(side, min(row.box[0] for row in side), max(row.box[2] for row in side)) for side in rows]


def _is_free(line: Line, start: float, end: float) -> bool:
    return all(word.x1 <= start or word.x0 >= end for word in line.words)
