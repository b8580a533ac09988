"""A teacher: a trained cross-encoder, late interaction and the first stage, blended; one pass learns from all three."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from eval.training.network import CrossEncoder, fast_precision, tensors, trained
from index.encoding.encoder import Encoder
from index.encoding.tokenvectors import TokenVectors
from index.lexical.postings import Postings
from index.lexical.words import tokens
from retrieve import fusion
from retrieve.reranking.late import LateInteraction
from retrieve.reranking.pairs import Pairs
from retrieve.trace import SectionKey

Values = NDArray[np.float64]
CROSS_WEIGHT: Final = 0.4
LATE_WEIGHT: Final = 0.3
FIRST_WEIGHT: Final = 0.3
_REMEMBERED: Final = 20_000
"""Texts whose token vectors are remembered: some hundred MB."""


class Teacher:
    """Scores of a query's texts; the same texts have the same scores."""

    def __init__(self, model: CrossEncoder, pairs: Pairs, encoder: Encoder):
        self._model, self._pairs, self._encoder = model.eval(), pairs, encoder
        self._late = LateInteraction(TokenVectors(encoder, remembered=_REMEMBERED))

    @classmethod
    def of_run(cls, run: Path, pairs: Pairs, encoder: Encoder) -> Teacher:
        """With the best model of a run's folder. Raises as `trained`."""
        return cls(trained(run), pairs, encoder)

    def scores(self, query: str, texts: Sequence[str]) -> Values:
        """The blend, each part scaled over the texts to 0..1; `(n_texts,)`."""
        stages = (
            (_ranking(self._cross(query, texts)), CROSS_WEIGHT),
            (_ranking(self._late.scores(query, texts)), LATE_WEIGHT),
            (self._first(query, texts), FIRST_WEIGHT),
        )
        scores = {entry.key: entry.score for entry in fusion.blend(stages)}
        return np.array([scores[_key(place)] for place in range(len(texts))])

    def _cross(self, query: str, texts: Sequence[str]) -> list[float]:
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, fast_precision() == "bf16"):
            logits = self._model(*tensors(self._pairs.batch([(query, text) for text in texts])))
        scores: list[float] = logits.float().tolist()
        return scores

    def _first(self, query: str, texts: Sequence[str]) -> fusion.Ranking:
        """Reciprocal rank fusion within the list."""
        dense = self._encoder.encode_passages(texts) @ self._encoder.encode_query(query)
        index = Postings.build([tokens(text) for text in texts])
        rows, scores = index.score(tokens(query), np.ones(len(texts), np.bool_))
        keywords = np.zeros(len(texts))
        keywords[rows] = scores
        return fusion.rrf((_ranking(values.tolist()), 1.0) for values in (dense, keywords))


def _ranking(scores: Sequence[float]) -> fusion.Ranking:
    return fusion.by_score({_key(place): score for place, score in enumerate(scores)})


def _key(place: int) -> SectionKey:
    """A text by its place; of equal scores the first stands first."""
    return SectionKey("", f"{place:06}")
