"""read: one file, as an index run would read it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval import options


def read(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Markdown, HTML, DOCX or PDF.")],
    text: Annotated[bool, typer.Option("--text", help="Print the text that would be indexed, as Markdown.")] = False,
    as_json: options.Json = False,
) -> None:
    """Show how one file is read, and what of it was lost.

    Nothing is indexed. Exit status 1 if a line was lost, 2 if the file is refused.
    """
    from eval import render_read
    from eval.config import load_place
    from eval.inspecting import inspect_file
    from eval.paint import Paint
    from eval.progress import progress

    settings = load_place(Path.cwd()).config.ingest
    with progress("read"):
        found = inspect_file(file, settings)
    shown = render_read.text if text else lambda one: render_read.reading(one, Paint.stdout())
    options.print_either(found.to_dict() if as_json else None, as_json, lambda: shown(found))
    raise typer.Exit(1 if found.reading.loss.lines else 0)
