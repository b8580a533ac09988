"""What can be tuned: a few values along a few axes, each a change of the settings in force.

Model, cutting and budget are no part of it: the first two want another index, the last is what a team can afford.
Steps are coarse: what lies between them differs by less than a hundred tickets can show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from retrieve.settings import RetrieveSettings

Change = Mapping[str, Any]
"""New values by key of `[retrieve]`."""

RATIOS: Final = (0.5, 1.0, 2.0)
"""Dense weight for a BM25 weight of 1; only the ratio decides an order."""
RRF_KS: Final = (10, 60)
CANDIDATES: Final = (10, 20, 40)
PASSAGES: Final = (3, 5, 8, 10)
PASSAGE_TOKENS: Final = (400, 800, 1200, 2000)
LINKS: Final = (0, 1, 2, 3, 5)
QUARTERS: Final = 4
"""Steps of a weight from 0 to 1."""
PAIRS_A_SECTION: Final = 2
"""Children that a reranker reads of each candidate."""
_COSTS: Final = {"late": 1.0, "cross": 30.0}
"""What reading a pair costs, as multiples of late interaction from kept vectors (design/reranking.md)."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Settings that are changed together, because one decides what another is worth."""

    name: str
    changes: tuple[Change, ...]


def axes(settings: RetrieveSettings, cut: int | None = None) -> tuple[Axis, ...]:
    """What to try around `settings`, in the order of the pipeline.

    Args:
        settings: A reranker that they leave out is not switched on: it may not be there.
        cut: Passages that the measure looks at; more of them are not asked for. None: it looks at all.
    """
    passages = [k for k in PASSAGES if cut is None or k <= cut] or [settings.k]
    found = [
        Axis("fusion", tuple(_fusions())),
        Axis("rerank", tuple(_blends(settings))),
        Axis("candidates", tuple({"section_candidates": n} for n in CANDIDATES)),
        Axis("k", tuple({"k": k} for k in passages)),
        Axis("passage", ({"passage": "own"}, *({"passage": "largest", "passage_tokens": n} for n in PASSAGE_TOKENS))),
        Axis("links", tuple({"max_links": n} for n in LINKS)),
    ]
    return tuple(axis for axis in found if axis.changes)


def _fusions() -> Iterator[Change]:
    for ratio in RATIOS:
        weights = {"dense_weight": ratio, "bm25_weight": 1.0}
        yield from ({"fusion": "rrf", "rrf_k": k, **weights} for k in RRF_KS)
        yield {"fusion": "minmax", **weights}


def _blends(settings: RetrieveSettings) -> Iterator[Change]:
    """Weights that add up to 1, in quarters; of the stages that the settings' reranker has."""
    if settings.reranker == "none":
        return
    cross = settings.reranker != "late"
    for late in range(QUARTERS + 1):
        for first in range(QUARTERS + 1 - late):
            rest = QUARTERS - late - first
            if cross or not rest:
                shares = {"first_weight": first / QUARTERS, "late_weight": late / QUARTERS}
                yield {**shares, "cross_weight": rest / QUARTERS} if cross else shares


def changed(settings: RetrieveSettings, change: Change) -> RetrieveSettings:
    """The settings with new values, validated."""
    return RetrieveSettings.model_validate({**settings.model_dump(), **change})


def difference(new: RetrieveSettings, old: RetrieveSettings) -> dict[str, Any]:
    """The keys in which they differ and matter, with their new values, in the order of the settings."""
    values = {name: value for name, value in new.model_dump().items() if value != getattr(old, name)}
    idle = {"rrf_k"} if new.fusion != "rrf" else set()
    idle |= {"passage_tokens"} if new.passage == "own" and not new.max_links else set()
    return {name: value for name, value in values.items() if name not in idle}


def work(settings: RetrieveSettings) -> float:
    """What reading the candidates again costs, in pairs that late interaction reads."""
    stages = zip(settings.weights._fields, settings.weights, strict=True)
    each = sum(_COSTS.get(stage, 0.0) for stage, weight in stages if weight)
    return settings.section_candidates * PAIRS_A_SECTION * each


def around(settings: RetrieveSettings, axis: Axis) -> list[RetrieveSettings]:
    """The settings themselves, then each change along the axis that makes others of them."""
    return distinct([settings, *(changed(settings, change) for change in axis.changes)])


def distinct(settings: Iterable[RetrieveSettings]) -> list[RetrieveSettings]:
    """Each once, in order."""
    return list(dict.fromkeys(settings))
