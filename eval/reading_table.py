"""`python -m eval.reading_table FOLDER`: a Markdown table of how every document of a folder is read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from eval.inspecting import Inspected, inspect_file
from ingest.errors import CaveatError
from ingest.formats import format_of
from ingest.settings import IngestSettings

_HEADS: Final = ("File", "Pages", "Sections", "of them numbered", "Tables", "Letters and digits", "Kept", "Lost lines")


def rows_of(folder: Path, settings: IngestSettings) -> Iterator[tuple[str, ...]]:
    """One row for each file of a format that is read, by name; a refused one has its reason."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or format_of(path.name) in (None, format_of("README.md")):
            continue
        try:
            yield _row(path.name, inspect_file(path, settings))
        except CaveatError as error:
            yield path.name, f"refused: {str(error).removeprefix(str(path)).lstrip(':, ')}", *[""] * (len(_HEADS) - 2)


def _row(name: str, found: Inspected) -> tuple[str, ...]:
    total, sections = found.reading.loss.total, found.document.sections
    # Rounded down, so that 100.0% means all.
    kept = f"{total.kept * 1000 // total.characters / 10}%" if total.characters else ""
    return (
        name,
        f"{found.reading.pages or ''}",
        f"{len(sections)}",
        f"{sum(section.number is not None for section in sections)}",
        f"{len(found.tables)}",
        f"{total.characters:,}",
        kept if not total.dropped else f"{kept}, {total.dropped:,} left out on purpose",
        f"{len(found.reading.loss.lines)}",
    )


def table(folder: Path, settings: IngestSettings) -> str:
    """The whole table."""
    rule = "|---|" + "---:|" * (len(_HEADS) - 1)
    lines = [_HEADS, *rows_of(folder, settings)]
    shown = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines]
    return "\n".join([shown[0], rule, *shown[1:]])


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m eval.reading_table", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    print(table(parser.parse_args(arguments).folder, IngestSettings()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
