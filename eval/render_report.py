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
    blocks = [*changes(done.changes, paint), *render_plan.remarks(done.refusals, done.notes, paint)]
    return "\n\n".join([*blocks, "\n".join(_summary(done, paint))])


def _summary(done: Report, paint: Paint) -> list[str]:
    what = render_plan.counted(done.counts) or "no section changed"
    how = "published" if done.published else "unchanged"
    embedded = f"{done.chunks_embedded} embedded, {done.chunks_reused} reused"
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
    return "\n".join([head, *(_logged(run, paint) for run in found)])


def _logged(run: Logged, paint: Paint) -> str:
    generation = str(run.generation or "none yet") + ("*" if run.published else "")
    # A step back in time that an edition declares with recorded_at has no summary of its own.
    what = render_plan.counted(run.summary.get("changes", {})) if run.summary else "(as its edition declares)"
    line = f"{run.run:>4}  {run.recorded or '':<27}  {run.kind:<8}  {generation:<10}  {what}".rstrip()
    return paint.good(line) if run.published else line
