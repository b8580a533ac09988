"""The catalog: what was believed to be in force, since when, and the texts of it (SQLite)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from index.digests import compact
from index.history import schema, writing
from index.history.change import Change
from index.history.records import Label, Outline, Row, Run, Version
from index.history.skeleton import Skeleton
from index.history.tellings import Said, Telling
from index.history.timeline import EditionKey
from ingest.dates import Day, Instant
from ingest.errors import StateError
from ingest.stored import elements_from_json, links_from_json

_ROW = "row_id, kind, doc_id, id, digest, valid_from, valid_to, rec_from, rec_to, seq_from, seq_to"
_VERSION = (
    "v.digest, v.section_id, v.parent_id, v.doc_id, v.content, c.text_digest, c.number, c.title, c.path, c.titles,"
    " c.level, c.occurrence, c.text, c.elements, c.links, c.page, c.tokens"
)
_SAID = "doc_id, relative, valid_from, declared, skeleton, outline, sections"
_AMONG = "IN (SELECT value FROM json_each(?))"


class Catalog:
    """Reads a catalog and applies changes to it. Rows of belief are only appended or closed."""

    def __init__(self, connection: sqlite3.Connection, path: Path):
        self._connection, self.path = connection, path

    @staticmethod
    def open(path: Path) -> Catalog:
        """Open for writing; created if absent. Raises StateError and StateDamaged as `schema.open_writable`."""
        return Catalog(schema.open_writable(path), path)

    @staticmethod
    def open_snapshot(path: Path) -> Catalog:
        """Open a copy that nobody writes any more, such as a generation's. Raises as `schema.open_readable`."""
        return Catalog(schema.open_readable(path, immutable=True), path)

    @staticmethod
    def open_reading(path: Path) -> Catalog:
        """Open for reading only, beside a writer. Raises as `schema.open_readable`."""
        return Catalog(schema.open_readable(path, immutable=False), path)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def apply(self, change: Change) -> int:
        """Write a change in one transaction; returns the sequence number of its last step.

        Raises:
            StateError: the catalog has moved on since the change was worked out, or it is not after the last run.
        """
        with self._guarded(), writing.transaction(self._connection):
            if self.sequence != change.base:
                raise StateError(
                    f"sequence {self.sequence}, and the change was worked out against {change.base}",
                    where=str(self.path),
                    fix="run the command again",
                )
            return writing.write(self._connection, change)

    # Runs

    @property
    def sequence(self) -> int:
        """Number of the last run; 0 before the first."""
        return int(self._one("SELECT coalesce(max(seq), 0) FROM runs")[0])

    @property
    def next_row_id(self) -> int:
        """Row id of the next belief."""
        return int(self._one("SELECT coalesce(max(row_id), 0) + 1 FROM beliefs")[0])

    @property
    def last_instant(self) -> Instant | None:
        """Instant of the last run; None before the first."""
        found = self._one("SELECT max(instant) FROM runs")[0]
        return None if found is None else int(found)

    def runs(self) -> tuple[Run, ...]:
        """All runs, oldest first."""
        rows = self._all("SELECT seq, instant, kind, summary FROM runs ORDER BY seq")
        return tuple(Run(seq, instant, kind, json.loads(summary)) for seq, instant, kind, summary in rows)

    def instant(self, seq: int) -> Instant:
        """When a run was recorded. Raises StateError: there is no such run."""
        last = self.sequence
        # Compared here, since a number of twenty digits is none that SQLite could look up.
        found = self._one("SELECT instant FROM runs WHERE seq = ?", seq) if 0 < seq <= last else None
        if found is None:
            raise StateError(f"no run {seq}", where=str(self.path), allowed=f"1 to {last}" if last else "none yet")
        return int(found[0])

    # Belief

    def in_force(self, as_of: Day, known_at: Instant) -> list[Row]:
        """Rows of sections and documents believed at `known_at` to be in force on `as_of`, by row id."""
        return self._rows(
            "valid_from <= ? AND valid_to > ? AND rec_from <= ? AND rec_to > ?", as_of, as_of, known_at, known_at
        )

    def believed(self) -> list[Row]:
        """Rows that are not closed, by row id."""
        return self._rows("seq_to IS NULL")

    def believed_at(self, seq: int) -> list[Row]:
        """Rows that were not closed after run `seq`, by row id."""
        return self._rows("seq_from <= ? AND (seq_to IS NULL OR seq_to > ?)", seq, seq)

    def rows(self, opened_after: int = 0) -> list[Row]:
        """Rows opened by runs after `opened_after`, closed or not, by row id."""
        return self._rows("seq_from > ?", opened_after)

    def row_times(self) -> list[tuple[int, Day, Day, Instant, Instant]]:
        """(row_id, valid_from, valid_to, rec_from, rec_to) of every row, by row id."""
        return self._all("SELECT row_id, valid_from, valid_to, rec_from, rec_to FROM beliefs ORDER BY row_id")

    def rows_closed(self, after: int = 0) -> list[tuple[int, Instant, int]]:
        """(row_id, rec_to, seq_to) of rows closed by runs after `after`, by row id."""
        query = "SELECT row_id, rec_to, seq_to FROM beliefs WHERE seq_to IS NOT NULL AND seq_to > ? ORDER BY row_id"
        return self._all(query, after)

    def history(self, id: str) -> list[Row]:  # noqa: A002 (the column's name)
        """All rows of a section id, or of a document by its doc_id, by valid_from, then by row id."""
        return sorted(self._rows("id = ?", id), key=lambda row: (row.valid_from, row.row_id))

    def doc_ids(self) -> tuple[str, ...]:
        """Documents that were ever believed to be in force, sorted."""
        return tuple(doc_id for (doc_id,) in self._all("SELECT DISTINCT doc_id FROM beliefs ORDER BY doc_id"))

    # Texts

    def version(self, digest: str) -> Version:
        """One version. Raises StateDamaged: it is not there."""
        return self.versions([digest])[digest]

    def versions(self, digests: Collection[str]) -> dict[str, Version]:
        """Versions by digest, in one query. Raises StateDamaged: one is not there."""
        query = f"SELECT {_VERSION} FROM versions v JOIN contents c ON c.digest = v.content WHERE v.digest {_AMONG}"
        found = {row[0]: _version(row) for row in self._all(query, compact(sorted(set(digests))))}
        self._require(digests, found, "version")
        return found

    def contents_of(self, digests: Collection[str]) -> dict[str, str]:
        """Content digest by version digest: equal contents cut into equal chunks, whatever section they are of."""
        query = f"SELECT digest, content FROM versions WHERE digest {_AMONG}"
        return dict(self._all(query, compact(sorted(set(digests)))))

    def same_text(self, text_digest: str) -> tuple[str, ...]:
        """Version digests whose text has this digest, sorted."""
        query = (
            "SELECT v.digest FROM contents c JOIN versions v ON v.content = c.digest WHERE c.text_digest = ? ORDER BY 1"
        )
        return tuple(digest for (digest,) in self._all(query, text_digest))

    def labels(self) -> list[Label]:
        """What every version is called, without its texts, by version digest."""
        query = (
            "SELECT v.digest, c.number, c.title, c.titles, c.occurrence"
            " FROM versions v JOIN contents c ON c.digest = v.content ORDER BY v.digest"
        )
        rows = self._all(query)
        return [Label(digest, number, title, tuple(json.loads(titles)), n) for digest, number, title, titles, n in rows]

    def outline(self, digest: str) -> Outline:
        """One outline. Raises StateDamaged: it is not there."""
        return self.outlines([digest])[digest]

    def outlines(self, digests: Collection[str]) -> dict[str, Outline]:
        """Outlines by digest, in one query. Raises StateDamaged: one is not there."""
        query = f"SELECT digest, doc_id, title, sections FROM outlines WHERE digest {_AMONG}"
        rows = self._all(query, compact(sorted(set(digests))))
        found = {row[0]: Outline(row[0], row[1], row[2], _pairs(row[3])) for row in rows}
        self._require(digests, found, "outline")
        return found

    # What the editions said

    def tellings(self, at_seq: int | None = None) -> dict[EditionKey, Telling]:
        """What each edition said at the last run (or at run `at_seq`), by edition in order."""
        seq = self.sequence if at_seq is None else at_seq
        said: dict[EditionKey, dict[str, Said]] = {}
        for key, one in self._said(seq):
            said.setdefault(key, {})[one.doc_id] = one
        found = {}
        for effective, recorded, name, data in self._at(
            "SELECT effective, recorded, name, data FROM tellings", "ORDER BY effective, recorded, name", seq
        ):
            key, rest = EditionKey(effective, recorded, name), json.loads(data)
            gone, silent = tuple(rest["gone"]), tuple(rest["silent"])
            found[key] = Telling(key, rest["full"], said.get(key, {}), gone, silent, rest["gone_from"])
        return found

    def skeletons(self, digests: Collection[str]) -> dict[str, Skeleton]:
        """Skeletons by digest, in one query. Raises StateDamaged: one is not there."""
        query = f"SELECT digest, data FROM skeletons WHERE digest {_AMONG}"
        rows = self._all(query, compact(sorted(set(digests))))
        found = {digest: Skeleton.from_json(digest, data) for digest, data in rows}
        self._require(digests, found, "skeleton")
        return found

    # Whole tables, for export and import

    def columns(self, table: str) -> tuple[str, ...]:
        """Names of a table's columns."""
        return tuple(name for (name,) in self._all("SELECT name FROM pragma_table_info(?)", table))

    def table(self, table: str, order: str) -> list[tuple[Any, ...]]:
        """All rows of a table by some of its columns."""
        return self._all(f"SELECT * FROM {table} ORDER BY {order}")

    def size(self, table: str) -> int:
        """Rows of a table."""
        return int(self._one(f"SELECT count(*) FROM {table}")[0])

    def fill(self, rows: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        """Write whole rows by table, in one transaction."""
        with self._guarded(), writing.transaction(self._connection):
            for table, found in rows.items():
                writing.insert(self._connection, table, found)

    # Plumbing

    def _said(self, seq: int) -> Iterator[tuple[EditionKey, Said]]:
        query = f"SELECT effective, recorded, name, {_SAID} FROM said"
        for row in self._at(query, "ORDER BY doc_id", seq):
            doc_id, relative, valid_from, declared, skeleton, outline, sections = row[3:]
            yield (
                EditionKey(*row[:3]),
                Said(doc_id, relative, valid_from, declared, skeleton, outline, _pairs(sections)),
            )

    def _at(self, query: str, order: str, seq: int) -> list[Any]:
        return self._all(f"{query} WHERE seq_from <= ? AND (seq_to IS NULL OR seq_to > ?) {order}", seq, seq)

    def _rows(self, where: str, *values: object) -> list[Row]:
        return [Row(*row) for row in self._all(f"SELECT {_ROW} FROM beliefs WHERE {where} ORDER BY row_id", *values)]

    def _require(self, wanted: Collection[str], found: Collection[str], what: str) -> None:
        missing = sorted(set(wanted) - set(found))
        if missing:
            raise schema.damaged(self.path, f"{what} {missing[0]} is missing")

    def _one(self, query: str, *values: object) -> Any:
        with self._guarded():
            return self._connection.execute(query, values).fetchone()

    def _all(self, query: str, *values: object) -> list[Any]:
        with self._guarded():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StateError(f"the catalog cannot be used ({error})", where=str(self.path)) from error
        except sqlite3.DatabaseError as error:
            raise schema.damaged(self.path, error) from error


def _pairs(data: str) -> tuple[tuple[Any, Any], ...]:
    return tuple((first, second) for first, second in json.loads(data))


def _version(row: Any) -> Version:
    *_, path, titles, level, occurrence, text, elements, links, page, tokens = row
    digest, section_id, parent_id, doc_id, content, text_digest, number, title = row[:8]
    return Version(
        digest,
        section_id,
        parent_id,
        doc_id,
        content,
        text_digest,
        number,
        title,
        tuple(json.loads(path)),
        tuple(json.loads(titles)),
        level,
        occurrence,
        text,
        elements_from_json(json.loads(elements)),
        links_from_json(json.loads(links)),
        page,
        tokens,
    )
