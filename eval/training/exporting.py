"""A trained cross-encoder as an int8 graph for onnxruntime, with its tokenizer, compared with torch."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch

from eval.training.network import CrossEncoder, tensors, trained
from index.encoding.models import BUNDLED, file_digest, find_model
from ingest.errors import EncoderError
from retrieve.reranking.exported import pin
from retrieve.reranking.onnx import GRAPH, INPUTS, LOGITS, TOKENIZER, OnnxReranker
from retrieve.reranking.pairs import LIMIT, Pairs

_QUERY: Final = "seat downgrade credit calculation table"
_TEXTS: Final = (
    "Seats > Downgrades\nA downgrade gives the customer a credit for the unused part of the seats it gives up.",
    "Seats > Notice\nOn Enterprise Annual, notice must be received at least 30 calendar days before renewal.",
    "Travel\nA hotel above the rate is approved before it is booked.",
    "Taxes > Refunds\n" + "Tax on a credit follows the invoice that is credited. " * 30,
)
AGREES: Final = 0.98
"""Least correlation between the logits of the 8-bit graph and torch's on the texts above."""


def export_model(run: Path, out: Path) -> Iterator[str]:
    """Write the graph and the tokenizer of a run to `out`; yields what was written and how near it is to torch.

    Raises:
        EncoderError: the run has another head; the graph's scores are not torch's.
    """
    model = trained(run)
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(find_model(BUNDLED).folder / "tokenizer.json", out / TOKENIZER)
    with tempfile.TemporaryDirectory() as work, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = Path(work) / "whole.onnx"
        _trace(model, whole, Pairs(out / TOKENIZER))
        _quantize(whole, out / GRAPH)
    agreement = _agreement(model, out)
    if not agreement >= AGREES:
        raise EncoderError(f"the graph's scores correlate with torch's at {agreement:.4f}", allowed=f">= {AGREES}")
    pin(out)
    for name in (GRAPH, TOKENIZER):
        yield f"{out / name}: {(out / name).stat().st_size:,} bytes, sha256 {file_digest(out / name)}"
    yield f"correlation of its scores with torch's on {len(_TEXTS)} texts: {agreement:.4f}"


def _trace(model: CrossEncoder, path: Path, pairs: Pairs) -> None:
    axes = {0: torch.export.Dim("pairs"), 1: torch.export.Dim("pieces", max=LIMIT)}
    torch.onnx.export(
        model,
        tensors(pairs.batch([(_QUERY, text) for text in _TEXTS])),
        str(path),
        dynamo=True,
        verbose=False,
        input_names=list(INPUTS),
        output_names=[LOGITS],
        dynamic_shapes=tuple(axes for _ in INPUTS),
        external_data=False,
    )


def _quantize(whole: Path, path: Path) -> None:
    """Weights as 8-bit integers, one scale for each output channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True)


def _agreement(model: CrossEncoder, out: Path) -> float:
    served = OnnxReranker(out).scores(_QUERY, _TEXTS)
    with torch.no_grad():
        logits = model(*tensors(Pairs(out / TOKENIZER).batch([(_QUERY, text) for text in _TEXTS])))
    return float(np.corrcoef(served, logits.numpy())[0, 1])
