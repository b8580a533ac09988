"""What retrieval returns: frozen values that name every section, its dates and why it is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from retrieve.prompt import render
from retrieve.trace import Trace


@dataclass(frozen=True, slots=True)
class Match:
    """One searched chunk that brought a passage: `passage.text[start:end] == chunk`."""

    chunk: str
    start: int
    end: int

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a result."""
        return {"chunk": self.chunk, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Scores:
    """Where the best section of a passage stood; ranks count sections from 1, None means not in that list."""

    dense_rank: int | None = None
    bm25_rank: int | None = None
    fused: float | None = None
    late: float | None = None
    """Mean over the question's pieces of the best cosine among the section's, -1 to 1."""
    cross: float | None = None
    """The cross-encoder's own score; of any scale."""
    rerank: float | None = None
    """The three blended, 0 to 1 among these candidates; None where not reranked."""

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a result."""
        return {
            "dense_rank": self.dense_rank,
            "bm25_rank": self.bm25_rank,
            "fused": self.fused,
            "late": self.late,
            "cross": self.cross,
            "rerank": self.rerank,
        }


@dataclass(frozen=True, slots=True)
class Reranking:
    """Who read the candidates again, and what was not as it should be."""

    weights: Mapping[str, float]
    """Of first, late and cross."""
    model: str | None = None
    """The cross-encoder, where one took part."""
    late_computed: int = 0
    """Texts whose token vectors were computed for this search because they are not kept."""
    cross_unread: int = 0
    """Pairs of question and text that are longer than the cross-encoder reads."""

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a result."""
        return {
            "weights": dict(self.weights),
            "model": self.model,
            "late_computed": self.late_computed,
            "cross_unread": self.cross_unread,
        }


@dataclass(frozen=True, slots=True)
class Via:
    """The link that brought a section which was not found by itself."""

    relation: str
    """limits, condition, definition or reference."""
    source: str
    """Address of the section that holds the phrase."""
    target: str
    """Address of the section that the phrase points at."""
    phrase: str
    """As written: "except as provided in 9.1(b)"."""

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a result."""
        return {"relation": self.relation, "source": self.source, "target": self.target, "phrase": self.phrase}


@dataclass(frozen=True, slots=True)
class Part:
    """One section inside a passage: its own text is `passage.text[start:end]`."""

    address: str
    section: str | None
    start: int
    end: int
    effective_from: str | None
    superseded_at: str | None


@dataclass(frozen=True, slots=True)
class Passage:
    """Whole sections, verbatim, in force on the day that was asked about."""

    rank: int
    doc_id: str
    section: str | None
    """Number of the outermost section, where it has one."""
    address: str
    path: tuple[str, ...]
    text: str
    inherits: tuple[str, ...] = ()
    """For each ancestor, outermost first, the words just before its first child."""
    omitted: tuple[str, ...] = ()
    """Addresses of the subsections that did not fit."""
    also_in: tuple[str, ...] = ()
    """Addresses of sections with the same text under the same lead-ins."""
    effective_from: str | None = None
    """ISO day since which all of this text is in force; None: since unknown."""
    superseded_at: str | None = None
    """ISO day on which a part of this text ends; None: no end known."""
    page: int | None = None
    matches: tuple[Match, ...] = ()
    scores: Scores = Scores()
    via: Via | None = None
    parts: tuple[Part, ...] = ()
    """The sections inside, in order; not in the JSON."""

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a result."""
        return {
            "rank": self.rank,
            "doc_id": self.doc_id,
            "section": self.section,
            "address": self.address,
            "path": list(self.path),
            "text": self.text,
            "inherits": list(self.inherits),
            "omitted": list(self.omitted),
            "also_in": list(self.also_in),
            "effective_from": self.effective_from,
            "superseded_at": self.superseded_at,
            "page": self.page,
            "matches": [match.to_dict() for match in self.matches],
            "scores": self.scores.to_dict(),
            "via": self.via.to_dict() if self.via else None,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one query: iterates over its passages, best first.

    It is never empty because of a threshold; where `passages` is empty, `reason` says why.
    """

    query: str
    as_of: str
    known_at: str | None
    generation: int
    future: bool
    reranked: bool
    confidence: float | None
    """Best dense cosine; None without a passage."""
    low_confidence: bool
    reason: str | None
    passages: tuple[Passage, ...]
    linked: tuple[Passage, ...] = ()
    dropped_for_budget: tuple[str, ...] = ()
    """Addresses of the passages that the total budget left out, best first."""
    query_truncated: bool = False
    latency_ms: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds of encode, dense, bm25 and rerank; those of late and cross are part of rerank."""
    reranking: Reranking | None = None
    """How it was reranked; None where it was not."""
    trace: Trace | None = None
    """How the passages were found; not in the JSON."""

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    def __len__(self) -> int:
        return len(self.passages)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `caveat search --json` and of the MCP tool."""
        return {
            "query": self.query,
            "as_of": self.as_of,
            "known_at": self.known_at,
            "generation": self.generation,
            "future": self.future,
            "reranked": self.reranked,
            "confidence": self.confidence,
            "low_confidence": self.low_confidence,
            "reason": self.reason,
            "passages": [passage.to_dict() for passage in self.passages],
            "linked": [passage.to_dict() for passage in self.linked],
            "dropped_for_budget": list(self.dropped_for_budget),
            "query_truncated": self.query_truncated,
            "latency_ms": dict(self.latency_ms),
            "reranking": self.reranking.to_dict() if self.reranking else None,
        }

    def as_prompt(self, budget: int | None = None) -> str:
        """The passages as delimited data for a model's context, at most `budget` o200k tokens.

        Whole passages are left out from the end, linked ones first, and named; rank 1 is always whole.
        """
        return render(self, budget)
