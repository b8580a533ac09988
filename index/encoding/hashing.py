"""An encoder without meaning: hashed word stems, deterministic and fast, for tests and benchmarks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from index.lexical.words import stem

if TYPE_CHECKING:
    from index.encoding.encoder import Keep, Progress

_NAME = re.compile(r"hash-([1-9]\d{1,3})")
_PIECE = re.compile(r"\w+|[^\w\s]")
_ROWS = 1024
_SPECIALS = 2
_LIMIT = 256


def hash_dimension(model: str) -> int | None:
    """Dimension of the hash encoder that `model` names ("hash-384"), or None for a real model."""
    found = _NAME.fullmatch(model)
    return int(found[1]) if found else None


@lru_cache(maxsize=200_000)
def _bucket(piece: str) -> int:
    return int.from_bytes(hashlib.blake2b(stem(piece).encode(), digest_size=7).digest(), "big")


class HashEncoder:
    """Texts that share word stems are near each other; nothing else is known about them.

    Implements `index.encoding.encoder.Encoder`. One piece is one word or one punctuation mark.
    """

    def __init__(self, dim: int = 384, *, query_prefix: str = "", passage_prefix: str = "", limit: int = _LIMIT):
        self.dim = dim
        self._query_prefix, self._passage_prefix, self._limit = query_prefix, passage_prefix, limit
        self.limit = limit - len(_PIECE.findall(passage_prefix))
        parts = f"hash-{dim}\0{query_prefix}\0{passage_prefix}" + (f"\0{limit}" if limit != _LIMIT else "")
        self.fingerprint = hashlib.blake2b(parts.encode(), digest_size=8).hexdigest()

    def count(self, text: str) -> int:
        """Pieces of `text`, two specials included."""
        return len(_PIECE.findall(text)) + _SPECIALS

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span of each piece, without specials."""
        return [piece.span() for piece in _PIECE.finditer(text)]

    def encode_passages(
        self, texts: Sequence[str], progress: Progress | None = None, keep: Keep | None = None
    ) -> NDArray[np.float32]:
        """Unit rows, `(len(texts), dim)`; `keep` gets the vectors of each text's pieces."""
        rows = np.empty((len(texts), self.dim), dtype=np.float32)
        for start in range(0, len(texts), _ROWS):
            batch = texts[start : start + _ROWS]
            rows[start : start + len(batch)] = self._bags([self._passage_prefix + text for text in batch])
            if progress:
                progress(start + len(batch), len(texts))
        if keep:
            for position, text in enumerate(texts):
                keep(position, self.token_vectors(text)[0])
        return rows

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """A unit vector, `(dim,)`."""
        vector: NDArray[np.float32] = self._bags([self._query_prefix + text])[0]
        return vector

    def query_truncated(self, text: str) -> bool:
        """Whether the end of the query, with its prefix, lies beyond the limit."""
        return self.count(self._query_prefix + text) > self._limit

    def token_vectors(self, text: str) -> tuple[NDArray[np.float32], list[tuple[int, int]]]:
        """Unit vector of each piece within the limit, `(n_pieces, dim)`, and their character spans."""
        spans = self.offsets(text)[: self.limit - _SPECIALS]
        return self._bags([text[start:end] for start, end in spans]), spans

    def query_token_vectors(self, text: str) -> NDArray[np.float32]:
        """Unit vector of each piece of a query within the limit, `(n_pieces, dim)`."""
        room = self._limit - _SPECIALS - len(_PIECE.findall(self._query_prefix))
        return self._bags([text[start:end] for start, end in self.offsets(text)[: max(room, 0)]])

    def _bags(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Signed counts of hashed stems as unit rows; a text without a piece gets the row of the empty word."""
        bags = [[_bucket(piece) for piece in _PIECE.findall(text.lower())[: self._limit - _SPECIALS]] for text in texts]
        bags = [bag or [_bucket("")] for bag in bags]
        lengths = np.array([len(bag) for bag in bags], dtype=np.int64)
        hashes = np.fromiter((h for bag in bags for h in bag), dtype=np.int64, count=int(lengths.sum()))
        cells = np.repeat(np.arange(len(bags)), lengths) * self.dim + (hashes >> 1) % self.dim
        counts = np.bincount(cells, weights=1.0 - 2.0 * (hashes & 1), minlength=len(bags) * self.dim)
        rows = counts.reshape(len(bags), self.dim)
        cancelled = ~rows.any(axis=1)
        rows[cancelled, 0] = 1.0
        unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return unit
