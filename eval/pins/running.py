"""Pins that are run again: an open one that passes is closed for good, and its file says since when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from eval.pins.folder import rewrite
from eval.pins.plain.form import Filed, Pin
from eval.pins.plain.outcome import Outcome
from eval.pins.searching import PinSearch
from ingest.errors import CaveatError, StateError

Status = Literal["passed", "failed", "open"]


@dataclass(frozen=True, slots=True)
class Ran:
    """One pin, run."""

    filed: Filed
    outcome: Outcome | None
    """None where it could not be asked at all."""
    status: Status
    note: str = ""

    @property
    def pin(self) -> Pin:
        """The pin."""
        return self.filed.pin


def run_all(filed: Iterable[Filed], search: PinSearch, at: str, hard: Iterable[str] = ()) -> Iterator[Ran]:
    """Run every pin that is not retired.

    Args:
        filed: The pins and their files.
        search: Who is asked.
        at: The instant, for the file of an open pin that passes.
        hard: Ids of pins that are known to have passed before, whatever their files say.
    """
    passed_before = frozenset(hard)
    for one in filed:
        if one.pin.status != "retired":
            yield _ran(one, search, at, one.pin.status == "open" and one.pin.id not in passed_before)


def run_against(one: Filed, run: Callable[[Pin], Outcome]) -> Ran:
    """Run one pin against something else than the search; its file stays as it is, whatever comes back."""
    outcome = run(one.pin)
    if outcome.passed:
        return Ran(one, outcome, "passed")
    return Ran(one, outcome, "open" if one.pin.status == "open" else "failed")


def _ran(one: Filed, search: PinSearch, at: str, is_open: bool) -> Ran:
    try:
        outcome = search.run(one.pin)
    except CaveatError as error:
        return Ran(one, None, "failed", f"cannot be asked: {error}")
    if not outcome.passed:
        return Ran(one, outcome, "open" if is_open else "failed")
    if one.pin.status != "open":
        return Ran(one, outcome, "passed")
    closed = one.pin.changed(status="pinned", closed=at)
    try:
        rewrite(one, closed)
    except StateError as error:
        return Ran(one, outcome, "passed", f"passes for the first time, and its file {error}")
    return Ran(Filed(closed, one.file), outcome, "passed", "was open and passes: from now on it must")


def detail(ran: Ran) -> str:
    """What went wrong, on one line."""
    if ran.outcome is None or ran.outcome.passed:
        return ran.note
    lost = [f'"{one.quote}" {one.lost}' for one in ran.outcome.anchors if one.lost]
    return "; ".join(lost)
