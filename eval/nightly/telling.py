"""A night in a few lines: for the terminal, and for whoever is notified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from eval.nightly import wording
from eval.nightly.gates import shown, untimed
from eval.nightly.glance import glance
from eval.nightly.record import Gate, Night
from eval.nightly.run import Done
from eval.paint import Paint, harmless

_MARKS = {"passed": "ok", "failed": "FAILED", "not measured": "not measured"}


def summary(done: Done, paint: Paint, files: Sequence[Path] = ()) -> str:
    """Answer, figures, gates and causes, and where the reports lie."""
    return "\n".join(_lines(done, paint, files))


def _lines(done: Done, paint: Paint, files: Sequence[Path]) -> Iterator[str]:
    night, found = done.night, glance(done.night, done.before, done.baseline)
    painted = paint.bad if night.failed else paint.good
    yield painted(f"Run {night.run}, {night.today}: {wording.answer(found)}.")
    yield harmless(wording.changed(found))
    width = max(len(reading.label) for reading in found.readings)
    for reading in found.readings:
        yield f"  {reading.label:<{width}} {shown(reading.figure) if reading.figure else 'not measured'}"
    timed = f"not measured: {untimed(night.tickets)}" if night.p95 is None else f"{night.p95:.0f} ms"
    yield f"  {'p95':<{width}} {timed}"
    yield paint.bold("Gates")
    yield from (_gate(gate, paint) for gate in night.gates)
    if night.causes:
        yield paint.bold("Why")
    elif found.last:
        yield "Nothing changed that answers depend on."
    yield from (f"  {harmless(cause)}" for cause in night.causes)
    if night.figures:
        yield f"Readings of the holdout side so far: {night.holdout_readings}"
    yield from (f"wrote {file}" for file in files[:1])


def _gate(gate: Gate, paint: Paint) -> str:
    style = {"passed": paint.good, "failed": paint.bad, "not measured": paint.warn}[gate.status]
    return f"  {style(f'{_MARKS[gate.status]:<12}')}  {gate.name}: {harmless(gate.found)} (wanted: {gate.wanted})"


def values(done: Done, files: Sequence[Path]) -> dict[str, object]:
    """The night and where its reports lie, ready for JSON."""
    return {
        "failed": done.night.failed,
        "error": str(done.error) if done.error else None,
        "reports": [str(file) for file in files],
        "night": done.night.model_dump(mode="json", by_alias=True),
    }


def baseline(night: Night, paint: Paint) -> str:
    """A baseline: which night it is, and its figures."""
    lines = [paint.bold(f"Run {night.run} of {night.today}, suite {night.suite}, side {night.split}")]
    lines += [f"  {one.measure:<32} {shown(one)}" for one in night.figures if one.slice == "all"]
    failed = [gate.name for gate in night.gates if gate.status == "failed"]
    lines += [paint.warn(f"  gates that failed that night: {', '.join(failed)}")] if failed else []
    return "\n".join(lines)
