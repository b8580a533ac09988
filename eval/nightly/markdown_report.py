"""The night for a CI summary: Markdown in which foreign text is only ever text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from eval.nightly.glance import Flip, Glance, Reading
from eval.nightly.wording import SIGNS, answer, changed, measured, moved, recall_told, scores, since, stages, tone, why
from eval.pages import pieces

MOST_FLIPS: Final = 20
LONGEST: Final = 300
"""Characters of a text; the rest is counted."""
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|>~:$^=/@])")
_MENTION: Final = re.compile(r"(?<!\w)@(?=\w)")
"""Forges tell a person so named, escaped or not."""
_MARKS: Final = {"passed": "✓", "failed": "✗", "not measured": "–"}


def markdown(glance: Glance) -> str:
    """Answer, figures, causes, what flipped, gates; queries and quotes are clipped."""
    night = glance.night
    blocks = [
        f"# {plain(f'{SIGNS[tone(glance)]} {answer(glance)}')}",
        plain(recall_told(glance)),
        f"**Changed:** {plain(since(glance) + changed(glance))} {plain(stages(glance))}".rstrip(),
        f"**Why:** {plain(why(glance))}",
        _table(("measure", "tonight", "95 %", "n", "since last night", "since baseline"), _figures(glance.readings)),
        *_flips("Went worse", glance.lost),
        *_flips("Went better", glance.won),
        "## Gates",
        _table(("", "gate", "found", "wanted"), _gates(glance)),
        plain(f"Run {night.run}, {pieces.moment(night.at)}, suite {night.suite}, split {night.split}."),
    ]
    return "\n\n".join(blocks) + "\n"


def plain(text: str) -> str:
    """Foreign text for Markdown: no mark-up, no link, no mention, no HTML."""
    safe = pieces.clipped(pieces.shown(text), LONGEST).replace("&", "&amp;").replace("<", "&lt;")
    return _SPECIAL.sub(r"\\\1", _MENTION.sub("@\N{WORD JOINER}", safe))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *([plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _figures(readings: Iterable[Reading]) -> Iterator[Sequence[str]]:
    for one in readings:
        figure = one.figure
        yield (
            one.label,
            measured(one),
            pieces.between(figure.low, figure.high) if figure else "",
            f"{figure.n:,}" if figure else "",
            moved(one.since_last),
            moved(one.since_baseline),
        )


def _gates(glance: Glance) -> Iterator[Sequence[str]]:
    for gate in glance.night.gates:
        yield f"{_MARKS[gate.status]} {gate.status}", gate.name, gate.found, gate.wanted


def _flips(title: str, flips: Sequence[Flip]) -> Iterator[str]:
    if not flips:
        return
    yield f"## {title}: {pieces.number(len(flips), 'question')}"
    yield "\n".join(_flip(flip) for flip in flips[:MOST_FLIPS])
    if len(flips) > MOST_FLIPS:
        yield f"{len(flips) - MOST_FLIPS:,} more stand in tickets.csv."


def _flip(flip: Flip) -> str:
    ticket = flip.ticket
    lines = [f"- **{plain(ticket.id)}** {plain(ticket.query)}", f"  - {plain(scores(flip))}"]
    lines += [f"  - {plain(f'{section}: {stage}')}" for section, stage in ticket.lost.items()]
    return "\n".join(lines)
