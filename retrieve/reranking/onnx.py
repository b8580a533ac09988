"""A cross-encoder that `python -m eval.training export` wrote, on onnxruntime: no torch, no hub, no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from index.encoding.serving import load_graph
from retrieve.reranking.pairs import Pairs

GRAPH, TOKENIZER = "cross-encoder.int8.onnx", "tokenizer.json"
INPUTS: Final = ("ids", "kinds", "mask", "own")
LOGITS: Final = "logits"
_PIECES: Final = 384
"""Padded pieces in one run: two or three pairs of like length. 2,048 took half as much time again, and 180 MB more."""


class OnnxReranker:
    """Implements `retrieve.reranking.reranker.Reranker` from a folder with graph and tokenizer."""

    def __init__(self, folder: Path, threads: int = 0):
        """Load both.

        Raises:
            EncoderError: the graph is missing or damaged.
        """
        self._pairs, self._session = Pairs(folder / TOKENIZER), load_graph(folder / GRAPH, threads)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Logits; what lies beyond 320 WordPieces of a pair is not read."""
        found = np.zeros(len(texts))
        for places, batch in self._pairs.batches(query, texts, _PIECES):
            feeds = dict(zip(INPUTS, (batch.ids, batch.kinds, batch.mask, batch.own), strict=True))
            found[places] = self._session.run([LOGITS], feeds)[0]
        return [float(score) for score in found]

    def unread(self, query: str, texts: Sequence[str]) -> int:
        """How many pairs are not read to their end; all where the query's end is not read."""
        return sum(self._pairs.is_cut(query, text) for text in texts)
