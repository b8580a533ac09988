"""The command line `caveat`: one Typer app; each command imports what it needs when it runs.

`caveat --help` must not load a model's runtime, so no module that is imported here imports one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from eval import (
    commands_care,
    commands_compare,
    commands_eval,
    commands_fuzz,
    commands_index,
    commands_nightly,
    commands_pin,
    commands_read,
    commands_search,
    commands_tickets,
    commands_tune,
)
from eval.border import guarded, lenient, supported

_ABOUT = "Search a dated policy handbook and get whole sections back, with their exceptions and their dates."

app = typer.Typer(
    name="caveat",
    help=_ABOUT,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def _alone(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        from importlib import metadata

        typer.echo(f"caveat {metadata.version('caveat')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for command in (
    commands_care.init,
    commands_index.index,
    commands_read.read,
    commands_search.search,
    commands_search.show,
    commands_search.history,
    commands_search.diff,
    commands_care.lint,
    commands_index.log,
    commands_index.rollback,
    commands_index.export,
    commands_index.import_,
    commands_care.stats,
    commands_care.doctor,
    commands_care.mcp,
    commands_eval.eval_,
    commands_tune.tune,
    commands_fuzz.fuzz,
    commands_compare.compare,
    commands_nightly.nightly,
):
    app.command(command.__name__.rstrip("_"))(command)
app.add_typer(commands_nightly.baseline, name="baseline")
app.add_typer(commands_pin.app, name="pin")
app.add_typer(commands_tickets.app, name="tickets")


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit status; never raises for a fault of the user's."""
    if not supported():
        return 2
    # Typer gives back the status of typer.Exit, or None.
    return guarded(lambda: app(list(arguments), prog_name="caveat", standalone_mode=False) or 0)


def main() -> None:
    """The console script."""
    lenient(sys.stdin, "surrogateescape")
    lenient(sys.stdout, "backslashreplace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
