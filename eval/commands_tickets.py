"""tickets: questions with dates and quotes, written and checked against a handbook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval import options

app = typer.Typer(
    help="Write tickets, and check them against a handbook; `caveat eval` measures with them.",
    invoke_without_command=True,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of tickets.jsonl and rewrites.jsonl.")]
_DEFAULT = Path("data/tickets")


@app.callback()
def _alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def init(folder: Folder = _DEFAULT) -> None:
    """Write a template: one worked ticket with its rewrites, and what each field means."""
    from eval.ticket_template import write_template

    for file in write_template(folder):
        typer.echo(f"wrote {file}")


@app.command()
def draft(
    handbook: options.Handbook = None,
    as_of: options.AsOf = None,
    state: options.State = None,
) -> None:
    """Propose tickets for experts to fill in: sections in force that limit each other, with their quotes.

    Prints JSON Lines with empty messages and answers; add `> drafts.jsonl` to keep them.
    """
    from eval.drafting import draft_lines
    from eval.policy import read_policy
    from eval.surroundings import surroundings
    from ingest.dates import parse_day

    around = surroundings(state)
    day = parse_day(as_of, where="--as-of") if as_of else around.today
    policy = read_policy(around.handbook(handbook), around.config.ingest, around.now, state=around.state)
    for line in draft_lines(policy.on(day), day):
        typer.echo(line)


@app.command()
def check(
    folder: Folder = _DEFAULT,
    handbook: options.Handbook = None,
    partial: Annotated[bool, typer.Option("--partial", help="In the making: sides and rewrites may lack.")] = False,
    expect: Annotated[int | None, typer.Option("--expect", metavar="N", help="How many tickets there must be.")] = None,
    each: Annotated[bool, typer.Option("--each", help="Show the overlap of every ticket.")] = False,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Hold tickets against a handbook: every quote in force and in place, every side as dealt.

    Exit status 1 if a gate failed.
    """
    from eval import render_tickets
    from eval.paint import Paint
    from eval.policy import read_policy
    from eval.surroundings import surroundings
    from eval.ticket_check import check
    from eval.ticket_files import load_suite

    around, suite = surroundings(state), load_suite(folder)
    policy = read_policy(around.handbook(handbook), around.config.ingest, around.now, state=around.state)
    found = check(suite, policy, partial=partial, expected=expect)
    options.print_either(found.to_dict(), as_json, lambda: render_tickets.checked(found, Paint.stdout(), each=each))
    raise typer.Exit(1 if found.findings else 0)


@app.command()
def split(folder: Folder = _DEFAULT) -> None:
    """Deal the families of tickets to tune and holdout, once and for all.

    A ticket that was dealt otherwise is left alone, and named: sides are fixed before anything is measured.
    """
    from eval.split import dealt
    from eval.ticket_files import TICKETS, load_suite, write_entries
    from ingest.errors import GuardError

    suite = load_suite(folder)
    for before, after in zip(suite.tickets, tickets := dealt(suite.tickets), strict=True):
        if before.split not in (None, after.split):
            found = f"{before.id} is in {before.split}, and would be dealt to {after.split} now"
            raise GuardError(found, where=suite.where(before), fix="set every split to null to deal anew")
    write_entries(suite.folder / TICKETS, tickets)
    sides = [ticket.split for ticket in tickets]
    typer.echo(f"{sides.count('tune')} tune, {sides.count('holdout')} holdout")
