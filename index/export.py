"""From a sentence-transformers model to ONNX: the one place that imports torch for the encoder."""

from __future__ import annotations

import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from index.exported import ExportRecord, write_record
from index.models import Source, file_digest
from index.serving import POOLED, TOKENS, load_graph, load_tokenizer, padded, unit
from ingest.errors import EncoderError

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

Precision = Literal["fp32", "int8"]

PARITY = 0.999
"""Least cosine between torch's vector and the exported graph's."""

_WORK = ".export-"

_SAMPLES = (
    "seat downgrade credit calculation table",
    "For Enterprise Annual plans, seat reductions must be submitted in writing at least 30 calendar days ahead.",
    "a",
    "credit_usd = (prior_seats - new_seats) * annual_seat_price * (days_remaining / 365) " * 40,
)


def export_model(source: Source, folder: Path, precision: Precision) -> ExportRecord:
    """Write graph, tokenizer and record of `source` into `folder`; what was there stays valid until all is written.

    Takes some ten seconds and imports torch and sentence_transformers.

    Raises:
        EncoderError: the model cannot be loaded, is of a kind that is not supported, does not give the same
            vectors after the export, or the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f"{_WORK}*"):
            shutil.rmtree(left)
        work = Path(tempfile.mkdtemp(prefix=_WORK, dir=folder))
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        with _quiet():
            record = _write(source, work, precision)
        for name in record.files:
            (work / name).replace(folder / name)
        write_record(folder, record)
    except OSError as error:
        raise _unwritable(folder, error) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return record


def _write(source: Source, work: Path, precision: Precision) -> ExportRecord:
    import torch

    model = _load(source)
    _save_tokenizer(model, work / "tokenizer.json")
    try:
        inputs = _trace(model, work / "graph.onnx")
    except torch.onnx.OnnxExporterError as error:
        raise EncoderError(f"torch cannot export the model ({error})", where=str(source.folder)) from error
    cosine = _parity(model, work, inputs)
    if not cosine >= PARITY:
        found = f"the exported graph's vectors differ from torch's (cosine {cosine:.4f})"
        raise EncoderError(found, where=str(source.folder), allowed=f">= {PARITY}")
    if precision == "int8":
        _quantize(work / "graph.onnx")
    return ExportRecord(
        model=source.name,
        source=source.digest,
        precision=precision,
        exporter=f"torch {torch.__version__}",
        dim=_dim(model),
        limit=_limit(model),
        inputs=inputs,
        pad=_pad(model),
        lower=_lower(model),
        files=dict(_named_by_content(work / name) for name in ("graph.onnx", "tokenizer.json")),
    )


def _load(source: Source) -> SentenceTransformer:
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer

    # The many ways in which transformers says that a folder is not what its config claims.
    unfit = (OSError, ValueError, LookupError, TypeError, AttributeError, ImportError, RuntimeError, SafetensorError)
    try:
        model = SentenceTransformer(str(source.folder), device="cpu", local_files_only=True)
    except unfit as error:
        found = f"sentence-transformers cannot load the model ({error})"
        raise EncoderError(found, where=str(source.folder)) from error
    _check_kind(model, source)
    return model.float().eval()


def _check_kind(model: SentenceTransformer, source: Source) -> None:
    if any(getattr(module, "include_prompt", True) is False for module in model):
        raise EncoderError("a pooling that leaves the prompt out is not supported", where=str(source.folder))
    if not getattr(model.tokenizer, "is_fast", False):
        raise EncoderError("the model has no fast tokenizer (tokenizer.json)", where=str(source.folder))


def _save_tokenizer(model: SentenceTransformer, path: Path) -> None:
    # Its own save() raises a bare Exception where the disk is full.
    path.write_text(model.tokenizer.backend_tokenizer.to_str(), encoding="utf-8")


def _trace(model: SentenceTransformer, path: Path) -> tuple[str, ...]:
    """Write the graph and return the names of its inputs."""
    import torch

    features = model.tokenizer(list(_SAMPLES[:2]), padding=True, return_tensors="pt")
    names = tuple(features)
    axes = {0: torch.export.Dim("texts"), 1: torch.export.Dim("pieces", max=_limit(model))}
    torch.onnx.export(
        _pooled(model, names),
        tuple(features[name] for name in names),
        str(path),
        dynamo=True,
        verbose=False,
        input_names=list(names),
        output_names=[TOKENS, POOLED],
        dynamic_shapes=(tuple(axes for _ in names),),
        external_data=False,
    )
    return names


def _pooled(model: SentenceTransformer, names: tuple[str, ...]) -> torch.nn.Module:
    """All of the model's modules as one that takes tensors and gives token vectors and the pooled vector."""
    import torch

    class Pooled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            features = dict(zip(names, tensors, strict=True))
            for module in self.model:
                features = module(features)
            return features[TOKENS], features[POOLED]

    return Pooled().eval()


def _parity(model: SentenceTransformer, work: Path, inputs: tuple[str, ...]) -> float:
    """Least cosine against torch, on texts of other lengths and batch sizes than the traced ones."""
    expected = model.encode(list(_SAMPLES), normalize_embeddings=True, show_progress_bar=False, prompt="")
    tokenizer = load_tokenizer(work / "tokenizer.json")
    tokenizer.enable_truncation(_limit(model))
    texts = [text.lower() if _lower(model) else text for text in _SAMPLES]
    feeds = padded([tokenizer.encode(text).ids for text in texts], _pad(model))
    session = load_graph(work / "graph.onnx")
    found: NDArray[np.float32] = unit(session.run([POOLED], {name: feeds[name] for name in inputs})[0])
    return float(np.sum(found * expected, axis=1).min())


def _quantize(path: Path) -> None:
    """Replace the graph's weights by 8-bit integers, one scale for each output channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = path.with_name("whole.onnx")
    path.replace(whole)
    quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True)


def _named_by_content(path: Path) -> tuple[str, int]:
    named = path.with_name(f"{path.stem}-{file_digest(path)[:16]}{path.suffix}")
    path.replace(named)
    return named.name, named.stat().st_size


def _dim(model: SentenceTransformer) -> int:
    return int(model.get_sentence_embedding_dimension() or 0)


def _limit(model: SentenceTransformer) -> int:
    return int(model.get_max_seq_length() or model.tokenizer.model_max_length)


def _pad(model: SentenceTransformer) -> int:
    return int(model.tokenizer.pad_token_id or 0)


def _lower(model: SentenceTransformer) -> bool:
    return bool(getattr(model[0], "do_lower_case", False))


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the exporters' progress bars, deprecation warnings and hints to install torchvision."""
    previous = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from transformers.utils import logging as transformers_logging

            transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
            yield
    finally:
        logging.disable(previous)


def _unwritable(folder: Path, error: OSError) -> EncoderError:
    return EncoderError(
        f"the encoder cannot be exported ({error.strerror or error})",
        where=str(folder),
        fix="make room (about three times the size of the model) or the folder writable, and run caveat index again",
    )
