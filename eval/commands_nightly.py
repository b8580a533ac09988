"""nightly and baseline: retrieval measured every night, and the night that it is held against."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval import options

if TYPE_CHECKING:
    from eval.nightly.record import Night
    from eval.nightly.run import Paths
    from eval.surroundings import Surroundings

Suite = Annotated[
    Path | None, typer.Option("--suite", metavar="SUITE", help="What is asked; default: eval.suite of caveat.toml.")
]
baseline = typer.Typer(
    help="Show or replace the night that others are compared with.",
    invoke_without_command=True,
    rich_markup_mode=None,
)


def nightly(
    handbook: options.Handbook = None,
    suite: Suite = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where reports go; default: eval.reports.")
    ] = None,
    no_index: Annotated[bool, typer.Option("--no-index", help="Measure what is published; index nothing.")] = False,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Index what changed, measure the tune side with its rewrites and pins, and say what changed and why.

    Appends to eval.history and writes report.html, report.json, report.md, junit.xml and tickets.csv. Exit status 1
    if a gate failed, 2 if nothing could be measured; both run the command eval.notify.
    """
    from eval.border import explain
    from eval.nightly.reports import write_reports
    from eval.nightly.run import NightRequest, Paths, run_night
    from eval.nightly.telling import summary, values
    from eval.paint import Paint
    from eval.progress import progress
    from eval.surroundings import surroundings

    around = surroundings(state)
    paths = Paths.of(around)
    try:
        folder = options.out_folder(out or paths.reports)
        with progress("nightly") as told:
            request = NightRequest(around, around.handbook(handbook), around.suite(suite), not no_index, told)
            done = run_night(request)
        files = write_reports(done.night, done.before, done.baseline, folder)
    except Exception as error:
        _notify(around, f"The night could not be recorded: {explain(error)[0]}")
        raise
    options.print_either(values(done, files), as_json, lambda: summary(done, Paint.stdout(), files))
    due = done.night.failed or around.config.eval.notify_always
    told_somebody = not due or _notify(around, summary(done, Paint(False)))
    if done.error:
        raise done.error
    raise typer.Exit(1 if done.night.failed else 0 if told_somebody else 2)


def _notify(around: Surroundings, told: str) -> bool:
    """Run the command to notify; whether that went well. A fault is one line on stderr."""
    from eval.nightly.notify import notify
    from eval.paint import harmless
    from ingest.errors import ConfigError

    named = around.config.eval
    try:
        notify(named.notify, f"{harmless(told)}\n", named.notify_seconds)
    except ConfigError as error:
        print(f"caveat: {harmless(str(error))}", file=sys.stderr)
        return False
    return True


@baseline.callback()
def _alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@baseline.command()
def accept(suite: Suite = None, as_json: options.Json = False) -> None:
    """Make the last night of the suite the baseline; nothing else ever replaces it.

    Commit eval.baseline afterwards. A night with failed gates may be accepted, and is named as such.
    """
    from eval.nightly.history import accept_baseline, read_nights
    from eval.nightly.run import Paths, suite_name
    from eval.surroundings import surroundings

    around = surroundings(None)
    paths, name = Paths.of(around), suite_name(around, around.suite(suite))
    night = accept_baseline(paths.baseline, read_nights(paths.history), name)
    _show(paths, night, as_json)


@baseline.command()
def show(as_json: options.Json = False) -> None:
    """Show which night is the baseline, and its figures."""
    from eval.nightly.history import read_baseline
    from eval.nightly.run import Paths
    from eval.surroundings import surroundings
    from ingest.errors import StateMissing

    paths = Paths.of(surroundings(None))
    night = read_baseline(paths.baseline)
    if night is None:
        raise StateMissing(
            "no baseline yet", where=str(paths.baseline), fix="caveat nightly, then caveat baseline accept"
        )
    _show(paths, night, as_json)


def _show(paths: Paths, night: Night, as_json: bool) -> None:
    from eval.nightly.telling import baseline as told
    from eval.paint import Paint

    values = night.model_dump(mode="json", by_alias=True)
    options.print_either(values, as_json, lambda: f"{told(night, Paint.stdout())}\n{paths.baseline}")
