"""Settings of the index floor; the sections `[encoder]`, `[store]` and `[index]` of caveat.toml."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ingest.settings import IngestSettings


class EncoderSettings(BaseModel):
    """Which model turns text into vectors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(
        "all-MiniLM-L6-v2",
        min_length=1,
        description="all-MiniLM-L6-v2 (from an installed package), a folder or hub name of a sentence-transformers "
        "model, or hash-384 (deterministic, without meaning: for tests and benchmarks).",
    )
    query_prefix: str = Field("", description='Put before each query, such as "query: ".')
    passage_prefix: str = Field("", description='Put before each chunk, such as "passage: ".')
    precision: Literal["fp32", "int8"] = Field(
        "fp32", description="Weights as trained, or as 8-bit integers: faster on some processors, a little less exact."
    )
    batch_tokens: int = Field(1024, ge=1, description="Encoded at a time, in WordPieces with padding.")
    threads: int = Field(0, ge=0, description="Threads of the runtime; 0 means one for each core.")
    token_vectors: bool = Field(
        True,
        description="Keep the vectors of all WordPieces for late interaction, some 22 kB a chunk; without them a "
        "search computes those of its candidates.",
    )
    token_vectors_limit: int = Field(
        20_000, ge=0, description="An index of more distinct chunks keeps no further token vectors."
    )


class StoreSettings(BaseModel):
    """Where vectors live."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str | None = Field(None, description="A Qdrant server; without it the embedded Qdrant Edge is used.")
    api_key_env: str = Field("QDRANT_API_KEY", description="Environment variable that holds the server's key.")


class IndexSettings(BaseModel):
    """How changes are guarded and how much is kept."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    removal_limit: float = Field(
        0.10, ge=0, le=1, description="Share of sections an edition may remove without --allow-removals."
    )
    keep_generations: int = Field(3, ge=1, description="Published generations kept on disk.")


@dataclass(frozen=True, slots=True)
class Settings:
    """All that an index run depends on besides the handbook."""

    ingest: IngestSettings = field(default_factory=IngestSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
