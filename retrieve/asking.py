"""Checks of what was asked, before anything is searched, and the words for an answer that is empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ingest.dates import Instant, show_instant, today
from ingest.errors import QueryError
from retrieve.history import around, in_words, joined
from retrieve.library import Library
from retrieve.settings import RetrieveSettings
from retrieve.shelf import Shelf
from retrieve.when import AsOf, KnownAt, Moment, as_of_day, known_at_instant, show_asked

if TYPE_CHECKING:
    from index.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Asked:
    """The moment that a question is about, and the generation and library that answer it."""

    snapshot: Snapshot
    library: Library
    moment: Moment
    known_at: str | None
    """As shown; None: as believed last."""
    future: bool


def ask(shelf: Shelf, now: Instant, as_of: AsOf, known_at: KnownAt) -> Asked:
    """The published generation at the moment asked about.

    Raises:
        QueryError: a date that cannot be read, a `known_at` that has not come, or an unknown generation.
    """
    snapshot = shelf.snapshot()
    day = as_of_day(as_of, now, snapshot.timezone)
    instant = _belief(snapshot, now, known_at)
    moment = Moment(day, snapshot.recorded if instant is None else min(instant, snapshot.recorded))
    shown = None if instant is None else show_instant(instant)
    future = day > today(now, snapshot.timezone)
    return Asked(snapshot, shelf.library(moment.as_of, moment.known_at), moment, shown, future)


def _belief(snapshot: Snapshot, now: Instant, known_at: KnownAt) -> Instant | None:
    if known_at is None:
        return None
    if isinstance(known_at, int):
        return snapshot.recorded_at(known_at)
    return known_at_instant(known_at, now, snapshot.timezone)


def checked_query(query: str, settings: RetrieveSettings) -> str:
    """The query as given.

    Raises:
        QueryError: nothing but white space, too long, or no text.
    """
    if not query.strip():
        raise QueryError("an empty query", where="query", fix="ask in words")
    if len(query) > settings.max_query_chars:
        raise QueryError(
            f"{len(query)} characters",
            where="query",
            allowed=f"up to {settings.max_query_chars} (retrieve.max_query_chars)",
            fix="ask a shorter question",
        )
    if any("\ud800" <= char <= "\udfff" for char in query):
        raise QueryError("bytes that are not UTF-8", where="query", allowed="text in UTF-8")
    return query


def checked_k(k: int | None, settings: RetrieveSettings) -> int:
    """How many passages; the settings' number by default. Raises QueryError: less than 1 or more than 100."""
    if k is None:
        return settings.k
    if not 1 <= k <= 100:
        raise QueryError(f"k = {k}", allowed="1 to 100 passages")
    return k


def checked_documents(documents: Sequence[str] | str | None, known: Sequence[str]) -> tuple[str, ...] | None:
    """The document filter, each once; None for all.

    Raises:
        QueryError: it names no document, or one that the index never held.
    """
    if documents is None:
        return None
    wanted = tuple(dict.fromkeys([documents] if isinstance(documents, str) else documents))
    if not wanted:
        raise QueryError("a filter that names no document", where="documents", fix="leave it out to search in all")
    for doc_id in wanted:
        if doc_id not in known:
            raise QueryError(f'unknown document "{doc_id}"', where="documents", fix=_nearest(doc_id, known))
    return wanted


def _nearest(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f'did you mean "{near[0]}"?' if near else "list the documents, and take one as it is written there"


def why_nothing(asked: Asked, documents: tuple[str, ...] | None) -> str | None:
    """Why no section can be searched, in words; None where some can."""
    if any(documents is None or doc_id in documents for doc_id in asked.library.documents):
        return None
    day, spans = asked.moment.as_of, asked.snapshot.days(asked.moment.known_at)
    if not spans:
        return f"the index knew of no document at {show_instant(asked.moment.known_at)}"
    if documents is None:
        verb = "is" if asked.future else "was"
        return f"nothing {verb} in force on {show_asked(day)}; {around(joined(s[1:] for s in spans), day)}"
    each = (f"{doc_id} {_in_force(joined(s[1:] for s in spans if s[0] == doc_id))}" for doc_id in documents)
    return f"no document of the filter is in force on {show_asked(day)}: {'; '.join(each)}"


def _in_force(spans: Sequence[tuple[int, int]]) -> str:
    return f"is in force {in_words(spans)}" if spans else "was not known then"
