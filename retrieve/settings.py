"""Settings of the search floor; the section `[retrieve]` of caveat.toml."""

from __future__ import annotations

from typing import Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Weights(NamedTuple):
    """The say of each stage in the order of the candidates."""

    first: float
    late: float
    cross: float


class RetrieveSettings(BaseModel):
    """How candidates are found, fused and turned into passages."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    k: int = Field(5, ge=1, le=100, description="Distinct passages returned.")
    chunk_candidates: int = Field(200, ge=1, description="Chunks taken from each of the dense and the BM25 list.")
    section_candidates: int = Field(20, ge=1, description="Sections kept after fusion.")
    fusion: Literal["rrf", "minmax"] = Field("rrf", description="Reciprocal rank fusion, or min-max score fusion.")
    rrf_k: int = Field(60, ge=1, description="The constant of reciprocal rank fusion (Cormack et al. 2009).")
    dense_weight: float = Field(1.0, ge=0, description="Weight of the dense list.")
    bm25_weight: float = Field(1.0, ge=0, description="Weight of the BM25 list.")
    passage: Literal["largest", "own"] = Field(
        "largest", description="Largest section around the hit that fits, or the hit's own section."
    )
    passage_tokens: int = Field(1200, ge=1, description="Limit of one passage, in o200k tokens.")
    budget_tokens: int = Field(6000, ge=1, description="Limit of all passages together, in o200k tokens.")
    max_links: int = Field(3, ge=0, description="Linked sections added at most.")
    low_confidence: float = Field(0.30, description="Below this confidence a result is marked low_confidence.")
    reranker: str = Field(
        "late",
        min_length=1,
        description="Who reads the candidates again: late (late interaction over the index's encoder), none, or late "
        "and a cross-encoder: bundled, the hub name or folder of a sentence-transformers CrossEncoder, or a folder "
        "that `python -m eval.training export` wrote.",
    )
    first_weight: float = Field(
        0.5,
        ge=0,
        description="Weight of the fused score beside the rerankers', all scaled to 0..1 over the candidates.",
    )
    late_weight: float = Field(0.5, ge=0, description="Weight of late interaction; 0 switches it off.")
    cross_weight: float = Field(0.5, ge=0, description="Weight of the cross-encoder; 0 switches it off.")
    max_query_chars: int = Field(10_000, ge=1, description="A longer query is refused, in characters.")

    @property
    def weights(self) -> Weights:
        """What each stage weighs; 0 for one that `reranker` leaves out."""
        late = self.reranker != "none"
        cross = self.reranker not in ("none", "late")
        return Weights(self.first_weight, late * self.late_weight, cross * self.cross_weight)

    @model_validator(mode="after")
    def _some_list_counts(self) -> Self:
        if not self.dense_weight and not self.bm25_weight:
            raise ValueError("dense_weight and bm25_weight are both 0: one of the two lists has to count")
        return self
