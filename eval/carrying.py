"""`caveat export` and `caveat import`: a history from one state folder to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from index.history.catalog import Catalog
from index.history.exchange import export_history, import_history
from index.state import State
from ingest.errors import SourceError, StateMissing


@contextmanager
def history_of(folder: Path) -> Iterator[Iterator[str]]:
    """The lines of a state folder's history, without line ends.

    Raises:
        StateMissing: nothing was recorded there yet.
    """
    state = State(folder)
    if not state.catalog.exists():
        raise StateMissing("nothing was recorded yet", where=str(folder), fix="run `caveat index HANDBOOK`")
    with Catalog.open_reading(state.catalog) as catalog:
        yield export_history(catalog)


def export_to(file: Path, lines: Iterable[str]) -> int:
    """Write the lines to a file, whole or not at all; returns their number."""
    beside = file.with_name(f".{file.name}.new")
    count = 0
    with beside.open("w", encoding="utf-8") as out:
        for count, line in enumerate(lines, 1):  # noqa: B007 (the last number is the count)
            out.write(line + "\n")
    beside.replace(file)
    return count


def import_from(file: Path, folder: Path) -> int:
    """Read an export into an empty state folder; returns the number of runs.

    Raises:
        SourceError: the file cannot be read, or is not a whole export.
        StateError: the state folder has a history already, is locked or cannot be written.
    """
    try:
        # Not splitlines(): a text may hold other characters that it takes for line ends.
        lines = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read ({error})", where=str(file)) from error
    state = State(folder)
    with state.locked(), Catalog.open(state.catalog) as catalog:
        return import_history(catalog, lines, str(file))
