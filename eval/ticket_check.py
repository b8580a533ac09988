"""Whether a suite of tickets fits a handbook: every quote in place, every side as dealt, no question twice.

Nothing is indexed for it: what was in force on a ticket's date comes from the edition folders alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from eval.overlap import nearly_equal, overlap
from eval.policy import Edition, InForce, Policy
from eval.split import deal
from eval.ticket_files import REWRITES, TICKETS, Suite
from eval.tickets import Anchor, Kind, Ticket, families, normal
from ingest.document import Note

MEDIAN_OVERLAP: Final = 0.35
"""The median of the messages' overlaps with their gold has to stay below it."""
MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, and the figures that it prints."""

    findings: tuple[Note, ...]
    """Gates that failed, by place."""
    kinds: Mapping[str, int]
    """Tickets by kind."""
    cross_section: int
    """Exception tickets whose quotes stand in more than one section."""
    sides: Mapping[str, int]
    """Tickets by side; "undealt" for those without one."""
    rewrites: int
    ambiguous: int
    """Rewrites whose question is ambiguous for any reader."""
    overlaps: Mapping[str, float]
    """By ticket id, of the tickets with gold: share of the message's words that occur in its gold sections."""

    @property
    def median_overlap(self) -> float | None:
        """The middle one of the overlaps; None without any."""
        return median(self.overlaps.values()) if self.overlaps else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "tickets": sum(self.kinds.values()),
            "kinds": dict(self.kinds),
            "cross_section": self.cross_section,
            "sides": dict(self.sides),
            "rewrites": self.rewrites,
            "ambiguous": self.ambiguous,
            "median_overlap": self.median_overlap,
            "overlaps": dict(self.overlaps),
            "findings": [{"where": note.where, "code": note.code, "message": note.message} for note in self.findings],
        }


def check(suite: Suite, policy: Policy, *, partial: bool = False, expected: int | None = None) -> Checked:
    """Hold a suite against a handbook.

    Args:
        suite: As loaded.
        policy: The handbook.
        partial: A suite in the making: sides and rewrites may be missing.
        expected: The number of tickets there have to be.
    """
    overlaps = {ticket.id: _overlap(ticket, policy) for ticket in suite.tickets if ticket.gold}
    found = [
        *(note for ticket in suite.tickets for note in misplaced(ticket, suite, policy)),
        *(note for members in families(suite.tickets).values() for note in _undated(members, suite, policy)),
        *_repeated(suite),
        *_too_near(overlaps, suite),
        *(() if partial else _unfinished(suite)),
        *_counted(suite, expected),
    ]
    exceptions = (ticket for ticket in suite.tickets if ticket.kind is Kind.EXCEPTION)
    rewrites = [rewrite for entry in suite.rewrites.values() for rewrite in entry.rewrites]
    return Checked(
        tuple(found),
        {kind.value: sum(ticket.kind is kind for ticket in suite.tickets) for kind in Kind},
        sum(ticket.crosses_sections for ticket in exceptions),
        dict(sorted(Counter(ticket.split or "undealt" for ticket in suite.tickets).items())),
        len(rewrites),
        sum(rewrite.ambiguous for rewrite in rewrites),
        overlaps,
    )


def gold_sections(ticket: Ticket, edition: Edition) -> tuple[InForce, ...]:
    """The sections that a ticket's anchors name, each once."""
    named = (section for anchor in ticket.gold for section in edition.named(anchor.document, anchor.section))
    return tuple({section.address: section for section in named}.values())


def misplaced(ticket: Ticket, suite: Suite, policy: Policy) -> Iterator[Note]:
    """Quotes of a ticket that are not where it says, or not there alone."""
    edition = policy.on(ticket.day)
    for anchor in ticket.gold:
        fault = fault_of(anchor, edition)
        if fault:
            code, message = fault
            yield Note(code, suite.where(ticket), f"{ticket.id}: {message}, on {ticket.as_of}: {_short(anchor.quote)}")
    names = {(anchor.document, anchor.section) for anchor in ticket.gold}
    found = [edition.named(*name) for name in names]
    # Whether a ticket crosses sections is told from the names alone.
    if all(len(sections) == 1 for sections in found) and len({s.address for (s,) in found}) < len(names):
        message = f"{ticket.id}: one section under two names; name it by its number, or by its title path, throughout"
        yield Note("two-names", suite.where(ticket), message)


def _overlap(ticket: Ticket, policy: Policy) -> float:
    return overlap(ticket.message, (section.text for section in gold_sections(ticket, policy.on(ticket.day))))


def fault_of(anchor: Anchor, edition: Edition) -> tuple[str, str] | None:
    """What is wrong with a quote, if anything: its code and words."""
    name = f"{anchor.document} {anchor.section}"
    named = edition.named(anchor.document, anchor.section)
    if not named:
        return "no-section", f"no section {name} in force"
    if len(named) > 1:
        return "many-sections", f"{len(named)} sections are called {name}; name one by its title path"
    holders = edition.holding(anchor.quote)
    if named[0] not in holders:
        where = f"; it stands in {_addresses(holders)}" if holders else "; no section in force holds it"
        return "not-verbatim", f"the quote is not in the own text of {name}{where}"
    others = tuple(section for section in holders if section.body != named[0].body)
    if others:
        return "not-unique", f"the quote of {name} stands in {_addresses(others)} too; quote more of it"
    return None


def _addresses(sections: tuple[InForce, ...]) -> str:
    more = f" and {len(sections) - MOST_NAMED} more" if len(sections) > MOST_NAMED else ""
    return ", ".join(section.address for section in sections[:MOST_NAMED]) + more


def _undated(members: tuple[Ticket, ...], suite: Suite, policy: Policy) -> Iterator[Note]:
    """Dated tickets whose gold does not depend on the day."""
    if members[0].kind is not Kind.DATED:
        return
    days = {member.day for member in members}
    if len(days) < 2:
        message = f"{members[0].id}: a dated family of one date; ask the same on another day"
        yield Note("one-date", suite.where(members[0]), message)
    for member in members:
        for other in sorted({one.as_of for one in members} - {member.as_of}):
            edition = policy.on(other.toordinal())
            for anchor in member.gold:
                if holders := edition.holding(anchor.quote):
                    message = f"{member.id}: the quote is in force on {other} too, in {_addresses(holders)}"
                    yield Note("not-dated", suite.where(member), f"{message}: {_short(anchor.quote)}")


def _repeated(suite: Suite) -> Iterator[Note]:
    for one, other in nearly_equal(suite.tickets):
        message = f"{other.id}: its message is nearly that of {one.id} (line {suite.lines[one.id]})"
        yield Note("nearly-equal", suite.where(other), message)


def _too_near(overlaps: Mapping[str, float], suite: Suite) -> Iterator[Note]:
    middle = median(overlaps.values()) if overlaps else 0.0
    if middle >= MEDIAN_OVERLAP:
        message = f"the median overlap of messages with their gold is {middle:.3f}; wanted is below {MEDIAN_OVERLAP}"
        yield Note("overlap", str(suite.folder / TICKETS), message)


def _unfinished(suite: Suite) -> Iterator[Note]:
    sides = deal(suite.tickets)
    for ticket in suite.tickets:
        side = sides[ticket.family]
        if ticket.split is None:
            yield Note("undealt", suite.where(ticket), f"{ticket.id}: no side yet; run: caveat tickets split")
        elif ticket.split != side:
            message = f"{ticket.id}: split is {ticket.split}, and its family is dealt to {side}"
            yield Note("split", suite.where(ticket), message)
        if ticket.id not in suite.rewrites:
            message = f"{ticket.id}: no rewrites in {REWRITES}"
            yield Note("no-rewrites", suite.where(ticket), message)


def _counted(suite: Suite, expected: int | None) -> Iterator[Note]:
    if expected is not None and len(suite.tickets) != expected:
        message = f"{len(suite.tickets)} tickets; wanted are {expected}"
        yield Note("count", str(suite.folder / TICKETS), message)


def _short(quote: str) -> str:
    text = normal(quote)
    return f'"{text}"' if len(text) <= 60 else f'"{text[:57]}..."'
