"""What a night's answers depend on, one by one, so that two nights can be told apart; and how the index is."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib import metadata
from typing import Final

from eval.checkup import checkup
from eval.config import Config
from eval.counts import counts
from eval.retrievers.pipeline import LIBRARIES, code_digest
from eval.surroundings import Surroundings
from index.generation.manifest import Manifest
from index.state import State

_NOT_ANSWERS: Final = ("threads", "batch_tokens", "token_vectors", "token_vectors_limit", "api_key_env", "timezone")
"""Settings that change how fast, where or when, but no answer."""
_FLOORS: Final = ("ingest", "encoder", "store", "retrieve")
MACHINE: Final = "machine"
"""How names of settings begin that change times alone."""


def settings_of(around: Surroundings) -> dict[str, str]:
    """Settings, encoder, libraries and machine by name: "retrieve.k": "5", "library onnxruntime": "1.23.0".

    Raises:
        StateError: nothing was indexed yet.
    """
    state = State(around.state)
    manifest = Manifest.load(state.generation(state.must_be_published()))
    return dict(
        sorted(
            [
                *_configured(around.config),
                *_indexed(manifest),
                *((f"library {name}", metadata.version(name)) for name in LIBRARIES),
                ("library caveat", f"{metadata.version('caveat')} (code {code_digest()[:10]})"),
                ("library python", platform.python_version()),
                (f"{MACHINE} processor", f"{platform.machine()}, {os.cpu_count()} cores"),
            ]
        )
    )


def _configured(config: Config) -> Iterator[tuple[str, str]]:
    for floor in _FLOORS:
        for name, value in getattr(config, floor).model_dump(mode="json").items():
            # The encoder's own are those of the index, below: what caveat.toml says may not be indexed yet.
            if name not in _NOT_ANSWERS and floor != "encoder":
                yield f"{floor}.{name}", str(value)


def _indexed(manifest: Manifest) -> Iterator[tuple[str, str]]:
    for name, value in manifest.encoder.model_dump(mode="json").items():
        if name not in _NOT_ANSWERS:
            yield f"encoder.{name}", str(value)
    yield "encoder fingerprint", manifest.encoder_fingerprint[:16]
    yield "chunking", manifest.recipe[:16]


def configuration_digest(settings: Mapping[str, str]) -> str:
    """One digest of all that answers depend on; the machine is left out."""
    told = sorted((name, value) for name, value in settings.items() if not name.startswith(MACHINE))
    return blake2b(repr(told).encode(), digest_size=8).hexdigest()


def health_of(around: Surroundings, refused: int) -> dict[str, str]:
    """How the index is, for people.

    Raises:
        StateError: nothing was indexed yet.
    """
    found, parts = counts(around), checkup(around)
    wrong = [f"{one.part}: {one.message}" for one in parts if one.verdict != "good"]
    room = shutil.disk_usage(around.state)
    return {
        "generation": f"{found.generation}, recorded {found.recorded}",
        "in force": f"{found.documents_in_force:,} documents, {found.sections_in_force:,} sections on {found.as_of}",
        "chunks": f"{found.chunks:,}",
        "refused files": str(refused),
        "doctor": "; ".join(wrong) or "nothing to mend",
        "on disk": f"{(found.history_bytes + found.cache_bytes + found.generations_bytes) / 1e6:,.1f} MB",
        "room left": f"{room.free / 1e9:,.1f} GB",
    }
