"""How a change is written into the catalog's tables, inside one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from index.digests import compact, text_digest
from index.history.change import Change, Retold, Step
from index.history.o200k import count_tokens
from index.history.records import Content, Outline
from index.history.tellings import Said, Telling
from index.history.timeline import EditionKey
from ingest.errors import StateDamaged
from ingest.stored import elements_to_json, links_to_json


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, with the write lock taken at once."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def write(connection: sqlite3.Connection, change: Change) -> int:
    """Write texts, then rows of belief, then what the editions said; returns the last sequence number."""
    _write_texts(connection, change)
    seq = change.base
    for step in change.steps:
        seq += 1
        last = step is change.steps[-1]
        _write_step(connection, seq, change.kind, step, compact(dict(change.summary) if last else {}))
    _write_retold(connection, seq, change.retold)
    return seq


def _write_texts(connection: sqlite3.Connection, change: Change) -> None:
    new = {digest: change.versions[digest] for digest in missing(connection, "versions", change.versions)}
    insert(connection, "versions", ((digest, *key) for digest, key in new.items()))
    wanted = missing(connection, "contents", {key.content for key in new.values()})
    if wanted:
        rows = [content_row(content) for content in change.contents(wanted)]
        _require_all(wanted, rows)
        insert(connection, "contents", rows)
    outlines = (change.outlines[digest] for digest in missing(connection, "outlines", change.outlines))
    insert(connection, "outlines", (outline_row(outline) for outline in outlines))
    skeletons = missing(connection, "skeletons", change.skeletons)
    insert(connection, "skeletons", ((digest, change.skeletons[digest].to_json()) for digest in skeletons))


def _require_all(wanted: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    if lost := set(wanted) - {row[0] for row in rows}:
        raise StateDamaged(f"the text of {len(lost)} sections is nowhere to be read", fix="run the command again")


def _write_step(connection: sqlite3.Connection, seq: int, kind: str, step: Step, summary: str) -> None:
    insert(connection, "runs", [(seq, step.instant, kind, summary)])
    connection.executemany(
        "UPDATE beliefs SET rec_to = ?, seq_to = ? WHERE row_id = ? AND seq_to IS NULL",
        ((step.instant, seq, row_id) for row_id in step.closes),
    )
    insert(
        connection,
        "beliefs",
        (
            (r.row_id, r.kind, r.doc_id, r.id, r.digest, r.valid_from, r.valid_to, r.rec_from, r.rec_to, seq, None)
            for r in step.opens
        ),
    )


def _write_retold(connection: sqlite3.Connection, seq: int, retold: Retold) -> None:
    closing = "SET seq_to = ? WHERE seq_to IS NULL AND effective = ? AND recorded = ? AND name = ?"
    connection.executemany(f"UPDATE tellings {closing}", ((seq, *key) for key in retold.tellings_gone))
    connection.executemany(
        f"UPDATE said {closing} AND doc_id = ?", ((seq, *key, doc_id) for key, doc_id in retold.said_gone)
    )
    insert(connection, "tellings", ((*telling_row(telling), seq, None) for telling in retold.tellings))
    insert(connection, "said", ((*said_row(key, said), seq, None) for key, said in retold.said))


def missing(connection: sqlite3.Connection, table: str, digests: Iterable[str]) -> list[str]:
    """Which of these digests a table lacks, in their order."""
    query = f"SELECT value FROM json_each(?) WHERE value NOT IN (SELECT digest FROM {table})"
    return [digest for (digest,) in connection.execute(query, (compact(list(digests)),))]


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert whole rows of equal length."""
    rows = list(rows)
    if rows:
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def content_row(content: Content) -> tuple[Any, ...]:
    """A content as the table has it."""
    return (
        content.digest,
        content.number,
        content.title,
        compact(content.path),
        compact(content.titles),
        content.level,
        content.occurrence,
        content.text,
        compact(elements_to_json(content.elements)),
        compact(links_to_json(content.links)),
        content.page,
        text_digest(content.text),
        count_tokens(content.text),
    )


def outline_row(outline: Outline) -> tuple[Any, ...]:
    """An outline as the table has it."""
    return (outline.digest, outline.doc_id, outline.title, compact(outline.sections))


def telling_row(telling: Telling) -> tuple[Any, ...]:
    """A telling as the table has it, without its documents and sequence numbers."""
    rest = {"full": telling.full, "gone": telling.gone, "silent": telling.silent, "gone_from": telling.gone_from}
    return (*telling.key, compact(rest))


def said_row(key: EditionKey, said: Said) -> tuple[Any, ...]:
    """What an edition says of a document as the table has it, without sequence numbers."""
    return (
        *key,
        said.doc_id,
        said.relative,
        said.valid_from,
        said.declared,
        said.skeleton,
        said.outline,
        compact(said.sections),
    )
