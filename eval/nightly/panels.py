"""What stands in the panels of the page: tiles, slices, tables of figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from eval.nightly import wording
from eval.nightly.gates import untimed
from eval.nightly.glance import HEADLINES, RECALL, Change, Flip, Glance, Headline, Reading, find
from eval.nightly.record import Figure, Night
from eval.nightly.svg import Frame, Point, trend, whisker
from eval.pages import pieces

_EXCEPTIONS: Final = HEADLINES[1]
_NUMBER: Final = re.compile(r"at (?:least|most) (\d+(?:\.\d+)?)")
_SPARK: Final = (240, 66)
_REWRITTEN: Final = {"rewrites: worst of each ticket": "each question's worst", "ambiguous rewrites": "ambiguous ones"}
"""Slices that stand beside the figure of all rewrites."""
_FEW: Final = 10
"""Slices of one kind that are seen at once; more are folded away."""
_KINDS: Final = {"style": "style of rewrite", "sections": "sections needed"}
"""What kinds of slices are called, where not by their own name."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure at a glance."""

    title: str
    value: str
    interval: str
    note: str
    moved: tuple[tuple[str, str, str], ...]
    """Since when, how far, and its tone."""
    chart: Markup
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A slice in two measures."""

    name: str
    n: str
    first: str
    interval: str
    bar: Markup
    second: str
    second_interval: str
    before: str
    """The first measure the night before, where it was another."""


@dataclass(frozen=True, slots=True)
class Group:
    """Slices of one kind."""

    name: str
    rows: tuple[Row, ...]

    @property
    def folded(self) -> bool:
        """Whether it is too long to be seen at once."""
        return len(self.rows) > _FEW

    @property
    def weakest(self) -> str:
        """The first of its rows, in a few words."""
        return ", ".join(f"{row.name} {row.first}" for row in self.rows[:3])


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure beside that of the night before."""

    measure: str
    over: str
    n: str
    mean: str
    interval: str
    before: str


def recall_chart(glance: Glance) -> Markup:
    """The trend of recall, with its gate."""
    floor = _gate(glance.night, "recall@5")
    label = "" if floor is None else f"gate {floor:g}"
    frame = Frame("trend-recall", f"{glance.recall.name} over nights", line=floor, line_label=label)
    points = zip(_points(glance, RECALL), glance.trend, strict=True)
    return trend(frame, [replace(point, failed=night.failed) for point, night in points])


def recall_caption(glance: Glance) -> str:
    """What the chart of recall shows."""
    nights = len(glance.trend)
    told = f"{glance.recall.name}, the last {nights} nights" if nights > 1 else f"{glance.recall.name}, the first night"
    known = any(_interval(night) for night in glance.trend)
    band = ", with the 95 % interval" if known else ""
    changes = " ▲ handbook or settings had changed." if any(_notes(night) for night in glance.trend) else ""
    gaps = " ○ not measured." if any(find(night, RECALL) is None for night in glance.trend) else ""
    failed = " ◆ a gate failed." if any(night.failed for night in glance.trend) else ""
    return f"{told}{band}.{changes}{failed}{gaps}"


def _interval(night: Night) -> bool:
    figure = find(night, RECALL)
    return figure is not None and figure.low is not None


def tiles(glance: Glance) -> list[Tile]:
    """The other headline figures, and the time of a search."""
    return [*(_tile(reading, glance) for reading in glance.readings[1:]), _speed(glance)]


def _tile(reading: Reading, glance: Glance) -> Tile:
    figure, headline = reading.figure, reading.headline
    frame = Frame(f"trend-{_slug(headline.title)}", f"{headline.title} over nights", *_SPARK, small=True)
    return Tile(
        title=reading.label,
        value=wording.measured(reading),
        interval=pieces.between(figure.low, figure.high) if figure else "",
        note="; ".join([headline.meaning, *_apart(figure, glance.night)]),
        moved=tuple(_since(reading)),
        chart=trend(frame, _points(glance, headline)),
        missing=figure is None,
    )


def _apart(figure: Figure | None, night: Night) -> Iterator[str]:
    """What a figure is over, and what stands apart from it."""
    if figure is None:
        return
    yield f"n = {figure.n:,}"
    name = figure.measure.removesuffix("+links")
    plain = night.figure(name, figure.slice) if name != figure.measure else None
    if plain and plain.mean is not None:
        yield f"with links; without them {pieces.share(plain.mean)}"
    if figure.slice == "rewrites":
        for over, told in _REWRITTEN.items():
            one = night.figure(figure.measure, over)
            if one and one.mean is not None:
                yield f"{told} {pieces.share(one.mean)} (n = {one.n:,})"


def _since(reading: Reading) -> Iterator[tuple[str, str, str]]:
    for name, change in (("last night", reading.since_last), ("baseline", reading.since_baseline)):
        if change:
            yield name, "same" if wording.unmoved(change) else wording.moved(change), _tone(reading, change)


def _tone(reading: Reading, change: Change) -> str:
    if not change.beyond_chance:
        return ""
    return "bad" if reading.worse(change) else "good"


def _speed(glance: Glance) -> Tile:
    now, last = glance.night.p95, glance.last.p95 if glance.last else None
    frame = Frame("trend-p95", "p95 of a search over nights", *_SPARK, unit="milliseconds", small=True)
    points = [Point(_label(night), night.p95) for night in glance.trend]
    moved = [] if now is None or last is None else [("last night", f"{pieces.signed(now - last, 0)} ms", "")]
    note = untimed(glance.night.tickets) if now is None else "19 of 20 searches were faster"
    return Tile("p95 of a search", pieces.milliseconds(now), "", note, tuple(moved), trend(frame, points), now is None)


def _points(glance: Glance, headline: Headline) -> list[Point]:
    return [_point(night, find(night, headline)) for night in glance.trend]


def _point(night: Night, figure: Figure | None) -> Point:
    known = (figure.mean, figure.low, figure.high) if figure else (None, None, None)
    return Point(_label(night), *known, note=_notes(night), era=night.suite_digest)


def _label(night: Night) -> str:
    return f"run {night.run}, {pieces.day(night.at)}"


def _notes(night: Night) -> str:
    parts = [f"{pieces.number(len(night.handbook), 'section')} of the handbook"] if night.handbook else []
    parts += [one.name for one in night.configured]
    return ", ".join(parts) + " changed" if parts else ""


def _gate(night: Night, name: str) -> float | None:
    """The number that a gate wants."""
    wanted = next((gate.wanted for gate in night.gates if gate.name.casefold() == name), "")
    found = _NUMBER.search(wanted)
    return float(found[1]) if found else None


def slice_measures(glance: Glance) -> tuple[str, str | None]:
    """The two measures of the table of slices."""
    exceptions = glance.readings[1].figure
    return glance.recall.name, exceptions.measure if exceptions else None


def slices(glance: Glance) -> list[Group]:
    """Slices by what they are of, the weakest first; those in which nothing was measured last."""
    first, second = slice_measures(glance)
    groups: dict[str, list[Figure]] = {}
    for figure in glance.night.figures:
        kind, colon, _ = figure.slice.partition(": ")
        if colon and figure.measure == first:
            groups.setdefault(kind, []).append(figure)
    middle = glance.recall.figure.mean if glance.recall.figure else None
    return [
        Group(
            _KINDS.get(kind, kind),
            tuple(_row(one, second, glance, middle) for one in sorted(found, key=_weakest_first)),
        )
        for kind, found in groups.items()
    ]


def _weakest_first(figure: Figure) -> tuple[bool, float, str]:
    return figure.mean is None, figure.mean or 0.0, figure.slice


def _row(figure: Figure, second: str | None, glance: Glance, middle: float | None) -> Row:
    night = glance.night
    other = night.figure(second, figure.slice) if second else None
    last = glance.last.figure(figure.measure, figure.slice) if glance.last else None
    name = f"slice-{night.figures.index(figure)}"
    bar = Markup() if figure.mean is None else whisker(name, figure.mean, figure.low, figure.high, middle)
    return Row(
        name=figure.slice.partition(": ")[2],
        n=f"{figure.n:,}",
        first=pieces.share(figure.mean),
        interval=pieces.between(figure.low, figure.high),
        bar=bar,
        second="" if other is None or other.mean is None else pieces.share(other.mean),
        second_interval=pieces.between(other.low, other.high) if other else "",
        before="" if last is None or last.mean == figure.mean else pieces.share(last.mean),
    )


def figures(glance: Glance) -> Iterator[FigureRow]:
    """Every figure that is over no slice, beside last night's."""
    for figure in glance.night.figures:
        if ": " not in figure.slice:
            last = glance.last.figure(figure.measure, figure.slice) if glance.last else None
            yield FigureRow(
                figure.measure,
                figure.slice,
                f"{figure.n:,}",
                _value(figure.mean),
                _bounds(figure),
                _value(last.mean) if last else "",
            )


def _value(mean: float | None) -> str:
    # Tokens are counted in thousands, everything else in shares.
    return f"{mean:,.0f}" if mean is not None and mean > 10 else pieces.share(mean)


def _bounds(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"[{_value(figure.low)}, {_value(figure.high)}]"


def _slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.casefold())


def flip_groups(glance: Glance) -> list[tuple[str, list[Flip]]]:
    """Flips by direction and by who asked, each with its title."""
    found: list[tuple[str, list[Flip]]] = []
    for title, flips in (("Went worse", glance.lost), ("Went better", glance.won)):
        for noun, message in (("message", True), ("rewrite", False)):
            chosen = [flip for flip in flips if (flip.ticket.asked == "message") is message]
            if chosen:
                found.append((f"{title}: {pieces.number(len(chosen), noun)}", chosen))
    return found
