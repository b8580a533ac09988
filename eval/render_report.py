"""What an index run did, and the list of runs, as text and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eval import render_plan
from eval.paint import Paint

if TYPE_CHECKING:
    from eval.runlog import Logged
    from index.run import Report


def report(done: Report, paint: Paint) -> str:
    """What a run changed, what it embedded, and how long that took."""
    # In a first run everything is new: which sections there are is what search and show are for.
    changes = render_plan.totals if done.generation == 1 else render_plan.changes
    blocks = [
        *changes(done.changes, paint),
        *render_plan.lost(done.lost, paint),
        *render_plan.remarks(done.refusals, done.notes, paint),
    ]
    return "\n\n".join([*blocks, "\n".join(_summary(done, paint))])


def _summary(done: Report, paint: Paint) -> list[str]:
    what = render_plan.counted(done.counts) or "no section changed"
    how = "published" if done.published else "unchanged"
    # In a first run no vector was there before: what was not embedded has the text of another chunk.
    reused = "share a text" if done.generation == 1 else "reused"
    embedded = f"{done.chunks_embedded} embedded, {done.chunks_reused} {reused}"
    seconds = ", ".join(f"{stage} {spent:.2f} s" for stage, spent in done.seconds.items())
    return [
        paint.bold(f"Generation {done.generation} {how} (run {done.seq}): {what}."),
        f"{done.chunks_total} chunks in the index, {done.chunks_new} new: {embedded}.",
        paint.dim(seconds),
    ]


def values(done: Report) -> dict[str, Any]:
    """A report as plain values, ready for JSON."""
    return {
        "run": done.seq,
        "generation": done.generation,
        "published": done.published,
        "counts": dict(done.counts),
        "changes": [render_plan.change_values(change) for change in done.changes],
        **render_plan.remark_values(done.refusals, done.notes),
        "lost": render_plan.lost_values(done.lost),
        "chunks": {
            "total": done.chunks_total,
            "new": done.chunks_new,
            "embedded": done.chunks_embedded,
            "reused": done.chunks_reused,
        },
        "full": done.full,
        "seconds": dict(done.seconds),
    }


def runs(found: Sequence[Logged], paint: Paint) -> str:
    """One line for each run, newest last."""
    head = paint.bold(f"{'run':>4}  {'recorded':<27}  {'kind':<8}  {'generation':<10}  what changed")
    return "\n".join([head, *(_logged(run, _what(run, found), paint) for run in found)])


def _what(run: Logged, found: Sequence[Logged]) -> str:
    if run.summary:
        return render_plan.counted(run.summary.get("changes", {})) or "nothing"
    # A step back in time that an edition declares has no summary of its own.
    reader = next((one.run for one in found if one.run > run.run and one.summary), None)
    return "an edition's recorded_at" + (f", read by run {reader}" if reader else "")


def _logged(run: Logged, what: str, paint: Paint) -> str:
    generation = str(run.generation or "none yet") + ("*" if run.published else "")
    line = f"{run.run:>4}  {run.recorded or '':<27}  {run.kind:<8}  {generation:<10}  {what}".rstrip()
    return paint.good(line) if run.published else line
