"""The token vectors of texts: as kept, or else computed now. Both give the same codes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.digests import text_digest
from index.encoding.encoder import Encoder, Progress
from index.encoding.fourbit import Codes, packed
from index.encoding.tokenstore import TokenStore

REMEMBERED: Final = 512
"""Texts whose computed vectors are remembered: a few searches' candidates, 9 MB."""


class Tokens(NamedTuple):
    """Codes of each text, and how many of them had to be computed."""

    codes: list[Codes]
    computed: int


class Both(NamedTuple):
    """What one reading of texts gives."""

    vectors: NDArray[np.float32]
    """`(n_texts, dim)`."""
    codes: list[Codes]
    piece_dim: int


class TokenVectors:
    """Token vectors of texts, whether they are kept or not. Not for several threads at once."""

    def __init__(self, encoder: Encoder, store: TokenStore | None = None, remembered: int = REMEMBERED):
        self.encoder = encoder
        self._store, self._size = store, remembered
        self._remembered: OrderedDict[str, Codes] = OrderedDict()

    def of(self, texts: Sequence[str]) -> Tokens:
        """What is kept is read, what was computed last is remembered, the rest is encoded."""
        digests = [text_digest(text) for text in texts]
        known = {digest: codes for digest in digests if (codes := self._known(digest)) is not None}
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
        known |= self._computed(missing)
        return Tokens([known[digest] for digest in digests], len(missing))

    def _known(self, digest: str) -> Codes | None:
        kept = self._store.get(digest) if self._store else None
        if kept is None and digest in self._remembered:
            self._remembered.move_to_end(digest)
        return self._remembered.get(digest) if kept is None else kept

    def _computed(self, missing: dict[str, str]) -> dict[str, Codes]:
        if not missing:
            return {}
        found = dict(zip(missing, encode_both(list(missing.values()), self.encoder).codes, strict=True))
        self._remembered |= found
        while len(self._remembered) > self._size:
            self._remembered.popitem(last=False)
        return found


def encode_both(texts: Sequence[str], encoder: Encoder, progress: Progress | None = None) -> Both:
    """Vectors of texts and the codes of their pieces, from one reading."""
    codes: list[Codes] = [np.empty((0, 0), dtype=np.uint8)] * len(texts)
    dims: set[int] = set()

    def keep(position: int, pieces: NDArray[np.float32]) -> None:
        codes[position] = packed(pieces)
        dims.add(pieces.shape[1])

    vectors = encoder.encode_passages(texts, progress, keep)
    return Both(vectors, codes, max(dims, default=encoder.dim))
