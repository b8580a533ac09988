"""`python -m eval.reading_table FILE...`: a Markdown table of how each of several documents is read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from eval.inspecting import Inspected, inspect_file
from ingest.errors import SourceError
from ingest.settings import IngestSettings

_HEADS: Final = ("File", "Pages", "Sections", "of them numbered", "Tables", "Letters and digits", "Kept", "Lost lines")


def rows_of(files: Iterable[Path], settings: IngestSettings) -> Iterator[tuple[str, ...]]:
    """One row for each file; a refused one has its reason."""
    for path in files:
        try:
            yield _row(path.name, inspect_file(path, settings))
        except SourceError as error:
            reason = str(error).replace(str(path), path.name)
            yield path.name, f"refused: {reason}", *[""] * (len(_HEADS) - 2)


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


def table(files: Iterable[Path], settings: IngestSettings) -> str:
    """The whole table."""
    rule = "|---|" + "---:|" * (len(_HEADS) - 1)
    lines = [_HEADS, *rows_of(files, settings)]
    shown = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines]
    return "\n".join([shown[0], rule, *shown[1:]])


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m eval.reading_table", description=__doc__)
    parser.add_argument("files", type=Path, metavar="FILE", nargs="+")
    print(table(parser.parse_args(arguments).files, IngestSettings()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
