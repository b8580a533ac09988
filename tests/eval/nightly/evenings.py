"""Simulated nights: the chapter on seats with a suite of its own, a clock that is set, and what happens in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.eval import desk

SETTINGS = """handbook = "handbook"
[encoder]
model = "hash-384"
{encoder}
[retrieve]
reranker = "none"
{retrieve}
[eval]
suite = "suite"
{more}
[gates]
recall_at_5 = 0.5
{gates}
"""
NEWEST = "2026-07-01/04-seats.md"
BACK = "may be taken back within 14 calendar days"
DAY = "2026-08-15"
FIRST = "2026-12-01T02:00:00Z"
SECOND = "2026-12-02T02:00:00Z"

Night = dict[str, Any]


def gold(quote: str, section: str, role: str = "rule") -> dict[str, Any]:
    return desk.anchor(quote, section, role)


TICKETS = [
    desk.ticket(
        "credit-1",
        message="Enterprise Annual seat reductions in writing before the renewal date: is there a pro-rata credit",
        as_of=DAY,
        split="tune",
        gold=[
            gold("gives the customer a credit for the unused part of the seats", "4.2.1"),
            gold(
                "must be submitted in writing at least 30 calendar days prior to the renewal date", "4.2.2", "exception"
            ),
        ],
    ),
    desk.plain("back-1", BACK, "4.2.3", message="seats given up taken back former price", as_of=DAY, split="tune"),
    desk.plain(
        "smallest-1",
        "may leave fewer full seats than the smallest order of the plan",
        "4.2.5",
        message="downgrade that leaves fewer full seats than the smallest order",
        as_of=DAY,
        split="tune",
    ),
    desk.plain(
        "suspended-1",
        "may suspend a seat for a person on leave",
        "4.1.5",
        message="an administrator suspends a seat of a person on leave, mail jane.doe@example.com",
        as_of=DAY,
        split="tune",
    ),
    desk.plain(
        "shift-1",
        "may transfer a seat at each change of shift",
        "4.3.3",
        message="shift-work addendum transfer at each change of shift",
        as_of=DAY,
        split="tune",
    ),
    desk.plain(
        "hidden-1",
        "price_usd = seats * annual_seat_price",
        "4.4.2",
        message="price of the short term of a co-termed order",
        as_of=DAY,
        split="holdout",
    ),
]


class Evenings:
    """A folder in which nights are measured by the command line."""

    def __init__(self, folder: Path, typed: Callable[..., Any]):
        self.folder, self._typed = folder, typed
        self.handbook = folder / "handbook"
        self.set()
        self.suite(TICKETS)

    def set(self, *, encoder: str = "", retrieve: str = "", more: str = "", gates: str = "") -> None:
        """Write caveat.toml; each is lines of its section."""
        more = more if "ragas" in more else f"ragas = false\n{more}"
        text = SETTINGS.format(encoder=encoder, retrieve=retrieve, more=more, gates=gates)
        (self.folder / "caveat.toml").write_text(text, encoding="utf-8")

    def suite(self, tickets: list[desk.Entry]) -> None:
        desk.write_suite(self.folder / "suite", tickets, [desk.rewrites("back-1")])

    def edit(self, old: str, new: str, name: str = NEWEST) -> None:
        file = self.handbook / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")

    def cut(self, start: str, end: str, name: str = NEWEST) -> str:
        """Take out of a file what stands from `start` up to `end`, and return it."""
        text = (self.handbook / name).read_text(encoding="utf-8")
        gone = text[text.index(start) : text.index(end)]
        self.edit(gone, "", name)
        return gone

    def run(self, at: str = FIRST, *flags: str) -> tuple[int, Night]:
        """One night: its exit status, and what `--json` tells."""
        done = self._typed("nightly", "--json", *flags, at=at)
        return done.status, done.values["night"]

    def type(self, *arguments: str, at: str = SECOND) -> Any:
        return self._typed(*arguments, at=at)

    @property
    def lines(self) -> list[str]:
        """Of the history."""
        return (self.folder / "data/history/nights.jsonl").read_text(encoding="utf-8").splitlines()

    @property
    def recorded(self) -> list[Night]:
        """Nights in the history."""
        return [json.loads(line) for line in self.lines]


def changes(night: Night) -> list[str]:
    """Causes but for slow searches: a busy machine is nothing that a test can rule out."""
    return [cause for cause in night["causes"] if not cause.startswith("Searches were slow")]


def gate(night: Night, name: str) -> str:
    """How a gate went."""
    return next(one["status"] for one in night["gates"] if one["name"] == name)


def figure(night: Night, measure: str, over: str = "all") -> float | None:
    return next(one["mean"] for one in night["figures"] if (one["measure"], one["slice"]) == (measure, over))
