"""The bills of a month: what each side costs, where they break even, and what that hangs on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from eval.comparison.arrivals import Arrived, drawn
from eval.comparison.breakeven import CACHINGS, Caching, Crossing, Scene, cheaper, in_size, in_tickets
from eval.comparison.costs import Size, call_usd, mixed_usd, scaled
from eval.comparison.prices import Hosting, ModelPrice, Month
from eval.measures.summary import SEED

FEW: Final = (1_000, 10_000)
"""Tickets a month that are reckoned beside the team's own number."""
ONE: Final = "handbook, cached, all tickets about one edition"
SPREAD: Final = "handbook, cached, editions as in the tickets"
"""A suite asks about past days on purpose; a desk that asks about today alone needs one edition."""
ROUTED: Final = (0.1, 0.3)
"""Shares of tickets for which the arm `route` goes on to the handbook: what if, since no model was asked."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What both sides send for one ticket, mean over the tickets."""

    retrieval: Size
    handbook: Size
    shares: tuple[float, ...]
    """Of each edition among the tickets, the most asked for first."""
    embedded: float
    """Tokens of a message."""


@dataclass(frozen=True, slots=True)
class Bill:
    """One way to answer a month of tickets; USD."""

    name: str
    each: float
    """One call on average, without hosting."""
    month: float
    """All calls, and hosting where there is any."""
    what_if: bool = False
    """Whether it rests on a share that is not measured."""


@dataclass(frozen=True, slots=True)
class Cached:
    """The handbook's cache at one volume."""

    arrived: Arrived
    editions: int
    each: float
    month: float


@dataclass(frozen=True, slots=True)
class Broken:
    """Where both sides cost the same."""

    caching: Caching
    tickets: tuple[Crossing, ...]
    size: tuple[Crossing, ...]
    """In tokens of the prompt's prefix: handbook and instructions."""
    now: Literal["retrieval", "handbook"]
    """What is cheaper at the team's volume."""


@dataclass(frozen=True, slots=True)
class Sensitive:
    """One assumption changed, all others as they are; USD a month at the team's volume."""

    what: str
    retrieval: float
    handbook: float
    now: Literal["retrieval", "handbook"]
    tickets: tuple[Crossing, ...]


@dataclass(frozen=True, slots=True)
class Bills:
    """All of it."""

    scene: Scene
    rows: tuple[Bill, ...]
    caches: tuple[Cached, ...]
    broken: tuple[Broken, ...]
    sensitive: tuple[Sensitive, ...]


def bills_of(price: ModelPrice, hosting: Hosting, month: Month, sides: Sides) -> Bills:
    """Everything that follows from prices, a month and the sizes of both sides; no step of it is unseeded."""
    scene = Scene(price, hosting, month, sides.retrieval, sides.handbook, sides.shares, sides.embedded)
    caches = tuple(_caches(scene))
    return Bills(
        scene,
        tuple(_rows(scene, caches)),
        caches,
        tuple(_broken(scene, caching) for caching in CACHINGS),
        tuple(_sensitive(scene)),
    )


def _rows(scene: Scene, caches: tuple[Cached, ...]) -> Iterator[Bill]:
    tickets = scene.month.tickets
    retrieval = scene.retrieval_usd(tickets)
    each = (retrieval - scene.hosting.usd_per_month) / tickets
    yield Bill("retrieval", each, retrieval)
    none, best = call_usd(scene.price, scene.handbook), call_usd(scene.price, scene.handbook, "read")
    yield Bill("handbook, no cache", none, none * tickets)
    for one in (cached for cached in caches if cached.arrived.tickets == tickets):
        yield Bill(SPREAD if one.editions > 1 else ONE, one.each, one.month)
    yield Bill("handbook, every call finds its cache", best, best * tickets)
    for share in ROUTED:
        asked = share * tickets
        # Fewer calls find fewer caches: those that go on are a stream of their own.
        handbook = asked * scene.handbook_call_usd(asked, "one")
        name = f"route, if {share:.0%} go on to the handbook"
        yield Bill(name, each + handbook / tickets, retrieval + handbook, what_if=True)


def _caches(scene: Scene) -> Iterator[Cached]:
    for tickets in dict.fromkeys((scene.month.tickets, *FEW)):
        for shares in dict.fromkeys((scene.shares, (1.0,))):
            rng = np.random.default_rng(SEED)
            found = drawn(scene.month, tickets, shares, scene.price.cache_minutes, rng)
            each = mixed_usd(scene.price, scene.handbook, found.hits)
            yield Cached(found, len(shares), each, each * tickets)


def _broken(scene: Scene, caching: Caching) -> Broken:
    now = cheaper(scene, caching, scene.month.tickets)
    return Broken(caching, in_tickets(scene, caching), in_size(scene, caching), now)


def _sensitive(scene: Scene) -> Iterator[Sensitive]:
    yield _row("as reckoned above, all tickets about one edition", scene)
    for factor in (0.1, 0.5, 2.0):
        yield _row(f"model prices × {factor:g}", replace(scene, price=scaled(scene.price, factor)))
    surcharged = scene.price.model_copy(update={"cache_write": scene.price.input * 1.25})
    yield _row("cache writes 25 % above the input's price", replace(scene, price=surcharged))
    hour = scene.price.model_copy(update={"cache_minutes": 60.0})
    yield _row("a cache that lives for 60 minutes", replace(scene, price=hour))
    for usd in (0.0, scene.hosting.usd_per_month / 2, scene.hosting.usd_per_month * 2):
        hosting = scene.hosting.model_copy(update={"usd_per_month": usd})
        yield _row(f"hosting at {usd:,.0f} USD a month", replace(scene, hosting=hosting))
    for hits in (0.0, 0.5, 0.9, 0.99, 1.0):
        yield _fixed(f"{hits:.0%} of the calls find a cache, at any volume", scene, hits)


def _row(what: str, scene: Scene) -> Sensitive:
    tickets = scene.month.tickets
    handbook = scene.handbook_usd(tickets, "one")
    now = cheaper(scene, "one", tickets)
    return Sensitive(what, scene.retrieval_usd(tickets), handbook, now, in_tickets(scene, "one"))


def _fixed(what: str, scene: Scene, hits: float) -> Sensitive:
    """With so many hits whatever the volume, both bills are straight lines, which cross once or never."""
    tickets = scene.month.tickets
    each = mixed_usd(scene.price, scene.handbook, hits)
    retrieval = scene.retrieval_usd(tickets)
    saved = each - (retrieval - scene.hosting.usd_per_month) / tickets
    at = scene.hosting.usd_per_month / saved if saved > 0 else 0.0
    crossings = (Crossing(at, "retrieval"),) if at else ()
    now: Literal["retrieval", "handbook"] = "retrieval" if each * tickets > retrieval else "handbook"
    return Sensitive(what, retrieval, each * tickets, now, crossings)
