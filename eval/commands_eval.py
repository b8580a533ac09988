"""eval: measuring retrieval on a suite of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval import options


def eval_(
    suite: Annotated[
        Path | None,
        typer.Argument(
            metavar="SUITE",
            help="A folder of tickets, a folder in BEIR's layout, or a .csv of experts. Default: eval.suite.",
        ),
    ] = None,
    handbook: options.Handbook = None,
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="SIDE", help="tune (the default where there are sides), or holdout: logged."),
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="The whole ladder: windows, sections, fusion, reranking, links, dates.")
    ] = False,
    k: Annotated[
        int | None, typer.Option("--k", min=1, max=100, help="Passages asked for; default: retrieve.k.")
    ] = None,
    retriever: Annotated[
        str | None,
        typer.Option("--retriever", metavar="MODULE:FUNCTION", help="Measure this function, too; or FILE.py:FUNCTION."),
    ] = None,
    run: Annotated[Path | None, typer.Option("--run", metavar="FILE", help="Measure this TREC run file, too.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Write runs, qrels and a table of all questions.")
    ] = None,
    as_json: options.Json = False,
    state: options.State = None,
    named: Annotated[Path | None, typer.Option("--handbook", metavar="DIR", hidden=True)] = None,
) -> None:
    """Measure retrieval on a suite of questions, with intervals.

    Answers are kept in the state folder's cache: a second run asks only what changed.
    """
    from eval import render_eval
    from eval.ladder.evaluation import Order, evaluate
    from eval.paint import Paint
    from eval.progress import progress
    from eval.surroundings import surroundings

    around = surroundings(state)
    order = Order(around.suite(suite), handbook or named, split, ablate, k, retriever, run)
    folder = options.out_folder(out) if out else None
    with progress("ask") as told:
        found = evaluate(around, order, told)
    if folder:
        from eval.ladder.writing import write_out

        for file in write_out(found, folder, around.config.redact):
            typer.echo(f"wrote {file}", err=True)
    options.print_either(found.table.to_dict(), as_json, lambda: render_eval.table(found.table, Paint.stdout()))
