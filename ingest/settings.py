"""Settings of the reading floor; one section `[ingest]` of caveat.toml."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

ImagePages = Literal["refuse", "ocr", "hi-res"]


class IngestSettings(BaseModel):
    """How files are read and cut."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    timezone: str = Field("UTC", description="Time zone that decides which day it is.")
    child_min: int = Field(60, ge=1, description="Smallest child worth having alone, in WordPieces.")
    child_max: int = Field(120, ge=8, description="Largest child, in WordPieces.")
    window_overlap: int = Field(32, ge=0, description="Overlap of the windows of an over-long item, in WordPieces.")
    max_file_bytes: int = Field(50_000_000, ge=1, description="A larger file is refused.")
    max_unzipped_bytes: int = Field(
        200_000_000, ge=1, description="A DOCX whose parts are larger than this, unzipped, is refused."
    )
    max_pages: int = Field(2_000, ge=1, description="A PDF of more pages is refused.")
    max_elements: int = Field(200_000, ge=1, description="A file of more paragraphs, items and rows is refused.")
    max_nesting: int = Field(200, ge=1, description="A file whose lists, tables or tags nest deeper is refused.")
    image_pages: ImagePages = Field(
        "refuse",
        description="What to do with a PDF's pages that are images without text. hi-res may fetch its models, once.",
    )
    read_seconds: int = Field(120, ge=1, description="A file that takes longer to read is refused.")
    read_memory_mb: int = Field(1_500, ge=256, description="Memory of each process that reads files, in MiB.")
