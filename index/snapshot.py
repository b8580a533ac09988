"""One published generation, opened for searching; it reads nothing but the generation's own folder.

    snapshot = Snapshot.open(Path(".caveat"))
    view = snapshot.view(parse_day("2026-03-15"), known_at=None)
    for hit in view.dense(snapshot.encoder.encode_query("seat downgrade"), 20): ...

A snapshot stays right while newer generations are published and older ones deleted, also its own: every
file is open before `open` returns. It never writes and never follows CURRENT; `stale` says when to open anew.
Of the cache it reads token vectors alone, where they are kept.
"""

from __future__ import annotations

from functools import cached_property, lru_cache, partial
from pathlib import Path

import numpy as np

from index.encoding.encoder import Encoder, open_encoder
from index.encoding.tokenstore import TokenStore
from index.encoding.tokenvectors import TokenVectors
from index.history.records import Row, Version
from index.opened import Opened
from index.settings import EncoderSettings
from index.state import State
from index.stores.store import Window
from index.view import Hit, Placed, View
from ingest.dates import Day, Instant
from ingest.errors import EncoderError, QueryError, StateError

__all__ = ["Hit", "Placed", "Snapshot", "View"]

_VIEWS = 32


class Snapshot:
    """A generation to search."""

    def __init__(self, state: State, opened: Opened, encoder: EncoderSettings):
        self._state, self._opened, self.encoder_settings = state, opened, encoder
        self._tokens = _kept_tokens(state, opened.manifest.encoder_fingerprint)
        self.manifest = opened.manifest
        self.generation = opened.manifest.generation
        self.recorded: Instant = opened.manifest.recorded
        self.timezone = opened.manifest.timezone
        self._view = lru_cache(maxsize=_VIEWS)(partial(_view, opened))

    @classmethod
    def open(cls, state_folder: Path, encoder: EncoderSettings | None = None) -> Snapshot:
        """Open the published generation.

        Args:
            state_folder: The state folder.
            encoder: The model that queries will be encoded with; None: the one that the index was built with.

        Raises:
            StateMissing: nothing was indexed there yet.
            StateDamaged: a part of the generation is gone, cut short or does not fit.
            StateError: a newer Caveat wrote it.
            EncoderError: the index was built with another model.
        """
        state = State(state_folder)
        opened = Opened.current(state)
        built_with = opened.manifest.encoder
        if encoder is not None and _identity(encoder) != _identity(built_with):
            raise _other_encoder(_identity(encoder), _identity(built_with))
        return cls(state, opened, encoder or built_with)

    def close(self) -> None:
        """Release the generation's files; its views cannot be asked any more."""
        self._opened.close()
        if self._tokens:
            self._tokens.close()

    def stale(self) -> bool:
        """Whether another generation is published by now."""
        try:
            return self._state.current() not in (self.generation, None)
        except StateError:
            return False

    @cached_property
    def encoder(self) -> Encoder:
        """What turns queries into vectors, loaded on first use.

        Raises:
            EncoderError: it is missing, or not the one that the index was built with.
        """
        encoder = open_encoder(self.encoder_settings, self._state.encoder(self.encoder_settings))
        if encoder.fingerprint != self.manifest.encoder_fingerprint:
            raise _other_encoder(
                f"fingerprint {encoder.fingerprint}", f"fingerprint {self.manifest.encoder_fingerprint}"
            )
        return encoder

    @cached_property
    def token_vectors(self) -> TokenVectors:
        """Token vectors of chunks' texts: those that are kept, and the others computed. Raises as `encoder`."""
        return TokenVectors(self.encoder, self._tokens)

    def view(self, as_of: Day, known_at: Instant | None = None) -> View:
        """What was in force on a day, as believed at an instant (None: as believed last)."""
        # An instant after the last run knows no more than that run; the server may hold later rows already.
        return self._view(as_of, self.recorded if known_at is None else min(known_at, self.recorded))

    def recorded_at(self, generation: int) -> Instant:
        """What `known_at` an earlier generation's number stands for.

        Raises:
            QueryError: there was no such generation.
        """
        for published in self.manifest.published:
            if published.generation == generation:
                return published.recorded
        first, last = self.manifest.published[0].generation, self.generation
        raise QueryError(f"no generation {generation}", where="known_at", allowed=f"{first} to {last}")

    def known_documents(self) -> tuple[str, ...]:
        """Documents that were ever in force, sorted."""
        return tuple(sorted(self._opened.points.doc_names))

    def days(self, known_at: Instant | None = None) -> tuple[tuple[str, Day, Day], ...]:
        """When each document was believed to be in force at an instant: (doc_id, valid_from, valid_to), sorted."""
        points, instant = self._opened.points, self.recorded if known_at is None else min(known_at, self.recorded)
        rows = np.flatnonzero(~points.is_section & (points.rec_from <= instant) & (points.rec_to > instant))
        return tuple(
            sorted(
                (points.doc_names[points.doc[row]], int(points.valid_from[row]), int(points.valid_to[row]))
                for row in rows.tolist()
            )
        )

    def history(self, identity: str) -> list[tuple[Row, Version]]:
        """Every belief about a section id, by valid_from, then by row id."""
        rows = self._opened.catalog.history(identity)
        versions = self._opened.catalog.versions({row.digest for row in rows})
        return [(row, versions[row.digest]) for row in rows]

    def find_ever(self, reference: str, doc_id: str | None = None) -> tuple[str, ...]:
        """Ids of the sections that were ever called `reference`, in their newest row's order."""
        points = self._opened.points
        rows = self._opened.named(reference, doc_id, np.ones(len(points.row_id), dtype=np.bool_))
        return tuple(dict.fromkeys(points.item[row].decode() for row in rows))


def _view(opened: Opened, as_of: Day, known_at: Instant) -> View:
    return View(opened, Window(as_of, known_at))


def _kept_tokens(state: State, fingerprint: str) -> TokenStore | None:
    """What is kept for the encoder; None where nothing usable is: then it is computed, with the same result."""
    try:
        return TokenStore.open(state.token_vectors, fingerprint)
    except StateError:
        return None


def _identity(settings: EncoderSettings) -> str:
    told = settings.model_dump(include={"query_prefix", "passage_prefix", "precision"}, exclude_defaults=True)
    return settings.model + "".join(f", {name} {value!r}" for name, value in told.items())


def _other_encoder(asked: str, built: str) -> EncoderError:
    return EncoderError(
        f"the index was built with {built}, and the encoder is {asked} now",
        where="[encoder]",
        fix="run `caveat index` to index with the new one, or set the old one again",
    )
