"""Questions whose gold is out of place: why, as far as the handbook tells, and how a night keeps them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from eval.nightly.causes import Out
from eval.nightly.record import TicketNight
from eval.policy import Policy
from eval.redaction.redactor import Redactor
from eval.suites.read import Broken
from eval.ticket_files import TICKETS, load_suite
from eval.tickets import Ticket
from ingest.handbook.editions import Refusal


def out_of_place(
    broken: Sequence[Broken], suite: Path, policy: Policy, refused: Sequence[Refusal]
) -> Mapping[str, Out]:
    """By id, why the gold of each broken question is out of place; "fault" in suites that are no tickets."""
    tickets = _tickets(suite)
    unread = {name for refusal in refused for name in (refusal.doc_id, refusal.relative) if name}
    return {one.id: _why(tickets[one.id], policy, unread) if one.id in tickets else "fault" for one in broken}


def _why(ticket: Ticket, policy: Policy, unread: Collection[str]) -> Out:
    if any(anchor.document in unread for anchor in ticket.gold):
        return "refused"
    edition = policy.on(ticket.day)
    if not all(edition.holding(anchor.quote) for anchor in ticket.gold):
        return "abolished"
    named = (edition.named(anchor.document, anchor.section) for anchor in ticket.gold)
    stays = all(
        any(section in edition.holding(anchor.quote) for section in sections)
        for anchor, sections in zip(ticket.gold, named, strict=True)
    )
    return "fault" if stays else "moved"


def broken_tickets(broken: Sequence[Broken], suite: Path, redactor: Redactor) -> Iterator[TicketNight]:
    """Broken questions as a night keeps them: unscored, with what is wrong."""
    tickets = _tickets(suite)
    for one in broken:
        ticket = tickets.get(one.id)
        yield TicketNight(
            id=one.id,
            query=redactor.text(ticket.message) if ticket else "",
            asked="message",
            kind=ticket.kind.value if ticket else "question",
            family=ticket.family if ticket else one.id,
            as_of=ticket.as_of.isoformat() if ticket else None,
            expected=[redactor.text(anchor.quote) for anchor in ticket.gold] if ticket else [],
            broken=redactor.text("; ".join(fault.found for fault in one.faults)),
        )


def _tickets(suite: Path) -> Mapping[str, Ticket]:
    if not (suite / TICKETS).is_file():
        return {}
    return {ticket.id: ticket for ticket in load_suite(suite).tickets}
