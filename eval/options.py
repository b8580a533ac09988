"""What several commands share: arguments, spelled and explained once, and the two forms of output."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated

import typer

from ingest.errors import ConfigError

State = Annotated[
    Path | None,
    typer.Option("--state", metavar="DIR", help="State folder; default: .caveat beside caveat.toml, or here."),
]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="DAY", help="Which policy was in force; default: today.")]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", metavar="WHEN", help="What the index believed at a time, a day's end or a generation."),
]
Json = Annotated[bool, typer.Option("--json", help="Everything as JSON (docs/json.md).")]
Section = Annotated[
    str, typer.Argument(metavar="SECTION", help='An address ("04-seats.md#Seats > Downgrades"), or a number (4.2).')
]
Handbook = Annotated[
    Path | None, typer.Argument(metavar="HANDBOOK", help="The handbook's folder; default: from caveat.toml.")
]

_LONGEST_NUMBER = 18
"""Digits of a generation's number; Python refuses to read one of thousands."""


def known_at(text: str | None) -> str | int | None:
    """What `--known-at` means: plain digits are a generation number, all else is a time."""
    return int(text) if text and text.isdecimal() and len(text) <= _LONGEST_NUMBER else text


def print_either(values: object, as_json: bool, text: Callable[[], str]) -> None:
    """Print the values as JSON, or else the text for a person."""
    typer.echo(json.dumps(values, ensure_ascii=False, indent=2) if as_json else text())


def out_folder(folder: Path) -> Path:
    """A folder that can be written; asked for before a command works for minutes.

    Raises:
        ConfigError: it cannot be made, or not be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        found = f"cannot be written ({error.strerror or error})"
        raise ConfigError(found, where=str(folder), fix="make it writable, or name another with --out") from None
