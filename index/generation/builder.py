"""Generations: built beside the published one, proved against the catalog, then published by one rename.

A generation is a copy of the last one plus what the catalog says since; it is built from nothing where there
is none to copy, where encoder, cutting or engine changed, and on wish. Whatever ends a build, the published
generation is untouched, and the next run clears the remains away and builds again.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from index.encoding.embeddings import Embedded, EmbeddingCache, embed
from index.encoding.encoder import Encoder, Progress
from index.encoding.tokenstore import TokenStoreWriter
from index.faults import reach
from index.generation.chunking import Piece, pieces_of, recipe, versions_of
from index.generation.manifest import (
    CATALOG,
    KEYWORDS,
    NAMES,
    POINTS,
    SCHEMA,
    VECTORS,
    Manifest,
    Published,
    inventory,
)
from index.generation.names import NameTable
from index.generation.points import Points
from index.generation.texts import Texts
from index.generation.tokens import are_kept
from index.generation.verifying import verify
from index.history.catalog import Catalog
from index.history.records import Row
from index.lexical.postings import Postings
from index.lexical.words import tokens
from index.settings import Settings
from index.state import State, numbers_in, sync
from index.stores.edge import ENGINE, EdgeStore, allocated, copy_file, copy_folder, require_room
from index.stores.store import Collection, Point, Vector, VectorStore
from ingest.dates import Instant
from ingest.errors import CaveatError, StateError, StoreError

_BUILDING: Final = ".building-"
_TRASH: Final = ".trash-"
_BESIDE: Final = 2560
"""Bytes that a chunk takes beside its vector: payload, payload indexes, keywords, text, its part of the catalog."""


@dataclass(frozen=True, slots=True)
class Built:
    """A generation that was built and published."""

    manifest: Manifest
    chunks_new: int
    embedded: Embedded
    full: bool


class Delta(NamedTuple):
    """What changes in a store."""

    pieces: Sequence[Piece]
    vectors: Vector
    """(len(pieces), dim)."""
    closed: Mapping[int, Instant]
    """`rec_to` by point id."""


@dataclass(frozen=True, eq=False)
class Builder:
    """Builds the generation of a catalog's present sequence."""

    state: State
    catalog: Catalog
    encoder: Encoder
    settings: Settings
    progress: Progress | None = None

    def is_due(self) -> bool:
        """Whether the published generation is not what a build would give."""
        base = self._base()
        return base is None or base.seq != self.catalog.sequence

    def build(self, *, full: bool = False) -> Built:
        """Build, prove and publish.

        Raises:
            StateError: the disk is full, or the new generation does not agree with the catalog.
            StoreError: the vector store failed.
        """
        base = None if full else self._base()
        number = next_number(self.state)
        work = self.state.generations / f"{_BUILDING}{number}"
        work.mkdir(parents=True)
        reach("build-begun")
        manifest, delta, embedded = self._fill(work, number, base, fresh=full)
        self._prove(work, manifest, delta if base else None)
        reach("verified")
        replace(manifest, files=inventory(work)).save(work)
        reach("manifest-saved")
        sync_tree(work)
        reach("synced")
        work.rename(self.state.generation(number))
        sync(self.state.generations)
        reach("build-named")
        self.state.publish(number)
        reach("published")
        return Built(manifest, len(delta.pieces), embedded, base is None)

    def _base(self) -> Manifest | None:
        """The published generation's manifest, if a new generation can start as a copy of it."""
        try:
            number = self.state.current()
            if number is None:
                return None
            folder = self.state.generation(number)
            manifest = Manifest.load(folder)
            manifest.check(folder)
            if manifest.collection is None and manifest.seq == self.catalog.sequence:
                # Nothing is to be copied, so nobody else would notice that the engine cannot load it.
                EdgeStore.open_to_read(folder / VECTORS).close()
        except CaveatError:
            return None
        return manifest if self._continues(manifest) and _is_there(manifest.collection) else None

    def _continues(self, base: Manifest) -> bool:
        same_url = (base.collection.url if base.collection else None) == self.settings.store.url
        known = {run.seq: run.instant for run in self.catalog.runs()}
        return same_url and base.recipe == self._recipe and known.get(base.seq) == base.recorded

    @property
    def _recipe(self) -> str:
        return recipe(self.encoder, self.settings.ingest, "qdrant-server" if self.settings.store.url else ENGINE)

    def _fill(self, work: Path, number: int, base: Manifest | None, *, fresh: bool) -> tuple[Manifest, Delta, Embedded]:
        source = self.state.generation(base.generation) if base else None
        old = Points.load(source / POINTS) if source else Points.empty()
        rows = self.catalog.rows(opened_after=base.seq if base else 0)
        closed = _closed_since(self.catalog, base.seq if base else 0, old)
        pieces = pieces_of(rows, self.catalog, self.encoder, self.settings.ingest)
        old_texts = Texts.load(source) if source else Texts.empty()
        texts, numbers = old_texts.extended(piece.chunk.embed_text for piece in pieces)
        embedded = self._embed([piece.chunk.embed_text for piece in pieces], len(texts), fresh=fresh)
        reach("embedded")
        require_room(work, (allocated(source) if source else 0) + len(pieces) * (4 * self.encoder.dim + _BESIDE))
        collection = self._collection(number, base)
        delta = Delta(pieces, embedded.vectors, _points_closed(closed, old))
        self._write_vectors(work, source, collection, delta)
        chunks = ((*piece.span, text) for piece, text in zip(pieces, numbers, strict=True))
        points = old.closed(closed).extended(rows, chunks)
        texts.save(work)
        reach("texts-saved")
        self._write_tables(work, source, points, pieces)
        self._write_names(work, source, rows)
        return self._manifest(number, points, len(texts), collection), delta, embedded

    def _prove(self, work: Path, manifest: Manifest, delta: Delta | None) -> None:
        """Compare what a reader will find with the catalog; loading also settles what the engine has journalled."""
        touched = [*(piece.id for piece in delta.pieces), *delta.closed] if delta else None
        store = self._open(work / VECTORS, manifest.collection)
        try:
            verify(work, manifest, self.catalog, store, touched)
        finally:
            store.close()

    def _embed(self, texts: Sequence[str], distinct: int, *, fresh: bool) -> Embedded:
        """Vectors of the new chunks' texts; `distinct` is how many texts the whole generation has."""
        tokens = None
        if are_kept(self.settings.encoder, distinct):
            tokens = TokenStoreWriter(self.state.token_vectors, self.encoder.fingerprint)
        if tokens and fresh:
            tokens.clear()
        with EmbeddingCache(self.state.embeddings) as cache:
            return embed(texts, self.encoder, cache, self.progress, fresh=fresh, tokens=tokens)

    def _collection(self, number: int, base: Manifest | None) -> Collection | None:
        if self.settings.store.url is None:
            return None
        if base is not None:
            return base.collection
        owner = self.state.owner()
        name = f"caveat-{owner.state_id[:12] if owner else 'state'}-{number}"
        return Collection(self.settings.store.url, self.settings.store.api_key_env, name)

    def _write_vectors(self, work: Path, source: Path | None, collection: Collection | None, delta: Delta) -> None:
        store = self._store(work / VECTORS, source, collection)
        reach("vectors-copied")
        store.upsert(_point(piece, vector) for piece, vector in zip(delta.pieces, delta.vectors, strict=True))
        reach("vectors-added")
        store.close_rows(delta.closed)
        reach("vectors-closed")
        store.close()
        reach("vectors-flushed")

    def _store(self, folder: Path, source: Path | None, collection: Collection | None) -> VectorStore:
        if collection is not None:
            return self._open(folder, collection, create=source is None)
        if source is None:
            return EdgeStore.create(folder, self.encoder.dim)
        copy_folder(source / VECTORS, folder)
        return EdgeStore.open(folder)

    def _open(self, folder: Path, collection: Collection | None, *, create: bool = False) -> VectorStore:
        if collection is None:
            return EdgeStore.open(folder)
        from index.stores.server import ServerStore  # qdrant-client takes a second or more to import

        return ServerStore.connect(collection, self.encoder.dim, create=create)

    def _write_tables(self, work: Path, source: Path | None, points: Points, pieces: Sequence[Piece]) -> None:
        points.save(work / POINTS)
        reach("points-saved")
        postings = Postings.load(source / KEYWORDS) if source else Postings.build([])
        postings.extended(tokens(piece.words) for piece in pieces).save(work / KEYWORDS)
        reach("keywords-saved")
        # Nothing is in flight under the writer lock, so the file as it stands is a consistent copy.
        copy_file(self.catalog.path, work / CATALOG)
        reach("catalog-copied")

    def _write_names(self, work: Path, source: Path | None, rows: Sequence[Row]) -> None:
        names = NameTable.load(source / NAMES) if source else NameTable.empty()
        names.extended(versions_of(rows, self.catalog)).save(work / NAMES)
        reach("names-saved")

    def _manifest(self, number: int, points: Points, texts: int, collection: Collection | None) -> Manifest:
        seq = self.catalog.sequence
        recorded = self.catalog.instant(seq)
        return Manifest(
            schema=SCHEMA,
            generation=number,
            seq=seq,
            recorded=recorded,
            timezone=self.settings.ingest.timezone,
            encoder=self.settings.encoder,
            encoder_fingerprint=self.encoder.fingerprint,
            dim=self.encoder.dim,
            recipe=self._recipe,
            rows=len(points.row_id),
            points=len(points.id),
            texts=texts,
            collection=collection,
            files={},
            published=(*published_before(self.state), Published(number, seq, recorded)),
        )


def _closed_since(catalog: Catalog, seq: int, old: Points) -> dict[int, Instant]:
    """`rec_to` by row_id of the copied rows that ended to be believed since."""
    last = int(old.row_id[-1]) if len(old.row_id) else 0
    return {row_id: rec_to for row_id, rec_to, _ in catalog.rows_closed(seq) if row_id <= last}


def _points_closed(closed: Mapping[int, Instant], old: Points) -> dict[int, Instant]:
    return {point: closed[row_id] for row_id, points in old.ids_of_rows(closed).items() for point in points}


def _point(piece: Piece, vector: Vector) -> Point:
    row = piece.row
    return Point(piece.id, vector, row.id, row.doc_id, row.valid_from, row.valid_to, row.rec_from, row.rec_to)


def published_before(state: State) -> tuple[Published, ...]:
    """Every generation published so far, by number, as the newest readable manifest tells it."""
    try:
        current = state.current()
    except StateError:
        current = None
    numbers = numbers_in(state.generations)
    for number in reversed(numbers if current is None else [number for number in numbers if number <= current]):
        with contextlib.suppress(StateError):
            return Manifest.load(state.generation(number)).published
    return ()


def next_number(state: State) -> int:
    """The number of the next generation: later than every one that was ever published."""
    numbers = [*numbers_in(state.generations), *(entry.generation for entry in published_before(state))]
    with contextlib.suppress(StateError):
        numbers.append(state.current() or 0)
    return max(numbers, default=0) + 1


def recover(state: State) -> None:
    """Clear away what an unfinished build or an interrupted deletion left."""
    for pattern in (f"{_BUILDING}*", f"{_TRASH}*"):
        for folder in sorted(state.generations.glob(pattern)):
            shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(StateError):
        current = state.current() or 0
        for number in numbers_in(state.generations):
            # Named, but never published: a run ended between the two.
            if number > current:
                discard(state, number)


def collect(state: State, keep: int) -> list[int]:
    """Delete all but the newest `keep` generations; readers that have one open are not disturbed."""
    numbers = numbers_in(state.generations)
    dropped = numbers[:-keep]
    kept = {_collection_of(state, number) for number in numbers[-keep:]}
    unused = {_collection_of(state, number) for number in dropped} - kept - {None}
    for number in dropped:
        discard(state, number)
        reach("collected")
    for collection in unused:
        _drop(collection)
    return dropped


def discard(state: State, number: int) -> None:
    """Delete one generation; its name goes first, so that nobody opens half of it."""
    trash = state.generations / f"{_TRASH}{number}"
    state.generation(number).rename(trash)
    shutil.rmtree(trash, ignore_errors=True)


def _collection_of(state: State, number: int) -> Collection | None:
    try:
        return Manifest.load(state.generation(number)).collection
    except StateError:
        return None


def _is_there(collection: Collection | None) -> bool:
    """Whether a generation's collection is still on its server; a server that is away is an error."""
    if collection is None:
        return True
    from index.stores.server import has_collection

    return has_collection(collection)


def _drop(collection: Collection | None) -> None:
    if collection is None:
        return
    from index.stores.server import ServerStore

    # A server that is away keeps a collection that nobody reads: no reason to fail a run that is published.
    with contextlib.suppress(StoreError):
        ServerStore.connect(collection, 0).drop()


def sync_tree(folder: Path) -> None:
    """Make everything in a folder durable."""
    for path in sorted(folder.rglob("*")):
        sync(path)
    sync(folder)
