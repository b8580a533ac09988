"""compare.html: one self-contained page, without scripts, that a finance lead and an engineer both can read.

Text of suites and prices is not to be trusted: each value is cleaned and clipped as it is printed, then escaped by the
template engine; should both fail, the page's own policy allows neither scripts nor anything from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from eval.comparison import wording
from eval.comparison.arrivals import MONTHS
from eval.comparison.bills import ONE
from eval.comparison.breakeven import CACHINGS, Caching, Crossing, Scene, grid
from eval.comparison.chart import Frame, Line, chart, power_of_ten
from eval.comparison.comparing import Comparison
from eval.measures.bootstrap import Estimate
from eval.pages import pieces

if TYPE_CHECKING:
    from eval.comparison.asking import ArmResults
    from eval.measures.grouped import Latency

LONGEST: Final = 600
"""Characters of a text on the page."""
_MEASURED: Final = {"PolicyExceptionRecall": "the rule and its limit", "AnchorRecall": "what the ticket needs"}
_POINTS: Final = 120
_SIZES: Final = (10_000.0, 1_000_000.0)
"""Tokens of a handbook that the chart by size spans, at least."""
_FEWEST: Final = 100.0
"""Tickets a month where the chart by tickets begins."""


def page(found: Comparison, results: ArmResults | None, command: str) -> str:
    """The whole page.

    Args:
        found: All that is known without a model.
        results: What a model made of it; None where none was asked.
        command: What would ask one.
    """
    return _template().render(_figures(found) | _charts(found) | _of_model(found, results, command) | _helpers())


def _figures(found: Comparison) -> dict[str, Any]:
    style = _read("eval.nightly", "report.css") + _read("eval.comparison", "compare.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    sizes = {one.arm: one for one in found.sizes}
    inside = {(one.measure.name, one.slice): one.estimate for one in found.inside}
    exceptions = inside.get(("PolicyExceptionRecall", "all"))
    options = [row for row in found.bills.rows if row.name in ("retrieval", ONE)]
    return {
        "found": found,
        "style": Markup(style),
        "digest": digest,
        # Neither outcome is good or bad news.
        "tone": "unknown",
        "answer": wording.answer(found),
        "volume": wording.volume(found),
        "retrieval": sizes["retrieval"],
        "handbook": sizes["handbook"],
        "rows": {row.name: row for row in found.bills.rows},
        "cheapest": min(options, key=lambda row: row.month).name,
        "inside": [one for one in found.inside if one.estimate and one.measure.name in _MEASURED],
        "measured": _MEASURED,
        "inside_all": pieces.share(exceptions.mean if exceptions else None),
        "inside_interval": pieces.between(exceptions.low, exceptions.high) if exceptions else "",
        "located": _located(inside.get(("StaleRate", "all"))),
        "reckoned": wording.rows_told(found.price, found.hosting, found.month),
        "caches": wording.CACHES,
        "months": MONTHS,
    }


def _of_model(found: Comparison, results: ArmResults | None, command: str) -> dict[str, Any]:
    route = results.of("route") if results else None
    of = {arm: results.of(arm) if results else None for arm in ("retrieval", "handbook")}
    recall = {arm: one.figures["policy-exception recall"] if one else None for arm, one in of.items()}
    return {
        "results": results,
        "command": command,
        "curve": results.curve() if results else (),
        "routed": f"{route.handed_on} of {len(route.outcomes)}" if route else None,
        "model_recall": _share(recall["retrieval"]),
        "model_recall_handbook": _share(recall["handbook"]),
    }


def _charts(found: Comparison) -> dict[str, Markup]:
    return {"by_tickets": _by_tickets(found), "by_size": _by_size(found), "keys": _keys()}


def _by_tickets(found: Comparison) -> Markup:
    scene, here = found.bills.scene, float(found.month.tickets)
    values = grid((_FEWEST, max(1_000_000.0, power_of_ten(here * 2, up=True))), _POINTS)
    lines = [Line("retrieval", "retrieval", tuple((at, scene.retrieval_usd(at)) for at in values))]
    lines += [
        Line(wording.CACHES[one], one, tuple((at, scene.handbook_usd(at, one)) for at in values)) for one in CACHINGS
    ]
    words = "; ".join(
        f"with {wording.CACHES[one.caching]}, cheaper is {wording.even(one)}" for one in found.bills.broken
    )
    marks = tuple(
        (one.at, scene.retrieval_usd(one.at), _ring(one, broken.caching, "tickets a month"))
        for broken in found.bills.broken
        for one in broken.tickets
        if values[0] <= one.at <= values[-1]
    )
    frame = Frame(
        "by-tickets",
        "USD a month, by tickets a month",
        f"USD a month, by tickets a month: {words}.",
        "tickets a month",
        (values[0], values[-1]),
        _span(lines),
        here,
        f"now: {found.month.tickets:,}",
        marks,
    )
    return chart(frame, lines)


def _by_size(found: Comparison) -> Markup:
    scene, tickets = found.bills.scene, float(found.month.tickets)
    here = scene.handbook.prefix
    values = grid((min(_SIZES[0], power_of_ten(here, up=False)), max(_SIZES[1], power_of_ten(here, up=True))), _POINTS)
    usd = scene.retrieval_usd(tickets)
    lines = [Line("retrieval", "retrieval", tuple((at, usd) for at in values))]
    lines += [Line(wording.CACHES[one], one, tuple(_sized(scene, one, values))) for one in CACHINGS]
    words = "; ".join(
        f"with {wording.CACHES[one.caching]}, cheaper is {wording.even_in_size(one)}" for one in found.bills.broken
    )
    marks = tuple(
        (one.at, usd, _ring(one, broken.caching, "tokens"))
        for broken in found.bills.broken
        for one in broken.size
        if values[0] <= one.at <= values[-1]
    )
    frame = Frame(
        "by-size",
        "USD a month, by tokens of the handbook",
        f"USD a month, by tokens of the handbook: {words}.",
        "tokens of the handbook",
        (values[0], values[-1]),
        _span(lines),
        here,
        f"this one: {here:,.0f}",
        marks,
    )
    return chart(frame, lines)


def _sized(scene: Scene, caching: Caching, values: tuple[float, ...]) -> list[tuple[float, float]]:
    tickets = scene.month.tickets
    return [(at, scene.sized(at).handbook_usd(tickets, caching)) for at in values]


def _ring(crossing: Crossing, caching: Caching, unit: str) -> str:
    return f"{crossing.at:,.0f} {unit}: above, {crossing.above} is cheaper, with {wording.CACHES[caching]}"


def _span(lines: list[Line]) -> tuple[float, float]:
    found = [y for line in lines for _, y in line.points if y > 0]
    low, high = power_of_ten(min(found), up=False), power_of_ten(max(found), up=True)
    return low, max(high, low * 10)


def _keys() -> Markup:
    names: Mapping[str, str] = {"retrieval": "retrieval"} | {
        one: f"handbook, {wording.CACHES[one]}" for one in CACHINGS
    }
    row = '<li><svg viewBox="0 0 30 10" aria-hidden="true"><path class="key {}" d="M0 5H30"/></svg>{}</li>'
    return Markup('<ul class="keys">{}</ul>').format(Markup("").join(Markup(row).format(*one) for one in names.items()))


def _located(stale: Estimate | None) -> str:
    if stale is None:
        return "Whether all of a prompt stands in force on the ticket’s day: not measured."
    return (
        f"Each passage names its section and its days. Prompts by retrieval with any text that is not in force on the "
        f"ticket’s day: {_estimate(stale)}, n {stale.n}. What answers quote: see “In the answer”."
    )


def _helpers() -> dict[str, Any]:
    return {
        "usd": wording.usd,
        "crossing": wording.crossing,
        "even": wording.even,
        "even_in_size": wording.even_in_size,
        "number": pieces.number,
        "milliseconds": pieces.milliseconds,
        "estimate": _estimate,
        "latency": _latency,
        "percent": wording.percent,
        "whole": lambda value: f"{value:,.0f}",
    }


def _estimate(value: Estimate | None) -> str:
    return f"{value.mean:.3f} {pieces.between(value.low, value.high)}" if value else pieces.NOT_MEASURED


def _share(value: Estimate | None) -> str:
    return pieces.share(value.mean if value else None)


def _latency(value: Latency | None) -> str:
    return pieces.milliseconds(value.median if value else None)


def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _template() -> Template:
    surroundings = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_cleaned
    )
    return surroundings.from_string(_read("eval.comparison", "compare.html.jinja"))


def _cleaned(value: object) -> object:
    # Our own mark-up is made of cleaned text already.
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return pieces.clipped(pieces.shown(value), LONGEST)
