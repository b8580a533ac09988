"""index, log, rollback, export and import: what changes the state folder, and its record."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval import options

if TYPE_CHECKING:
    from index.run import IndexRequest


def index(
    handbook: options.Handbook = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what would change, and write nothing.")] = False,
    allow_removals: Annotated[
        bool, typer.Option("--allow-removals", help="Let an edition remove more sections than index.removal_limit.")
    ] = False,
    correct: Annotated[
        bool, typer.Option("--correct", help="Let a changed edition correct what was in force in the past.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Publish nothing if a file is refused, undated or lost text (exit status 2)."),
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Build the search index anew, without the caches.")] = False,
    effective_from: Annotated[
        str | None, typer.Option("--effective-from", metavar="DAY", help="In force since this day, whatever files say.")
    ] = None,
    moved: Annotated[bool, typer.Option("--moved", help="The handbook's folder was moved or renamed.")] = False,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Read a handbook and publish it for searching.

    Exit status 1 where a file was refused or a guard stopped the run.
    """
    from eval.surroundings import surroundings
    from index.run import IndexRequest
    from ingest.dates import parse_day

    around = surroundings(state)
    request = IndexRequest(
        root=around.handbook(handbook),
        state=around.state,
        now=around.now,
        settings=around.config.indexing,
        effective_from=parse_day(effective_from, where="--effective-from") if effective_from else None,
        allow_removals=allow_removals,
        correct=correct,
        strict=strict,
        full=full,
        moved=moved,
    )
    raise typer.Exit(_plan(request, as_json) if plan else _run(request, as_json))


def _plan(request: IndexRequest, as_json: bool) -> int:
    from eval import render_plan
    from eval.paint import Paint
    from eval.progress import progress
    from index.run import plan_run

    with progress() as told:
        planned = plan_run(replace(request, progress=told))
    options.print_either(render_plan.plan_values(planned), as_json, lambda: render_plan.plan(planned, Paint.stdout()))
    return 1 if planned.refusals else 0


def _run(request: IndexRequest, as_json: bool) -> int:
    from eval import render_report
    from eval.paint import Paint
    from eval.progress import progress
    from index.run import index_run

    with progress() as told:
        report = index_run(replace(request, progress=told))
    options.print_either(render_report.values(report), as_json, lambda: render_report.report(report, Paint.stdout()))
    return report.exit_status


def log(as_json: options.Json = False, state: options.State = None) -> None:
    """List the recorded runs, and what each changed."""
    from eval import render_report
    from eval.paint import Paint
    from eval.runlog import recorded_runs
    from eval.surroundings import surroundings

    runs = recorded_runs(surroundings(state).state)
    values = [run.to_dict() for run in runs]
    options.print_either(values, as_json, lambda: render_report.runs(runs, Paint.stdout()))


def rollback(
    run: Annotated[int, typer.Argument(metavar="RUN", help="The run to go back to: a run number of `caveat log`.")],
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Publish again what an earlier run had recorded.

    Nothing is deleted; the next index run says what it would apply again. RUN is not the generation number that
    --known-at takes: `caveat log` shows both.
    """
    from eval import render_report
    from eval.paint import Paint
    from eval.surroundings import surroundings
    from index.run import RollbackRequest, rollback_run

    around = surroundings(state)
    report = rollback_run(RollbackRequest(around.state, run, around.now, around.config.indexing))
    options.print_either(render_report.values(report), as_json, lambda: render_report.report(report, Paint.stdout()))


def export(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="JSON Lines; default: standard output.")] = None,
    state: options.State = None,
) -> None:
    """Write the history as sorted JSON Lines."""
    from eval.carrying import export_to, history_of
    from eval.surroundings import surroundings

    with history_of(surroundings(state).state) as lines:
        if file is None:
            sys.stdout.writelines(f"{line}\n" for line in lines)
        else:
            typer.echo(f"wrote {export_to(file, lines)} lines to {file}")


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What caveat export wrote.")],
    state: options.State = None,
) -> None:
    """Read a history into an empty state folder.

    Run caveat index afterwards: it builds the search index from the history and the handbook.
    """
    from eval.carrying import import_from
    from eval.surroundings import surroundings

    runs = import_from(file, surroundings(state).state)
    typer.echo(f"imported {runs} runs; next: caveat index HANDBOOK")
