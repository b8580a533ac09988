"""fuzz: queries rewritten as sampled models do; which rewrites lose what an answer needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval import options


def fuzz(
    suite: Annotated[
        Path | None,
        typer.Argument(
            metavar="SUITE",
            help="Tickets, a .csv of experts, or logged queries: .txt, one a line, or .jsonl. Default: eval.suite.",
        ),
    ] = None,
    handbook: Annotated[
        Path | None, typer.Option("--handbook", metavar="DIR", help="The handbook's folder; default: as indexed.")
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", metavar="SIDE", help="tune: the only side that may be looked at.")
    ] = None,
    of: Annotated[
        str | None,
        typer.Option("--of", metavar="QUERIES", help="messages, or rewrites: the frozen ones, default if any."),
    ] = None,
    way: Annotated[
        list[str] | None,
        typer.Option("--way", metavar="WAY", help="Rewrite in this way; may be given several times. Default: all."),
    ] = None,
    each: Annotated[int, typer.Option("--each", min=1, max=100, help="Rewrites of a query in each way, at most.")] = 1,
    most: Annotated[
        int | None, typer.Option("--most", min=1, metavar="N", help="Queries, evenly spread. Default: all.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed draws the same rewrites.")] = 0,
    runs: Annotated[int, typer.Option("--runs", min=1, metavar="N", help="Green re-runs that might miss it.")] = 5,
    share: Annotated[
        float,
        typer.Option("--share", min=0, max=1, help="Of an agent's runs, how many take such a way; an assumption."),
    ] = 0.25,
    k: Annotated[
        int | None, typer.Option("--k", min=1, max=100, help="Passages asked for; default: retrieve.k.")
    ] = None,
    worst: Annotated[int, typer.Option("--worst", min=0, metavar="N", help="Losses to show.")] = 5,
    pin: Annotated[bool, typer.Option("--pin", help="Show the command that pins each loss.")] = False,
    as_of: options.AsOf = None,
    boundary: Annotated[
        str | None, typer.Option("--boundary", metavar="NAME", help="Of a recorded trace: the calls with the queries.")
    ] = None,
    fields: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=PLACE", help="Where a logged line holds query and as_of."),
    ] = None,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Rewrite queries as sampled models do, and show which rewrites lose an anchor.

    Needs an index (`caveat index`). Prints the chance that a rewrite of each kind loses the exception, and the chance
    that green re-runs miss that. Answers are kept in the state folder's cache.
    """
    from eval import render_fuzz
    from eval.fuzzing.chances import Runs
    from eval.fuzzing.drawing import Drawing, chosen
    from eval.fuzzing.fuzz import fuzz
    from eval.fuzzing.logged import Log
    from eval.fuzzing.opened import Wanted, opened
    from eval.fuzzing.pinning import pin_command
    from eval.paint import Paint
    from eval.progress import progress
    from eval.surroundings import surroundings

    around = surroundings(state)
    log = Log(around.suite(suite), as_of, boundary, tuple(fields or ()))
    drawing, assumed = Drawing(chosen(way or ()), each, seed), Runs(runs, share)
    with (
        progress("fuzz") as told,
        opened(around, Wanted(log, handbook, split, of, most, k, drawing, assumed), told) as on,
    ):
        found = fuzz(on.questions, on.split, on.fuzzing, told)
        pins = {one.id: pin_command(one, on.policy, around.today) for one in found.losses}
    shown = render_fuzz.Shown(worst, pins if pin else None, on.redacted)
    options.print_either(found.to_dict(pins), as_json, lambda: render_fuzz.fuzzed(found, shown, Paint.stdout()))
