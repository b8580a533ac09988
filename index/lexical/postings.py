"""Postings: which row holds which token how often. A generation saves them, a small change extends them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.lexical.bm25 import Mask, Rows, Scorer, Scores
from ingest.errors import StateDamaged

_CACHED_MASKS = 8


class Postings:
    """Token occurrences by term: rows `rows[starts[t]:starts[t + 1]]` hold term t, `counts` times each, rows ascending.

    Rows are numbered 0, 1, ... in the order in which they were given. Immutable.
    """

    def __init__(
        self,
        terms: Mapping[str, int],
        starts: NDArray[np.int64],
        rows: NDArray[np.int32],
        counts: NDArray[np.int32],
        lengths: NDArray[np.int32],
    ):
        self._terms, self._starts, self._rows, self._counts, self._lengths = terms, starts, rows, counts, lengths
        self._scorer = lru_cache(maxsize=_CACHED_MASKS)(self._compile)

    @classmethod
    def build(cls, token_rows: Iterable[Sequence[str]]) -> Postings:
        """Postings of rows of tokens, such as `index.lexical.words.tokens` gives."""
        return cls({}, np.zeros(1, np.int64), *(np.empty(0, np.int32) for _ in range(3))).extended(token_rows)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self._lengths)

    def extended(self, token_rows: Iterable[Sequence[str]]) -> Postings:
        """Postings with further rows at the end; equal to building from all rows at once."""
        terms = dict(self._terms)
        numbered = [[terms.setdefault(token, len(terms)) for token in row] for row in token_rows]
        lengths = np.array([len(row) for row in numbered], dtype=np.int32)
        flat = np.fromiter(chain.from_iterable(numbered), dtype=np.int64, count=int(lengths.sum()))
        row_of = np.repeat(np.arange(len(lengths)), lengths)
        cells, counts = np.unique(flat * max(len(lengths), 1) + row_of, return_counts=True)
        new_terms, new_rows = np.divmod(cells, max(len(lengths), 1))
        ends = np.concatenate((self._starts[1:], np.full(len(terms) - len(self._terms), self._starts[-1])))
        grown = np.concatenate(([0], ends + np.cumsum(np.bincount(new_terms, minlength=len(terms)))))
        return Postings(
            terms,
            grown.astype(np.int64),
            np.insert(self._rows, ends[new_terms], (new_rows + len(self)).astype(np.int32)),
            np.insert(self._counts, ends[new_terms], counts.astype(np.int32)),
            np.concatenate((self._lengths, lengths)),
        )

    def score(self, query: Sequence[str], mask: Mask) -> tuple[Rows, Scores]:
        """Rows in `mask` that hold a query token, ascending, and their BM25Plus scores over the rows in `mask`.

        Args:
            query: Tokens; unknown ones score nothing, a repeated one counts again.
            mask: `(n_rows,)`; the statistics of the last eight masks are kept.
        """
        if mask.shape != self._lengths.shape or mask.dtype != np.bool_:
            raise ValueError(f"mask: {mask.dtype} {mask.shape}; allowed: bool {self._lengths.shape}")
        return self._scorer(mask.tobytes()).score(query)

    def top(self, query: Sequence[str], mask: Mask, n: int, within: Mask | None = None) -> tuple[Rows, Scores]:
        """The best `n` rows by (-score, row).

        Args:
            query: Tokens, as for `score`.
            mask: Rows whose statistics count.
            n: How many rows at most.
            within: Only rows that are also in this mask are returned.
        """
        rows, scores = self.score(query, mask)
        if within is not None:
            rows, scores = rows[within[rows]], scores[within[rows]]
        if len(rows) > n > 0:
            # All rows that tie with the n-th must meet the sort, or chance would pick among them.
            near = scores >= np.partition(scores, -n)[-n]
            rows, scores = rows[near], scores[near]
        order = np.lexsort((rows, -scores))[:n]
        return rows[order], scores[order]

    def save(self, path: Path) -> None:
        """Write an .npz file."""
        words = list(self._terms)
        np.savez(
            path,
            words=np.frombuffer("".join(words).encode(), dtype=np.uint8),
            word_lengths=np.array([len(word) for word in words], dtype=np.int32),
            starts=self._starts,
            rows=self._rows,
            counts=self._counts,
            lengths=self._lengths,
        )

    @classmethod
    def load(cls, path: Path) -> Postings:
        """Read what `save` wrote.

        Raises:
            StateDamaged: the file is gone, cut short or not postings.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                terms = _terms(stored["words"].tobytes().decode(), stored["word_lengths"])
                return cls(terms, *(stored[name] for name in ("starts", "rows", "counts", "lengths")))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            fix = "rebuild the search index with `caveat index --full`"
            raise StateDamaged(f"the keyword index cannot be read ({error})", where=str(path), fix=fix) from error

    def _compile(self, mask: bytes) -> Scorer:
        in_mask = np.frombuffer(mask, dtype=np.bool_)
        return Scorer(self._terms, self._starts, self._rows, self._counts, self._lengths, in_mask)


def _terms(words: str, lengths: NDArray[np.int32]) -> dict[str, int]:
    ends = np.cumsum(lengths).tolist()
    return {words[start:end]: number for number, (start, end) in enumerate(zip([0, *ends], ends, strict=False))}
