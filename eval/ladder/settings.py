"""The settings of the rungs: those in force, with one thing after the other switched off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from retrieve.settings import RetrieveSettings

BM25: Final = "sections, BM25 only"
DENSE: Final = "sections, dense only"
FUSED: Final = {"rrf": "sections, RRF", "minmax": "sections, min-max"}
RERANKED: Final = "+ rerank"
LINKED: Final = "+ links"


@dataclass(frozen=True, slots=True)
class Setting:
    """One rung's settings, and the rung before it."""

    name: str
    settings: RetrieveSettings | None
    """None: not applicable."""
    after: str | None
    why_not: str = ""


def settings_of_rungs(full: RetrieveSettings, after: str | None = None) -> Iterator[Setting]:
    """BM25 alone, vectors alone, both kinds of fusion, the second readers, and the links: all else as configured.

    Args:
        full: The settings in force.
        after: The rung before the first two.
    """
    first = full.model_copy(update={"reranker": "none", "max_links": 0})
    other = next(name for name in FUSED if name != full.fusion)
    yield Setting(BM25, first.model_copy(update={"dense_weight": 0.0, "bm25_weight": 1.0}), after)
    yield Setting(DENSE, first.model_copy(update={"dense_weight": 1.0, "bm25_weight": 0.0}), after)
    # The one in force comes last, so that each rung stands on the one above it.
    yield Setting(FUSED[other], first.model_copy(update={"fusion": other}), DENSE)
    yield Setting(FUSED[full.fusion], first, FUSED[other])
    linkless = full.model_copy(update={"max_links": 0})
    if any(full.weights[1:]):
        yield Setting(RERANKED, linkless, FUSED[full.fusion])
    else:
        yield Setting(RERANKED, None, None, 'retrieve.reranker = "none"')
    if full.max_links:
        yield Setting(LINKED, full, RERANKED if any(full.weights[1:]) else FUSED[full.fusion])
    else:
        yield Setting(LINKED, None, None, "retrieve.max_links = 0")
