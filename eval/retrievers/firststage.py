"""The first stage of the pipeline over a set of sections in memory: the same chunks, lists and fusion, without dates.

For sets that are no handbook: questions with gold in BEIR's layout, and sections to learn from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.suites.passage import Passage
from index.encoding.embeddings import EmbeddingCache, embed
from index.encoding.encoder import Encoder, Progress
from index.encoding.tokenstore import TokenStoreWriter
from index.lexical.bm25 import Mask
from index.lexical.postings import Postings
from index.lexical.words import tokens
from index.view import Hit
from ingest.chunks import cut
from ingest.document import Section
from ingest.elements import Element, Kind
from ingest.settings import IngestSettings
from retrieve.search import best_children, fused
from retrieve.settings import RetrieveSettings


@dataclass(frozen=True, slots=True)
class Child:
    """One chunk of a passage."""

    passage: str
    text: str
    """As encoded: titles, then words."""
    words: str
    start: int
    end: int
    """Span in the passage's text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that the first stage found, with its best children (indices), best first."""

    passage: str
    score: float
    """Of the fusion."""
    children: tuple[int, ...]


class FirstStage:
    """Dense and BM25 lists over the children of passages, reduced to passages and fused."""

    def __init__(
        self,
        passages: Iterable[Passage],
        encoder: Encoder,
        cache: EmbeddingCache,
        settings: RetrieveSettings | None = None,
        progress: Progress | None = None,
        ingest: IngestSettings | None = None,
        tokens_kept: TokenStoreWriter | None = None,
    ):
        self._encoder, self._settings = encoder, settings or RetrieveSettings()
        cut_by, held = ingest or IngestSettings(), list(passages)
        self.children = [child for passage in held for child in children_of(passage, encoder, cut_by)]
        texts = [child.text for child in self.children]
        # As in the index, a section's number is a keyword and not part of what is encoded.
        numbers = {one.id: one.section.number or "" for one in held if one.section}
        words = [f"{numbers.get(child.passage, '')}\n{child.text}" for child in self.children]
        self._vectors: NDArray[np.float32] = embed(texts, encoder, cache, progress, tokens=tokens_kept).vectors
        self._postings = Postings.build([tokens(text) for text in words])
        self._mask = np.ones(len(texts), dtype=np.bool_)

    def candidates(self, query: str, k: int = 0) -> list[Candidate]:
        """The best passages, at least as many as a search reranks; ties by id."""
        wanted = self._settings.chunk_candidates
        dense = self.dense(self._encoder.encode_query(query), wanted)
        bm25 = self.keywords(query, wanted)
        ranked = fused(dense, bm25, self._settings, k).ranked
        best = best_children(dense, bm25, [entry.key for entry in ranked])
        return [
            Candidate(entry.key.section_id, entry.score, tuple(hit.point for hit in best[entry.key]))
            for entry in ranked
        ]

    def dense(self, vector: NDArray[np.float32], n: int, mask: Mask | None = None) -> list[Hit]:
        """The n children nearest to `vector` (dim,), unit length; with `mask` (n_children,), of those in it."""
        rows = np.arange(len(self._mask)) if mask is None else np.flatnonzero(mask)
        scores = self._vectors[rows] @ vector if mask is not None else self._vectors @ vector
        n = min(n, len(scores))
        near = np.argpartition(-scores, n - 1)[:n] if 0 < n < len(scores) else np.arange(len(scores))
        order = near[np.lexsort((near, -scores[near]))]
        return self._hits(rows[order].tolist(), scores[order].tolist())

    def keywords(self, query: str, n: int, mask: Mask | None = None) -> list[Hit]:
        """The n children with the best BM25 score; with `mask`, of those in it and by their statistics alone."""
        rows, scores = self._postings.top(tokens(query), self._mask if mask is None else mask, n)
        return self._hits(rows.tolist(), scores.tolist())

    def _hits(self, rows: Sequence[int], scores: Sequence[float]) -> list[Hit]:
        children = [self.children[row] for row in rows]
        return [
            Hit(row, "", child.passage, child.start, child.end, score)
            for row, child, score in zip(rows, children, scores, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _WordPieces:
    """The encoder as the tokenizer that chunks are cut with: it counts its specials, cutting leaves them out."""

    encoder: Encoder
    specials: int

    def count(self, text: str) -> int:
        return self.encoder.count(text) - self.specials

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return self.encoder.offsets(text)


def children_of(passage: Passage, encoder: Encoder, settings: IngestSettings) -> list[Child]:
    """A passage's chunks, cut as the index cuts a section's; one without words has none."""
    if not passage.text.strip():
        return []
    section = passage.section or _section(passage)
    chunks = cut(section, passage.document, _WordPieces(encoder, encoder.count("")), settings, encoder.limit)
    return [Child(passage.id, chunk.embed_text, chunk.text, chunk.start, chunk.end) for chunk in chunks]


def _section(passage: Passage) -> Section:
    titles = tuple(title for title in passage.title.split(" > ") if title)
    text = passage.text
    return Section(None, passage.title, titles, titles, 1, None, 0, len(text), text, _elements(text))


def _elements(text: str) -> tuple[Element, ...]:
    """Paragraphs between blank lines."""
    found, at, line = [], 0, 1
    for part in text.split("\n\n"):
        start = at + len(part) - len(part.lstrip())
        end = at + len(part.rstrip())
        if end > start:
            found.append(Element(Kind.PARAGRAPH, start, end, line))
        line += part.count("\n") + 2
        at += len(part) + 2
    return tuple(found)
