"""Grids of rules that touch: their base cells, and which of them a missing rule makes one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ingest.pdf.geometry import Box
from ingest.pdf.tabular.rules import Drawing, Rule

MOST_PAIRS: Final = 100_000
"""Rules of one direction times those of the other; more of them are a drawing."""
MOST_CELLS: Final = 20_000
_SIDE: Final = 0.6
"""Share of a cell's side that a rule must cover to part it from its neighbour."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Base cells between all its rules, and the region that each belongs to."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    regions: tuple[tuple[int, ...], ...]
    """By row and column: a number that cells which no rule parts share."""

    @property
    def box(self) -> Box:
        """All of it."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]


def grids(drawing: Drawing, tolerance: float) -> list[Grid]:
    """Grids with more than one column, from top to bottom."""
    if not drawing.upright or len(drawing.level) * len(drawing.upright) > MOST_PAIRS:
        return []
    found = [_grid(level, upright, tolerance) for level, upright in _touching(drawing, tolerance)]
    return sorted((grid for grid in found if grid), key=lambda grid: grid.ys[0])


def _touching(drawing: Drawing, tolerance: float) -> list[tuple[list[Rule], list[Rule]]]:
    """(level, upright) rules that hang together."""
    count = len(drawing.level)
    groups = _Groups(count + len(drawing.upright))
    heights = [rule.at for rule in drawing.level]
    for number, upright in enumerate(drawing.upright, start=count):
        first = bisect_left(heights, upright.start - tolerance)
        for place in range(first, bisect_right(heights, upright.end + tolerance)):
            level = drawing.level[place]
            if level.start - tolerance <= upright.at <= level.end + tolerance:
                groups.unite(place, number)
    found: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for number, rule in enumerate((*drawing.level, *drawing.upright)):
        found.setdefault(groups.of(number), ([], []))[number >= count].append(rule)
    return [(level, upright) for level, upright in found.values() if level and upright]


class _Groups:
    """Numbers that are united step by step."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def of(self, number: int) -> int:
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number

    def unite(self, one: int, other: int) -> None:
        one, other = sorted((self.of(one), self.of(other)))
        self._parents[other] = one


def _grid(level: Sequence[Rule], upright: Sequence[Rule], tolerance: float) -> Grid | None:
    ends = [end for rule in level for end in (rule.start, rule.end)]
    xs = _apart([rule.at for rule in upright] + [min(ends), max(ends)], tolerance)
    ends = [end for rule in upright for end in (rule.start, rule.end)]
    ys = _apart([rule.at for rule in level] + [min(ends), max(ends)], tolerance)
    width, height = len(xs) - 1, len(ys) - 1
    if width < 2 or height < 1 or width * height > MOST_CELLS:
        return None
    groups = _Groups(width * height)
    below = _walls(level, ys, xs, tolerance)
    right = _walls(upright, xs, ys, tolerance)
    for row in range(height):
        for column in range(width):
            number = row * width + column
            if row + 1 < height and (row + 1, column) not in below:
                groups.unite(number, number + width)
            if column + 1 < width and (column + 1, row) not in right:
                groups.unite(number, number + 1)
    regions = tuple(tuple(groups.of(row * width + column) for column in range(width)) for row in range(height))
    return Grid(tuple(xs), tuple(ys), regions)


def _apart(values: Iterable[float], tolerance: float) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > tolerance:
            found.append(value)
    return found


def _walls(
    rules: Sequence[Rule], across: Sequence[float], along: Sequence[float], tolerance: float
) -> set[tuple[int, int]]:
    """(number of the line in `across`, number of the stretch in `along`) of each stretch that a rule covers."""
    found = set()
    for rule in rules:
        line = min(range(len(across)), key=lambda place: abs(across[place] - rule.at))
        if abs(across[line] - rule.at) > tolerance:
            continue
        first = max(0, bisect_right(along, rule.start) - 1)
        for stretch in range(first, min(len(along) - 1, bisect_left(along, rule.end) + 1)):
            if rule.covers(along[stretch], along[stretch + 1], _SIDE):
                found.add((line, stretch))
    return found
