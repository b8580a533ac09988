"""Why a section was returned, or was not: its dates, its rank in each list, and where it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from retrieve.result import Passage, Result
from retrieve.trace import Ranked, SectionKey, Trace

Outcome = Literal[
    "returned",
    "merged",
    "collapsed",
    "linked",
    "omitted",
    "over-budget",
    "beyond-k",
    "beyond-candidates",
    "not-found",
    "filtered",
    "not-in-force",
]

_SCORED: Final = ("fused", "late", "cross", "rerank")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of one section in one search."""

    section: str
    """Its address."""
    outcome: Outcome
    why: str
    """The outcome in a sentence."""
    in_force: bool
    dense_rank: int | None = None
    """Among the sections of the dense list, from 1; None: not in it."""
    bm25_rank: int | None = None
    fused_rank: int | None = None
    fused: float | None = None
    late_rank: int | None = None
    late: float | None = None
    cross_rank: int | None = None
    cross: float | None = None
    rerank_rank: int | None = None
    rerank: float | None = None
    passage: str | None = None
    """Address of the passage that holds it, or would have."""
    rank: int | None = None
    """Rank of the passage, where it was returned."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Fate:
    """Where a section ended."""

    outcome: Outcome
    why: str
    passage: str | None = None
    rank: int | None = None


def not_in_force(address: str, day: str) -> Explanation:
    """Why a section that is not in force on the ISO `day` was not returned."""
    return Explanation(address, "not-in-force", f"not in force on {day}", False)


def left_out(address: str) -> Explanation:
    """Why a section in a document that was not asked for was not returned."""
    return Explanation(address, "filtered", "the document filter leaves its document out", True)


def explained(result: Result, key: SectionKey, address: str) -> Explanation:
    """Why the section in force was returned by this search, or was not."""
    trace = result.trace or Trace()
    entries = {name: _entry(getattr(trace, name), key) for name in ("dense", "bm25", *_SCORED)}
    fate = _fate(result, trace, key, address, entries["fused"])
    told: dict[str, Any] = {f"{name}_rank": entry.rank if entry else None for name, entry in entries.items()}
    told |= {name: entry.score if (entry := entries[name]) else None for name in _SCORED}
    return Explanation(address, fate.outcome, fate.why, True, passage=fate.passage, rank=fate.rank, **told)


def _entry(ranking: Iterable[Ranked], key: SectionKey) -> Ranked | None:
    return next((entry for entry in ranking if entry.key == key), None)


def _fate(result: Result, trace: Trace, key: SectionKey, address: str, fused: Ranked | None) -> Fate:
    shown = _shown(result.passages, address)
    if shown:
        return _returned(shown, address, fused)
    if linked := _shown(result.linked, address):
        return Fate("linked", f"followed a link: {linked.via.phrase if linked.via else ''}", linked.address)
    if holder := next((passage for passage in result.passages if address in passage.omitted), None):
        why = f"the passage {holder.address} names it in omitted: it did not fit the limit of a passage"
        return Fate("omitted", why, holder.address, holder.rank)
    return _left_out(result, trace, key, fused)


def _shown(passages: Iterable[Passage], address: str) -> Passage | None:
    return next((passage for passage in passages if any(part.address == address for part in passage.parts)), None)


def _returned(passage: Passage, address: str, fused: Ranked | None) -> Fate:
    if passage.address == address:
        return Fate("returned", f"passage {passage.rank}", passage.address, passage.rank)
    found = "it was found and" if fused else "it was not found itself, but"
    return Fate("merged", f"{found} stands in passage {passage.rank}, {passage.address}", passage.address, passage.rank)


def _left_out(result: Result, trace: Trace, key: SectionKey, fused: Ranked | None) -> Fate:
    placed = next(((word, passage) for known, word, passage in trace.placed if known == key), None)
    if placed is None and fused is None:
        return Fate("not-found", "none of its chunks is among the candidates of the dense or the BM25 list")
    if placed is None or fused is None:
        rank = fused.rank if fused else 0
        return Fate("beyond-candidates", f"fused rank {rank}, and only the first {len(trace.ranked)} are considered")
    word, passage = placed
    if word == "also-in":
        return Fate("collapsed", f"says the same as {passage}, which names it in also_in", passage)
    if passage in result.dropped_for_budget:
        return Fate("over-budget", f"its passage {passage} was dropped for the total budget", passage)
    final = _entry(trace.ranked, key)
    return Fate("beyond-k", f"rank {final.rank if final else '?'}: enough other passages came before", passage)
