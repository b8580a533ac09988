"""Logged queries as questions: a text file, one a line; JSON Lines with a query; or the calls of a recorded trace.

Nobody wrote anchors for them. Their kind is "logged"; what each brings first stands for its anchor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from eval.pins.sources import from_lines, read_map
from eval.suites.question import Question, Questions
from eval.ticket_files import text_of
from ingest.dates import parse_day, show_day
from ingest.errors import QueryError, SourceError

LOGGED: Final = "logged"
LINES: Final = (".jsonl", ".ndjson")
TEXT: Final = ".txt"


@dataclass(frozen=True, slots=True)
class Log:
    """A file of queries, and how to read it."""

    file: Path
    as_of: str | None = None
    """Day of the queries that name none; None: today."""
    boundary: str | None = None
    """Of a recorded trace: the calls whose queries are meant."""
    fields: Sequence[str] = ()
    """"query=PLACE", "as_of=PLACE" of JSON Lines."""


def is_log(path: Path) -> bool:
    """Whether a file holds logged queries."""
    return path.is_file() and path.suffix.lower() in (*LINES, TEXT)


def logged_queries(log: Log) -> Questions:
    """Each query once a day.

    Raises:
        SourceError: not UTF-8, not JSON, a line without a query, or no line at all; with file and line.
        QueryError: no such boundary, or a field that a query does not have.
        DateError: a day that cannot be read.
    """
    day = _day(log.as_of, "--as-of")
    found: dict[tuple[str, str | None], Question] = {}
    for number, (query, as_of, where) in enumerate(_lines(log), 1):
        on = _day(as_of, where) or day
        name = f"query-{number}"
        found.setdefault((query, on), Question(name, query, (), name, on, LOGGED, ticket=name, where=where))
    if not found:
        raise SourceError("no queries", where=str(log.file), fix="one query a line")
    digest = blake2b("\0".join(f"{query}\t{on}" for query, on in found).encode(), digest_size=16).hexdigest()
    return Questions(log.file.stem, tuple(found.values()), frozenset(), digest)


def _lines(log: Log) -> Iterator[tuple[str, str | None, str]]:
    """Query, day, and where it stands."""
    if log.file.suffix.lower() == TEXT:
        if log.boundary or log.fields:
            raise QueryError("a text file has no fields", where=str(log.file), allowed="one query a line")
        for number, line in enumerate(text_of(log.file).removeprefix("\ufeff").split("\n"), 1):
            if line.strip():
                yield " ".join(line.split()), None, f"{log.file}:{number}"
        return
    for told in from_lines(log.file, log.file.name, read_map(log.fields), log.boundary):
        yield " ".join(told.query.split()), told.as_of, told.where


def _day(text: str | None, where: str) -> str | None:
    return show_day(parse_day(text, where=where)) if text else None
