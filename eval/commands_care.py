"""init, lint, stats, doctor and mcp: setting up, looking after, serving."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval import options


def init(
    handbook: Annotated[str | None, typer.Argument(metavar="HANDBOOK", help="The handbook's folder.")] = None,
) -> None:
    """Write a commented caveat.toml here."""
    from eval.config import FILE_NAME, starter
    from ingest.errors import ConfigError

    file = Path(FILE_NAME)
    if file.exists():
        raise ConfigError(f"{FILE_NAME} exists already", fix="edit it, or move it away first")
    if handbook and not Path(handbook).expanduser().is_dir():
        raise ConfigError(f'no folder "{handbook}"', fix="name the folder that holds the handbook")
    file.write_text(starter(handbook), encoding="utf-8")
    typer.echo(f"wrote {FILE_NAME}; next: caveat index{'' if handbook else ' HANDBOOK'}")


def lint(handbook: options.Handbook = None, as_json: options.Json = False, state: options.State = None) -> None:
    """Note what deserves a look in a handbook.

    Exit status 1 if anything does.
    """
    from eval import render_care
    from eval.linting import linted
    from eval.paint import Paint
    from eval.progress import progress
    from eval.render_plan import note_values
    from eval.surroundings import surroundings

    around = surroundings(state)
    with progress() as told:
        found = linted(around, around.handbook(handbook), told)
    options.print_either(note_values(found), as_json, lambda: render_care.notes(found, Paint.stdout()))
    raise typer.Exit(1 if found else 0)


def stats(
    handbook: Annotated[
        Path | None, typer.Argument(metavar="HANDBOOK", help="Count a handbook's editions, not what is indexed.")
    ] = None,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Show how much is indexed, and the room it takes; or how large each edition of a handbook is.

    Of an edition: numbered sections, o200k tokens, what changed against the one before (a share of the sections of
    both together), and what a script wrote (files with `generated: true` in their front matter).
    """
    from eval import render_care
    from eval.counts import counts
    from eval.edition_counts import edition_counts
    from eval.paint import Paint
    from eval.surroundings import surroundings

    around = surroundings(state)
    if handbook is not None:
        editions = edition_counts(handbook, around.config.ingest, around.now)
        values = [edition.to_dict() for edition in editions]
        options.print_either(values, as_json, lambda: render_care.editions(editions, Paint.stdout()))
        return
    found = counts(around)
    options.print_either(found.to_dict(), as_json, lambda: render_care.counts(found, Paint.stdout()))


def doctor(as_json: options.Json = False, state: options.State = None) -> None:
    """Check the state folder, and say what to mend.

    Nothing is changed. Exit status 1 if something is missing or damaged that the next run does not mend.
    """
    from eval import render_care
    from eval.checkup import checkup
    from eval.paint import Paint
    from eval.surroundings import surroundings

    found = checkup(surroundings(state))
    values = [finding.to_dict() for finding in found]
    options.print_either(values, as_json, lambda: render_care.findings(found, Paint.stdout()))
    raise typer.Exit(1 if any(finding.verdict == "bad" for finding in found) else 0)


def mcp(state: options.State = None) -> None:
    """Serve an agent over MCP (stdio), read-only.

    Tools: search, get_section, history and list_documents, each with as_of.
    """
    from eval.surroundings import surroundings
    from retrieve.server import serve

    around = surroundings(state)
    serve(around.state, around.config.retrieve, encoder=around.wanted_encoder, clock=around.clock)
