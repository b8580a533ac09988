"""tune: settings chosen by the tickets of the tune side, with what the choice is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval import options


def tune(
    suite: Annotated[
        Path | None,
        typer.Argument(metavar="SUITE", help="Tickets, or a table of subject experts; default: eval.suite."),
    ] = None,
    handbook: options.Handbook = None,
    measure: Annotated[
        str, typer.Option("--measure", metavar="MEASURE", help="What to raise.")
    ] = "PolicyExceptionRecall@5+links",
    write: Annotated[bool, typer.Option("--write", help="Write what is beyond noise into caveat.toml.")] = False,
    as_json: options.Json = False,
    state: options.State = None,
    named: Annotated[Path | None, typer.Option("--handbook", metavar="DIR", hidden=True)] = None,
) -> None:
    """Choose fusion, weights, k, passages, links and low_confidence on the tune side.

    Needs an index of the handbook (`caveat index`). The gain is measured on folds of families that a choice did not
    see; settings that do not beat those in force beyond noise are kept. It takes minutes.
    """
    from eval import render_tune
    from eval.paint import Paint
    from eval.progress import progress
    from eval.surroundings import surroundings
    from eval.tuning.opened import Wanted, opened
    from eval.tuning.tune import tune
    from eval.tuning.writing import write_choice

    around = surroundings(state)
    wanted = Wanted(around.suite(suite), handbook or named, measure)
    with progress("tune") as told, opened(around, wanted, told) as bench:
        found = tune(bench, told)
    target = around.place.file or around.place.folder / "caveat.toml"
    written = write and bool(found.writes)
    if written:
        write_choice(target, found.writes, render_tune.evidence(found, around.today))
    values = {**found.to_dict(), "written": target.name if written else None}
    told_as = render_tune.Told(written=target.name if written else None, asked=write)
    options.print_either(values, as_json, lambda: render_tune.tuned(found, told_as, Paint.stdout()))
