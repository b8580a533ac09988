"""What stands in the panels of the page: tiles, slices, tables of figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from eval.nightly import pieces, wording
from eval.nightly.glance import HEADLINES, RECALL, Glance, Headline, Reading, find
from eval.nightly.record import Figure, Night
from eval.nightly.svg import Frame, Point, trend, whisker

_EXCEPTIONS: Final = HEADLINES[1]
_NUMBER: Final = re.compile(r"at (?:least|most) (\d+(?:\.\d+)?)")
_SPARK: Final = (240, 62)


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure at a glance."""

    title: str
    value: str
    interval: str
    note: str
    moved: str
    tone: str
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


@dataclass(frozen=True, slots=True)
class Group:
    """Slices of one kind."""

    name: str
    rows: tuple[Row, ...]


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
    return trend(frame, _points(glance, RECALL))


def recall_caption(glance: Glance) -> str:
    """What the chart of recall shows."""
    nights = len(glance.trend)
    told = f"{glance.recall.name}, the last {nights} nights" if nights > 1 else f"{glance.recall.name}, the first night"
    known = any(_interval(night) for night in glance.trend)
    changes = any(_notes(night) for night in glance.trend)
    band = ", with the 95 % interval" if known else ""
    return f"{told}{band}.{' ▲ handbook or settings had changed.' if changes else ''}"


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
        title=f"{headline.title}{_cut(figure)}",
        value=wording.measured(reading),
        interval=pieces.between(figure.low, figure.high) if figure else "",
        note=f"{headline.meaning}{_counted(figure)}",
        moved=_since(reading),
        tone=_tone(reading),
        chart=trend(frame, _points(glance, headline)),
        missing=figure is None,
    )


def _cut(figure: Figure | None) -> str:
    found = re.search(r"@(\d+)(\+links)?", figure.measure) if figure else None
    return f"@{found[1]}{' with links' if found[2] else ''}" if found else ""


def _counted(figure: Figure | None) -> str:
    return f"; n = {figure.n:,}" if figure else ""


def _since(reading: Reading) -> str:
    if reading.figure is None:
        return ""
    parts = [
        f"{wording.moved(change)} since {name}" if change.mean else f"as {name}"
        for name, change in (("last night", reading.since_last), ("the baseline", reading.since_baseline))
        if change
    ]
    return "; ".join(parts) or "nothing to compare with yet"


def _tone(reading: Reading) -> str:
    change = reading.since_last
    if change is None or not change.beyond_chance:
        return ""
    return "bad" if reading.worse(change) else "good"


def _speed(glance: Glance) -> Tile:
    now, last = glance.night.p95, glance.last.p95 if glance.last else None
    frame = Frame("trend-p95", "p95 of a search over nights", *_SPARK, unit="milliseconds", small=True)
    points = [Point(_label(night), night.p95) for night in glance.trend]
    moved = "" if now is None or last is None else f"{pieces.signed(now - last, 0)} ms since last night"
    note = "19 of 20 searches were faster" if now is not None else "every answer was kept from before"
    return Tile("p95 of a search", pieces.milliseconds(now), "", note, moved, "", trend(frame, points), now is None)


def _points(glance: Glance, headline: Headline) -> list[Point]:
    return [_point(night, find(night, headline)) for night in glance.trend]


def _point(night: Night, figure: Figure | None) -> Point:
    if figure is None:
        return Point(_label(night), None, note=_notes(night), era=night.suite_digest)
    return Point(_label(night), figure.mean, figure.low, figure.high, _notes(night), night.suite_digest)


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
        Group(kind, tuple(_row(one, second, glance.night, middle) for one in sorted(found, key=_weakest_first)))
        for kind, found in groups.items()
    ]


def _weakest_first(figure: Figure) -> tuple[bool, float, str]:
    return figure.mean is None, figure.mean or 0.0, figure.slice


def _row(figure: Figure, second: str | None, night: Night, middle: float | None) -> Row:
    other = night.figure(second, figure.slice) if second else None
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


def flip_groups(glance: Glance) -> Sequence[tuple[str, Sequence[object]]]:
    """Flips by direction and by who asked, each with its title."""
    found: list[tuple[str, Sequence[object]]] = []
    for title, flips in (("Went worse", glance.lost), ("Went better", glance.won)):
        for noun, message in (("message", True), ("rewrite", False)):
            chosen = [flip for flip in flips if (flip.ticket.asked == "message") is message]
            if chosen:
                found.append((f"{title}: {pieces.number(len(chosen), noun)}", chosen))
    return found
