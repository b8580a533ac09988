"""Answers kept on disk, so that nothing is searched twice: a cache in the state folder that may be deleted at any time.

An answer is kept under all that it depends on: the contender's key (index, settings, code, libraries), the query, the
day, how many passages were asked for, and the gold whose loss it tells. Queries are kept as digests alone; passages
are the handbook's own text, each kept once.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from eval.retrievers.answer import Answer, Contender, Given
from eval.suites.question import Question
from index.digests import compact, digest
from index.state import State
from ingest.errors import StateDamaged, StateError

_BLOCK: Final = 64
"""Answers between two commits: what a killed run loses at most."""
_WAIT: Final = 60.0
"""Seconds that another process may take with its block."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS passages (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def answers_file(state: Path) -> Path:
    """Where the answers from a state folder are kept."""
    return State(state).embeddings.with_name("answers.sqlite")


class AnswerStore:
    """Answers by key, in one SQLite file."""

    def __init__(self, path: Path):
        """Open or create.

        Raises:
            StateDamaged: the file is not such a cache.
            StateError: the file cannot be read or written.
        """
        self._path = path
        self._given: dict[int, Given] = {}
        self._ids: dict[str, int] = {}
        self._unsaved = 0
        with self._mapped():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_WAIT)
            self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        """Save what is not saved yet, and release the file."""
        with self._mapped():
            self._connection.commit()
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def find(self, key: str) -> Answer | None:
        """The answer under a key; None where there is none."""
        with self._mapped():
            row = self._connection.execute("SELECT value FROM answers WHERE key = ?", (key,)).fetchone()
            return self._answer(json.loads(row[0])) if row else None

    def keep(self, key: str, answer: Answer) -> None:
        """Note an answer under a key."""
        with self._mapped():
            value = compact(
                {
                    "passages": [self._id(one) for one in answer.passages],
                    "linked": [self._id(one) for one in answer.linked],
                    "confidence": answer.confidence,
                    "low_confidence": answer.low_confidence,
                    "milliseconds": dict(answer.milliseconds),
                    "lost": dict(answer.lost),
                }
            )
            self._connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, value))
            self._unsaved += 1
            if self._unsaved >= _BLOCK:
                self._connection.commit()
                self._unsaved = 0

    def _answer(self, told: dict[str, Any]) -> Answer:
        passages, linked = (tuple(self._passages(told.pop(name))) for name in ("passages", "linked"))
        return Answer(passages, linked, **told)

    def _passages(self, ids: Iterable[int]) -> Iterator[Given]:
        for number in ids:
            if number not in self._given:
                query = "SELECT value FROM passages WHERE id = ?"
                (value,) = self._connection.execute(query, (number,)).fetchone()
                self._given[number] = _given(json.loads(value))
            yield self._given[number]

    def _id(self, given: Given) -> int:
        value = compact(_told(given))
        name = digest(value)
        if name not in self._ids:
            self._connection.execute("INSERT OR IGNORE INTO passages (digest, value) VALUES (?, ?)", (name, value))
            found = self._connection.execute("SELECT id FROM passages WHERE digest = ?", (name,)).fetchone()
            self._ids[name] = found[0]
        return self._ids[name]

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        fix = "delete it, and it is filled again"
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise StateError(f"cannot be used ({error})", where=str(self._path), fix=fix) from error
        except (sqlite3.DatabaseError, ValueError, TypeError, KeyError) as error:
            raise StateDamaged(f"holds no answers ({error})", where=str(self._path), fix=fix) from error


@dataclass
class Kept:
    """A contender whose answers are kept."""

    contender: Contender
    store: AnswerStore
    today: str
    """ISO day on which a question without a day is asked."""
    fresh: set[str] = field(default_factory=set)
    """Ids of the questions that were really asked; the milliseconds of all others are those of an earlier run."""

    @property
    def name(self) -> str:
        """What the row is called."""
        return self.contender.name

    @property
    def key(self) -> str:
        """The contender's."""
        return self.contender.key

    def answer(self, question: Question, k: int) -> Answer:
        """The kept answer, or a fresh one, which is kept."""
        key = self._key(question, k)
        found = self.store.find(key)
        if found is None:
            found = self.contender.answer(question, k)
            self.store.keep(key, found)
            self.fresh.add(question.id)
        return found

    def _key(self, question: Question, k: int) -> str:
        gold = sorted([one.id, *sorted(one.twins)] for one in question.gold)
        return digest([self.key, question.query, question.as_of or self.today, k, gold])


def _told(given: Given) -> list[Any]:
    return [
        given.id,
        list(given.texts),
        sorted(given.covers),
        given.effective_from,
        given.superseded_at,
        given.tokens,
    ]


def _given(told: list[Any]) -> Given:
    name, texts, covers, since, until, tokens = told
    return Given(name, tuple(texts), frozenset(covers), since, until, tokens)
