"""What the tickets commands print for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eval.paint import Paint, harmless
from eval.render_care import notes, number

if TYPE_CHECKING:
    from eval.baseline import Cell, Flagged, Table
    from eval.measures.bootstrap import Estimate
    from eval.ticket_check import Checked

MOST_OVERLAPPING = 5
_WIDTH = len("0.000 [0.000, 0.000]")


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


def table(found: Table, paint: Paint) -> str:
    """One block for each way of asking, then differences, and what was marked as without an answer."""
    # Imported here: checking tickets needs no model's runtime.
    from eval.contenders import TOP
    from eval.retrievers.windows import SIZE

    names = dict.fromkeys(cell.asked for cell in found.cells)
    blocks = [_block(name, [cell for cell in found.cells if cell.asked == name], paint) for name in names]
    head = (
        f"Split {found.split}; mean and 95 % interval, families resampled (seed {found.seed}). "
        f"Windows of {SIZE} pieces, dense only, top {TOP}; an exception counts if all of its quotes come back."
    )
    return "\n\n".join([head, *blocks, _differences(found.differences, paint), _flagged(found.flagged, paint)])


def _block(name: str, cells: Sequence[Cell], paint: Paint) -> str:
    columns = {cell.column: cell for cell in cells}
    heads = [f"{column} ({cell.estimate.n if cell.estimate else 0})" for column, cell in columns.items()]
    rows: dict[str, list[str]] = {}
    for cell in cells:
        rows.setdefault(cell.contender, []).append(_figure(cell.estimate))
    width = max(map(len, [name, *rows]))
    line = f"{name.capitalize():<{width}}  " + "  ".join(f"{head:<{_WIDTH}}" for head in heads)
    body = (
        f"{row:<{width}}  " + "  ".join(f"{figure:<{_WIDTH}}" for figure in figures) for row, figures in rows.items()
    )
    return "\n".join([paint.bold(line.rstrip()), *(text.rstrip() for text in body)])


def _figure(estimate: Estimate | None) -> str:
    return f"{estimate.mean:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]" if estimate else "-"


def _differences(cells: Sequence[Cell], paint: Paint) -> str:
    head = paint.bold("Exceptions by message, ticket by ticket")
    return "\n".join([head, *(f"{_figure(cell.estimate):<{_WIDTH + 2}}  {cell.contender}" for cell in cells)])


def _flagged(found: Sequence[Flagged], paint: Paint) -> str:
    rows = (
        f"{one.unanswerable_flagged} of {one.unanswerable} unanswerable, "
        f"{one.answerable_flagged} of {one.answerable} others: {one.contender}"
        for one in found
    )
    return "\n".join([paint.bold("Marked as low in confidence, or empty"), *rows])
