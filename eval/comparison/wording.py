"""The sentences that the table and the page share, for readers who pay for it and do not read code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from eval.comparison.bills import ONE, Bill, Bills, Broken
from eval.comparison.breakeven import Caching, Crossing
from eval.comparison.comparing import Comparison
from eval.comparison.prices import Hosting, ModelPrice, Month

CACHES: Final[Mapping[Caching, str]] = {
    "none": "no cache",
    "arrivals": "a cache that expires, editions as in the tickets",
    "one": "a cache that expires, one edition",
    "always": "a cache that is always warm (best case)",
}
NOT_MEASURED: Final = "not measured"
NOT_ASKED: Final = "no model was asked"


def usd(value: float) -> str:
    """An amount as it is read: 0.525, 23.10, 23,625."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:,.2f}" if value >= 1 else f"{value:.4f}"


def percent(share: float) -> str:
    """Never 100 % of what is not all, nor 0 % of what is something."""
    text = f"{share:.1%}"
    return f"{share:.2%}" if (text == "100.0%" and share < 1) or (text == "0.0%" and share > 0) else text


def answer(found: Comparison) -> str:
    """Which is cheaper at the team's volume, where all tickets are about one edition: what favours the handbook."""
    retrieval, handbook = _row(found.bills, "retrieval"), _row(found.bills, ONE)
    low, high = sorted((retrieval.month, handbook.month))
    name = "Retrieval" if retrieval.month < handbook.month else "The whole handbook"
    times = f", by a factor of {high / low:.1f}" if low else ""
    return f"{name} costs less: {usd(low)} against {usd(high)} USD a month{times}"


def volume(found: Comparison) -> str:
    """What the answer is said of."""
    return (
        f"At {found.month.tickets:,} tickets a month, all about one edition, with the handbook's prompt cached for "
        f"{found.price.cache_minutes:g} minutes after each ticket, {_hosted(found)}."
    )


def _hosted(found: Comparison) -> str:
    return f"and {usd(found.hosting.usd_per_month)} USD a month for hosting retrieval"


def crossing(found: Sequence[Crossing], now: str, unit: str) -> str:
    """Where both cost the same: "the handbook below 1,170 tickets a month, retrieval above"."""
    if not found:
        return f"{_named(now)} at every {'volume' if unit.startswith('ticket') else 'size'}"
    first = "retrieval" if found[0].above == "handbook" else "handbook"
    if len(found) == 1:
        return f"{_named(first)} below {_round(found[0].at)} {unit}, {_named(found[0].above)} above"
    parts = [f"{_named(first)} below {_round(found[0].at)}"]
    for one, after in pairwise(found):
        parts.append(f"{_named(one.above)} from {_round(one.at)} to {_round(after.at)}")
    return ", ".join([*parts, f"{_named(found[-1].above)} above {_round(found[-1].at)}"]) + f" {unit}"


def _named(side: str) -> str:
    return "the handbook" if side == "handbook" else "retrieval"


def _round(value: float) -> str:
    """To three digits: a break-even is no more exact than what is assumed for it."""
    digits = max(0, len(f"{value:.0f}") - 3)
    return f"{round(value, -digits):,.0f}"


def even(found: Broken, unit: str = "tickets a month") -> str:
    """One break-even in tickets."""
    return crossing(found.tickets, found.now, unit)


def even_in_size(found: Broken) -> str:
    """One break-even in the handbook's size."""
    return crossing(found.size, found.now, "tokens")


def rows_told(price: ModelPrice, hosting: Hosting, month: Month) -> list[tuple[str, str, str]]:
    """(what, figures, where they come from) of each row that was reckoned with."""
    return [
        (f"model {price.name}", _model(price), _from(price)),
        (f"hosting {hosting.name}", _hosting(hosting), _from(hosting)),
        ("month", _month(month), _from(month)),
    ]


def _model(price: ModelPrice) -> str:
    return (
        f"{price.input:g} USD a million input tokens, {price.cached_read:g} read from a cache, {price.cache_write:g} "
        f"written to it, {price.output:g} output; cached from {price.cache_from_tokens:,} tokens on, for "
        f"{price.cache_minutes:g} minutes after the last use"
    )


def _hosting(hosting: Hosting) -> str:
    return f"{usd(hosting.usd_per_month)} USD a month; {hosting.embedding:g} USD a million tokens embedded"


def _month(month: Month) -> str:
    return (
        f"{month.tickets:,} tickets on {month.days} days of {month.hours:g} hours; "
        f"{month.output_tokens} tokens an answer"
    )


def _from(row: ModelPrice | Hosting | Month) -> str:
    assumed = f"; assumed: {', '.join(row.assumed)}" if row.assumed else ""
    note = f"; {row.note}" if row.note else ""
    return f"{row.source}, written down on {row.date}{assumed}{note}"


def asked_for(suite: str) -> str:
    """The command that measures what a model makes of the prompts."""
    return f"caveat compare {suite} --model NAME --cap-usd 5"


def _row(bills: Bills, name: str) -> Bill:
    return next(row for row in bills.rows if row.name == name)
