"""Rules and shading of a page: lines, thin rectangles, the sides of boxes; pieces in one line are put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pdfplumber.page import Page

from ingest.pdf.geometry import Box

MOST_OBJECTS: Final = 20_000
"""A page with more strokes and fills is a drawing or a map; its rules are not looked at."""
MOST_RULES: Final = 600
"""Of one direction, put together; more of them are a drawing, too."""
THIN: Final = 3.0
"""Points; a lower or narrower rectangle is a rule."""
SHORTEST: Final = 6.0
"""Points; shorter rules are parts of glyphs, arrows and tick marks."""
_STRAIGHT: Final = 1.0
_WHITE: Final = 0.99


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line: at `at` (x of an upright one, else y) from `start` to `end`."""

    at: float
    start: float
    end: float

    def covers(self, start: float, end: float, share: float = 0.8) -> bool:
        """Whether it lies along at least `share` of the way from `start` to `end`."""
        return min(self.end, end) - max(self.start, start) >= share * (end - start)


@dataclass(frozen=True, slots=True)
class Shade:
    """A filled box and its colour as the file gives it."""

    box: Box
    colour: object


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn on a page, apart from pictures."""

    level: tuple[Rule, ...] = ()
    """From top to bottom."""
    upright: tuple[Rule, ...] = ()
    """From left to right."""
    shades: tuple[Shade, ...] = ()
    """Filled boxes, neighbours of one row put together."""


def drawn(page: Page, tolerance: float) -> Drawing:
    """The rules and shades of a page; rules closer than `tolerance` points are one, so that double lines are."""
    objects = [*page.lines, *page.rects, *page.curves]
    if not objects or len(objects) > MOST_OBJECTS:
        return Drawing()
    level: list[Rule] = []
    upright: list[Rule] = []
    shades: list[Shade] = []
    for one in objects:
        box = (float(one["x0"]), float(one["top"]), float(one["x1"]), float(one["bottom"]))
        if _outside(box, page) or not (one.get("stroke") or one.get("fill")):
            continue
        for is_level, rule in _sides(one, box):
            (level if is_level else upright).append(rule)
        if _is_shade(one, box, page):
            shades.append(Shade(box, one.get("non_stroking_color")))
    found = _joined(level, tolerance), _joined(upright, tolerance)
    if max(map(len, found)) > MOST_RULES:
        return Drawing()
    return Drawing(tuple(found[0]), tuple(found[1]), tuple(_rows_of_shades(shades, tolerance)))


def _outside(box: Box, page: Page) -> bool:
    x0, top, x1, bottom = page.bbox
    return box[2] < x0 or box[0] > x1 or box[3] < top or box[1] > bottom


def _sides(one: dict[str, Any], box: Box) -> Iterator[tuple[bool, Rule]]:
    """(level?, rule) of each straight side that is seen."""
    x0, top, x1, bottom = box
    thin = bottom - top <= THIN, x1 - x0 <= THIN
    if thin[0] or thin[1]:
        if thin[0]:
            yield True, Rule((top + bottom) / 2, x0, x1)
        if thin[1]:
            yield False, Rule((x0 + x1) / 2, top, bottom)
    elif one.get("stroke") and one["object_type"] != "line":
        points = one["pts"] if one["object_type"] == "curve" else _corners(box)
        for (xa, ya), (xb, yb) in zip(points, [*points[1:], points[0]], strict=True):
            if abs(ya - yb) <= _STRAIGHT < abs(xa - xb):
                yield True, Rule((ya + yb) / 2, min(xa, xb), max(xa, xb))
            elif abs(xa - xb) <= _STRAIGHT < abs(ya - yb):
                yield False, Rule((xa + xb) / 2, min(ya, yb), max(ya, yb))


def _corners(box: Box) -> list[tuple[float, float]]:
    x0, top, x1, bottom = box
    return [(x0, top), (x1, top), (x1, bottom), (x0, bottom)]


def _is_shade(one: dict[str, Any], box: Box, page: Page) -> bool:
    if one["object_type"] != "rect" or not one.get("fill") or min(box[3] - box[1], box[2] - box[0]) <= THIN:
        return False
    whole = (box[2] - box[0]) * (box[3] - box[1]) > 0.9 * float(page.width) * float(page.height)
    return not whole and not _is_white(one.get("non_stroking_color"))


def _is_white(colour: Any) -> bool:
    """Grey and RGB count up to white, CMYK counts down to it."""
    values = colour if isinstance(colour, (tuple, list)) else (colour,)
    if not all(isinstance(value, (int, float)) for value in values):
        return False
    return all(value <= 1 - _WHITE for value in values) if len(values) == 4 else all(v >= _WHITE for v in values)


def _joined(rules: Sequence[Rule], tolerance: float) -> list[Rule]:
    """Pieces in one line that touch, and lines side by side, as one; short ones are left out."""
    found: list[Rule] = []
    for track in _tracks(sorted(rules, key=lambda rule: rule.at), tolerance):
        pieces = sorted(track, key=lambda rule: rule.start)
        group = [pieces[0]]
        end = pieces[0].end
        for piece in pieces[1:]:
            if piece.start > end + tolerance:
                found.append(_one(group))
                group = []
                end = piece.end
            group.append(piece)
            end = max(end, piece.end)
        found.append(_one(group))
    return [rule for rule in sorted(found, key=lambda rule: (rule.at, rule.start)) if rule.end - rule.start >= SHORTEST]


def _tracks(rules: Iterable[Rule], tolerance: float) -> Iterator[list[Rule]]:
    track: list[Rule] = []
    for rule in rules:
        if track and rule.at - track[0].at > tolerance:
            yield track
            track = []
        track.append(rule)
    if track:
        yield track


def _one(pieces: Sequence[Rule]) -> Rule:
    at = (min(piece.at for piece in pieces) + max(piece.at for piece in pieces)) / 2
    return Rule(at, min(piece.start for piece in pieces), max(piece.end for piece in pieces))


def _rows_of_shades(shades: Iterable[Shade], tolerance: float) -> Iterator[Shade]:
    """Filled boxes of one height side by side as one: the cells of a row."""
    row: Shade | None = None
    for shade in sorted(shades, key=lambda one: (round(one.box[1]), round(one.box[3]), one.box[0])):
        if row and _beside(row.box, shade.box, tolerance):
            x0, top, x1, bottom = row.box
            row = Shade((x0, top, max(x1, shade.box[2]), bottom), row.colour)
            continue
        if row:
            yield row
        row = shade
    if row:
        yield row


def _beside(left: Box, right: Box, tolerance: float) -> bool:
    level = abs(left[1] - right[1]) <= _STRAIGHT and abs(left[3] - right[3]) <= _STRAIGHT
    return level and right[0] <= left[2] + tolerance
