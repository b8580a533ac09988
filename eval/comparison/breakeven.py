"""Where retrieval and the handbook cost the same: in tickets a month, and in the handbook's size.

Retrieval costs its hosting whatever comes, and few tokens a ticket; the handbook costs nothing until one comes, and
many tokens then. With a cache the lines can cross more than once, since few tickets find few caches: all crossings are
looked for, on a grid, and each is narrowed down by halving.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from eval.comparison.arrivals import expected_hits
from eval.comparison.costs import Size, call_usd, mixed_usd, with_prefix
from eval.comparison.prices import MILLION, Hosting, ModelPrice, Month

Caching = Literal["none", "arrivals", "one", "always"]
"""No cache; one for each edition that expires between tickets as they come; the same where all tickets are about one
edition; one that every call finds warm (the best case)."""
CACHINGS: Final[tuple[Caching, ...]] = ("none", "arrivals", "one", "always")
VOLUMES: Final = (10.0, 10_000_000.0)
"""Tickets a month between which crossings are looked for."""
SIZES: Final = (1_000.0, 10_000_000.0)
"""Tokens of a handbook between which crossings are looked for."""
_STEPS: Final = 600
_HALVINGS: Final = 60


@dataclass(frozen=True, slots=True)
class Scene:
    """All that both sides' bills are made of."""

    price: ModelPrice
    hosting: Hosting
    month: Month
    retrieval: Size
    handbook: Size
    shares: tuple[float, ...]
    """Of each edition among the tickets."""
    embedded: float = 0.0
    """Tokens embedded for one ticket."""

    def retrieval_usd(self, tickets: float) -> float:
        """A month of retrieval, hosting included."""
        each = call_usd(self.price, self.retrieval) + self.embedded * self.hosting.embedding / MILLION
        return self.hosting.usd_per_month + tickets * each

    def handbook_usd(self, tickets: float, caching: Caching) -> float:
        """A month of the handbook in each prompt."""
        return tickets * self.handbook_call_usd(tickets, caching)

    def handbook_call_usd(self, tickets: float, caching: Caching) -> float:
        """One such call on average, at that volume."""
        if caching == "none":
            return call_usd(self.price, self.handbook)
        return mixed_usd(self.price, self.handbook, self.hits(tickets, caching))

    def hits(self, tickets: float, caching: Caching) -> float:
        """The share of calls that find a cache, in expectation."""
        if caching == "always":
            return 1.0
        shares = self.shares if caching == "arrivals" else (1.0,)
        return expected_hits(self.month, tickets, shares, self.price.cache_minutes)

    def sized(self, tokens: float) -> Scene:
        """The same with a handbook of so many tokens, instructions included."""
        return replace(self, handbook=with_prefix(self.handbook, tokens))


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where both cost the same."""

    at: float
    above: Literal["retrieval", "handbook"]
    """What is cheaper above it."""


def in_tickets(scene: Scene, caching: Caching) -> tuple[Crossing, ...]:
    """Crossings by tickets a month."""
    return _crossings(lambda tickets: scene.handbook_usd(tickets, caching) - scene.retrieval_usd(tickets), VOLUMES)


def in_size(scene: Scene, caching: Caching) -> tuple[Crossing, ...]:
    """Crossings by tokens of the handbook, at the month's tickets; retrieval's passages stay as long as they are."""
    tickets = scene.month.tickets
    usd = scene.retrieval_usd(tickets)
    return _crossings(lambda tokens: scene.sized(tokens).handbook_usd(tickets, caching) - usd, SIZES)


def cheaper(scene: Scene, caching: Caching, tickets: float) -> Literal["retrieval", "handbook"]:
    """What costs less at that volume."""
    return "retrieval" if scene.handbook_usd(tickets, caching) > scene.retrieval_usd(tickets) else "handbook"


def grid(bounds: tuple[float, float], steps: int) -> tuple[float, ...]:
    """Values at equal ratios, both ends included."""
    low, high = bounds
    return tuple(low * (high / low) ** (step / steps) for step in range(steps + 1))


def _crossings(over: Callable[[float], float], bounds: tuple[float, float]) -> tuple[Crossing, ...]:
    """Where `over`, the handbook's cost less retrieval's, changes its sign."""
    values = grid(bounds, _STEPS)
    signs = [over(value) > 0 for value in values]
    return tuple(
        Crossing(_halved(over, values[at : at + 2], up), "retrieval" if up else "handbook")
        for at, up in enumerate(signs[1:])
        if up != signs[at]
    )


def _halved(over: Callable[[float], float], between: Sequence[float], up: bool) -> float:
    low, high = between
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if (over(middle) > 0) is up:
            high = middle
        else:
            low = middle
    return (low + high) / 2
