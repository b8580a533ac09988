"""Line charts with both axes in tenfold steps, as inline SVG that says in words what it shows.

Tenfold steps, because a team with a hundred tickets a month and one with a million are to find themselves in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from markupsafe import Markup

_LEFT: Final = 62.0
_RIGHT: Final = 14.0
_TOP: Final = 14.0
_FOOT: Final = 46.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart."""

    name: str
    kind: str
    """Its class in the page's style: retrieval, none, arrivals or always."""
    points: tuple[tuple[float, float], ...]
    """Both above 0, in the order of the axis."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the lines."""

    name: str
    """Unique on the page."""
    title: str
    words: str
    """What the chart shows, for who cannot see it."""
    below: str
    """What the horizontal axis is."""
    x: tuple[float, float]
    y: tuple[float, float]
    here: float | None = None
    """Where the team stands, on the horizontal axis."""
    here_label: str = ""
    marks: tuple[tuple[float, float, str], ...] = ()
    """Crossings, each with what is said of it."""
    width: int = 620
    height: int = 330


def chart(frame: Frame, lines: Sequence[Line]) -> Markup:
    """The chart; what lies outside the frame is cut at its edge."""
    svg = Element("svg", {"viewBox": f"0 0 {frame.width} {frame.height}", "role": "img", "class": "chart"})
    svg.set("aria-labelledby", f"{frame.name}-title {frame.name}-words")
    SubElement(svg, "title", {"id": f"{frame.name}-title"}).text = frame.title
    SubElement(svg, "desc", {"id": f"{frame.name}-words"}).text = frame.words
    _axes(svg, frame)
    if frame.here is not None:
        _here(svg, frame, frame.here)
    for line in lines:
        _line(svg, frame, line)
    for x, y, told in frame.marks:
        dot = SubElement(svg, "circle", {"class": "crossing", "cx": _x(frame, x), "cy": _y(frame, y), "r": "5"})
        SubElement(dot, "title").text = told
    return Markup(tostring(svg, encoding="unicode"))


def power_of_ten(value: float, up: bool) -> float:
    """The nearest power of ten from `value` on, or up to it."""
    exponent = math.log10(value)
    return float(10 ** (math.ceil(exponent - 1e-9) if up else math.floor(exponent + 1e-9)))


def short(value: float) -> str:
    """A round number as an axis says it: 100, 1k, 10k, 1M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def _axes(svg: Element, frame: Frame) -> None:
    for value in _tens(frame.y):
        y = _y(frame, value)
        _rule(svg, "grid", str(_LEFT), y, str(frame.width - _RIGHT), y)
        _text(svg, f"${short(value)}", _LEFT - 8, float(y) + 4, "end")
    for value in _tens(frame.x):
        x = _x(frame, value)
        _rule(svg, "tick", x, str(frame.height - _FOOT), x, str(frame.height - _FOOT + 4))
        _text(svg, short(value), float(x), frame.height - _FOOT + 18, "middle")
    _text(svg, frame.below, (_LEFT + frame.width - _RIGHT) / 2, frame.height - 8, "middle")


def _here(svg: Element, frame: Frame, value: float) -> None:
    x = _x(frame, value)
    _rule(svg, "here", x, str(_TOP), x, str(frame.height - _FOOT))
    room = float(x) < frame.width / 2
    _text(svg, frame.here_label, float(x) + (6 if room else -6), frame.height - _FOOT - 8, "start" if room else "end")


def _line(svg: Element, frame: Frame, line: Line) -> None:
    inside = [(x, y) for x, y in line.points if frame.y[0] <= y <= frame.y[1] and frame.x[0] <= x <= frame.x[1]]
    places = " ".join(f"{_x(frame, x)},{_y(frame, y)}" for x, y in inside)
    drawn = SubElement(svg, "polyline", {"class": f"line {line.kind}", "points": places})
    SubElement(drawn, "title").text = line.name


def _tens(bounds: tuple[float, float]) -> list[float]:
    first, last = (round(math.log10(value)) for value in bounds)
    return [float(10**exponent) for exponent in range(first, last + 1)]


def _x(frame: Frame, value: float) -> str:
    return _along(value, frame.x, _LEFT, frame.width - _RIGHT)


def _y(frame: Frame, value: float) -> str:
    return _along(value, frame.y, frame.height - _FOOT, _TOP)


def _along(value: float, bounds: tuple[float, float], start: float, end: float) -> str:
    low, high = (math.log10(bound) for bound in bounds)
    share = (math.log10(min(max(value, bounds[0]), bounds[1])) - low) / (high - low)
    return f"{start + share * (end - start):.1f}"


def _rule(svg: Element, kind: str, x1: str, y1: str, x2: str, y2: str) -> None:
    SubElement(svg, "line", {"class": kind, "x1": x1, "y1": y1, "x2": x2, "y2": y2})


def _text(svg: Element, text: str, x: float, y: float, anchor: str) -> None:
    SubElement(svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}).text = text
