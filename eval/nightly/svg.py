"""Charts as inline SVG: they take their colours from the page, and say in words what they show.

A chart draws what was measured and nothing else: a night without a figure leaves a gap, an interval that is not
known is not drawn, and a line breaks where the suite became another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from markupsafe import Markup

from eval.pages.pieces import NOT_MEASURED, clipped, shown

_LEAST_SPAN: Final = 10
"""Hundredths of a share's axis: fewer would make a mountain of one question."""
_STEPS: Final = (2, 5, 10, 20, 25, 50)
"""Hundredths between two lines of a share's axis."""
_MOST_STEPS: Final = 4
_LONGEST: Final = 300
"""Characters of a text in a chart."""


@dataclass(frozen=True, slots=True)
class Point:
    """One night of a chart."""

    label: str
    """Of its run, "run 12, 13 Nov"."""
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    """What changed before it, for the mark below the axis; empty where nothing did."""
    era: str = ""
    """Nights of one era may be compared; the line breaks between two. Empty where it is not known."""
    failed: bool = False
    """Whether a gate failed that night; drawn as a diamond."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Size and scale of a chart."""

    name: str
    """Unique on the page."""
    title: str
    width: int = 480
    height: int = 225
    unit: str = "share"
    """"share", from 0 to 1, or "milliseconds"."""
    line: float | None = None
    """Where a gate stands."""
    line_label: str = ""
    small: bool = False
    """With the ends of its axis only, and without days: the figure stands beside it."""


@dataclass(frozen=True, slots=True)
class _Scale:
    frame: Frame
    count: int
    ticks: tuple[float, ...]

    @property
    def bottom(self) -> float:
        return self.ticks[0]

    @property
    def top(self) -> float:
        return self.ticks[-1]

    @property
    def left(self) -> float:
        return 34 if self.frame.small else 40

    @property
    def foot(self) -> float:
        return self.frame.height - (8 if self.frame.small else 34)

    def x(self, at: int) -> float:
        right = self.frame.width - (6 if self.frame.small else 10)
        # A lone night stands where tonight always stands: at the right.
        return round(right - (self.count - 1 - at) * (right - self.left - 6) / max(self.count - 1, 1), 1)

    def y(self, value: float) -> float:
        head = 6 if self.frame.small else 12
        clamped = min(max(value, self.bottom), self.top)
        return round(self.foot - (clamped - self.bottom) / (self.top - self.bottom) * (self.foot - head), 1)


def trend(frame: Frame, points: Sequence[Point]) -> Markup:
    """A line over nights, tonight's last, within its intervals."""
    scale = _scale(frame, points)
    svg = _svg(frame.name, frame.width, frame.height, frame.title, told(frame, points))
    _axis(svg, scale)
    if frame.line is not None:
        _gate(svg, scale, frame.line)
    for run in _runs(points):
        _band(svg, scale, [(at, points[at]) for at in run])
        _path(svg, scale, [(at, points[at]) for at in run])
    _eras(svg, scale, points)
    for at, point in enumerate(points):
        _point(svg, scale, at, point, tonight=at == len(points) - 1)
    if points and not frame.small:
        _days(svg, scale, points)
    return Markup(tostring(svg, encoding="unicode"))


def told(frame: Frame, points: Sequence[Point]) -> str:
    """The chart in words."""
    known = [(point.value, point.label) for point in points if point.value is not None]
    if not known:
        return "No night was measured."
    lowest, highest = min(known), max(known)
    last = points[-1]
    tonight = NOT_MEASURED if last.value is None else _said(frame, last.value)
    interval = f", interval {_said(frame, last.low)} to {_said(frame, last.high)}" if _has_interval(last) else ""
    span = f"{len(known)} of {len(points)} nights measured; lowest {_said(frame, lowest[0])} ({lowest[1]}), "
    return f"Tonight {tonight}{interval}. {span}highest {_said(frame, highest[0])} ({highest[1]})."


def whisker(name: str, mean: float, low: float | None, high: float | None, middle: float | None) -> Markup:
    """A mean from 0 to 1 as a dot, its interval as a line, and the mean over everything as a tick."""
    interval = f" [{low:.3f}, {high:.3f}]" if low is not None and high is not None else ""
    svg = _svg(name, 140, 16, "", f"{mean:.3f}{interval} on a scale from 0 to 1")
    _line(svg, "rail", _along(0), "8", _along(1), "8")
    if middle is not None:
        _line(svg, "middle", _along(middle), "2", _along(middle), "14")
    if low is not None and high is not None:
        _line(svg, "whisker", _along(low), "8", _along(high), "8")
    SubElement(svg, "circle", {"class": "dot", "cx": _along(mean), "cy": "8", "r": "3.5"})
    return Markup(tostring(svg, encoding="unicode"))


def _along(share: float) -> str:
    return f"{4 + 132 * min(max(share, 0.0), 1.0):.1f}"


def _svg(name: str, width: int, height: int, title: str, words: str) -> Element:
    svg = Element("svg", {"viewBox": f"0 0 {width} {height}", "role": "img", "class": "chart"})
    svg.set("aria-labelledby", f"{name}-title {name}-words" if title else f"{name}-words")
    if title:
        SubElement(svg, "title", {"id": f"{name}-title"}).text = _words(title)
    SubElement(svg, "desc", {"id": f"{name}-words"}).text = _words(words)
    return svg


def _scale(frame: Frame, points: Sequence[Point]) -> _Scale:
    found = [value for point in points for value in (point.value, point.low, point.high) if value is not None]
    values = [*found, *([frame.line] if frame.line is not None else [])] or [0.0, 1.0]
    ticks = _shares(min(values), max(values)) if frame.unit == "share" else _times(max(values))
    return _Scale(frame, len(points), ticks)


def _shares(lowest: float, highest: float) -> tuple[float, ...]:
    """Round shares from below the lowest to above the highest, not more than there is room for."""
    top = min(100, max(ceil(round(highest * 100, 6)), _LEAST_SPAN))
    bottom = max(0, min(floor(round(lowest * 100, 6)), top - _LEAST_SPAN))
    for step in _STEPS:
        first, last = bottom // step, -(-top // step)
        if last - first <= _MOST_STEPS:
            return tuple(at * step / 100 for at in range(first, last + 1))
    return 0.0, 0.5, 1.0


def _times(highest: float) -> tuple[float, ...]:
    """Round times from 0 to above the highest."""
    step = 1.0
    while step * _MOST_STEPS < highest:
        step *= 2 if str(step)[0] in "15" else 2.5
    return tuple(at * step for at in range(ceil(highest / step) + 1)) if highest > 0 else (0.0, 1.0)


def _said(frame: Frame, value: float | None) -> str:
    if value is None:
        return NOT_MEASURED
    return f"{value:.3f}" if frame.unit == "share" else f"{value:,.0f} ms"


def _has_interval(point: Point) -> bool:
    return point.low is not None and point.high is not None


def _runs(points: Sequence[Point]) -> Iterator[list[int]]:
    """Indices of nights in a row that have a figure and may be compared."""
    run: list[int] = []
    for at, point in enumerate(points):
        if run and (point.value is None or _another(points[run[-1]].era, point.era)):
            yield run
            run = []
        if point.value is not None:
            run.append(at)
    if run:
        yield run


def _axis(svg: Element, scale: _Scale) -> None:
    for value in (scale.bottom, scale.top) if scale.frame.small else scale.ticks:
        y = str(scale.y(value))
        _line(svg, "grid", str(scale.left), y, str(scale.frame.width - 4), y)
        label = f"{value:.2f}" if scale.frame.unit == "share" else f"{value:,.0f}"
        _text(svg, label, scale.left - 6, scale.y(value) + 4, "end")


def _gate(svg: Element, scale: _Scale, value: float) -> None:
    y = str(scale.y(value))
    _line(svg, "gate", str(scale.left), y, str(scale.frame.width - 4), y)
    if scale.frame.line_label and not scale.frame.small:
        below = scale.y(value) + 13 < scale.foot
        _text(svg, scale.frame.line_label, scale.left + 4, scale.y(value) + (13 if below else -5), "start")


def _band(svg: Element, scale: _Scale, run: Sequence[tuple[int, Point]]) -> None:
    known = [(at, point.low, point.high) for at, point in run if point.low is not None and point.high is not None]
    if len(known) < 2 or len(known) < len(run):
        # Within a band each night would seem to have an interval: where some have none, each has its own bar.
        for at, low, high in known:
            _line(svg, "bar", str(scale.x(at)), str(scale.y(low)), str(scale.x(at)), str(scale.y(high)))
        return
    upper = [f"{scale.x(at)},{scale.y(high)}" for at, _, high in known]
    lower = [f"{scale.x(at)},{scale.y(low)}" for at, low, _ in reversed(known)]
    SubElement(svg, "polygon", {"class": "band", "points": " ".join([*upper, *lower])})


def _path(svg: Element, scale: _Scale, run: Sequence[tuple[int, Point]]) -> None:
    places = [f"{scale.x(at)},{scale.y(point.value)}" for at, point in run if point.value is not None]
    if len(places) > 1:
        SubElement(svg, "polyline", {"class": "trend", "points": " ".join(places)})


def _eras(svg: Element, scale: _Scale, points: Sequence[Point]) -> None:
    for at in range(1, len(points)):
        if _another(points[at - 1].era, points[at].era):
            x = str((scale.x(at) + scale.x(at - 1)) / 2)
            line = _line(svg, "era", x, "4", x, str(scale.foot))
            SubElement(line, "title").text = "from here on, the suite is another one"


def _another(era: str, other: str) -> bool:
    return bool(era and other) and era != other


def _point(svg: Element, scale: _Scale, at: int, point: Point, *, tonight: bool) -> None:
    x = scale.x(at)
    if point.note and not scale.frame.small:
        base = scale.foot + 4
        mark = SubElement(svg, "path", {"class": "mark", "d": f"M{x - 4} {base + 7}L{x} {base}L{x + 4} {base + 7}Z"})
        SubElement(mark, "title").text = _words(f"{point.label}: {point.note}")
    if point.value is None:
        gap = SubElement(svg, "circle", {"class": "gap", "cx": str(x), "cy": str(scale.foot), "r": "3"})
        SubElement(gap, "title").text = _words(f"{point.label}: {NOT_MEASURED}")
        return
    y = str(scale.y(point.value))
    if point.failed:
        _diamond(svg, x, scale.y(point.value), 6 if tonight else 4)
    else:
        kind, radius = ("dot tonight", "4.5") if tonight else ("dot", "1.5")
        SubElement(svg, "circle", {"class": kind, "cx": str(x), "cy": y, "r": radius})
    interval = f" [{_said(scale.frame, point.low)}, {_said(scale.frame, point.high)}]" if _has_interval(point) else ""
    reach = SubElement(svg, "circle", {"class": "reach", "cx": str(x), "cy": y, "r": "7"})
    SubElement(reach, "title").text = _words(f"{point.label}: {_said(scale.frame, point.value)}{interval}")


def _diamond(svg: Element, x: float, y: float, r: float) -> None:
    path = f"M{x - r} {y:.1f}L{x} {y - r:.1f}L{x + r} {y:.1f}L{x} {y + r:.1f}Z"
    SubElement(svg, "path", {"class": "failed", "d": path})


def _days(svg: Element, scale: _Scale, points: Sequence[Point]) -> None:
    y = scale.frame.height - 6
    if len(points) > 1:
        _text(svg, points[0].label, scale.left, y, "start")
    _text(svg, points[-1].label, scale.frame.width - 4, y, "end")


def _words(text: str) -> str:
    return clipped(shown(text), _LONGEST)


def _line(svg: Element, kind: str, x1: str, y1: str, x2: str, y2: str) -> Element:
    return SubElement(svg, "line", {"class": kind, "x1": x1, "y1": y1, "x2": x2, "y2": y2})


def _text(svg: Element, text: str, x: float, y: float, anchor: str) -> None:
    SubElement(svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}).text = _words(text)
