"""How often a cached prefix is still there when the next ticket comes.

Tickets come as a Poisson process within the working hours of each day: given their number, their times are independent
and uniform. A prefix stays cached for some minutes after it was last written or read; each edition has its own, since
a ticket needs the edition of its day. Nothing is kept over night: the hours between are longer than a cache lives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from eval.comparison.prices import Month

MONTHS: Final = 20
"""Months that are drawn; shown are their mean and their extremes."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """Drawn months at one volume."""

    tickets: int
    hits: float
    """Share of the calls that find their prefix cached, mean over the months."""
    lowest: float
    highest: float
    """Of the months."""
    expected: float
    """By the formula."""


def drawn(month: Month, tickets: int, shares: Sequence[float], minutes: float, rng: np.random.Generator) -> Arrived:
    """Months of tickets, and how many of their calls find a cache.

    Args:
        month: Its days and hours.
        tickets: A month.
        shares: Of each edition among the tickets; they add up to 1.
        minutes: That a prefix stays cached after its last use.
        rng: Decides when tickets come, and which edition each needs.
    """
    found = [_hits(month, tickets, shares, minutes, rng) for _ in range(MONTHS)]
    return Arrived(
        tickets, float(np.mean(found)), min(found), max(found), expected_hits(month, tickets, shares, minutes)
    )


def _hits(month: Month, tickets: int, shares: Sequence[float], minutes: float, rng: np.random.Generator) -> float:
    day = rng.integers(month.days, size=tickets)
    times = rng.random(tickets) * month.minutes
    edition = rng.choice(len(shares), size=tickets, p=shares)
    order = np.lexsort((times, day, edition))
    day, times, edition = day[order], times[order], edition[order]
    same = (day[1:] == day[:-1]) & (edition[1:] == edition[:-1])
    return float(np.sum(same & (times[1:] - times[:-1] <= minutes)) / tickets)


def expected_hits(month: Month, tickets: float, shares: Sequence[float], minutes: float) -> float:
    """The share of calls that find a cache, in expectation.

    Of a Poisson process with rate r over a day of T minutes, a call at time t misses where none came in the `minutes`
    L before: with probability exp(-r min(t, L)). Over the day that is (1 - exp(-r L)) + r (T - L) exp(-r L) misses.
    """
    length = min(minutes, month.minutes)
    missed = 0.0
    for share in shares:
        rate = tickets * share / month.days / month.minutes
        quiet = math.exp(-rate * length)
        missed += month.days * ((1 - quiet) + rate * (month.minutes - length) * quiet)
    return max(0.0, 1 - missed / tickets) if tickets > 0 else 0.0
