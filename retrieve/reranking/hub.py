"""Any sentence-transformers CrossEncoder with one output, by hub name or folder.

The model's own prompt and chat template are applied (Qwen3-Reranker, mxbai-rerank-v2), its activation is not: a
sigmoid would press the best candidates together, and scores are scaled over the candidates anyway. Of all that is
needed to search, only this module leads to torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from ingest.errors import ConfigError

ROOM: Final = 128
"""Pieces of a pair that a model has to read at least: a question of forty words (about 50) beside a short child."""
_WHERE: Final = "retrieve.reranker"


class CrossEncoderReranker:
    """Implements `retrieve.reranking.reranker.Reranker`; it loads torch when it is made, which takes seconds."""

    def __init__(self, model: str):
        """Load the model.

        Raises:
            ConfigError: it cannot be loaded or does not read pairs, scores more than one class, or reads too little.
        """
        with _explained(model):
            self._model = _load(model)
        _check(model, self._model)
        with _explained(model):
            self.scores("question", ["text"])

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Raw logits; the library sorts the pairs by length for its batches."""
        from torch.nn import Identity

        found = self._model.predict(
            [(query, text) for text in texts], activation_fn=Identity(), show_progress_bar=False, convert_to_numpy=True
        )
        return [float(score) for score in found]

    def unread(self, query: str, texts: Sequence[str]) -> int:
        """How many pairs have more pieces than the model reads, a prompt not counted."""
        pairs = self._model.tokenizer([query] * len(texts), list(texts), truncation=False, verbose=False)
        return sum(len(pieces) > self._model.max_seq_length for pieces in pairs["input_ids"])


def _load(model: str) -> Any:
    from sentence_transformers import CrossEncoder

    return CrossEncoder(model)


def _check(name: str, model: Any) -> None:
    if model.num_labels != 1:
        found, allowed = f'"{name}" has {model.num_labels} outputs', "a cross-encoder with one output"
        raise ConfigError(found, where=_WHERE, allowed=allowed)
    limit = model.max_seq_length
    if limit is None or limit < ROOM:
        found = f'"{name}" reads {limit} pieces of a question and a text together'
        raise ConfigError(found, where=_WHERE, allowed=f"at least {ROOM} (model_max_length in tokenizer_config.json)")


@contextmanager
def _explained(model: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, LookupError, RuntimeError, ImportError, TypeError, AttributeError) as error:
        raise ConfigError(
            f'"{model}" cannot be loaded as a CrossEncoder ({type(error).__name__}: {_first_line(error)})',
            where=_WHERE,
            allowed="late, none, a hub name or folder of a sentence-transformers CrossEncoder, or an exported one",
            fix='check the name and the network, or name a folder; "late" needs neither',
        ) from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "no message")
