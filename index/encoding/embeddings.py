"""Each text is encoded once for each encoder: a cache on disk, and the step that fills it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.digests import text_digest
from index.encoding.encoder import Encoder, Progress
from index.encoding.tokenstore import TokenStoreWriter
from index.encoding.tokenvectors import encode_both
from ingest.errors import StateDamaged, StateError

_BLOCK = 512
"""Texts encoded between two writes: what a killed run loses at most."""

_BOUND = 900
"""SQLite's older builds bind at most 999 values."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (fingerprint TEXT NOT NULL, digest TEXT NOT NULL, vector BLOB NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS by_text ON vectors (fingerprint, digest);
"""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of texts, and what they cost."""

    vectors: NDArray[np.float32]
    """Unit rows, `(n_texts, dim)`."""
    encoded: int
    """Distinct texts that the encoder was asked for."""
    reused: int
    """Texts answered from the cache or from an equal text."""
    seconds: float
    """The whole step: digests, reading and writing the cache, and the encoder."""


class EmbeddingCache:
    """Vectors by encoder fingerprint and text digest, in one SQLite file with one writer.

    It may be deleted at any time: a run fills it again. Nothing is ever dropped from it.
    """

    def __init__(self, path: Path):
        """Open or create.

        Raises:
            StateDamaged: the file is not such a cache.
            StateError: the file cannot be read or written.
        """
        self._path = path
        with self._faults():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path)
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._db.executescript(_SCHEMA)
            except sqlite3.Error:
                self._db.close()
                raise

    def __enter__(self) -> EmbeddingCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def get(self, fingerprint: str, digests: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The known ones among `digests`, each `(dim,)`."""
        found: dict[str, NDArray[np.float32]] = {}
        with self._faults():
            for some in _blocks(digests, _BOUND):
                marks = ",".join("?" * len(some))
                query = f"SELECT digest, vector FROM vectors WHERE fingerprint = ? AND digest IN ({marks})"
                for digest, vector in self._db.execute(query, (fingerprint, *some)):
                    found[digest] = np.frombuffer(vector, dtype=np.float32)
        return found

    def put(self, fingerprint: str, digests: Sequence[str], vectors: Iterable[NDArray[np.float32]]) -> None:
        """Store `vectors`, each `(dim,)`, in one transaction; known ones are replaced."""
        rows = ((fingerprint, digest, vector.tobytes()) for digest, vector in zip(digests, vectors, strict=True))
        with self._faults(), self._db:
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            fix = "make room, or the folder writable, and run caveat index again"
            raise StateError(f"the embedding cache cannot be used ({error})", where=str(self._path), fix=fix) from error
        except sqlite3.DatabaseError as error:
            fix = "delete this file: caveat index fills it again"
            raise StateDamaged(f"not an embedding cache ({error})", where=str(self._path), fix=fix) from error


def embed(
    texts: Sequence[str],
    encoder: Encoder,
    cache: EmbeddingCache,
    progress: Progress | None = None,
    *,
    fresh: bool = False,
    tokens: TokenStoreWriter | None = None,
) -> Embedded:
    """Vectors of `texts` in their order; only what the cache does not know is encoded, each distinct text once.

    Args:
        texts: Passages, without prefix.
        encoder: Asked for what is missing.
        cache: Read, and filled while encoding goes on.
        progress: Called with (texts encoded, texts to encode).
        fresh: Encode all of them, whatever the cache knows.
        tokens: Where the vectors of the texts' pieces are kept as well; a text is read once for both.
    """
    start = time.perf_counter()
    digests = [text_digest(text) for text in texts]
    by_digest = dict(zip(digests, texts, strict=True))
    known = {} if fresh else cache.get(encoder.fingerprint, list(by_digest))
    unkept = tokens.missing(by_digest) if tokens else set()
    wanted = (digest for digest in by_digest if digest not in known or digest in unkept)
    # Like lengths meet in one block, longest first; the encoder sorts within a block by its own pieces.
    missing = sorted(wanted, key=lambda d: (-len(by_digest[d]), d))
    done = 0
    for block in _blocks(missing, _BLOCK):
        some = {digest: by_digest[digest] for digest in block}
        vectors = _encoded(some, encoder, tokens, _ahead(progress, done, len(missing)))
        # A vector that is known stays as it is: in another batch its last bits would differ.
        new = {digest: vector for digest, vector in zip(block, vectors, strict=True) if digest not in known}
        cache.put(encoder.fingerprint, list(new), list(new.values()))
        known |= new
        done += len(block)
    vectors = _stacked(digests, known, encoder.dim)
    return Embedded(vectors, len(missing), len(texts) - len(missing), time.perf_counter() - start)


def _encoded(
    texts: Mapping[str, str], encoder: Encoder, tokens: TokenStoreWriter | None, progress: Progress | None
) -> NDArray[np.float32]:
    """Vectors of texts by digest, `(len(texts), dim)`; those of their pieces are kept first, so that none is lost."""
    if tokens is None:
        return encoder.encode_passages(list(texts.values()), progress)
    both = encode_both(list(texts.values()), encoder, progress)
    tokens.append(list(texts), both.codes, both.piece_dim)
    return both.vectors


def _stacked(digests: Sequence[str], known: dict[str, NDArray[np.float32]], dim: int) -> NDArray[np.float32]:
    rows = np.empty((len(digests), dim), dtype=np.float32)
    for row, digest in enumerate(digests):
        rows[row] = known[digest]
    return rows


def _blocks(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _ahead(progress: Progress | None, done: int, total: int) -> Progress | None:
    """`progress` as one block calls it: counted from the step's start."""
    return None if progress is None else lambda in_block, _: progress(done + in_block, total)
