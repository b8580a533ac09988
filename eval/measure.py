"""Measures as values whose names read back: `str(parse_measure("AnchorRecall@3"))` is "AnchorRecall@3".

    AnchorRecall@k            share of a ticket's quotes that the first k passages hold
    PolicyExceptionRecall@k   1 if they hold all of them, else 0: a rule without its exception is worth nothing
    Recall@k                  share of its gold sections of which they hold at least one quote

Scores are per ticket first. A ticket without an answer scores the default and stays in the denominator; one
without gold (unanswerable) is in no score here and is looked at apart. Definitions only: who retrieves is not
known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from eval.tickets import Anchor, Ticket, normal
from ingest.errors import QueryError

Texts = Sequence[str]
"""What one passage holds: its text, and the lead-ins that it inherits."""

_NAMED: Final = re.compile(r"(\w+)@([1-9]\d*)")


@dataclass(frozen=True, slots=True)
class Found:
    """Where a ticket's gold came back."""

    ranks: tuple[int | None, ...]
    """For each anchor, the rank from 1 of the first passage that holds it; None where none does."""
    sections: tuple[tuple[str, str], ...]
    """For each anchor, its section as (document, name)."""

    def within(self, k: int) -> tuple[bool, ...]:
        """For each anchor, whether one of the first k passages holds it."""
        return tuple(rank is not None and rank <= k for rank in self.ranks)


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, at which cut."""

    name: str
    k: int
    default: float = 0.0
    """The score of a ticket without an answer."""

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"

    def of(self, found: Found) -> float:
        """The score of one ticket, 0 to 1."""
        return _DEFINITIONS[self.name](found, self.k)

    def scores(self, tickets: Iterable[Ticket], found: Mapping[str, Found]) -> dict[str, float]:
        """Scores by ticket id of the tickets with gold; those that `found` lacks score the default."""
        return {
            ticket.id: self.of(found[ticket.id]) if ticket.id in found else self.default
            for ticket in tickets
            if ticket.gold
        }


def _anchors(found: Found, k: int) -> float:
    held = found.within(k)
    return sum(held) / len(held)


def _all_anchors(found: Found, k: int) -> float:
    return float(all(found.within(k)))


def _sections(found: Found, k: int) -> float:
    held = {section for section, back in zip(found.sections, found.within(k), strict=True) if back}
    return len(held) / len(set(found.sections))


_DEFINITIONS: Final[Mapping[str, Callable[[Found, int], float]]] = {
    "AnchorRecall": _anchors,
    "PolicyExceptionRecall": _all_anchors,
    "Recall": _sections,
}


def parse_measure(name: str) -> Measure:
    """The measure that a name stands for.

    Raises:
        QueryError: no such measure, or no cut after the @.
    """
    match = _NAMED.fullmatch(name.strip())
    if match and match[1] in _DEFINITIONS:
        return Measure(match[1], int(match[2]))
    near = get_close_matches(name.partition("@")[0], _DEFINITIONS, 1)
    raise QueryError(
        f'no measure "{name}"',
        allowed=", ".join(f"{known}@k" for known in _DEFINITIONS),
        fix=f'did you mean "{near[0]}@5"?' if near else None,
    )


def find(gold: Sequence[Anchor], passages: Iterable[Texts]) -> Found:
    """Where each anchor came back among the passages, best first."""
    held = [[normal(text) for text in passage] for passage in passages]
    return Found(
        tuple(_rank(normal(anchor.quote), held) for anchor in gold),
        tuple((anchor.document, anchor.section) for anchor in gold),
    )


def _rank(quote: str, passages: Iterable[Sequence[str]]) -> int | None:
    ranks = (rank for rank, texts in enumerate(passages, 1) if any(quote in text for text in texts))
    return next(ranks, None)
