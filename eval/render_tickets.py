"""What the tickets commands print for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eval.pages.pieces import number
from eval.paint import Paint, harmless
from eval.render_care import notes

if TYPE_CHECKING:
    from eval.ticket_check import Checked

MOST_OVERLAPPING = 5


def checked(found: Checked, paint: Paint, *, each: bool = False) -> str:
    """Counts, the overlap figure and every gate that failed; with `each`, the overlap of every ticket."""
    middle = found.median_overlap
    by_overlap = sorted(found.overlaps.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = by_overlap if each else by_overlap[:MOST_OVERLAPPING]
    rows = {
        "Tickets": f"{sum(found.kinds.values())}: {_listed(found.kinds)}",
        "Exceptions": f"{found.cross_section} of {found.kinds['exception']} across sections",
        "Sides": _listed(found.sides),
        "Rewrites": f"{found.rewrites}, {found.ambiguous} of them ambiguous for any reader",
        "Overlap": "no gold" if middle is None else f"median {middle:.3f} of {number(len(found.overlaps), 'ticket')}",
        "" if each else "Most": ", ".join(f"{name} {share:.2f}" for name, share in shown),
    }
    width = max(map(len, rows))
    head = "\n".join(f"{paint.bold(f'{name:<{width}}')}  {harmless(text)}" for name, text in rows.items() if text)
    return f"{head}\n{notes(found.findings, paint) if found.findings else paint.good('every gate passed')}"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"
