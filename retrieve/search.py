"""One search in one view: two lists, one fusion, an optional second reading, the candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from retrieve import fusion
from retrieve.library import Library
from retrieve.passages import Candidate
from retrieve.reranking.stages import Stages
from retrieve.result import Reranking, Scores
from retrieve.settings import RetrieveSettings
from retrieve.trace import SectionKey, Trace

if TYPE_CHECKING:
    from index.encoding.encoder import Encoder
    from index.snapshot import Hit

CHILDREN = 2
"""Best children of a section that are kept as its matches and read by the reranker."""
Children = Mapping[SectionKey, Sequence["Hit"]]
_CHILD_K = 60
STAGES = ("encode", "dense", "bm25", "late", "cross", "rerank")
"""late and cross are part of rerank."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched, and how many distinct passages are wanted."""

    query: str
    k: int
    documents: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Lists:
    """Chunks by cosine and by BM25, best first; not slotted, so that many orders reduce them once."""

    dense: Sequence[Hit]
    bm25: Sequence[Hit]
    query_truncated: bool

    @cached_property
    def sections(self) -> tuple[fusion.Ranking, fusion.Ranking]:
        """Both lists reduced to sections."""
        return fusion.reduce_to_sections(self.dense), fusion.reduce_to_sections(self.bm25)


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates, best first, and how they came about."""

    candidates: tuple[Candidate, ...]
    trace: Trace
    confidence: float | None
    query_truncated: bool
    latency_ms: Mapping[str, float]
    reranking: Reranking | None = None


class Clockwork:
    """Milliseconds of each stage."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(STAGES, 0.0)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time inside to the stage."""
        start = perf_counter()
        yield
        self.spent[name] += (perf_counter() - start) * 1000


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches views with one encoder, one set of settings and, where there are some, second readers."""

    encoder: Encoder
    settings: RetrieveSettings
    stages: Stages

    def search(self, question: Question, library: Library) -> Found:
        """Candidates from dense and BM25 chunks, reduced to sections before they are fused."""
        clock = Clockwork()
        return self.ordered(question, self.lists(question, library, clock), library, clock)

    def lists(self, question: Question, library: Library, clock: Clockwork) -> Lists:
        """The chunks that both lists hold; of the settings, only `chunk_candidates` has a say."""
        view, wanted = library.view, self.settings.chunk_candidates
        with clock.stage("encode"):
            vector = self.encoder.encode_query(question.query)
        with clock.stage("dense"):
            dense = view.dense(vector, wanted, question.documents)
        with clock.stage("bm25"):
            bm25 = view.keywords(question.query, wanted, question.documents)
        return Lists(dense, bm25, self.encoder.query_truncated(question.query))

    def ordered(self, question: Question, lists: Lists, library: Library, clock: Clockwork) -> Found:
        """The candidates that the lists hold, fused and read again."""
        view = library.view
        trace = fused_sections(*lists.sections, self.settings, question.k)
        children = best_children(lists.dense, lists.bm25, [entry.key for entry in trace.ranked])
        reranking = None
        if self.stages and trace.ranked:
            with clock.stage("rerank"):
                texts = {entry.key: view.texts(children[entry.key]) for entry in trace.ranked}
                trace, reranking = self.stages.rerank(question.query, texts, trace, clock.stage)
        return Found(
            tuple(_candidates(trace, children)),
            trace,
            max((hit.score for hit in lists.dense), default=None),
            lists.query_truncated,
            {name: round(spent, 3) for name, spent in clock.spent.items()},
            reranking,
        )


def fused(dense: Sequence[Hit], bm25: Sequence[Hit], settings: RetrieveSettings, k: int) -> Trace:
    """Both lists of chunks reduced to sections and fused; at least k sections are ranked, if there are so many."""
    return fused_sections(fusion.reduce_to_sections(dense), fusion.reduce_to_sections(bm25), settings, k)


def fused_sections(dense: fusion.Ranking, bm25: fusion.Ranking, settings: RetrieveSettings, k: int) -> Trace:
    """Both lists of sections fused."""
    lists = dense, bm25
    weighted = list(zip(lists, (settings.dense_weight, settings.bm25_weight), strict=True))
    found = fusion.rrf(weighted, settings.rrf_k) if settings.fusion == "rrf" else fusion.minmax(weighted)
    return Trace(*lists, fused=found, ranked=found[: max(settings.section_candidates, k)])


def best_children(dense: Sequence[Hit], bm25: Sequence[Hit], sections: Sequence[SectionKey]) -> Children:
    """The best children of each of the sections, by their ranks in both lists, ties by id."""
    found: dict[tuple[str, str], dict[int, tuple[float, Hit]]] = {key: {} for key in sections}
    for hits in (dense, bm25):
        for rank, hit in enumerate(hits, 1):
            there = found.get((hit.doc_id, hit.section_id))
            if there is not None:
                worth = there[hit.point][0] if hit.point in there else 0.0
                there[hit.point] = worth + 1 / (_CHILD_K + rank), hit
    return {key: _best(found[key].values()) for key in sections}


def _best(weighed: Iterable[tuple[float, Hit]]) -> list[Hit]:
    return [hit for _, hit in sorted(weighed, key=lambda pair: (-pair[0], pair[1].point))[:CHILDREN]]


def _candidates(trace: Trace, children: Children) -> Iterator[Candidate]:
    dense, bm25 = ({entry.key: entry.rank for entry in ranking} for ranking in (trace.dense, trace.bm25))
    scored = [
        {entry.key: entry.score for entry in ranking}
        for ranking in (trace.fused, trace.late, trace.cross, trace.rerank)
    ]
    for entry in trace.ranked:
        key = entry.key
        scores = Scores(dense.get(key), bm25.get(key), *(by_key.get(key) for by_key in scored))
        yield Candidate(key, scores, tuple((hit.start, hit.end) for hit in children[key]))
