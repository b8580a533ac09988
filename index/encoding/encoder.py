"""What an encoder is, and how one is opened: exported once, then served without torch."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from index.encoding.exported import read_record
from index.encoding.hashing import HashEncoder, hash_dimension
from index.encoding.models import find_model, is_local
from index.settings import EncoderSettings
from ingest.errors import EncoderError

Progress = Callable[[int, int], None]
"""Called with (texts done, texts in all)."""
Keep = Callable[[int, NDArray[np.float32]], None]
"""Called once for each text with its position and the unit vectors of its pieces, `(n_pieces, piece_dim)`."""


class Encoder(Protocol):
    """Turns passages and queries into unit vectors; also the tokenizer that chunks are measured with."""

    fingerprint: str
    """Names weights, tokenizer, runtime, prefixes, pooling, limit and precision: equal only if vectors are."""
    dim: int
    limit: int
    """Pieces of the longest passage that is encoded whole, specials included, the passage prefix's share taken off."""

    def count(self, text: str) -> int:
        """Pieces of `text`, specials included: `text` is encoded whole if and only if count(text) <= limit."""
        ...

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span of each piece of `text`, half-open, without specials."""
        ...

    def encode_passages(
        self, texts: Sequence[str], progress: Progress | None = None, keep: Keep | None = None
    ) -> NDArray[np.float32]:
        """Unit rows, `(len(texts), dim)`, in the order of `texts`; what lies beyond `limit` is not read.

        `keep` gets what `token_vectors` would give for each text, from the same reading, in any order.
        """
        ...

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """A unit vector, `(dim,)`."""
        ...

    def query_truncated(self, text: str) -> bool:
        """Whether the end of the query, with its prefix, is not read."""
        ...

    def token_vectors(self, text: str) -> tuple[NDArray[np.float32], list[tuple[int, int]]]:
        """Unit vector of each piece that is read, `(n_pieces, piece_dim)`, and its character span in `text`."""
        ...

    def query_token_vectors(self, text: str) -> NDArray[np.float32]:
        """Unit vector of each piece of a query that is read, `(n_pieces, piece_dim)`."""
        ...


def encoder_key(settings: EncoderSettings) -> str:
    """Folder name of the export that `settings` need; prefixes, threads and batches share one export."""
    return hashlib.blake2b(f"{settings.model}\0{settings.precision}".encode(), digest_size=8).hexdigest()


def open_encoder(settings: EncoderSettings, folder: Path) -> Encoder:
    """Serve from the export in `folder`, without torch, transformers or sentence_transformers.

    Raises:
        EncoderError: nothing usable was exported to `folder`.
    """
    dim = hash_dimension(settings.model)
    if dim is not None:
        return HashEncoder(dim, query_prefix=settings.query_prefix, passage_prefix=settings.passage_prefix)
    # Imported here: commands that need no vectors start without the runtime's 0.2 seconds.
    from index.encoding.serving import ExportedEncoder

    return ExportedEncoder(settings, folder)


def prepare_encoder(settings: EncoderSettings, folder: Path) -> Encoder:
    """Export the model to `folder` unless that is done, and serve from there.

    A model in a package or folder is exported again when its files change; a hub's is asked for once.

    Raises:
        EncoderError: the model cannot be found, verified, read or exported.
    """
    if hash_dimension(settings.model) is None and not _is_exported(settings, folder):
        # Imported here: it leads to torch.
        from index.encoding.export import export_model

        export_model(find_model(settings.model), folder, settings.precision)
    return open_encoder(settings, folder)


def _is_exported(settings: EncoderSettings, folder: Path) -> bool:
    try:
        record = read_record(folder)
    except EncoderError:
        return False
    return not is_local(settings.model) or record.source == find_model(settings.model).digest
