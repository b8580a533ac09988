"""`make docs`: writes docs/cli.md from the command line itself and docs/config.md from the settings models."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from eval.cli import app
from eval.config import Config, fields

FOLDER: Final = Path(__file__).parent.parent / "docs"
_WIDTH: Final = 100
_MADE = "<!-- Made by `make docs`; change the code, not this file. -->"
_STATUSES: Final = """\
| Exit status | Meaning |
|---|---|
| 0 | good, also when a search found nothing (it says why) |
| 1 | a gate failed: a guard stopped an index run, a file was refused, lint or doctor found something |
| 2 | wrong use or broken surroundings; one line on stderr says what was found, what is allowed and what to do |
| 130 | interrupted |
| 141 | whoever read the output went away |
"""
_VARIABLES: Final = """\
| Environment variable | Meaning |
|---|---|
| `CAVEAT_NOW` | sets the clock: a day or a time with its zone, such as `2026-03-15T12:00:00Z` |
| `CAVEAT_DEBUG=1` | shows a traceback instead of one line |
| `NO_COLOR` | no colours on a terminal |
"""


def pages() -> Mapping[str, str]:
    """File name to content of every generated page."""
    return {"cli.md": cli_page(), "config.md": config_page()}


def cli_page() -> str:
    """The reference of the command line."""
    group: Any = typer.main.get_command(app)
    top = _help(group, "caveat", None)
    parts = ["# The command line", _MADE, f"```text\n{top}\n```", _STATUSES.strip(), _VARIABLES.strip()]
    context = _context(group, "caveat", None)
    parts += _commands(group, "## caveat", context)
    return "\n\n".join(parts) + "\n"


def _commands(group: Any, heading: str, context: Any) -> Iterator[str]:
    for name, command in group.commands.items():
        yield f"{heading} {name}"
        yield f"```text\n{_help(command, name, context)}\n```"
        if hasattr(command, "commands"):
            yield from _commands(command, f"#{heading} {name}", _context(command, name, context))


def _help(command: Any, name: str, parent: Any) -> str:
    text: str = command.get_help(_context(command, name, parent))
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def _context(command: Any, name: str, parent: Any) -> Any:
    kind = command.context_class
    settings = {**command.context_settings, "help_option_names": ["-h", "--help"]}
    return kind(command, info_name=name, parent=parent, **{**settings, "terminal_width": _WIDTH})


def config_page() -> str:
    """The reference of caveat.toml."""
    parts = ["# caveat.toml", _MADE, _CONFIG_ABOUT.strip()]
    current: str | None = None
    for section, name, field in fields():
        if section != current:
            parts.append(_section_head(section))
            current = section
        parts[-1] += _row(name, field)
    return "\n\n".join(parts) + "\n"


_CONFIG_ABOUT = """
Caveat looks for `caveat.toml` in the current folder, then in the folders above it. The file is optional and every key
has a default; `caveat init` writes a commented one. Relative paths are relative to the file's own folder. An unknown
key is an error that names the nearest known one. After a change of `[ingest]` or `[encoder]`, run `caveat index`: a
search with another model than the index was built with is an error, never a silently bad answer.
"""


def _section_head(section: str) -> str:
    about = Config.model_fields[section].description if section else "Keys at the top of the file."
    title = f"## [{section}]" if section else "## Top"
    return f"{title}\n\n{about}\n\n| Key | Type | Default | Meaning |\n|---|---|---|---|"


def _row(name: str, field: FieldInfo) -> str:
    default = "none" if field.default is None else f"`{json.dumps(field.default)}`"
    return f"\n| `{name}` | {', '.join(_kind(field))} | {default} | {_cell(field.description or '')} |"


def _kind(field: FieldInfo) -> Iterator[str]:
    yield _type(field.annotation)
    bounds = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    for limit in field.metadata:
        yield from (f"{word} {getattr(limit, name):g}" for name, word in bounds.items() if hasattr(limit, name))


def _type(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return " or ".join(f'`"{value}"`' for value in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(_type(part) for part in get_args(annotation) if part is not type(None))
    if get_origin(annotation) is tuple:
        return f"array of {_type(get_args(annotation)[0])}s"
    return {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}.get(annotation.__name__, "table")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    """Writes the pages and names those that changed."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote docs/{name}\n")


if __name__ == "__main__":
    main()
