"""An exported model served by onnxruntime and tokenizers; nothing here imports torch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf, NoSuchFile
from tokenizers import Encoding, Tokenizer

from index.encoding.batches import batches
from index.encoding.exported import ExportRecord, read_record
from index.settings import EncoderSettings
from ingest.errors import EncoderError

if TYPE_CHECKING:
    from index.encoding.encoder import Keep, Progress

RUNTIME = f"onnxruntime {onnxruntime.__version__}"
TOKENS, POOLED = "token_embeddings", "sentence_embedding"


class ExportedEncoder:
    """Implements `index.encoding.encoder.Encoder` from an export's folder."""

    def __init__(self, settings: EncoderSettings, folder: Path):
        """Load graph and tokenizer.

        Raises:
            EncoderError: the export is missing, damaged, or its limit leaves no room beside the passage prefix.
        """
        self._record, self._settings = read_record(folder), settings
        self._tokenizer = load_tokenizer(folder / self._record.tokenizer)
        self._session = load_graph(folder / self._record.graph, settings.threads)
        self._asked = lru_cache(maxsize=1)(self._read_query)
        self._specials = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self.dim = self._record.dim
        self.fingerprint = self._record.fingerprint(settings, RUNTIME)
        self.limit = self._record.limit - len(self._pieces(settings.passage_prefix))
        if self.limit <= self._specials:
            raise EncoderError(
                f"the prefix fills the model's {self._record.limit} WordPieces",
                where="[encoder] passage_prefix",
            )

    @property
    def record(self) -> ExportRecord:
        """What is served."""
        return self._record

    def count(self, text: str) -> int:
        """WordPieces of `text`, specials included."""
        return len(self._pieces(text)) + self._specials

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span of each WordPiece, without specials."""
        return list(self._pieces(text).offsets)

    def encode_passages(
        self, texts: Sequence[str], progress: Progress | None = None, keep: Keep | None = None
    ) -> NDArray[np.float32]:
        """Unit rows, `(len(texts), dim)`; `keep` gets the vectors of each text's WordPieces from the same run."""
        prefix = self._settings.passage_prefix
        cuts = [self._cut(prefix + text) for text in texts]
        inputs = [cut.ids for cut in cuts]
        rows = np.empty((len(texts), self.dim), dtype=np.float32)
        done = 0
        for batch in batches([len(ids) for ids in inputs], self._settings.batch_tokens):
            outputs = self._run([POOLED, TOKENS] if keep else [POOLED], [inputs[position] for position in batch])
            rows[batch] = unit(outputs[0])
            if keep:
                for position, pieces in zip(batch, outputs[1], strict=True):
                    keep(position, unit(pieces[_own(cuts[position], len(prefix))]))
            done += len(batch)
            if progress:
                progress(done, len(texts))
        return rows

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """A unit vector, `(dim,)`."""
        return self._asked(text)[0]

    def query_truncated(self, text: str) -> bool:
        """Whether the end of the query, with its prefix, lies beyond the limit."""
        return self.count(self._settings.query_prefix + text) > self._record.limit

    def token_vectors(self, text: str) -> tuple[NDArray[np.float32], list[tuple[int, int]]]:
        """Unit vector of each WordPiece within the limit, `(n_pieces, dim)`, and their character spans."""
        prefix = self._settings.passage_prefix
        cut = self._cut(prefix + text)
        own = _own(cut, len(prefix))
        [pieces] = self._run([TOKENS], [cut.ids])
        spans = [cut.offsets[place] for place in own]
        return unit(pieces[0][own]), [(start - len(prefix), end - len(prefix)) for start, end in spans]

    def query_token_vectors(self, text: str) -> NDArray[np.float32]:
        """Unit vector of each WordPiece of a query within the limit, `(n_pieces, dim)`; free after `encode_query`."""
        return self._asked(text)[1]

    def _read_query(self, text: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        prefix = self._settings.query_prefix
        cut = self._cut(prefix + text)
        pooled, pieces = self._run([POOLED, TOKENS], [cut.ids])
        vector: NDArray[np.float32] = unit(pooled)[0]
        return vector, unit(pieces[0][_own(cut, len(prefix))])

    def _pieces(self, text: str) -> Encoding:
        return self._tokenizer.encode(text.lower() if self._record.lower else text, add_special_tokens=False)

    def _cut(self, text: str) -> Encoding:
        pieces = self._pieces(text)
        pieces.truncate(self._record.limit - self._specials)
        return self._tokenizer.post_process(pieces)

    def _run(self, outputs: Sequence[str], inputs: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
        feeds = padded(inputs, self._record.pad)
        found: list[NDArray[np.float32]] = self._session.run(
            list(outputs), {name: feeds[name] for name in self._record.inputs}
        )
        return found


def _own(cut: Encoding, prefix: int) -> list[int]:
    """Places of the text's own pieces: no specials, and none of the prefix's `prefix` characters."""
    pieces = zip(cut.offsets, cut.special_tokens_mask, strict=True)
    return [place for place, (span, special) in enumerate(pieces) if not special and span[0] >= prefix]


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer in `path`, without truncation or padding."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def load_graph(path: Path, threads: int = 0) -> onnxruntime.InferenceSession:
    """A session on the ONNX file in `path`.

    Raises:
        EncoderError: it is not a graph that this runtime can load.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # A thread that spins between two queries takes a core from whoever else is at work on the machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (Fail, InvalidGraph, InvalidProtobuf, NoSuchFile) as error:
        raise EncoderError(f"{RUNTIME} cannot load the graph ({error})", where=str(path), fix="caveat index") from error


def padded(inputs: Sequence[Sequence[int]], pad: int) -> dict[str, NDArray[np.int64]]:
    """Every input a BERT-like graph may ask for, each `(len(inputs), longest)`."""
    ids = np.full((len(inputs), max(map(len, inputs))), pad, dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, pieces in enumerate(inputs):
        ids[row, : len(pieces)] = pieces
        mask[row, : len(pieces)] = 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of length 1; a row of zeros stays."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: NDArray[np.float32] = (rows / np.maximum(norms, np.float32(1e-12))).astype(np.float32)
    return scaled
