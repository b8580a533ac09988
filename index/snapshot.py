"""One published generation, opened for searching; it reads nothing but the generation's own folder.

    snapshot = Snapshot.open(Path(".caveat"))
    view = snapshot.view(parse_day("2026-03-15"), known_at=None)
    for hit in view.dense(snapshot.encoder.encode_query("seat downgrade"), 20): ...

A snapshot stays right while newer generations are published and older ones deleted, also its own: every
file is open before `open` returns. It never writes and never follows CURRENT; `stale` says when to open anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from index.catalog import Catalog
from index.edge import EdgeStore
from index.encoder import Encoder, open_encoder
from index.keywords import Postings
from index.manifest import CATALOG, KEYWORDS, POINTS, VECTORS, Manifest
from index.points import Mask, Points
from index.records import Outline, Row, Version
from index.references import References
from index.settings import EncoderSettings
from index.state import State
from index.store import Vector, VectorStore, Window
from index.words import tokens
from ingest.dates import Day, Instant
from ingest.errors import CaveatError, EncoderError, QueryError, StateDamaged, StoreError

_ATTEMPTS = 3
_VERSIONS = 4096
_VIEWS = 32


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found: `[start:end]` of its version's text."""

    point: int
    doc_id: str
    section_id: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A version, and from which day to which (half-open) it was believed to be in force."""

    version: Version
    valid_from: Day
    valid_to: Day
    row_id: int


@dataclass(frozen=True, eq=False)
class _Parts:
    """What a generation consists of, all open."""

    manifest: Manifest
    points: Points
    postings: Postings
    store: VectorStore
    catalog: Catalog


class Snapshot:
    """A generation to search."""

    def __init__(self, state: State, parts: _Parts, encoder: EncoderSettings):
        self._state, self._parts, self._encoder_settings = state, parts, encoder
        self.manifest = parts.manifest
        self.generation = parts.manifest.generation
        self.recorded: Instant = parts.manifest.recorded
        self.timezone = parts.manifest.timezone
        self._view = lru_cache(maxsize=_VIEWS)(self._make_view)
        self.version = lru_cache(maxsize=_VERSIONS)(parts.catalog.version)

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
        parts = _open_current(state)
        built_with = parts.manifest.encoder
        if encoder is not None and _identity(encoder) != _identity(built_with):
            raise _other_encoder(_identity(encoder), _identity(built_with))
        return cls(state, parts, encoder or built_with)

    def close(self) -> None:
        """Release the generation's files; its views cannot be asked any more."""
        self._parts.store.close()
        self._parts.catalog.close()

    def stale(self) -> bool:
        """Whether another generation is published by now."""
        try:
            return self._state.current() not in (self.generation, None)
        except StateDamaged:
            return False

    @cached_property
    def encoder(self) -> Encoder:
        """What turns queries into vectors, loaded on first use.

        Raises:
            EncoderError: it is missing, or not the one that the index was built with.
        """
        encoder = open_encoder(self._encoder_settings, self._state.encoder(self._encoder_settings))
        if encoder.fingerprint != self.manifest.encoder_fingerprint:
            raise _other_encoder(
                f"fingerprint {encoder.fingerprint}", f"fingerprint {self.manifest.encoder_fingerprint}"
            )
        return encoder

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
        return tuple(sorted(self._parts.points.doc_names))

    def days(self, known_at: Instant | None = None) -> tuple[tuple[str, Day, Day], ...]:
        """When each document was believed to be in force at an instant: (doc_id, valid_from, valid_to), sorted."""
        points, instant = self._parts.points, self.recorded if known_at is None else min(known_at, self.recorded)
        rows = np.flatnonzero(~points.is_section & (points.rec_from <= instant) & (points.rec_to > instant))
        return tuple(
            sorted(
                (points.doc_names[points.doc[row]], int(points.valid_from[row]), int(points.valid_to[row]))
                for row in rows.tolist()
            )
        )

    def history(self, identity: str) -> list[tuple[Row, Version]]:
        """Every belief about a section id, by valid_from, then by row id."""
        rows = self._parts.catalog.history(identity)
        versions = self._parts.catalog.versions({row.digest for row in rows})
        return [(row, versions[row.digest]) for row in rows]

    def find_ever(self, reference: str, doc_id: str | None = None) -> tuple[str, ...]:
        """Ids of the sections that were ever called `reference`, in their newest row's order."""
        every = np.ones(len(self._parts.points.row_id), dtype=np.bool_)
        return tuple(
            dict.fromkeys(self._parts.points.item[row].decode() for row in self._named(reference, doc_id, every))
        )

    @cached_property
    def _references(self) -> References:
        points = self._parts.points
        rows: dict[str, list[int]] = {}
        for row in np.flatnonzero(points.is_section).tolist():
            rows.setdefault(points.digest[row].decode(), []).append(row)
        return References.of(
            (row, label) for label in self._parts.catalog.labels() for row in rows.get(label.digest, ())
        )

    def _named(self, reference: str, doc_id: str | None, among: Mask) -> list[int]:
        document, mark, name = reference.partition("#")
        doc_id, name = (document.strip(), name) if mark else (doc_id, reference)
        allowed = among if doc_id is None else among & self._parts.points.in_documents([doc_id])
        found = ([row for row in rows if allowed[row]] for rows in self._references.candidates(name))
        return next((rows for rows in found if rows), [])

    def _make_view(self, as_of: Day, known_at: Instant) -> View:
        return View(self, self._parts, Window(as_of, known_at))


class View:
    """One day's policy as believed at one instant: only what was in force is ever returned."""

    def __init__(self, snapshot: Snapshot, parts: _Parts, window: Window):
        self._snapshot, self._parts, self._points, self.window = snapshot, parts, parts.points, window
        self._rows = self._points.rows_in(window.as_of, window.known_at)
        self._mask = self._rows[self._points.row]

    @cached_property
    def era(self) -> bytes:
        """Equal for views of one snapshot in which the same is in force."""
        return np.packbits(self._rows).tobytes()

    def dense(self, vector: Vector, n: int, documents: Sequence[str] | None = None) -> list[Hit]:
        """The n chunks nearest to `vector` (dim,), unit length; their score is the cosine.

        Raises:
            StoreError: the store failed, or returned a chunk that was not in force.
        """
        docs = None if documents is None else tuple(documents)
        found = self._parts.store.search(vector, Window(self.window.as_of, self.window.known_at, docs), n)
        positions = np.searchsorted(self._points.id, [scored.id for scored in found])
        self._check_in_force([scored.id for scored in found], positions)
        return [self._hit(position, scored.score) for position, scored in zip(positions.tolist(), found, strict=True)]

    def keywords(self, query: str, n: int, documents: Sequence[str] | None = None) -> list[Hit]:
        """The n chunks with the best BM25 score over what is in force."""
        within = None if documents is None else self._points.in_documents(documents)[self._points.row]
        rows, scores = self._parts.postings.top(tokens(query), self._mask, n, within)
        return [self._hit(row, score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)]

    def section(self, doc_id: str, section_id: str) -> Placed:
        """One section in force.

        Raises:
            QueryError: it is not in force in this view.
        """
        rows = [row for row in self._points.section_rows(section_id).tolist() if self._rows[row]]
        for row in rows:
            if self._points.doc_names[self._points.doc[row]] == doc_id:
                return self._placed(row)
        raise QueryError(f"section {section_id} is not in force", where=doc_id)

    def outline(self, doc_id: str) -> Outline:
        """A document's sections in force, in order.

        Raises:
            QueryError: the document is not in force in this view.
        """
        among = self._rows & ~self._points.is_section & self._points.in_documents([doc_id])
        for row in np.flatnonzero(among).tolist():
            return self._parts.catalog.outline(self._points.digest[row].decode())
        raise QueryError("not in force", where=doc_id, allowed=", ".join(self.documents()) or "no document is in force")

    def sections(self, doc_id: str) -> list[Placed]:
        """A document's sections in force, in order, in one query."""
        among = self._rows & self._points.is_section & self._points.in_documents([doc_id])
        placed = {item.version.section_id: item for item in self._all_placed(np.flatnonzero(among).tolist())}
        return [placed[section_id] for section_id, _ in self.outline(doc_id).sections if section_id in placed]

    def documents(self) -> tuple[str, ...]:
        """Documents in force, sorted."""
        return self._points.documents(self._rows)

    def find(self, reference: str, doc_id: str | None = None) -> list[Placed]:
        """Sections in force that `reference` names: "a.md#Seats > Downgrades", "a.md#4.2", "4.2", "Downgrades".

        The closest way of naming that names anything wins; more than one section means it is ambiguous.
        """
        return self._all_placed(self._snapshot._named(reference, doc_id, self._rows))

    def sections_with_text(self, text_digest: str) -> list[Placed]:
        """Sections in force whose text is the same, by address."""
        digests = [digest.encode() for digest in self._parts.catalog.same_text(text_digest)]
        rows = np.flatnonzero(self._rows & np.isin(self._points.digest, digests)) if digests else ()
        return sorted(self._all_placed(list(rows)), key=lambda placed: placed.version.address)

    def linking(self) -> list[Placed]:
        """Sections in force that link to others, by row."""
        digests = np.array([digest.encode() for digest in self._parts.catalog.linking()], dtype=np.bytes_)
        return self._all_placed(np.flatnonzero(self._rows & np.isin(self._points.digest, digests)).tolist())

    def _all_placed(self, rows: Sequence[int]) -> list[Placed]:
        versions = self._parts.catalog.versions([self._points.digest[row].decode() for row in rows])
        return [self._placed(row, versions) for row in rows]

    def _placed(self, row: int, versions: dict[str, Version] | None = None) -> Placed:
        digest = self._points.digest[row].decode()
        version = versions[digest] if versions else self._snapshot.version(digest)
        points = self._points
        return Placed(version, int(points.valid_from[row]), int(points.valid_to[row]), int(points.row_id[row]))

    def _hit(self, position: int, score: float) -> Hit:
        points = self._points
        row = points.row[position]
        section = points.item[row].decode()
        span = int(points.start[position]), int(points.end[position])
        return Hit(int(points.id[position]), points.doc_names[points.doc[row]], section, *span, score)

    def _check_in_force(self, ids: Sequence[int], positions: Iterable[int]) -> None:
        for point, position in zip(ids, positions, strict=True):
            if position >= len(self._points.id) or self._points.id[position] != point or not self._mask[position]:
                raise StoreError(
                    f"the vector store returned point {point}, which is not in force", fix="run `caveat index --full`"
                )


def _open_current(state: State) -> _Parts:
    """Open what CURRENT names; where it was deleted meanwhile, CURRENT names another one by now."""
    for _ in range(_ATTEMPTS - 1):
        number = state.must_be_published()
        try:
            return _open(state.generation(number))
        except CaveatError:
            if state.current() == number:
                raise
    return _open(state.generation(state.must_be_published()))


def _open(folder: Path) -> _Parts:
    manifest = Manifest.load(folder)
    manifest.check(folder)
    catalog = Catalog.open_snapshot(folder / CATALOG)
    points, postings = Points.load(folder / POINTS), Postings.load(folder / KEYWORDS)
    store = open_store(manifest, folder)
    found = {"points": len(points.id), "keywords": len(postings), "rows": len(points.row_id)}
    wanted = {"points": manifest.points, "keywords": manifest.points, "rows": manifest.rows}
    if manifest.collection is None:
        found["vectors"], wanted["vectors"] = store.count(), manifest.points
    if found != wanted:
        raise StateDamaged(
            f"holds {found}, its manifest says {wanted}", where=str(folder), fix="run `caveat index --full`"
        )
    return _Parts(manifest, points, postings, store, catalog)


def open_store(manifest: Manifest, folder: Path) -> VectorStore:
    """The vectors of a generation, to read."""
    if manifest.collection is None:
        return EdgeStore.open_to_read(folder / VECTORS)
    from index.server import ServerStore  # qdrant-client takes a second or more to import

    return ServerStore.connect(manifest.collection, manifest.dim)


def _identity(settings: EncoderSettings) -> str:
    told = settings.model_dump(include={"query_prefix", "passage_prefix", "precision"}, exclude_defaults=True)
    return settings.model + "".join(f", {name} {value!r}" for name, value in told.items())


def _other_encoder(asked: str, built: str) -> EncoderError:
    return EncoderError(
        f"the index was built with {built}, and the encoder is {asked} now",
        where="[encoder]",
        fix="run `caveat index` to index with the new one, or set the old one again",
    )
