"""Windows against the pipeline on one side of the tickets: rates, intervals, and what is scored apart.

Apart are exception tickets whose rule and limit stand in one section and in several (whole sections win the
first by construction), messages and rewrites, rewrites that are ambiguous for any reader, and tickets
without an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from eval.asking import Answer, Contender, ask_all, found_in
from eval.measures.bootstrap import Estimate, bootstrap, paired_difference
from eval.measure import Measure
from eval.policy import Policy
from eval.split import SIDES
from eval.ticket_check import misplaced
from eval.ticket_files import Suite, of_split
from eval.tickets import Kind, Split, Ticket
from ingest.errors import GuardError, QueryError, SourceError

SEED: Final = 8841
"""Of every bootstrap, so that a table can be made again."""

ASKED: Final = ("messages", "rewrites", "ambiguous rewrites")
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Column:
    """Tickets that are scored together, and by what."""

    name: str
    measure: str
    holds: Callable[[Ticket], bool]


COLUMNS: Final = (
    Column("exceptions", "PolicyExceptionRecall", lambda ticket: ticket.kind is Kind.EXCEPTION),
    Column("one section", "PolicyExceptionRecall", lambda t: t.kind is Kind.EXCEPTION and not t.crosses_sections),
    Column("several", "PolicyExceptionRecall", lambda t: t.kind is Kind.EXCEPTION and t.crosses_sections),
    Column("plain", "AnchorRecall", lambda ticket: ticket.kind is Kind.PLAIN),
    Column("dated", "AnchorRecall", lambda ticket: ticket.kind is Kind.DATED),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of the table."""

    asked: str
    contender: str
    column: str
    measure: str
    estimate: Estimate | None
    """None where there is nothing to score."""


@dataclass(frozen=True, slots=True)
class Flagged:
    """How often a retriever said that it probably has no answer."""

    contender: str
    unanswerable: int
    unanswerable_flagged: int
    answerable: int
    answerable_flagged: int


@dataclass(frozen=True, slots=True)
class Table:
    """All figures of one side."""

    split: Split
    seed: int
    cells: tuple[Cell, ...]
    differences: tuple[Cell, ...]
    """Of exceptions: the last contender's score minus that of each other with the same cut, message by message."""
    flagged: tuple[Flagged, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


def checked_side(name: str) -> Split:
    """The side that a name stands for.

    Raises:
        QueryError: no such side.
    """
    for side in SIDES:
        if name == side:
            return side
    raise QueryError(f'no side "{name}"', where="--split", allowed=", ".join(SIDES))


def side_of(suite: Suite, split: Split, policy: Policy) -> tuple[Ticket, ...]:
    """The tickets of one side, whose quotes are in place.

    Raises:
        SourceError: the side is empty.
        GuardError: a quote is not where it is said to be, so that nobody could bring it back.
    """
    tickets = of_split(suite.tickets, split)
    if not tickets:
        raise SourceError(f"no ticket in {split}", where=str(suite.folder), fix="caveat tickets split deals the sides")
    faults = [note for ticket in tickets for note in misplaced(ticket, suite, policy)]
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise GuardError(f"{faults[0].message}{more}", where=faults[0].where, fix="caveat tickets check shows all")
    return tickets


def asked_as(suite: Suite, tickets: Iterable[Ticket]) -> Mapping[str, tuple[Ticket, ...]]:
    """The tickets as they are asked: by message, by rewrite, by ambiguous rewrite; ids stay unique."""
    found: dict[str, list[Ticket]] = {name: [] for name in ASKED}
    for ticket in tickets:
        found["messages"].append(ticket)
        entry = suite.rewrites.get(ticket.id)
        for rewrite in entry.rewrites if entry else ():
            name = "ambiguous rewrites" if rewrite.ambiguous else "rewrites"
            asked = {"id": f"{ticket.id}/{rewrite.style}", "message": rewrite.text}
            found[name].append(ticket.model_copy(update=asked))
    return {name: tuple(asked) for name, asked in found.items()}


def compare(
    contenders: Sequence[Contender],
    asked: Mapping[str, tuple[Ticket, ...]],
    split: Split,
    progress: Progress | None = None,
) -> Table:
    """Put every question to every contender, and score what comes back."""
    everything = [ticket for tickets in asked.values() for ticket in tickets]
    answers: dict[str, Mapping[str, Answer]] = {}
    for done, contender in enumerate(contenders):
        if progress:
            progress("ask", done, len(contenders))
        answers[contender.name] = ask_all(contender, everything)
    scored = _Scored(contenders, asked, answers)
    flagged = [_flagged(one.name, asked["messages"], answers[one.name]) for one in contenders]
    return Table(
        split,
        SEED,
        tuple(scored.cell(name, one, column) for name in asked for one in contenders for column in COLUMNS),
        tuple(scored.difference(one) for one in contenders[:-1] if one.k == contenders[-1].k),
        tuple(found for found in flagged if found),
    )


@dataclass(frozen=True, slots=True)
class _Scored:
    contenders: Sequence[Contender]
    asked: Mapping[str, tuple[Ticket, ...]]
    answers: Mapping[str, Mapping[str, Answer]]

    def cell(self, name: str, contender: Contender, column: Column) -> Cell:
        estimate = bootstrap(self._scores(name, contender, column), self._families(name), np.random.default_rng(SEED))
        return Cell(name, contender.name, column.name, str(Measure(column.measure, contender.k)), estimate)

    def difference(self, contender: Contender) -> Cell:
        """The last contender's exceptions minus this one's."""
        column, last = COLUMNS[0], self.contenders[-1]
        mine, others = (self._scores("messages", one, column) for one in (last, contender))
        estimate = paired_difference(mine, others, self._families("messages"), np.random.default_rng(SEED))
        return Cell("messages", f"{last.name} minus {contender.name}", column.name, column.measure, estimate)

    def _scores(self, name: str, contender: Contender, column: Column) -> dict[str, float]:
        tickets = [ticket for ticket in self.asked[name] if column.holds(ticket)]
        return Measure(column.measure, contender.k).scores(tickets, found_in(tickets, self.answers[contender.name]))

    def _families(self, name: str) -> dict[str, str]:
        return {ticket.id: ticket.family for ticket in self.asked[name]}


def _flagged(name: str, tickets: Iterable[Ticket], answers: Mapping[str, Answer]) -> Flagged | None:
    marks = [(bool(ticket.gold), answers[ticket.id].flagged) for ticket in tickets]
    if any(flagged is None for _, flagged in marks):
        return None
    with_gold = [bool(flagged) for gold, flagged in marks if gold]
    without = [bool(flagged) for gold, flagged in marks if not gold]
    return Flagged(name, len(without), sum(without), len(with_gold), sum(with_gold))
