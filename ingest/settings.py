"""Settings of the reading floor; one section `[ingest]` of caveat.toml."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class IngestSettings(BaseModel):
    """How files are read and cut."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    timezone: str = Field("UTC", description="Time zone that decides which day it is.")
    child_min: int = Field(60, ge=1, description="Smallest child worth having alone, in WordPieces.")
    child_max: int = Field(120, ge=8, description="Largest child, in WordPieces.")
    window_overlap: int = Field(32, ge=0, description="Overlap of the windows of an over-long item, in WordPieces.")
    max_file_bytes: int = Field(20_000_000, ge=1, description="A larger file is refused.")
