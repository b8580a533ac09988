"""report.html: one self-contained page, without scripts, that answers before it explains.

Text of questions, handbook and settings is not to be trusted: each value is cleaned (`pieces.shown`) and clipped as
it is printed, then escaped by the template engine; should both fail, the page's own policy allows neither scripts nor
anything from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from eval.nightly import panels, wording
from eval.nightly.gates import untimed
from eval.nightly.glance import Flip, Glance, missing
from eval.nightly.record import Night, Slow, TicketNight
from eval.pages import pieces

MOST: Final = 40
"""Entries of a list on the page; the rest is counted, and stands in tickets.csv or report.json."""
SHOWN_FIRST: Final = 12
"""Questions of a list that are seen at once; the rest is folded away."""
OPENED: Final = 2
"""Messages that stand open."""
LONGEST: Final = 600
"""Characters of a text on the page."""
_LONGEST_ANSWER: Final = 300
_GATE_SIGNS: Final = {"passed": "✓", "failed": "✗", "not measured": "–"}
_GATE_TONES: Final = {"passed": "good", "failed": "bad", "not measured": "warn"}
_PIN_TONES: Final = {"passed": "good", "failed": "bad", "open": "warn"}
_WORST_FIRST: Final = ("failed", "not measured", "passed")


def page(glance: Glance) -> str:
    """The whole page."""
    return _template().render(_head(glance) | _lists(glance) | _helpers() | {"glance": glance, "night": glance.night})


def _head(glance: Glance) -> dict[str, Any]:
    style = _read("report.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    tone = wording.tone(glance)
    return {
        "style": Markup(style),
        "digest": digest,
        "tone": tone,
        "sign": wording.SIGNS[tone],
        "answer": wording.answer(glance),
        "recall_told": wording.recall_told(glance),
        "changed": wording.changed(glance),
        "why": pieces.clipped(wording.why(glance), _LONGEST_ANSWER),
        "unexplained": wording.unexplained(glance),
        "stages": wording.stages(glance),
        "against_baseline": wording.against_baseline(glance),
        "failed_names": wording.names(glance.failed),
        "gates_told": _gates_told(glance.night),
        "recall_chart": panels.recall_chart(glance),
        "recall_caption": panels.recall_caption(glance),
    }


def _lists(glance: Glance) -> dict[str, Any]:
    night = glance.night
    return {
        "tiles": panels.tiles(glance),
        "slices": panels.slices(glance),
        "slice_measures": panels.slice_measures(glance),
        "figures": list(panels.figures(glance)),
        "flip_groups": panels.flip_groups(glance),
        "gates": sorted(night.gates, key=lambda gate: _WORST_FIRST.index(gate.status)),
        "misses_told": pieces.listed(missing(glance.misses)),
        "pins_told": _pins_told(night),
        "p95": pieces.milliseconds(night.p95),
        "untimed": untimed(night.tickets),
        "stage_words": _stage_words(glance),
        "most": MOST,
        "shown_first": SHOWN_FIRST,
        "opened": OPENED,
    }


def _helpers() -> dict[str, Callable[..., object] | dict[str, str]]:
    return {
        "day": pieces.day,
        "moment": pieces.moment,
        "duration": pieces.duration,
        "number": pieces.number,
        "milliseconds": pieces.milliseconds,
        "more": _more,
        "scores": wording.scores,
        "stages_of": _stages_of,
        "stages_timed": _stages_timed,
        "gone": _gone,
        "gate_signs": _GATE_SIGNS,
        "gate_tones": _GATE_TONES,
        "pin_tones": _PIN_TONES,
    }


def _more(count: int) -> Markup:
    left = count - MOST
    return (
        Markup('<p class="small soft">{:,} more: tickets.csv, report.json</p>').format(left) if left > 0 else Markup()
    )


def _stages_of(ticket: TicketNight) -> list[str]:
    return list(dict.fromkeys(ticket.lost.values()))


def _stages_timed(slow: Slow) -> str:
    return ", ".join(f"{name} {pieces.milliseconds(value)}" for name, value in slow.stages.items())


def _gone(flip: Flip) -> list[str]:
    """What came back the night before, and no longer does."""
    return [address for address in flip.before.came if address not in flip.ticket.came]


def _gates_told(night: Night) -> str:
    if not night.gates:
        return "none is on"
    passed = sum(gate.status == "passed" for gate in night.gates)
    left = len(night.gates) - passed
    if not left:
        return f"all {passed} passed"
    return f"{passed} of {len(night.gates)} passed, {left} not measured"


def _pins_told(night: Night) -> str:
    if not night.pins:
        return "none yet" if night.figures else "not measured"
    counts = {status: sum(pin.status == status for pin in night.pins) for status in ("failed", "open", "passed")}
    return ", ".join(f"{count} {status}" for status, count in counts.items() if count)


def _stage_words(glance: Glance) -> list[tuple[str, str]]:
    """Stages that the page speaks of, explained."""
    spoken = {stage for ticket in glance.night.tickets for stage in ticket.lost.values()}
    return [(stage, meaning) for stage, meaning in wording.STAGES.items() if stage in spoken]


def _read(name: str) -> str:
    return files("eval.nightly").joinpath(name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _template() -> Template:
    surroundings = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_cleaned
    )
    return surroundings.from_string(_read("report.html.jinja"))


def _cleaned(value: object) -> object:
    # Our own mark-up is made of cleaned text already.
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return pieces.clipped(pieces.shown(value), LONGEST)
