"""A folder with an exported cross-encoder: files pinned by digest, checked whenever they are loaded (35 ms)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from index.encoding.models import file_digest
from ingest.errors import EncoderError

if TYPE_CHECKING:
    from retrieve.reranking.onnx import OnnxReranker

PINS: Final = "sha256.json"
"""File in such a folder: {"file name": "sha256 in hexadecimal digits"}."""
_FIX: Final = (
    'install or export it again (python -m eval.training export), or set retrieve.reranker = "late" to do without it'
)


def is_exported(folder: Path) -> bool:
    """Whether a folder is one that `python -m eval.training export` wrote."""
    return (folder / PINS).is_file()


def open_exported(folder: Path, threads: int = 0) -> OnnxReranker:
    """The cross-encoder in a folder, whole and as it was written.

    Raises:
        EncoderError: a file is missing, damaged or another one.
    """
    for name, wanted in pins(folder).items():
        found = _digest(folder / name)
        if found != wanted:
            raise EncoderError(f"the file has sha256 {found}", where=str(folder / name), allowed=wanted, fix=_FIX)
    # Imported here: the runtime takes 0.2 seconds.
    from retrieve.reranking.onnx import OnnxReranker

    return OnnxReranker(folder, threads)


def pins(folder: Path) -> dict[str, str]:
    """The digests by file name.

    Raises:
        EncoderError: they are missing or unreadable.
    """
    try:
        told = json.loads((folder / PINS).read_text(encoding="utf-8"))
        return {str(name): str(digest) for name, digest in told.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise EncoderError(f"no exported cross-encoder ({error})", where=str(folder / PINS), fix=_FIX) from error


def pin(folder: Path) -> None:
    """Note the digests of model and tokenizer in `folder`."""
    from retrieve.reranking.onnx import GRAPH, TOKENIZER

    told = {name: file_digest(folder / name) for name in (GRAPH, TOKENIZER)}
    (folder / PINS).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    try:
        return file_digest(path)
    except OSError as error:
        raise EncoderError("a file of the cross-encoder is missing", where=str(path), fix=_FIX) from error
