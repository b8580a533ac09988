"""How one answer came about, as a value: nothing here is written anywhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


class SectionKey(NamedTuple):
    """Identity of a section across its versions; its order breaks ties."""

    doc_id: str
    section_id: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """One section in one list, with its best chunk there."""

    key: SectionKey
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Trace:
    """Each step's ranking, best first, and what became of the passages."""

    dense: tuple[Ranked, ...] = ()
    bm25: tuple[Ranked, ...] = ()
    fused: tuple[Ranked, ...] = ()
    """All sections of both lists, before the cut to the candidates."""
    ranked: tuple[Ranked, ...] = ()
    """The candidates in their final order: fused, or blended with the reranker's score."""
    rerank: tuple[Ranked, ...] = ()
    """The candidates by the reranker's score alone; empty where not reranked."""
    placed: tuple[tuple[SectionKey, str, str], ...] = ()
    """What became of each candidate: its key, a word (returned, merged, also-in, dropped, cut) and an address."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)
