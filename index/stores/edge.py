"""Vectors in Qdrant Edge, inside the process: one folder a generation, no graph, exact search.

What was measured of qdrant-edge 0.9.0 and decides how it is used here:

- Loading a folder opens its files for writing and renames an equal edge_config.json into place. Processes
  that load one folder at the same time leave its bytes as they were; a read-only folder is not loaded at all.
- What was written is journalled, and the next load removes the journals: a folder is loaded once more before
  it is published.
- A folder that lost a file is often "repaired" to an empty or shorter shard without an error, so callers
  compare a folder with its manifest before they open it.
- Excluding what is out of the window (`must_not`) takes 13 ms at 50,000 points in force, including what is
  in it (`must`) 35 ms.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import qdrant_edge as engine

from index.stores.store import TIMES, Payload, Point, Scored, Vector, Window, ids_by_instant, payload, ranked
from ingest.dates import Instant
from ingest.errors import StoreError

ENGINE: Final = "qdrant-edge 0.9.0, exact, cold"
"""Part of a generation's fingerprint: another engine's files are not copied."""
_BATCH: Final = 1000
_BLOCK: Final = 1 << 17
_SLACK: Final = 32 << 20
_SHARED_MEMORY: Final = Path("/dev/shm")


class EdgeStore:
    """A `VectorStore` in one folder; not for two writers at a time (the state's lock sees to that)."""

    def __init__(self, shard: engine.EdgeShard, folder: Path, *, writes: bool = True):
        self._shard, self._folder, self._writes = shard, folder, writes

    @classmethod
    def create(cls, folder: Path, dim: int) -> EdgeStore:
        """An empty store of vectors of length `dim` in a new folder."""
        folder.mkdir(parents=True)
        config = engine.EdgeConfig(
            # Cold: mapped once and read as needed; "cached" maps vectors twice, 96 MB more at 50,000, no faster.
            vectors=engine.EdgeVectorParams(size=dim, distance=engine.Distance.Dot, memory=engine.Memory.Cold),
            hnsw_config=engine.HnswIndexConfig(m=0, ef_construct=4, full_scan_threshold=0),
            wal_enabled=False,
        )
        with _mapped(folder):
            store = cls(engine.EdgeShard.create(str(folder), config), folder)
            for name in TIMES:
                # Integers up to 2**53 are exact as floats, and a float index filters faster than an integer one.
                store._update(engine.UpdateOperation.create_field_index(name, engine.PayloadSchemaType.Float))
            store._update(engine.UpdateOperation.create_field_index("doc", engine.PayloadSchemaType.Keyword))
        return store

    @classmethod
    def open(cls, folder: Path) -> EdgeStore:
        """The store of a folder that may be written.

        Raises:
            StoreError: the engine cannot load it.
        """
        return cls._load(folder, writes=True)

    @classmethod
    def _load(cls, folder: Path, *, writes: bool) -> EdgeStore:
        with _mapped(folder):
            return cls(engine.EdgeShard.load(str(folder)), folder, writes=writes)

    @classmethod
    def open_to_read(cls, folder: Path) -> EdgeStore:
        """The store of a folder that may be read-only or on a full disk: then a private copy is loaded.

        Raises:
            StoreError: the engine can load neither the folder nor a copy.
        """
        if not folder.is_dir():
            raise StoreError("does not exist", where=str(folder), fix="run `caveat index`")
        with contextlib.suppress(StoreError, OSError):
            # A map of a file on a full disk ends the process when the engine touches a hole in it.
            require_room(folder, 0)
            return cls._load(folder, writes=False)
        for parent in (Path(tempfile.gettempdir()), _SHARED_MEMORY):
            with contextlib.suppress(StoreError, OSError):
                return cls._open_copy(folder, parent)
        return cls._load(folder, writes=False)

    @classmethod
    def _open_copy(cls, folder: Path, parent: Path) -> EdgeStore:
        """Load a copy and unlink it at once: open maps keep it alive, and no crash leaves it behind."""
        private = Path(tempfile.mkdtemp(prefix="caveat-", dir=parent))
        try:
            require_room(private, allocated(folder))
            copy_folder(folder, private / "vectors")
            return cls._load(private / "vectors", writes=False)
        finally:
            shutil.rmtree(private, ignore_errors=True)

    def search(self, vector: Vector, window: Window, n: int) -> list[Scored]:
        """The n best points in the window: exact, best first, equal scores by id."""
        request = engine.QueryRequest(
            limit=n,
            query=engine.Query.Nearest(vector.tolist()),
            filter=_filter(window),
            params=engine.SearchParams(exact=True),
        )
        with _mapped(self._folder):
            return ranked([Scored(int(point.id), point.score) for point in self._shard.query(request)])

    def upsert(self, points: Iterable[Point]) -> None:
        """Add points, or write them again."""
        remaining = iter(points)
        with _mapped(self._folder):
            while batch := [_engine_point(point) for point in islice(remaining, _BATCH)]:
                self._update(engine.UpdateOperation.upsert_points(batch))

    def close_rows(self, rec_to: Mapping[int, Instant]) -> None:
        """Set `rec_to` of points by id."""
        with _mapped(self._folder):
            for instant, ids in ids_by_instant(rec_to).items():
                self._update(engine.UpdateOperation.set_payload(list(ids), {"rec_to": instant}))

    def ids(self) -> npt.NDArray[np.int64]:
        """(n_points,) all ids, ascending."""
        return np.array([record.id for record in self._scroll(with_payload=False)], dtype=np.int64)

    def payloads(self, ids: Sequence[int] | None = None) -> dict[int, Payload]:
        """The payload of points (None: of all) by id; those that are not there are left out."""
        if ids is None:
            records = self._scroll(with_payload=True)
        else:
            with _mapped(self._folder):
                records = self._shard.retrieve([*ids], with_payload=True, with_vector=False)
        return {int(record.id): record.payload or {} for record in records}

    def vectors(self, ids: list[int]) -> npt.NDArray[np.float32]:
        """(len(ids), dim) vectors of points, in the order of `ids`; unknown ids are left out."""
        with _mapped(self._folder):
            found = {
                record.id: record.vector
                for record in self._shard.retrieve([*ids], with_payload=False, with_vector=True)
            }
        return np.array([found[point] for point in ids if point in found], dtype=np.float32)

    def count(self, window: Window | None = None) -> int:
        """Points in all, or in a window."""
        with _mapped(self._folder):
            return int(self._shard.count(engine.CountRequest(exact=True, filter=_filter(window) if window else None)))

    def flush(self) -> None:
        """Return when everything written so far was handed to the disk."""
        with _mapped(self._folder):
            self._shard.flush()

    def close(self) -> None:
        """Release the engine, which writes what is unwritten; a reader has nothing to write."""
        if self._writes:
            with _mapped(self._folder):
                self._shard.close()
        del self._shard

    def _scroll(self, *, with_payload: bool) -> list[engine.Record]:
        with _mapped(self._folder):
            request = engine.ScrollRequest(limit=max(1, self.count()), with_payload=with_payload, with_vector=False)
            return sorted(self._shard.scroll(request)[0], key=lambda record: int(record.id))

    def _update(self, operation: engine.UpdateOperation) -> None:
        self._shard.update(operation)


def allocated(folder: Path) -> int:
    """Bytes that a folder takes on the disk, holes not counted."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def require_room(folder: Path, size: int) -> None:
    """Refuse to begin what the disk cannot hold.

    The engine writes through memory maps: where a disk is full the kernel ends the process (SIGBUS), and
    there is no error to report.

    Raises:
        OSError: ENOSPC.
    """
    if shutil.disk_usage(folder).free < size + _SLACK:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def copy_folder(source: Path, target: Path) -> None:
    """Copy a store's folder, without what a killed reader may have left there.

    The files are mapped and mostly holes, which stay holes: at 50,000 points 88 of 190 MB are written.
    """
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if any(part.startswith(".atomicwrite") for part in inside.parts):
            continue
        if path.is_dir():
            (target / inside).mkdir(parents=True, exist_ok=True)
        else:
            (target / inside).parent.mkdir(parents=True, exist_ok=True)
            copy_file(path, target / inside)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file's data and leave its holes holes."""
    with source.open("rb", buffering=0) as reading, target.open("wb", buffering=0) as writing:
        size = os.fstat(reading.fileno()).st_size
        os.ftruncate(writing.fileno(), size)
        for start, end in _extents(reading.fileno(), size):
            reading.seek(start)
            writing.seek(start)
            while start < end:
                start += writing.write(reading.read(min(_BLOCK, end - start))) or 0


def _extents(file: int, size: int) -> Iterator[tuple[int, int]]:
    """Spans of a file that hold data; the whole file where the file system does not tell."""
    end = 0
    while end < size:
        try:
            start = os.lseek(file, end, os.SEEK_DATA)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            return
        end = os.lseek(file, start, os.SEEK_HOLE)
        yield start, end


def _engine_point(point: Point) -> engine.Point:
    return engine.Point(point.id, point.vector.tolist(), payload(point))


def _filter(window: Window) -> engine.Filter:
    outside = {
        "valid_from": engine.RangeFloat(gt=window.as_of),
        "valid_to": engine.RangeFloat(lte=window.as_of),
        "rec_from": engine.RangeFloat(gt=window.known_at),
        "rec_to": engine.RangeFloat(lte=window.known_at),
    }
    inside = [] if window.docs is None else [engine.FieldCondition("doc", match=engine.MatchAny(list(window.docs)))]
    return engine.Filter(
        must=[*inside], must_not=[engine.FieldCondition(key, range=times) for key, times in outside.items()]
    )


@contextlib.contextmanager
def _mapped(folder: Path) -> Iterator[None]:
    """Turn whatever the engine raises into a StoreError: it raises bare Exception, and panics below that."""
    try:
        yield
    except StoreError:
        raise
    except BaseException as error:
        if not _is_engines(error):
            raise
        raise StoreError(f"Qdrant Edge: {error}", where=str(folder), fix="run `caveat index --full`") from error


def _is_engines(error: BaseException) -> bool:
    return type(error) is Exception or type(error).__name__ == "PanicException" or isinstance(error, ValueError)
