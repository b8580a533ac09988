"""How one answer came about, as a value: nothing here is written anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

_LISTS: Final = ("dense", "bm25", "fused", "late", "cross", "rerank", "ranked")


class SectionKey(NamedTuple):
    """Identity of a section across its versions; its order breaks ties."""

    doc_id: str
    section_id: str


class Ranked(NamedTuple):
    """One section in one list; a few hundred are made for each query, so it is a cheap tuple."""

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
    """The candidates in their final order: fused, or blended with the rerankers' scores."""
    late: tuple[Ranked, ...] = ()
    """The candidates by late interaction alone; empty where it took no part."""
    cross: tuple[Ranked, ...] = ()
    """The candidates by the cross-encoder alone; empty where it took no part."""
    rerank: tuple[Ranked, ...] = ()
    """The candidates by the blended score; empty where not reranked."""
    placed: tuple[tuple[SectionKey, str, str], ...] = ()
    """What became of each candidate: its key, a word (returned, merged, also-in, dropped, cut) and an address."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        lists = {name: getattr(self, name) for name in _LISTS}
        return {
            **{name: [[*entry.key, entry.rank, entry.score] for entry in ranking] for name, ranking in lists.items()},
            "placed": [[*key, word, address] for key, word, address in self.placed],
        }
