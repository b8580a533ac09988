"""History as sorted JSON Lines, and back into an empty state.

The first line says what the file is and how many rows of each table follow; each further one is a row, as
`{"table": {column: value, ...}}`. Two exports of one history are equal byte by byte, so the file can be kept
under version control.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from index.digests import compact
from index.history.catalog import Catalog
from index.history.schema import SCHEMA_VERSION
from ingest.errors import SourceError, StateError

KIND: Final = "caveat-history"
_TABLES: Final = {
    "runs": "seq",
    "contents": "digest",
    "versions": "digest",
    "outlines": "digest",
    "skeletons": "digest",
    "beliefs": "row_id",
    "tellings": "effective, recorded, name, seq_from",
    "said": "effective, recorded, name, doc_id, seq_from",
}
"""Tables in the order of the file, each with the order of its rows."""

_AGAIN: Final = "export again, and copy the whole file"


def export_history(catalog: Catalog) -> Iterator[str]:
    """All lines, without line ends."""
    yield compact({"kind": KIND, "schema": SCHEMA_VERSION, "rows": {table: catalog.size(table) for table in _TABLES}})
    for table, order in _TABLES.items():
        columns = catalog.columns(table)
        for row in catalog.table(table, order):
            yield compact({table: dict(zip(columns, row, strict=True))})


def import_history(catalog: Catalog, lines: Iterable[str], where: str) -> int:
    """Write exported history into an empty catalog, all of it or nothing; returns the last sequence number.

    Args:
        where: name of the file, for errors.

    Raises:
        StateError: the catalog is not empty, or the export is of a newer Caveat.
        SourceError: a line is not what an export has there.
    """
    if catalog.sequence:
        fix = "import into a new state folder"
        raise StateError(f"history is there already ({catalog.sequence} runs)", where=str(catalog.path), fix=fix)
    rows: dict[str, list[Sequence[Any]]] = {table: [] for table in _TABLES}
    columns = {table: catalog.columns(table) for table in _TABLES}
    numbered = enumerate(lines, 1)
    told = _check_first(next(numbered, (1, ""))[1], where)
    for number, line in numbered:
        table, row = _row(line, columns, f"{where}:{number}")
        rows[table].append(row)
    _check_counted(rows, told, where)
    _check_whole(rows, columns, where)
    catalog.fill(rows)
    return catalog.sequence


def _check_first(line: str, where: str) -> dict[str, int]:
    """How many rows the first line promises by table; none where an earlier Caveat wrote it."""
    head = _parsed(line, f"{where}:1")
    if head.get("kind") != KIND or not isinstance(head.get("schema"), int):
        raise SourceError("not an export of history", where=f"{where}:1", fix="caveat export writes one")
    if head["schema"] > SCHEMA_VERSION:
        raise StateError(
            f"exported by a newer Caveat (schema {head['schema']})",
            where=where,
            allowed=f"up to schema {SCHEMA_VERSION}",
            fix="update Caveat",
        )
    told = head.get("rows", {})
    if not isinstance(told, dict) or not all(isinstance(count, int) for count in told.values()):
        raise SourceError("rows are not counted by table", where=f"{where}:1", fix=_AGAIN)
    return told


def _row(line: str, columns: dict[str, tuple[str, ...]], where: str) -> tuple[str, list[Any]]:
    parsed = _parsed(line, where)
    table = next(iter(parsed), "")
    values = parsed.get(table)
    if len(parsed) != 1 or table not in columns or not isinstance(values, dict):
        raise SourceError("not a row of history", where=where, allowed=f"one of {', '.join(columns)}")
    if set(values) != set(columns[table]):
        raise SourceError(f"columns of {table} do not fit", where=where, allowed=", ".join(columns[table]))
    return table, [values[column] for column in columns[table]]


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise SourceError(f"not JSON ({error})", where=where) from None
    if not isinstance(parsed, dict):
        raise SourceError("not a JSON object", where=where)
    return parsed


def _check_counted(rows: dict[str, list[Sequence[Any]]], told: dict[str, int], where: str) -> None:
    """A file that was cut between two lines is still rows of history, but fewer."""
    for table, count in told.items():
        if (found := len(rows.get(table, ()))) != count:
            raise SourceError(f"{found} rows of {table}, and the first line says {count}", where=where, fix=_AGAIN)


def _check_whole(rows: dict[str, list[Sequence[Any]]], columns: dict[str, tuple[str, ...]], where: str) -> None:
    """A file that was cut short must not become a history with holes."""

    def values(table: str, column: str) -> set[Any]:
        place = columns[table].index(column)
        return {row[place] for row in rows[table]}

    kinds, digests = columns["beliefs"].index("kind"), columns["beliefs"].index("digest")
    believed = {(row[kinds], row[digests]) for row in rows["beliefs"]}
    missing = {
        "runs": values("beliefs", "seq_from") | values("beliefs", "seq_to") | values("said", "seq_from"),
        "versions": {digest for kind, digest in believed if kind == "section"} - values("versions", "digest"),
        "outlines": {digest for kind, digest in believed if kind == "document"} - values("outlines", "digest"),
        "contents": values("versions", "content") - values("contents", "digest"),
        "skeletons": values("said", "skeleton") - values("skeletons", "digest"),
    }
    missing["runs"] -= {None} | values("runs", "seq")
    for table, lost in missing.items():
        if lost:
            raise SourceError(f"{len(lost)} rows of {table} are missing", where=where, fix=_AGAIN)
