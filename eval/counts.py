"""`caveat stats`: how much is indexed, and how much room it takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.surroundings import Surroundings
from index.snapshot import Snapshot
from index.state import State
from ingest.dates import show_day, show_instant


@dataclass(frozen=True, slots=True)
class Counts:
    """Sizes of one state folder; "in force" is on `as_of`."""

    handbook: str | None
    generation: int
    recorded: str | None
    as_of: str | None
    documents_in_force: int
    sections_in_force: int
    tokens_in_force: int
    """o200k tokens of all sections in force."""
    documents: int
    versions: int
    """Rows of belief about sections and documents, those that no longer hold included."""
    chunks: int
    encoder: str
    dim: int
    history_bytes: int
    cache_bytes: int
    generations_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


def counts(around: Surroundings) -> Counts:
    """Count what is published in the state folder.

    Raises:
        StateError: nothing was indexed there, or it is damaged.
    """
    state, snapshot = State(around.state), Snapshot.open(around.state)
    view, owner, manifest = snapshot.view(around.today), state.owner(), snapshot.manifest
    versions = [placed.version for doc_id in view.documents() for placed in view.sections(doc_id)]
    return Counts(
        handbook=owner.absolute if owner else None,
        generation=snapshot.generation,
        recorded=show_instant(snapshot.recorded),
        as_of=show_day(around.today),
        documents_in_force=len(view.documents()),
        # The preamble before the first heading is not what a reader calls a section.
        sections_in_force=sum(version.level > 0 for version in versions),
        tokens_in_force=sum(version.tokens for version in versions),
        documents=len(snapshot.known_documents()),
        versions=manifest.rows,
        chunks=manifest.points,
        encoder=manifest.encoder.model,
        dim=manifest.dim,
        history_bytes=_size(state.catalog.parent.rglob("*")),
        cache_bytes=_size(state.embeddings.parent.rglob("*")),
        generations_bytes=_size(state.generations.rglob("*")),
    )


def _size(paths: Iterable[Path]) -> int:
    """Bytes on the disk: the engine preallocates files that are mostly holes, 98 MB for a few chunks."""
    return sum(path.stat().st_blocks * 512 for path in paths if path.is_file())
