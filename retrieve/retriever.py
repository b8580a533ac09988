"""The door of this floor: a state folder, questions with a day, whole sections back.

with Retriever.open(".caveat") as retriever:
    for passage in retriever.retrieve("seat downgrade credit", as_of="2026-03-15"):
        print(passage.rank, passage.address, passage.effective_from)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Self

from ingest.dates import Instant
from retrieve.answer import Answer, Answerer
from retrieve.asking import Asked, ask, checked_documents, checked_k, checked_query, why_nothing
from retrieve.explain import Explanation, explained, left_out, not_in_force
from retrieve.history import DocumentEntry, Era, documents_in_force, eras_of
from retrieve.naming import Namesake, find_ever, find_in_force, last_address, must_be_in_force, namesakes
from retrieve.reranking.choosing import Chosen
from retrieve.reranking.reranker import Reranker
from retrieve.result import Passage, Result
from retrieve.search import STAGES, Found, Question, Searcher
from retrieve.settings import RetrieveSettings
from retrieve.shelf import Shelf
from retrieve.when import AsOf, KnownAt, show_asked

if TYPE_CHECKING:
    from index.settings import EncoderSettings

Documents = Sequence[str] | str | None


def system_clock() -> Instant:
    """Microseconds since 1970: what a Retriever takes for now unless it is given another clock."""
    return time.time_ns() // 1000


class Retriever:
    """Answers from the published generation of one state folder, and follows newer ones as they are published.

    One Retriever may be shared by threads: their calls take turns. It only reads. Close it, or use `with`.
    """

    def __init__(
        self,
        shelf: Shelf,
        settings: RetrieveSettings,
        reranker: Reranker | None = None,
        clock: Callable[[], Instant] = system_clock,
    ):
        self.settings = settings
        self._shelf, self._chosen, self._clock = shelf, Chosen(settings, reranker), clock
        self._turn = RLock()

    @classmethod
    def open(
        cls,
        state: str | PathLike[str],
        settings: RetrieveSettings | None = None,
        *,
        encoder: EncoderSettings | None = None,
        reranker: Reranker | None = None,
        clock: Callable[[], Instant] = system_clock,
    ) -> Self:
        """Open what was indexed last into the state folder.

        Args:
            state: The state folder.
            settings: How to search; None: the defaults.
            encoder: The model that is configured now, to be compared with the index's; None: the index's own.
            reranker: Takes the cross-encoder's place; None: the one that the settings name, if any.
            clock: Says what time it is, in microseconds since 1970.

        Raises:
            StateMissing: nothing was indexed there yet.
            StateDamaged: a part of the state is gone.
            EncoderError: the index was built with another model.
        """
        return cls(Shelf(Path(state), encoder), settings or RetrieveSettings(), reranker, clock)

    def prepare(self) -> None:
        """Load now what the first search would load: the encoder and the rerankers.

        Raises:
            EncoderError: the index was built with another model, or an exported cross-encoder is damaged.
            ConfigError: the cross-encoder that the settings name cannot be loaded.
        """
        with self._turn:
            snapshot = self._shelf.snapshot()
            _ = snapshot.encoder
            self._chosen.stages(snapshot)

    def close(self) -> None:
        """Release the files; the Retriever cannot be asked any more."""
        with self._turn:
            self._shelf.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def generation(self) -> int:
        """Number of the generation that is published now."""
        with self._turn:
            return self._shelf.snapshot().generation

    def retrieve(
        self,
        query: str,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        k: int | None = None,
        documents: Documents = None,
    ) -> Result:
        """The best passages in force on `as_of` (today), as the index believed at `known_at` (last).

        Args:
            query: Up to `settings.max_query_chars` characters.
            as_of: A day: "2026-03-15" or a date. The future is allowed, and marked.
            known_at: A day (its end), a time with its zone, a datetime, or the number of a generation.
            k: Distinct passages; None: `settings.k`.
            documents: Only in these documents, by doc_id.

        Raises:
            QueryError: an empty or over-long query, an unknown document, a date that cannot be read or a
                future `known_at`.
            EncoderError, ConfigError: as `prepare`.
            StateError: the state folder cannot be read any more.
        """
        with self._turn:
            asked = ask(self._shelf, self._clock(), as_of, known_at)
            return self._result(asked, self._question(asked, query, k, documents))

    def explain(
        self,
        section: str,
        query: str,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        k: int | None = None,
        documents: Documents = None,
    ) -> Explanation:
        """Why `section` (an address, or a number while it is unique) is or is not in what `retrieve` returns.

        Raises:
            QueryError: as `retrieve`; or no section was ever called that, or several are.
        """
        with self._turn:
            asked = ask(self._shelf, self._clock(), as_of, known_at)
            question = self._question(asked, query, k, documents)
            found = find_in_force(asked, section)
            if found is None:
                return not_in_force(last_address(asked, section), show_asked(asked.moment.as_of))
            if question.documents and found.key.doc_id not in question.documents:
                return left_out(found.address)
            return explained(self._result(asked, question), found.key, found.address)

    def why(self, result: Result, section: str) -> Explanation:
        """The same of a result that this Retriever gave, without searching again; a document filter is not known.

        Raises:
            QueryError: no section was ever called that, or several are.
        """
        with self._turn:
            asked = ask(self._shelf, self._clock(), result.as_of, result.known_at)
            found = find_in_force(asked, section)
            if found is None:
                return not_in_force(last_address(asked, section), result.as_of)
            return explained(result, found.key, found.address)

    def section(self, section: str, as_of: AsOf = None, known_at: KnownAt = None, limit: int | None = None) -> Passage:
        """One section by its address, or by its number while that is unique, with its subsections.

        Args:
            section: An address, or a number.
            as_of: A day, as for `retrieve`.
            known_at: As for `retrieve`.
            limit: o200k tokens; subsections that do not fit are named in `omitted`. None: the section is whole.

        Raises:
            QueryError: no section in force is called that (the message says when one was), or several are.
        """
        with self._turn:
            asked = ask(self._shelf, self._clock(), as_of, known_at)
            found = must_be_in_force(asked, section)
            return Answerer(asked.library, asked.moment, self.settings).named(found.key, limit)

    def history(self, section: str, as_of: AsOf = None) -> tuple[Era, ...]:
        """All versions of a section, by day and then by when they were recorded; corrected ones too.

        Where several sections were called `section` over time, the one in force on `as_of` (today) is meant.

        Raises:
            QueryError: no section was ever called that, or several were.
        """
        with self._turn:
            asked = ask(self._shelf, self._clock(), as_of, None)
            return eras_of(asked.snapshot.history(find_ever(asked, section)), asked.moment)

    def namesakes(self, section: str, as_of: AsOf = None) -> tuple[Namesake, ...]:
        """Other sections that had the number `section` at other times, by day; `as_of` as for `history`.

        Raises:
            QueryError: as `history`.
        """
        with self._turn:
            asked = ask(self._shelf, self._clock(), as_of, None)
            return namesakes(asked, section)

    def documents(self, as_of: AsOf = None, known_at: KnownAt = None) -> tuple[DocumentEntry, ...]:
        """The documents in force on a day, by doc_id."""
        with self._turn:
            asked = ask(self._shelf, self._clock(), as_of, known_at)
            spans = asked.snapshot.days(asked.moment.known_at)
            return documents_in_force(asked.library.view, spans, asked.moment.as_of)

    def _question(self, asked: Asked, query: str, k: int | None, documents: Documents) -> Question:
        return Question(
            checked_query(query, self.settings),
            checked_k(k, self.settings),
            checked_documents(documents, asked.snapshot.known_documents()),
        )

    def _result(self, asked: Asked, question: Question) -> Result:
        reason = why_nothing(asked, question.documents)
        if reason:
            return self._empty(asked, question, reason)
        found = self._found(asked, question)
        answerer = Answerer(asked.library, asked.moment, self.settings, question.documents)
        answer = answerer.answer(found.candidates, found.trace, question.k)
        empty = self._empty(asked, question, None if answer.passages else "no section in force has text to search")
        return self._filled(empty, found, answer)

    def _found(self, asked: Asked, question: Question) -> Found:
        stages = self._chosen.stages(asked.snapshot)
        return Searcher(asked.snapshot.encoder, self.settings, stages).search(question, asked.library)

    def _empty(self, asked: Asked, question: Question, reason: str | None) -> Result:
        return Result(
            query=question.query,
            as_of=show_asked(asked.moment.as_of),
            known_at=asked.known_at,
            generation=asked.snapshot.generation,
            future=asked.future,
            reranked=False,
            confidence=None,
            low_confidence=False,
            reason=reason,
            passages=(),
            latency_ms=dict.fromkeys(STAGES, 0.0),
        )

    def _filled(self, empty: Result, found: Found, answer: Answer) -> Result:
        confidence = found.confidence if answer.passages else None
        return replace(
            empty,
            reranked=found.reranking is not None,
            confidence=confidence,
            low_confidence=confidence is not None and confidence < self.settings.low_confidence,
            passages=answer.passages,
            linked=answer.linked,
            dropped_for_budget=answer.dropped,
            query_truncated=found.query_truncated,
            latency_ms=found.latency_ms,
            reranking=found.reranking,
            trace=replace(found.trace, placed=answer.fates),
        )
