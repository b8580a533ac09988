"""The night's questions as a table for spreadsheets, in which no cell is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Final

from eval.nightly.glance import Flip, Glance
from eval.nightly.record import TicketNight
from eval.pages.cells import harmless_cell

_LINES: Final = " / "


def tickets_csv(glance: Glance) -> str:
    """One row for each question; scores as numbers, what was not measured empty."""
    measures = list(dict.fromkeys(name for ticket in glance.night.tickets for name in ticket.scores))
    flips = {flip.ticket.id: flip for flip in glance.flips}
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow([*_HEADS, *map(harmless_cell, measures)])
    for ticket in glance.night.tickets:
        scores = [ticket.scores.get(name) for name in measures]
        rows.writerow([*_cells(ticket, flips.get(ticket.id)), *("" if one is None else f"{one:g}" for one in scores)])
    return out.getvalue()


_HEADS: Final = (
    "id",
    "asked",
    "kind",
    "family",
    "as_of",
    "flipped",
    "query",
    "expected",
    "came",
    "ranks",
    "lost",
    "broken",
    "confidence",
    "milliseconds",
)


def _cells(ticket: TicketNight, flip: Flip | None) -> Iterator[str]:
    flipped = "" if flip is None else "worse" if flip.worse else "better"
    yield from map(harmless_cell, (ticket.id, ticket.asked, ticket.kind, ticket.family, ticket.as_of or "", flipped))
    yield from map(harmless_cell, (ticket.query, _LINES.join(ticket.expected), _LINES.join(ticket.came)))
    yield harmless_cell(_LINES.join("none" if rank is None else str(rank) for rank in ticket.ranks))
    yield from map(harmless_cell, (_pairs(ticket.lost), ticket.broken or ""))
    yield "" if ticket.confidence is None else f"{ticket.confidence:.4f}"
    yield "" if ticket.milliseconds is None else f"{ticket.milliseconds:.1f}"


def _pairs(values: Mapping[str, str]) -> str:
    return _LINES.join(f"{name}: {value}" for name, value in values.items())
