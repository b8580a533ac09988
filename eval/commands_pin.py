"""pin: queries frozen from incidents, each with the quotes that must come back, for ever."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval import options

if TYPE_CHECKING:
    from eval.pins.adding import Born
    from eval.pins.plain.form import Filed
    from eval.pins.searching import PinSearch
    from eval.pins.sources import Told
    from eval.surroundings import Surroundings

app = typer.Typer(
    name="pin",
    help="Freeze a query from an incident, and hold every later search to what must come back.",
    invoke_without_command=True,
    rich_markup_mode=None,
)

Pins = Annotated[
    Path | None, typer.Option("--pins", metavar="DIR", help="Folder of pins; default: data/pins beside caveat.toml.")
]
Boundary = Annotated[
    str | None, typer.Option("--boundary", metavar="NAME", help="The trace's calls that made the query.")
]
Expect = Annotated[
    list[str] | None,
    typer.Option("--expect", metavar="QUOTE", help="Must come back, word for word; may be given several times."),
]
Section = Annotated[
    str | None,
    typer.Option(
        "--section",
        metavar="SECTION",
        help="A number or an address; its subsections count. Needed where a quote stands in several.",
    ),
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What went wrong, in a few words.")]
Name = Annotated[str | None, typer.Option("--id", metavar="ID", help="Default: made from incident and title.")]
Open = Annotated[
    bool, typer.Option("--open", help="Add it though it fails: reported every night, and held once it has passed.")
]
Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Which pins; default: all.")]


@app.callback()
def _alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def add(
    trace: Annotated[
        Path | None, typer.Argument(metavar="[TRACE]", help="A recorded trace (docs/replay.md); or give --query.")
    ] = None,
    boundary: Boundary = None,
    call: Annotated[int, typer.Option("--call", min=1, metavar="N", help="Which call of it, from 1.")] = 1,
    field: Annotated[
        str | None, typer.Option("--field", metavar="PLACE", help='Where in the call the query stands: "output.query".')
    ] = None,
    query: Annotated[str | None, typer.Option("--query", metavar="TEXT", help="The query itself.")] = None,
    expect: Expect = None,
    section: Section = None,
    as_of: options.AsOf = None,
    title: Title = None,
    name: Name = None,
    as_open: Open = False,
    as_json: options.Json = False,
    pins: Pins = None,
    state: options.State = None,
) -> None:
    """Pin a query: check its quotes against the day, ask it once, and write it to a file.

    Shows what came back, and where the quotes' sections stood in every list. Exit status 1 if a quote does not come
    back; then nothing is written, except with --open.
    """
    from dataclasses import replace

    from eval.surroundings import surroundings

    around = surroundings(state)
    told = _told(around, trace, boundary, call, field, query)
    told = replace(told, expect=tuple(expect or ()), section=section, as_of=as_of, title=title, id=name)
    _add(around, [told], pins, as_open=as_open, as_json=as_json, each=False)


@app.command(name="import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines: a trace of envelopes, or any other.")],
    fields: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="FIELD=PLACE",
            help="Where a line holds query, expect, section, as_of, title or "
            "id; default: under that name. Dots go inwards: query=input.question.",
        ),
    ] = None,
    boundary: Boundary = None,
    expect: Expect = None,
    section: Section = None,
    as_of: options.AsOf = None,
    title: Title = None,
    as_open: Open = False,
    as_json: options.Json = False,
    pins: Pins = None,
    state: options.State = None,
) -> None:
    """Pin every line of a file: all of them or none.

    With --boundary the file is a trace, and each call of the boundary a query. --expect, --section, --as-of and --title
    hold for the lines that do not say their own.
    """
    from dataclasses import replace

    from eval.pins.sources import from_lines, read_map
    from eval.surroundings import surroundings

    around = surroundings(state)
    lines = from_lines(file, _shown(around, file), read_map(fields or []), boundary)
    every = [
        replace(
            one,
            expect=one.expect or tuple(expect or ()),
            section=one.section or section,
            as_of=one.as_of or as_of,
            title=one.title or title,
        )
        for one in lines
    ]
    _add(around, every, pins, as_open=as_open, as_json=as_json, each=True)


@app.command()
def run(
    ids: Ids = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="WHOM",
            help='Ask somebody else: "windows" (of today, dense only), a folder '
            "with a corpus.jsonl of chunks (dense only), module:function or file.py:function.",
        ),
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", min=1, max=100, help="Passages with --against; default: 3 windows, 1 chunk, 5.")
    ] = None,
    as_json: options.Json = False,
    pins: Pins = None,
    state: options.State = None,
) -> None:
    """Ask every pin that is not retired. Exit status 1 if one that is not open does not come back.

    An open pin that passes is closed: its file is rewritten, and from then on it must come back.
    """
    from eval import render_pin
    from eval.paint import Paint
    from eval.pins.folder import chosen, folder_of, pins_in
    from eval.pins.running import run_against, run_all
    from eval.surroundings import surroundings
    from ingest.dates import show_instant
    from ingest.errors import QueryError

    around = surroundings(state)
    folder = folder_of(around, pins)
    filed = chosen(pins_in(folder), ids or [])
    if not filed:
        raise QueryError("no pins", where=str(folder), fix="caveat pin add, or name their folder with --pins")
    name = ""
    if against:
        from eval.pins.against import against as asked

        with asked(around, against, k) as other:
            name = other.name
            ran = [run_against(one, other.run) for one in filed if one.pin.status != "retired"]
    else:
        with _search(around) as search:
            ran = list(run_all(filed, search, show_instant(around.now) or ""))
    values = [{"status": one.status, "note": one.note, "outcome": one.outcome and one.outcome.to_dict()} for one in ran]
    options.print_either(values, as_json, lambda: render_pin.ran(ran, filed, name, Paint.stdout()))
    raise typer.Exit(1 if any(one.status == "failed" for one in ran) else 0)


@app.command(name="list")
def list_(as_json: options.Json = False, pins: Pins = None) -> None:
    """List all pins, retired ones too."""
    from eval import render_pin
    from eval.paint import Paint
    from eval.pins.folder import folder_of, pins_in
    from eval.surroundings import surroundings

    filed = pins_in(folder_of(surroundings(None), pins))
    options.print_either([_values(one) for one in filed], as_json, lambda: render_pin.listed(filed, Paint.stdout()))


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="The pin.")],
    as_json: options.Json = False,
    pins: Pins = None,
    state: options.State = None,
) -> None:
    """Show a pin, and what comes back then and now, side by side."""
    from eval import render_pin
    from eval.paint import Paint
    from eval.pins.folder import chosen, folder_of, pins_in
    from eval.surroundings import surroundings

    around = surroundings(state)
    [filed] = chosen(pins_in(folder_of(around, pins)), [name])
    with _search(around) as search:
        now = search.run(filed.pin)
    values = {**_values(filed), "now": now.to_dict()}
    options.print_either(values, as_json, lambda: render_pin.shown(filed, now, Paint.stdout()))


@app.command()
def retire(
    name: Annotated[str, typer.Argument(metavar="ID", help="The pin.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Kept with it.")],
    pins: Pins = None,
) -> None:
    """Stop asking a pin. Its file stays, with the reason; nothing deletes a pin."""
    from eval.pins.folder import chosen, folder_of, pins_in, rewrite
    from eval.redaction import Redactor
    from eval.surroundings import surroundings
    from ingest.dates import show_instant
    from ingest.errors import QueryError

    around = surroundings(None)
    [filed] = chosen(pins_in(folder_of(around, pins)), [name])
    if not why.strip():
        raise QueryError("an empty reason", where="--why", fix="say why it need not come back any more")
    if filed.pin.retired:
        raise QueryError(f'"{name}" is retired already', where=str(filed.file), fix=f"why: {filed.pin.retired['why']}")
    retired = {"at": show_instant(around.now) or "", "why": Redactor(around.config.redact).text(why)}
    rewrite(filed, filed.pin.changed(status="retired", retired=retired))
    typer.echo(f"retired {filed.file}")


def _told(
    around: Surroundings, trace: Path | None, boundary: str | None, call: int, field: str | None, query: str | None
) -> Told:
    from eval.pins.sources import Told, from_trace
    from ingest.errors import QueryError

    if (trace is None) == (query is None):
        raise QueryError("a trace or --query, one of them", where="caveat pin add", fix="caveat pin add --help")
    if trace is None:
        return Told(query or "", "", "--query")
    if boundary is None:
        raise QueryError("no boundary named", where=str(trace), fix="--boundary query_rewrite")
    return from_trace(trace, _shown(around, trace), boundary, call, field)


def _add(
    around: Surroundings, every: list[Told], pins: Path | None, *, as_open: bool, as_json: bool, each: bool
) -> None:
    """Check, ask and write; say what came back in any case."""
    from itertools import zip_longest

    from eval import render_pin
    from eval.paint import Paint
    from eval.pins.adding import born, born_all, check_passed, write
    from eval.pins.folder import folder_of, pins_in

    folder = folder_of(around, pins)
    pins_in(folder)
    with _search(around) as search:
        found: list[Born] = (
            born_all(around, search, every, as_open=as_open)
            if each
            else [born(around, search, every[0], as_open=as_open)]
        )
    fault = check_passed(found, as_open=as_open)
    files = [] if fault else write(folder, found)
    values = [
        {"file": str(file) if file else None, "pin": one.pin.id, "outcome": one.outcome.to_dict()}
        for file, one in zip_longest(files, found)
    ]
    options.print_either(values, as_json, lambda: render_pin.born(found, files, Paint.stdout()))
    if fault:
        raise fault


def _search(around: Surroundings) -> PinSearch:
    from eval.pins.searching import PinSearch

    return PinSearch(around.state, around.config.retrieve, encoder=around.wanted_encoder, clock=around.clock)


def _shown(around: Surroundings, file: Path) -> str:
    """A file's name for a pin: from caveat.toml's folder on, or its own where it lies elsewhere."""
    folder = around.place.folder.resolve()
    inner = file.resolve()
    return inner.relative_to(folder).as_posix() if inner.is_relative_to(folder) else file.name


def _values(filed: Filed) -> dict[str, object]:
    import json

    values: dict[str, object] = json.loads(filed.pin.to_text())
    return values | {"file": str(filed.file)}
