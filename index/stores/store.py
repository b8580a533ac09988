"""What a vector store must do, whichever engine is behind it.

A store holds one point for each chunk of each version row. Its payload carries the row's four times, so
that one store answers for every day and every earlier belief: closing a row changes `rec_to` and nothing
else, and a reader that is pinned to an earlier instant sees the point as it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from ingest.dates import Day, Instant

Vector = npt.NDArray[np.float32]
Payload = Mapping[str, str | int]
TIMES: Final = ("valid_from", "valid_to", "rec_from", "rec_to")
CHUNK_BITS: Final = 16
"""A point id is row_id << 16 | chunk number: at most 65,536 chunks in one section."""


def point_id(row_id: int, chunk: int) -> int:
    """The id of one chunk of one version row, for ever."""
    return row_id << CHUNK_BITS | chunk


@dataclass(frozen=True, slots=True)
class Point:
    """One chunk as a store holds it; times are half-open, days for validity, microseconds for belief."""

    id: int
    vector: Vector
    """(dim,), unit length."""
    section: str
    doc: str
    valid_from: Day
    valid_to: Day
    rec_from: Instant
    rec_to: Instant


@dataclass(frozen=True, slots=True)
class Window:
    """What a search may return: in force on `as_of`, believed at `known_at`, in one of `docs` (None: any)."""

    as_of: Day
    known_at: Instant
    docs: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A point found, with its dot product (of unit vectors: the cosine)."""

    id: int
    score: float


@dataclass(frozen=True, slots=True)
class Collection:
    """Where a server keeps a generation's vectors."""

    url: str
    api_key_env: str
    name: str


class VectorStore(Protocol):
    """The engine's side of a generation. Raises StoreError where the engine fails.

    `upsert` and `close_rows` may be repeated with the same arguments without harm: a run that was killed
    between them is run again.
    """

    def search(self, vector: Vector, window: Window, n: int) -> list[Scored]:
        """The n best points in the window: exact, best first, equal scores by id."""
        ...

    def upsert(self, points: Iterable[Point]) -> None:
        """Add points, or write them again."""
        ...

    def close_rows(self, rec_to: Mapping[int, Instant]) -> None:
        """Set `rec_to` of points by id."""
        ...

    def ids(self) -> npt.NDArray[np.int64]:
        """(n_points,) all ids, ascending."""
        ...

    def payloads(self, ids: Sequence[int] | None = None) -> dict[int, Payload]:
        """The payload of points (None: of all) by id; those that are not there are left out."""
        ...

    def count(self, window: Window | None = None) -> int:
        """Points in all, or in a window."""
        ...

    def flush(self) -> None:
        """Return when everything written so far would survive a power cut."""
        ...

    def close(self) -> None:
        """Release the engine; the store is not used afterwards."""
        ...


def ranked(found: Sequence[Scored]) -> list[Scored]:
    """Best first, equal scores by id: an engine's own order of equal scores depends on its threads."""
    return sorted(found, key=lambda scored: (-scored.score, scored.id))


def ids_by_instant(rec_to: Mapping[int, Instant]) -> dict[Instant, list[int]]:
    """Point ids by the instant they are closed at: one write for each instant."""
    groups: dict[Instant, list[int]] = defaultdict(list)
    for point, instant in rec_to.items():
        groups[instant].append(point)
    return groups


def payload(point: Point) -> dict[str, str | int]:
    """What is stored beside the vector."""
    times = {name: getattr(point, name) for name in TIMES}
    return {"section": point.section, "doc": point.doc, **times}
