"""Which stage of a search lost a section that an answer needed, in the words of the reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from eval.retrievers.answer import Given
from eval.suites.question import Gold
from ingest.errors import QueryError
from retrieve.explain import Explanation
from retrieve.result import Result
from retrieve.retriever import Retriever

NOT_INDEXED: Final = "not in the index"
NOT_IN_FORCE: Final = "not in force"
NOT_A_CANDIDATE: Final = "not a candidate"
"""Neither list has it among as many sections as are kept after fusion."""
IN_FUSION: Final = "lost in fusion"
"""One list has it among them, the fused list does not."""
IN_RERANKING: Final = "lost in rerank"
"""Among the first k of the fused list, and no longer after reranking."""
BEYOND_K: Final = "beyond k"
"""A candidate that was never among the first k."""
BY_BUDGET: Final = "cut by budget"
OMITTED: Final = "left out of its passage"
"""A subsection that did not fit the limit of a passage."""

_PLAIN: Final[Mapping[str, str]] = {
    "not-in-force": NOT_IN_FORCE,
    "not-found": NOT_A_CANDIDATE,
    "over-budget": BY_BUDGET,
    "omitted": OMITTED,
}


def losses(
    retriever: Retriever, result: Result, gold: Iterable[Gold], given: Iterable[Given], k: int
) -> dict[str, str]:
    """Of each gold section that no passage covers: the stage that lost it."""
    covered = frozenset[str]().union(*(one.covers for one in given))
    missing = [one for one in gold if one.id not in covered and not one.twins & covered]
    return {one.id: stage_of(retriever, result, one.id, k) for one in missing}


def stage_of(retriever: Retriever, result: Result, section: str, k: int) -> str:
    """The stage of this search that lost a section."""
    try:
        found = retriever.why(result, section)
    except QueryError:
        return NOT_INDEXED
    candidates = len(result.trace.ranked) if result.trace else 0
    if not result.passages:
        return NOT_IN_FORCE
    lists = (found.dense_rank, retriever.settings.dense_weight), (found.bm25_rank, retriever.settings.bm25_weight)
    # A list without weight takes no part in the fusion, and loses nothing there.
    near = any(rank is not None and rank <= candidates and weight for rank, weight in lists)
    return _stage(found, k, near=near, reranked=result.reranked)


def _stage(found: Explanation, k: int, *, near: bool, reranked: bool) -> str:
    """Where a section was lost; `near`: a list that counts has it among as many sections as are kept."""
    if found.outcome == "beyond-candidates":
        return IN_FUSION if near else NOT_A_CANDIDATE
    if found.outcome == "beyond-k":
        return IN_RERANKING if reranked and (found.fused_rank or 0) <= k else BEYOND_K
    # What says the same as a passage is lost only where that passage fell to the budget.
    return BY_BUDGET if found.outcome == "collapsed" else _PLAIN.get(found.outcome, found.outcome)
