"""What was painted on a page: areas with their own outline, what cuts them and how dense they are.

ISO 32000-1, 8.5 (paths), 8.9 (images) and 11.3 (transparency). Coordinates are those of `ingest.pdf.glyphs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pdfminer.pdfcolor import PDFColorSpace
from pdfminer.pdftypes import PDFStream
from pdfminer.utils import Matrix, apply_matrix_pt

from ingest.pdf.geometry import Box

Ink = tuple[float, float, float]
"""Red, green and blue, from 0 to 1."""
_Ring = tuple[tuple[float, float], ...]
_FAINT: Final = 16.5 / 255
"""Difference in every channel that no eye sees."""
_MOST_POINTS: Final = 1_000
"""Of a path whose inside is looked at; maps have more."""
_PAGE: Final = (-1e6, -1e6, 1e6, 1e6)
_CURVE: Final = (0.25, 0.5, 0.75, 1.0)
_UNIT: Final = (("m", 0, 0), ("l", 1, 0), ("l", 1, 1), ("l", 0, 1), ("h",))


@dataclass(frozen=True, slots=True)
class Area:
    """The inside of a path."""

    box: Box
    """(x0, y0, x1, y1)"""
    rings: tuple[_Ring, ...] | None
    """Its outlines; None: too many points to be looked at."""
    evenodd: bool
    rectangle: bool
    """It is just its box."""

    def covers(self, x: float, y: float) -> bool | None:
        """Whether a point lies within; None: not known."""
        if not (self.box[0] <= x <= self.box[2] and self.box[1] <= y <= self.box[3]):
            return False
        if self.rectangle or self.rings is None:
            return True if self.rectangle else None
        winding = sum(_winding(ring, x, y) for ring in self.rings)
        return bool(winding % 2) if self.evenodd else winding != 0


class Clip(NamedTuple):
    """What of a page can be painted on: within a box, and within all areas."""

    box: Box
    areas: tuple[Area, ...] = ()

    def cut(self, area: Area) -> Clip:
        """The part of it that is within `area` too."""
        return Clip(_common(self.box, area.box), self.areas if area.rectangle else (*self.areas, area))


class Paint(NamedTuple):
    """An area that was painted."""

    box: Box
    """Of what is left of it by the clip."""
    areas: tuple[Area, ...]
    """A point is covered that lies in the box and in all of these."""
    ink: Ink | None
    """None: not known, a pattern, an image or a blend."""
    solid: bool
    """Nothing below it can be seen."""
    image: PDFStream | None = None

    def covers(self, x: float, y: float) -> bool | None:
        """Whether a point lies within; None: not known."""
        if not (self.box[0] <= x <= self.box[2] and self.box[1] <= y <= self.box[3]):
            return False
        found = [area.covers(x, y) for area in self.areas]
        return False if False in found else None if None in found else True


def area_of(path: Sequence[Any], ctm: Matrix, evenodd: bool = False) -> Area | None:
    """The inside of a path as pdfminer.six keeps it; None where it has none."""
    rings: list[list[tuple[float, float]]] = []
    for name, *numbers in path:
        if not all(isinstance(number, int | float) for number in numbers):
            return None
        points = [_point(ctm, x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if name == "m" or not rings:
            rings.append(points[-1:])
        elif points:
            rings[-1] += points if name == "l" else _curved(rings[-1][-1:], points, name)
    xs, ys = ([point[axis] for ring in rings for point in ring] for axis in (0, 1))
    if not xs:
        return None
    box = min(xs), min(ys), max(xs), max(ys)
    known = tuple(map(tuple, rings)) if len(xs) <= _MOST_POINTS else None
    return Area(box, known, evenodd, known is not None and len(known) == 1 and _is_rectangle(known[0], box))


def image_area(ctm: Matrix) -> Area | None:
    """Where an image lies: the unit square."""
    return area_of(_UNIT, ctm)


def painted(
    area: Area | None, clip: Clip | None, ink: Ink | None, solid: bool, image: PDFStream | None = None
) -> Paint:
    """A paint, cut by the clip; of no area it fills the clip."""
    areas = () if area is None or area.rectangle else (area,)
    box = area.box if area else clip.box if clip else _PAGE
    if clip is None:
        return Paint(box, areas, ink, solid, image)
    return Paint(_common(box, clip.box), (*areas, *clip.areas), ink, solid, image)


def _common(one: Box, other: Box) -> Box:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _point(ctm: Matrix, x: float, y: float) -> tuple[float, float]:
    # Rounded, so that a rectangle is one on a page that is scaled too.
    x, y = apply_matrix_pt(ctm, (x, y))
    return round(x, 3), round(y, 3)


def _curved(
    start: list[tuple[float, float]], points: list[tuple[float, float]], name: str
) -> list[tuple[float, float]]:
    """Points on a Bezier curve (8.5.2.2)."""
    controls = [*start, *points]
    if name == "v":
        controls.insert(0, controls[0])
    elif name == "y":
        controls.append(controls[-1])
    if len(controls) != 4:
        return points[-1:]
    found = []
    for t in _CURVE:
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        x, y = (sum(w * c[axis] for w, c in zip(weights, controls, strict=True)) for axis in (0, 1))
        found.append((x, y))
    return found


def _is_rectangle(ring: _Ring, box: Box) -> bool:
    corners = ring[:-1] if len(ring) == 5 and ring[0] == ring[-1] else ring
    if len(corners) != 4 or len(set(corners)) != 4:
        return False
    if not all(x in (box[0], box[2]) and y in (box[1], box[3]) for x, y in corners):
        return False
    return all((a[0] == b[0]) != (a[1] == b[1]) for a, b in pairwise(corners))


def _winding(ring: _Ring, x: float, y: float) -> int:
    """How many times a ring, closed as fills are, goes around a point."""
    found = 0
    x0, y0 = ring[-1]
    for x1, y1 in ring:
        if (y0 <= y) != (y1 <= y):
            side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
            if y1 > y0 and side > 0:
                found += 1
            elif y1 < y0 and side < 0:
                found -= 1
        x0, y0 = x1, y1
    return found


def alike(one: Ink, other: Ink, alpha: float = 1.0) -> bool:
    """Whether no eye tells two colours apart, one of them laid on the other."""
    return all(alpha * abs(a - b) <= _FAINT for a, b in zip(one, other, strict=True))


def ink_of(space: PDFColorSpace, colour: Any) -> Ink | None:
    """A colour, judged by the number of its components; None: not known, a pattern or a separation in use."""
    values = colour if isinstance(colour, list | tuple) else (colour,)
    if space.name in ("Pattern", "Indexed", "Lab") or not all(isinstance(value, int | float) for value in values):
        return None
    if space.name in ("Separation", "DeviceN"):
        return (1.0, 1.0, 1.0) if values and all(value <= _FAINT for value in values) else None
    match [min(max(float(value), 0.0), 1.0) for value in values]:
        case [grey]:
            return grey, grey, grey
        case [red, green, blue]:
            return red, green, blue
        case [cyan, magenta, yellow, black]:
            return (1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black)
        case _:
            return None
