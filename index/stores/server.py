"""Vectors on a Qdrant server, for more than one machine.

One collection holds all generations of one recipe: rows carry the instants between which they were
believed, so a reader pinned to an earlier instant sees neither the points that a run has added since nor
the closings it has made. What publishes is still the CURRENT file. Exact search: as on Edge, no graph.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import httpx
import numpy as np
import numpy.typing as npt
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException

from index.stores.store import (
    TIMES,
    Collection,
    Payload,
    Point,
    Scored,
    Vector,
    Window,
    ids_by_instant,
    payload,
    ranked,
)
from ingest.dates import Instant
from ingest.errors import StoreError

_BATCH: Final = 500
_PAGE: Final = 10_000
_SECONDS: Final = 30


def client_of(collection: Collection) -> QdrantClient:
    """A client of the server that holds a collection; nothing is asked of it yet."""
    key = os.environ.get(collection.api_key_env)
    with _mapped(collection.url):
        return QdrantClient(url=collection.url, api_key=key, timeout=_SECONDS, check_compatibility=False)


def has_collection(collection: Collection) -> bool:
    """Whether a server has a collection. Raises StoreError: it cannot be reached."""
    return ServerStore(client_of(collection), collection.name, collection.url).exists()


class ServerStore:
    """A `VectorStore` in one collection of a Qdrant server."""

    def __init__(self, client: QdrantClient, collection: str, where: str):
        self._client, self._collection, self._where = client, collection, where

    @classmethod
    def connect(cls, collection: Collection, dim: int, *, create: bool = False) -> ServerStore:
        """The store in a collection; with `create` a new and empty one, whatever was there.

        Raises:
            StoreError: the server cannot be reached, or lacks the collection.
        """
        store = cls(client_of(collection), collection.name, collection.url)
        there = store.exists()
        if create:
            with _mapped(collection.url):
                store._create(dim, replace=there)
        elif not there:
            fix = "run `caveat index`, which builds it again"
            raise StoreError(f"has no collection {collection.name}", where=collection.url, fix=fix)
        return store

    def exists(self) -> bool:
        """Whether the server has the collection."""
        with _mapped(self._where):
            return self._client.collection_exists(self._collection)

    def _create(self, dim: int, *, replace: bool) -> None:
        if replace:
            self._client.delete_collection(self._collection)
        self._client.create_collection(
            self._collection,
            vectors_config=models.VectorParams(size=dim, distance=models.Distance.DOT),
            hnsw_config=models.HnswConfigDiff(m=0),
        )
        for name in TIMES:
            self._client.create_payload_index(self._collection, name, models.PayloadSchemaType.FLOAT)
        self._client.create_payload_index(self._collection, "doc", models.PayloadSchemaType.KEYWORD)

    def search(self, vector: Vector, window: Window, n: int) -> list[Scored]:
        """The n best points in the window: exact, best first, equal scores by id."""
        with _mapped(self._where):
            found = self._client.query_points(
                self._collection,
                query=vector.tolist(),
                query_filter=_filter(window),
                limit=n,
                search_params=models.SearchParams(exact=True),
                with_payload=False,
            ).points
        return ranked([Scored(int(point.id), point.score) for point in found])

    def upsert(self, points: Iterable[Point]) -> None:
        """Add points, or write them again."""
        remaining = iter(points)
        with _mapped(self._where):
            while batch := [_server_point(point) for point in islice(remaining, _BATCH)]:
                self._client.upsert(self._collection, batch, wait=True)

    def close_rows(self, rec_to: Mapping[int, Instant]) -> None:
        """Set `rec_to` of points by id."""
        with _mapped(self._where):
            for instant, ids in ids_by_instant(rec_to).items():
                self._client.set_payload(self._collection, {"rec_to": instant}, points=[*ids], wait=True)

    def ids(self) -> npt.NDArray[np.int64]:
        """(n_points,) all ids, ascending."""
        return np.array(sorted(int(record.id) for record in self._scroll(with_payload=False)), dtype=np.int64)

    def payloads(self, ids: Sequence[int] | None = None) -> dict[int, Payload]:
        """The payload of points (None: of all) by id; those that are not there are left out."""
        if ids is None:
            return {int(record.id): record.payload or {} for record in self._scroll(with_payload=True)}
        with _mapped(self._where):
            records = self._client.retrieve(self._collection, [*ids], with_payload=True, with_vectors=False)
        return {int(record.id): record.payload or {} for record in records}

    def count(self, window: Window | None = None) -> int:
        """Points in all, or in a window."""
        with _mapped(self._where):
            counted = self._client.count(self._collection, count_filter=_filter(window) if window else None, exact=True)
        return counted.count

    def flush(self) -> None:
        """Every write waited for its own acknowledgement: nothing is left to do."""

    def drop(self) -> None:
        """Delete the collection."""
        with _mapped(self._where):
            self._client.delete_collection(self._collection)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _scroll(self, *, with_payload: bool) -> Iterator[models.Record]:
        offset = None
        while True:
            with _mapped(self._where):
                records, offset = self._client.scroll(
                    self._collection, limit=_PAGE, offset=offset, with_payload=with_payload, with_vectors=False
                )
            yield from records
            if offset is None:
                return


def _server_point(point: Point) -> models.PointStruct:
    return models.PointStruct(id=point.id, vector=point.vector.tolist(), payload=payload(point))


def _filter(window: Window) -> models.Filter:
    outside = {
        "valid_from": models.Range(gt=window.as_of),
        "valid_to": models.Range(lte=window.as_of),
        "rec_from": models.Range(gt=window.known_at),
        "rec_to": models.Range(lte=window.known_at),
    }
    documents = () if window.docs is None else (models.MatchAny(any=list(window.docs)),)
    return models.Filter(
        must=[models.FieldCondition(key="doc", match=match) for match in documents],
        must_not=[models.FieldCondition(key=key, range=times) for key, times in outside.items()],
    )


@contextlib.contextmanager
def _mapped(where: str) -> Iterator[None]:
    """Turn what the client raises into a StoreError that names the server."""
    try:
        yield
    except (ApiException, httpx.HTTPError, ValueError, OSError) as error:
        fix = "check that the server runs, [store] url, and the key in the environment"
        raise StoreError(f"Qdrant server: {str(error) or type(error).__name__}", where=where, fix=fix) from error
