"""From a sentence-transformers model to an export's folder, at once or not at all."""

from __future__ import annotations

import hashlib
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from index.encoding.exported import ExportRecord, write_record
from index.encoding.models import Source
from ingest.errors import EncoderError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Precision = Literal["fp32", "int8"]

_WORK = ".export-"


def export_model(source: Source, folder: Path, precision: Precision) -> ExportRecord:
    """Write graph, weights, tokenizer and record of `source`; what was in `folder` stays valid until all is written.

    Takes some ten seconds, and imports torch and sentence_transformers.

    Raises:
        EncoderError: the model cannot be loaded, is of a kind that is not supported, does not give the same
            vectors after the export, or the disk is full.
    """
    try:
        with _work_folder(folder) as work:
            with _quiet():
                record = _write(source, work, precision)
            for name in record.files:
                (work / name).replace(folder / name)
            write_record(folder, record)
    except OSError as error:
        raise EncoderError(
            f"the encoder cannot be exported ({error.strerror or error})",
            where=str(folder),
            fix="make room (three times the model's size) or the folder writable, and run caveat index again",
        ) from error
    return record


def _write(source: Source, work: Path, precision: Precision) -> ExportRecord:
    # Imported here, within _quiet: torch and transformers take seconds, and warn of their own deprecated parts.
    from index.encoding.tracing import EXPORTER, load_model, tokenizer_text, traits

    model = load_model(source)
    # The names change with the content, so that an old record never meets new files.
    key = hashlib.blake2b(f"{source.digest}\0{EXPORTER}\0{precision}".encode(), digest_size=8).hexdigest()
    graph, tokenizer = work / f"graph-{key}.onnx", work / f"tokenizer-{key}.json"
    tokenizer.write_text(tokenizer_text(model), encoding="utf-8")
    inputs = _trace(model, graph, precision)
    return ExportRecord(
        model=source.name,
        source=source.digest,
        precision=precision,
        exporter=EXPORTER,
        inputs=inputs,
        files={path.name: path.stat().st_size for path in sorted(work.iterdir())},
        **asdict(traits(model)),
    )


def _trace(model: SentenceTransformer, path: Path, precision: Precision) -> tuple[str, ...]:
    """Write the graph in `precision` and return the names of its inputs; parity is proved on the whole weights."""
    from index.encoding.tracing import check_parity, trace

    whole = path if precision == "fp32" else path.with_name("whole.onnx")
    inputs = trace(model, whole)
    check_parity(model, whole, inputs)
    if precision == "int8":
        _quantize(whole, path)
        for part in path.parent.glob("whole.onnx*"):
            part.unlink()
    return inputs


def _quantize(whole: Path, path: Path) -> None:
    """Weights as 8-bit integers, one scale for each output channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True)


@contextmanager
def _work_folder(folder: Path) -> Iterator[Path]:
    """A folder inside `folder` for what is not complete yet; what a killed run left goes first."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{_WORK}*"):
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=_WORK, dir=folder) as work:
        yield Path(work)


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
