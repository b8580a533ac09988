"""What must hold for a night to pass. Every gate says what was found and what was wanted; what could not be measured
is "not measured", never passed.

Where few questions were asked, a mean below its floor may be chance: then a gate fails only if the whole interval
lies below, and a drop only if a two-sided sign test agrees (a bootstrap of few questions is too sure of itself).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Final, Literal

import numpy as np

from eval.measures.bootstrap import Estimate, paired_difference
from eval.nightly.glance import same_question
from eval.nightly.record import Figure, Gate, Night, Pinned, TicketNight
from eval.settings import GateSettings

RECALL: Final = "Recall@5"
EXCEPTIONS: Final = "PolicyExceptionRecall@5+links"
STALE: Final = "StaleRate@5+links"
ZERO: Final = "ZeroResults"
EXCEPTION_SLICE: Final = "kind: exception"
SEED: Final = 20260101
"""Of the resampling, so that a night judged twice is judged alike."""
LEVEL: Final = 0.05
"""Two-sided, of the sign test."""
_DROPS: Final = (RECALL, EXCEPTIONS)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that gates look at."""

    figures: Sequence[Figure]
    tickets: Sequence[TicketNight]
    """Every question, broken ones too."""
    baseline: Night | None
    refused: Sequence[str] = ()
    """Files of the handbook that could not be read."""
    stopped: str | None = None
    """Why the index run stopped; None where it went through, or was not wanted."""
    pins: Sequence[Pinned] = ()
    p95: float | None = None
    unknown_stale: str | None = field(default=None)
    """Why staleness cannot be told tonight; None where it can."""

    def figure(self, measure: str, over: str = "all") -> Figure | None:
        """A figure by measure and slice."""
        return next((one for one in self.figures if (one.measure, one.slice) == (measure, over)), None)


def gates_of(settings: GateSettings, found: Evidence) -> list[Gate]:
    """Every gate that is on, in the order in which to look at them."""
    return [
        _asked(found),
        *_index(settings, found),
        _broken(settings, found),
        *_floor("recall@5", found.figure(RECALL), settings.recall_at_5, settings.small_n),
        *_floor("exceptions@5", _exceptions(found), settings.exceptions_at_5, settings.small_n),
        *(_drop(measure, settings, found) for measure in _DROPS if settings.significant_drop),
        *_stale(settings, found),
        _zero(settings, found),
        _pins(settings, found),
        *_slow(settings, found),
    ]


def _exceptions(found: Evidence) -> Figure | None:
    return found.figure(EXCEPTIONS, EXCEPTION_SLICE) or found.figure(EXCEPTIONS)


def _asked(found: Evidence) -> Gate:
    scored = sum(ticket.broken is None and bool(ticket.expected) for ticket in found.tickets)
    return Gate(name="questions", status=_status(scored > 0), found=f"{scored} scored", wanted="at least 1")


def _index(settings: GateSettings, found: Evidence) -> Iterator[Gate]:
    if found.stopped:
        yield Gate(name="index run", status="failed", found=found.stopped, wanted="a run that goes through")
    yield _counted("files refused", found.refused, settings.refused)


def _broken(settings: GateSettings, found: Evidence) -> Gate:
    return _counted("gold out of place", sorted(t.id for t in found.tickets if t.broken), settings.broken_gold)


def _floor(name: str, figure: Figure | None, floor: float, small: int) -> Iterator[Gate]:
    if not floor:
        return
    wanted = f"at least {floor:g}"
    if figure is None or figure.mean is None:
        yield Gate(name=name, status="not measured", found="not measured", wanted=wanted)
        return
    few = figure.n < small and figure.high is not None
    counted = figure.high if few and figure.high is not None else figure.mean
    rule = f"; the interval's upper end counts below n={small}" if few else ""
    yield Gate(name=name, status=_status(counted >= floor), found=shown(figure), wanted=wanted + rule)


def shown(figure: Figure) -> str:
    """A figure with its interval: "0.912 [0.861, 0.957], n=90"."""
    if figure.mean is None:
        return "not measured"
    interval = f" [{figure.low:.3f}, {figure.high:.3f}]" if figure.low is not None and figure.high is not None else ""
    return f"{figure.mean:.3f}{interval}, n={figure.n}"


def _drop(measure: str, settings: GateSettings, found: Evidence) -> Gate:
    name, wanted = f"{measure} against the baseline", "no significant drop"
    if found.baseline is None:
        return Gate(name=name, status="not measured", found="no baseline; caveat baseline accept", wanted=wanted)
    now, then, families = compared(measure, found.tickets, found.baseline.tickets)
    difference = paired_difference(now, then, families, np.random.default_rng(SEED))
    if difference is None:
        return Gate(name=name, status="not measured", found="no question of the baseline was asked", wanted=wanted)
    dropped = difference.high < 0 and (len(now) >= settings.small_n or sign_test(now, then) <= LEVEL)
    return Gate(name=name, status=_status(not dropped), found=signed(difference), wanted=wanted)


def compared(
    measure: str, tickets: Iterable[TicketNight], others: Iterable[TicketNight]
) -> tuple[Mapping[str, float], Mapping[str, float], Mapping[str, str]]:
    """Scores of the messages that both nights asked alike, and their families."""
    known = {other.id: other for other in others if measure in other.scores}
    same = [
        ticket
        for ticket in tickets
        if ticket.asked == "message"
        and measure in ticket.scores
        and ticket.id in known
        and same_question(ticket, known[ticket.id])
    ]
    return (
        {ticket.id: ticket.scores[measure] for ticket in same},
        {ticket.id: known[ticket.id].scores[measure] for ticket in same},
        {ticket.id: ticket.family for ticket in same},
    )


def sign_test(scores: Mapping[str, float], others: Mapping[str, float]) -> float:
    """Exact two-sided p of as many gains and losses, were both equally likely; 1 where nothing differs."""
    gains = sum(score > others[name] for name, score in scores.items())
    losses = sum(score < others[name] for name, score in scores.items())
    n = gains + losses
    tail = sum(comb(n, i) for i in range(min(gains, losses) + 1)) / float(2**n)
    return min(1.0, 2 * tail)


def signed(difference: Estimate) -> str:
    """A difference with its interval: "-0.020 [-0.060, +0.011], n=90"."""
    return f"{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}], n={difference.n}"


def _stale(settings: GateSettings, found: Evidence) -> Iterator[Gate]:
    if settings.stale_rate >= 1:
        return
    name, wanted = "stale text", f"a rate of at most {settings.stale_rate:g}"
    figure = found.figure(STALE)
    if found.unknown_stale or figure is None or figure.mean is None:
        yield Gate(name=name, status="not measured", found=found.unknown_stale or "not measured", wanted=wanted)
        return
    yield Gate(name=name, status=_status(figure.mean <= settings.stale_rate), found=shown(figure), wanted=wanted)


def _zero(settings: GateSettings, found: Evidence) -> Gate:
    empty = [one.id for one in found.tickets if one.ranks and one.scores.get(ZERO)]
    return _counted("zero results", empty, settings.zero_results)


def _pins(settings: GateSettings, found: Evidence) -> Gate:
    if not found.pins:
        return Gate(name="lost pins", status="passed", found="none yet", wanted=f"at most {settings.lost_pins}")
    lost = [pin.id for pin in found.pins if pin.status == "failed"]
    still = sum(pin.status == "open" for pin in found.pins)
    told = f"{'; ' if lost else ', '}{still} open" if still else ""
    return _counted("lost pins", lost, settings.lost_pins, told)


def _slow(settings: GateSettings, found: Evidence) -> Iterator[Gate]:
    limit = settings.p95_milliseconds
    if limit:
        status: Literal["passed", "failed", "not measured"]
        status = "not measured" if found.p95 is None else _status(found.p95 <= limit)
        told = untimed(found.tickets) if found.p95 is None else f"{found.p95:.0f} ms"
        yield Gate(name="p95", status=status, found=told, wanted=f"at most {limit:g} ms")


def untimed(tickets: Iterable[TicketNight]) -> str:
    """Why no search was timed."""
    asked = any(ticket.broken is None for ticket in tickets)
    return "nearly every answer was kept" if asked else "no question was asked"


def _counted(name: str, names: Sequence[str], most: int, beside: str = "") -> Gate:
    found = f"{len(names)}: {', '.join(names[:5])}{' ...' if len(names) > 5 else ''}" if names else "0"
    return Gate(name=name, status=_status(len(names) <= most), found=found + beside, wanted=f"at most {most}")


def _status(good: bool) -> Literal["passed", "failed"]:
    return "passed" if good else "failed"
