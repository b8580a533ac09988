"""A query and a text as the pieces that a cross-encoder reads: [CLS] query [SEP] text [SEP]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

QUERY_LIMIT: Final = 128
"""WordPieces of a query that are read; a ticket of a hundred words fits."""
LIMIT: Final = 320
"""WordPieces of a pair, specials included: the longest query beside a large child."""
_REMEMBERED: Final = 8192
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Batch:
    """Arrays `(pairs, pieces)`, padded to the longest pair."""

    ids: Ints
    kinds: Ints
    """0 for the query's pieces, 1 for the text's."""
    mask: Ints
    """1 for pieces, 0 for padding."""
    own: Ints
    """1 for pieces that are words: no specials, no padding."""


class Pairs:
    """Makes batches with the model's tokenizer; the pieces of texts that were seen last are remembered."""

    def __init__(self, tokenizer: Path):
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._first, self._between = self._tokenizer.encode("").ids
        self._pieces = lru_cache(maxsize=_REMEMBERED)(self._cut)

    def _cut(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def length(self, query: str, text: str) -> int:
        """Pieces of a pair as it is read."""
        return min(self.whole_length(query, text), LIMIT)

    def whole_length(self, query: str, text: str) -> int:
        """Pieces of a pair with all of the text; above LIMIT, the text's end is not read."""
        return min(len(self._pieces(query)), QUERY_LIMIT) + len(self._pieces(text)) + 3

    def is_cut(self, query: str, text: str) -> bool:
        """Whether the end of the query or of the text is not read."""
        return len(self._pieces(query)) > QUERY_LIMIT or self.whole_length(query, text) > LIMIT

    def batch(self, pairs: Sequence[tuple[str, str]]) -> Batch:
        """The pairs in their order."""
        rows = [self._row(query, text) for query, text in pairs]
        shape = len(rows), max(len(ids) for ids, _ in rows)
        ids, kinds, mask = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for number, (row, asked) in enumerate(rows):
            ids[number, : len(row)] = row
            kinds[number, asked : len(row)] = 1
            mask[number, : len(row)] = 1
        own = mask * (ids != self._first) * (ids != self._between)
        return Batch(ids, kinds, mask, own)

    def _row(self, query: str, text: str) -> tuple[list[int], int]:
        """Pieces of a pair, and how many of them are the query's, specials included."""
        asked = [self._first, *self._pieces(query)[:QUERY_LIMIT], self._between]
        return [*asked, *self._pieces(text)[: LIMIT - len(asked) - 1], self._between], len(asked)

    def shortest_first(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """Places of the pairs by their lengths; equal ones in their order."""
        lengths = [self.length(query, text) for query, text in pairs]
        return sorted(range(len(pairs)), key=lengths.__getitem__)

    def batches(self, query: str, texts: Sequence[str], pieces: int) -> Iterator[tuple[list[int], Batch]]:
        """Places in `texts` and their pairs, shortest first, at most `pieces` of padded pieces at a time."""
        held: list[int] = []
        for place in self.shortest_first([(query, text) for text in texts]):
            if held and (len(held) + 1) * self.length(query, texts[place]) > pieces:
                yield held, self.batch([(query, texts[one]) for one in held])
                held = []
            held.append(place)
        if held:
            yield held, self.batch([(query, texts[one]) for one in held])
