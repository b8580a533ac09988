"""Late interaction (MaxSim, Khattab and Zaharia 2020) over the index's own encoder: no further model, no training.

A text's score is the mean, over the pieces of the query, of the best cosine among the pieces of the text. Telling a
clause from its twin with another qualifier, it is right twice as often as the cosine of the whole texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.encoding.fourbit import cosines
from index.encoding.tokenvectors import TokenVectors


class Read(NamedTuple):
    """Scores of texts, and for how many of them token vectors had to be computed because they are not kept."""

    scores: list[float]
    computed: int


class LateInteraction:
    """Implements `retrieve.reranking.reranker.Reranker` with token vectors."""

    def __init__(self, tokens: TokenVectors):
        self._tokens = tokens

    def read(self, query: str, texts: Sequence[str]) -> Read:
        """A score from -1 to 1 for each text; 0 for one without pieces, and for all where the query has none."""
        asked = self.pieces(query)
        codes, computed = self._tokens.of(texts)
        if not len(asked):
            return Read([0.0] * len(texts), computed)
        return Read([float(cosines(asked, one).max(axis=0).mean()) if len(one) else 0.0 for one in codes], computed)

    def pieces(self, query: str) -> NDArray[np.float32]:
        """Unit vectors of the query's pieces, `(n_pieces, piece_dim)`."""
        return self._tokens.encoder.query_token_vectors(query)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """The scores alone."""
        return self.read(query, texts).scores

    def unread(self, query: str, texts: Sequence[str]) -> int:
        """None: chunks are cut to what the encoder reads."""
        return 0
