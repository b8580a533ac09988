"""Tune and holdout: which side each family of tickets is on.

Fixed before anything is measured, and by nothing but the names: within each kind, families are ordered by
the digest of their name and dealt, one after the other, to the side that has fewer tickets so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Final

from eval.tickets import Kind, Split, Ticket, families

SIDES: Final[tuple[Split, Split]] = ("tune", "holdout")


def deal(tickets: Iterable[Ticket]) -> Mapping[str, Split]:
    """The side of each family; neither the order of the tickets nor their split fields matter."""
    members = families(tickets)
    sides: dict[str, Split] = {}
    total: Counter[str] = Counter()
    for kind in Kind:
        here: Counter[str] = Counter()
        for family in sorted((name for name, held in members.items() if held[0].kind is kind), key=_drawn):
            # A tie within the kind goes to the side that is smaller in all, so that odd kinds do not add up.
            side = min(SIDES, key=lambda side: (here[side], total[side], SIDES.index(side)))
            sides[family] = side
            here[side] += len(members[family])
            total[side] += len(members[family])
    return sides


def dealt(tickets: Iterable[Ticket]) -> tuple[Ticket, ...]:
    """The tickets with their sides filled in."""
    tickets = tuple(tickets)
    sides = deal(tickets)
    return tuple(ticket.model_copy(update={"split": sides[ticket.family]}) for ticket in tickets)


def _drawn(family: str) -> str:
    return blake2b(family.encode(), digest_size=16).hexdigest()
