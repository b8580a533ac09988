"""A sentence-transformers model in torch, and its graph in ONNX; only the export imports this module."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from sentence_transformers import SentenceTransformer

from index.encoding.models import Source
from index.encoding.serving import POOLED, TOKENS, load_graph, padded, unit
from ingest.errors import EncoderError

EXPORTER = f"torch {torch.__version__}"
PARITY = 0.999
"""Least cosine between torch's vector and the exported graph's."""

# The many ways in which transformers says that a folder is not what its config claims.
_UNFIT = (OSError, ValueError, LookupError, TypeError, AttributeError, ImportError, RuntimeError, SafetensorError)

_TRACED = ("seat downgrade credit calculation table", "Mid-term or late seat reductions are non-refundable.")
_COMPARED = (
    *_TRACED,
    "a",
    "For Enterprise Annual plans, seat reductions must be submitted in writing at least 30 calendar days ahead.",
    "credit_usd = (prior_seats - new_seats) * annual_seat_price * (days_remaining / 365) " * 40,
)


@dataclass(frozen=True, slots=True)
class Traits:
    """What serving a model needs to know beside its graph."""

    dim: int
    limit: int
    pad: int
    lower: bool


def load_model(source: Source) -> SentenceTransformer:
    """The model in 32-bit floats, ready to encode.

    Raises:
        EncoderError: it cannot be loaded, or is of a kind that is not supported.
    """
    try:
        model = SentenceTransformer(str(source.folder), device="cpu", local_files_only=True)
    except _UNFIT as error:
        found = f"sentence-transformers cannot load the model ({error})"
        raise EncoderError(found, where=str(source.folder)) from error
    if any(getattr(module, "include_prompt", True) is False for module in model):
        raise EncoderError("a pooling that leaves the prompt out is not supported", where=str(source.folder))
    if not getattr(model.tokenizer, "is_fast", False):
        raise EncoderError("the model has no fast tokenizer (tokenizer.json)", where=str(source.folder))
    return model.float().eval()


def traits(model: SentenceTransformer) -> Traits:
    """Dimension, limit, padding and case of a loaded model."""
    return Traits(
        dim=int(model.get_sentence_embedding_dimension() or 0),
        limit=int(model.get_max_seq_length() or model.tokenizer.model_max_length),
        pad=int(model.tokenizer.pad_token_id or 0),
        lower=bool(getattr(model[0], "do_lower_case", False)),
    )


def tokenizer_text(model: SentenceTransformer) -> str:
    """The content of tokenizer.json."""
    # Written by the caller: the tokenizer's own save() raises a bare Exception where the disk is full.
    return str(model.tokenizer.backend_tokenizer.to_str())


def trace(model: SentenceTransformer, path: Path) -> tuple[str, ...]:
    """Write the graph to `path`, its weights to `path`.data, and return the names of its inputs.

    The weights lie apart because the runtime then maps them: half the time to open, a third less memory.

    Raises:
        EncoderError: torch cannot export this model.
    """
    features = model.tokenizer(list(_TRACED), padding=True, return_tensors="pt")
    names = tuple(features)
    axes = {0: torch.export.Dim("texts"), 1: torch.export.Dim("pieces", max=traits(model).limit)}
    try:
        torch.onnx.export(
            _Pooled(model, names),
            tuple(features[name] for name in names),
            str(path),
            dynamo=True,
            verbose=False,
            input_names=list(names),
            output_names=[TOKENS, POOLED],
            dynamic_shapes=(tuple(axes for _ in names),),
            external_data=True,
        )
    except torch.onnx.OnnxExporterError as error:
        raise EncoderError(f"torch cannot export the model ({error})", where=path.name) from error
    return names


def check_parity(model: SentenceTransformer, path: Path, inputs: tuple[str, ...]) -> None:
    """Compare the graph with torch on texts of other lengths and batch sizes than the traced ones.

    Raises:
        EncoderError: a cosine is below 0.999.
    """
    expected = model.encode(list(_COMPARED), normalize_embeddings=True, show_progress_bar=False, prompt="")
    known = traits(model)
    texts = [text.lower() if known.lower else text for text in _COMPARED]
    feeds = padded(model.tokenizer(texts, truncation=True, max_length=known.limit)["input_ids"], known.pad)
    found: NDArray[np.float32] = unit(load_graph(path).run([POOLED], {name: feeds[name] for name in inputs})[0])
    cosine = float(np.sum(found * expected, axis=1).min())
    if not cosine >= PARITY:
        raise EncoderError(
            f"the exported graph's vectors differ from torch's (cosine {cosine:.4f})", allowed=f">= {PARITY}"
        )


class _Pooled(torch.nn.Module):
    """All of a model's modules as one that takes tensors and gives token vectors and the pooled vector."""

    def __init__(self, model: SentenceTransformer, names: tuple[str, ...]):
        super().__init__()
        self._model, self._names = model, names

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """`(texts, pieces, hidden)` and `(texts, dim)` from the inputs in the order of their names."""
        features = dict(zip(self._names, tensors, strict=True))
        for module in self._model:
            features = module(features)
        return features[TOKENS], features[POOLED]
