"""BM25Plus scores over the rows of one mask, from postings: the numbers of `rank_bm25.BM25Plus`.

Lv and Zhai, "Lower-bounding term frequency normalization" (CIKM 2011), with rank_bm25's defaults and its
idf = log((N + 1) / df), where N, df and the mean length count the rows in the mask and no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

K1, B, DELTA = 1.5, 0.75, 1.0

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Scorer:
    """The rows in one mask, with the weight of each (term, row) worked out once."""

    def __init__(
        self,
        terms: Mapping[str, int],
        starts: NDArray[np.int64],
        rows: NDArray[np.int32],
        counts: NDArray[np.int32],
        lengths: NDArray[np.int32],
        mask: Mask,
    ):
        kept = mask[rows]
        before = np.concatenate(([0], np.cumsum(kept)))
        self._terms, self._size = terms, len(lengths)
        self._starts, self._rows = before[starts], rows[kept]
        self._idf = _idf(np.diff(self._starts), int(mask.sum()))
        norm = _length_norm(lengths, mask)
        seen = counts[kept].astype(np.float64)
        weight = np.repeat(self._idf, np.diff(self._starts))
        self._weights = weight * seen * (K1 + 1) / (norm[self._rows] + seen)

    def score(self, query: Sequence[str]) -> tuple[Rows, Scores]:
        """Rows in the mask that hold a query token, ascending, and their BM25Plus scores; both `(n,)`.

        A repeated token counts as often as it stands there. Rows without any query token are left out: BM25Plus
        gives all of them one and the same score.
        """
        known = [self._terms[token] for token in query if token in self._terms]
        spans = [slice(self._starts[term], self._starts[term + 1]) for term in known]
        if not spans:
            return np.empty(0, np.int64), np.empty(0, np.float64)
        hit_rows = np.concatenate([self._rows[span] for span in spans])
        hit_weights: Scores = np.concatenate([self._weights[span] for span in spans])
        scores = np.asarray(np.bincount(hit_rows, weights=hit_weights, minlength=self._size), dtype=np.float64)
        found: Rows = np.flatnonzero(scores).astype(np.int64)
        return found, scores[found] + DELTA * float(self._idf[known].sum())


def _idf(in_rows: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """`log((size + 1) / df)` of each term; 0 for a term that no row in the mask holds."""
    return np.where(in_rows > 0, np.log((size + 1) / np.maximum(in_rows, 1)), 0.0)


def _length_norm(lengths: NDArray[np.int32], mask: Mask) -> NDArray[np.float64]:
    """The part of the denominator that depends on a row's length alone, `(n_rows,)`."""
    mean = float(lengths[mask].mean()) if mask.any() else 0.0
    relative = lengths / mean if mean else np.zeros(len(lengths))
    return K1 * (1 - B + B * relative)
