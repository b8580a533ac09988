"""The catalog's tables, how a file of them is opened, and which versions of them are understood."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

from ingest.errors import StateDamaged, StateError, StateMissing

BUSY_SECONDS: Final = 30

# Tables of long rows have row ids: without, SQLite gives every row beyond 1 KB a page of its own (4 KB).
_TABLES: Final = """
CREATE TABLE runs(seq INTEGER PRIMARY KEY, instant INTEGER NOT NULL UNIQUE, kind TEXT NOT NULL, summary TEXT NOT NULL);
CREATE TABLE contents(
    digest TEXT PRIMARY KEY, number TEXT, title TEXT NOT NULL, path TEXT NOT NULL, titles TEXT NOT NULL,
    level INTEGER NOT NULL, occurrence INTEGER NOT NULL, text TEXT NOT NULL, elements TEXT NOT NULL,
    links TEXT NOT NULL, page INTEGER, text_digest TEXT NOT NULL, tokens INTEGER NOT NULL);
CREATE INDEX contents_by_text ON contents(text_digest);
CREATE TABLE versions(
    digest TEXT PRIMARY KEY, section_id TEXT NOT NULL, parent_id TEXT, doc_id TEXT NOT NULL,
    content TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX versions_by_content ON versions(content);
CREATE TABLE outlines(
    digest TEXT PRIMARY KEY, doc_id TEXT NOT NULL, title TEXT NOT NULL, sections TEXT NOT NULL);
CREATE TABLE skeletons(digest TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE beliefs(
    row_id INTEGER PRIMARY KEY, kind TEXT NOT NULL, doc_id TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL,
    valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL, rec_from INTEGER NOT NULL, rec_to INTEGER NOT NULL,
    seq_from INTEGER NOT NULL, seq_to INTEGER);
CREATE INDEX beliefs_by_id ON beliefs(id);
CREATE INDEX beliefs_by_closing ON beliefs(seq_to) WHERE seq_to IS NOT NULL;
CREATE INDEX beliefs_by_opening ON beliefs(seq_from);
CREATE TABLE tellings(
    effective INTEGER NOT NULL, recorded INTEGER NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL,
    seq_from INTEGER NOT NULL, seq_to INTEGER);
CREATE TABLE said(
    effective INTEGER NOT NULL, recorded INTEGER NOT NULL, name TEXT NOT NULL, doc_id TEXT NOT NULL,
    relative TEXT NOT NULL, valid_from INTEGER NOT NULL, declared INTEGER, skeleton TEXT NOT NULL,
    outline TEXT NOT NULL, sections TEXT NOT NULL, seq_from INTEGER NOT NULL, seq_to INTEGER);
"""
MIGRATIONS: Final = (_TABLES,)
"""Statements that lead from schema 0 (an empty file) to 1, and so on; only ever appended to."""
SCHEMA_VERSION: Final = len(MIGRATIONS)


def open_writable(path: Path) -> sqlite3.Connection:
    """Open a catalog for writing, creating or migrating it where needed.

    Raises:
        StateError: the catalog was written by a newer Caveat, or the folder cannot be written.
        StateDamaged: the file is no catalog.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        _bring_up_to_date(connection, path)
    except (sqlite3.OperationalError, OSError) as error:
        raise StateError(
            f"cannot be written ({error})", where=str(path), fix="make the state folder writable"
        ) from None
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from None
    return connection


def open_readable(path: Path, *, immutable: bool) -> sqlite3.Connection:
    """Open a catalog for reading only.

    `immutable` promises that nobody writes the file: no lock and no journal are looked for, so it works on
    read-only mounts.

    Raises:
        StateMissing: there is no catalog.
        StateError: it was written by a newer Caveat.
        StateDamaged: the file is no catalog.
    """
    if not path.is_file():
        raise StateMissing("no catalog here", where=str(path), fix="run caveat index")
    uri = f"file:{quote(str(path.absolute()))}?mode=ro" + ("&immutable=1" if immutable else "")
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        version = _version(connection)
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from None
    _refuse_unknown(version, path)
    if version < SCHEMA_VERSION:
        raise StateError(f"catalog schema {version} is of an older Caveat", where=str(path), fix="run caveat index")
    return connection


def damaged(path: Path, error: object) -> StateDamaged:
    """The error for a file that SQLite cannot make sense of."""
    return StateDamaged(
        f"not a readable catalog ({error})",
        where=str(path),
        fix="restore the file, or move it away and run caveat index (import an export to keep history)",
    )


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    version = _version(connection)
    _refuse_unknown(version, path)
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise damaged(path, "a database of something else")
    if version < SCHEMA_VERSION:
        steps = "".join(MIGRATIONS[version:])
        connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")


def _refuse_unknown(version: int, path: Path) -> None:
    if version > SCHEMA_VERSION:
        raise StateError(
            f"catalog schema {version} was written by a newer Caveat",
            where=str(path),
            allowed=f"up to schema {SCHEMA_VERSION}",
            fix="update Caveat",
        )


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
