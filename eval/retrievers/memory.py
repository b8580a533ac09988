"""The pipeline over passages in memory: the same chunks, lists, fusion and second readers; no links, no growing.

For corpora that are no handbook, and for a handbook whose dates are not looked at: all versions of all editions, as an
index holds them that knows no days.

    prepared = Prepared(held_of_policy(policy), encoder, vectors)
    Memory("no date filter", prepared, RetrieveSettings(), dated=False).answer(question, 5)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter

import numpy as np

from eval.retrievers.answer import Answer, Given
from eval.retrievers.firststage import FirstStage
from eval.retrievers.losses import BEYOND_K, IN_FUSION, IN_RERANKING, NOT_A_CANDIDATE, NOT_IN_FORCE, NOT_INDEXED
from eval.retrievers.pipeline import code_digest, counted, runtime, settings_told
from eval.suites.held import Held, Version, all_texts
from eval.suites.question import Gold, Question
from index.digests import digest
from index.encoding.embeddings import EmbeddingCache
from index.encoding.encoder import Encoder, Progress
from index.encoding.tokenstore import TokenStore, TokenStoreWriter
from index.encoding.tokenvectors import TokenVectors
from index.lexical.bm25 import Mask
from index.view import Hit
from ingest.dates import FOREVER_DAY, UNKNOWN_DAY, Day, parse_day, show_day
from ingest.settings import IngestSettings
from retrieve.reranking.choosing import cross_encoder
from retrieve.reranking.late import LateInteraction
from retrieve.reranking.reranker import Reranker
from retrieve.reranking.stages import Stages
from retrieve.search import Clockwork, best_children, fused
from retrieve.settings import RetrieveSettings
from retrieve.trace import SectionKey, Trace


class Prepared:
    """Passages with all that is worked out once: chunks, vectors, postings, token vectors. Contenders share it."""

    def __init__(
        self,
        held: Held,
        encoder: Encoder,
        vectors: EmbeddingCache,
        *,
        tokens: Path | None = None,
        ingest: IngestSettings | None = None,
        progress: Progress | None = None,
    ):
        """Cut and encode.

        Args:
            held: What is searched.
            encoder: Makes all vectors.
            vectors: Where those of whole chunks are kept.
            tokens: Folder in which those of their pieces are kept; None: they are computed when first needed, and
                remembered as long as this lives.
            ingest: How sections are cut.
            progress: Called with (texts encoded, texts to encode).
        """
        self.held, self.encoder = held, encoder
        writer = TokenStoreWriter(tokens, encoder.fingerprint) if tokens else None
        passages = [version.passage for version in held.versions]
        self.stage = FirstStage(passages, encoder, vectors, None, progress, ingest, writer)
        kept = TokenStore.open(tokens, encoder.fingerprint) if tokens and self.stage.children else None
        self.tokens = TokenVectors(encoder, kept, remembered=len(self.stage.children) + 1)
        self.versions = {version.passage.id: version for version in held.versions}
        cut_by = (ingest or IngestSettings()).model_dump_json()
        self.basis = digest([encoder.fingerprint, cut_by, code_digest(), *runtime(), *all_texts(held)])
        self.mask = lru_cache(maxsize=16)(self._mask)

    def _mask(self, day: Day) -> Mask:
        """`(n_children,)`: which chunks are of passages in force."""
        there = self.held.in_force(day)
        return np.array([child.passage in there for child in self.stage.children], dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Memory:
    """One way of searching them."""

    name: str
    prepared: Prepared
    settings: RetrieveSettings
    dated: bool = True
    """Whether only what is in force on a question's day is searched; a question without a day gets everything."""
    reranker: Reranker | None = None
    """Takes the place of the cross-encoder that the settings name."""
    mark: str = ""
    """Names that reranker in the key."""

    @property
    def key(self) -> str:
        """All that its answers depend on besides the question."""
        return digest([self.prepared.basis, *settings_told(self.settings), str(self.dated), self.mark])

    def answer(self, question: Question, k: int) -> Answer:
        """The best k passages, each a section's own text; identical texts of a handbook count once.

        Raises:
            ConfigError: the cross-encoder that the settings name cannot be loaded.
            EncoderError: it is damaged.
        """
        start, clock = perf_counter(), Clockwork()
        day = parse_day(question.as_of) if question.as_of else None
        mask = self.prepared.mask(day) if self.dated and day is not None else None
        dense, trace = self._search(question.query, k, mask, clock)
        found = tuple(self._passages(trace, day))[:k]
        total = (perf_counter() - start) * 1000
        confidence = max((hit.score for hit in dense), default=None)
        return Answer(
            found,
            (),
            confidence,
            None if confidence is None else confidence < self.settings.low_confidence or not found,
            {**{name: round(spent, 3) for name, spent in clock.spent.items()}, "total": round(total, 3)},
            dict(self._lost(question.gold, found, trace, day, k)),
        )

    def _search(self, query: str, k: int, mask: Mask | None, clock: Clockwork) -> tuple[list[Hit], Trace]:
        """The dense list and all rankings; a list of no weight is not made."""
        settings, stage, dense, bm25 = self.settings, self.prepared.stage, list[Hit](), list[Hit]()
        if settings.dense_weight:
            with clock.stage("encode"):
                vector = self.prepared.encoder.encode_query(query)
            with clock.stage("dense"):
                dense = stage.dense(vector, settings.chunk_candidates, mask)
        if settings.bm25_weight:
            with clock.stage("bm25"):
                bm25 = stage.keywords(query, settings.chunk_candidates, mask)
        trace, stages = fused(dense, bm25, settings, k), self._stages()
        if stages and trace.ranked:
            best = best_children(dense, bm25, [entry.key for entry in trace.ranked])
            texts = {key: [stage.children[hit.point].text for hit in hits] for key, hits in best.items()}
            with clock.stage("rerank"):
                trace, _ = stages.rerank(query, texts, trace, clock.stage)
        return dense, trace

    def _stages(self) -> Stages:
        weights = self.settings.weights
        if self.reranker:
            weights = weights._replace(cross=self.settings.cross_weight)
        late = LateInteraction(self.prepared.tokens) if weights.late else None
        if not weights.cross:
            return Stages(weights, late)
        return Stages(weights, late, self.reranker or _cross(self.settings.reranker), self.settings.reranker)

    def _passages(self, trace: Trace, day: Day | None) -> Iterator[Given]:
        """Candidates as passages, in their order."""
        there, shared = self._in_force(day), self.prepared.held.shared
        versions = [self.prepared.versions[entry.key.section_id] for entry in trace.ranked]
        by_text: dict[str, list[Version]] = {}
        for version in versions:
            by_text.setdefault(version.passage.text if shared else version.address, []).append(version)
        for same in by_text.values():
            passage = same[0].passage
            covers = frozenset(one.address for one in same if there is None or one.passage.id in there)
            since, until = (UNKNOWN_DAY, FOREVER_DAY) if shared else (passage.valid_from, passage.valid_to)
            yield Given(
                same[0].address,
                (passage.text,),
                covers,
                show_day(since),
                show_day(until),
                counted(passage.text),
            )

    def _in_force(self, day: Day | None) -> frozenset[str] | None:
        return self.prepared.held.in_force(day) if day is not None else None

    def _lost(
        self, gold: tuple[Gold, ...], found: tuple[Given, ...], trace: Trace, day: Day | None, k: int
    ) -> Iterator[tuple[str, str]]:
        """Of each gold section that did not come back: the stage that lost it."""
        covered = frozenset[str]().union(*(one.covers for one in found))
        for one in gold:
            if one.id not in covered and not one.twins & covered:
                yield one.id, self._stage_of(one.id, trace, day, k)

    def _stage_of(self, address: str, trace: Trace, day: Day | None, k: int) -> str:
        versions = [version.passage.id for version in self.prepared.held.versions if version.address == address]
        there = self._in_force(day)
        current = [name for name in versions if there is None or name in there]
        if not current:
            return NOT_IN_FORCE if versions else NOT_INDEXED
        key = SectionKey("", current[0])
        ranks = [{entry.key: entry.rank for entry in ranking}.get(key) for ranking in (trace.dense, trace.bm25)]
        if key not in {entry.key for entry in trace.ranked}:
            near = any(rank is not None and rank <= len(trace.ranked) for rank in ranks)
            return IN_FUSION if near else NOT_A_CANDIDATE
        first = next((entry.rank for entry in trace.fused if entry.key == key), k + 1)
        return IN_RERANKING if trace.rerank and first <= k else BEYOND_K


@lru_cache(maxsize=2)
def _cross(named: str) -> Reranker:
    return cross_encoder(named)
