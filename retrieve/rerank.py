"""Second readers of the candidates: an interface, and any sentence-transformers CrossEncoder behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from ingest.errors import ConfigError
from retrieve.trace import SectionKey


class Reranker(Protocol):
    """Reads the query with each text."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, higher is better, on one unbounded scale (logits)."""
        ...


class CrossEncoderReranker:
    """A sentence-transformers CrossEncoder with one output; it loads torch when it is made, which takes seconds."""

    def __init__(self, model: str):
        self._model = _load(model)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Raw logits, whatever activation the model's configuration asks for."""
        from torch.nn import Identity

        found = self._model.predict(
            [(query, text) for text in texts], activation_fn=Identity(), show_progress_bar=False, convert_to_numpy=True
        )
        return [float(score) for score in found]


def _load(model: str) -> Any:
    """The model of that hub name or folder.

    Raises:
        ConfigError: it cannot be loaded, or scores more than one class.
    """
    from sentence_transformers import CrossEncoder

    with _explained(model):
        loaded = CrossEncoder(model)
    outputs = loaded.model.config.num_labels
    if outputs != 1:
        raise ConfigError(
            f'"{model}" has {outputs} outputs', where="retrieve.reranker", allowed="a cross-encoder with one output"
        )
    return loaded


@contextmanager
def _explained(model: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise ConfigError(
            f'"{model}" cannot be loaded as a CrossEncoder ({type(error).__name__}: {_first_line(error)})',
            where="retrieve.reranker",
            allowed="a hub name or a folder of a sentence-transformers CrossEncoder",
            fix="name another model, or take the line out to search without reranking",
        ) from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "no message")


def section_scores(
    reranker: Reranker, query: str, texts: Mapping[SectionKey, Sequence[str]]
) -> dict[SectionKey, float]:
    """The best score among the texts of each section: a section is as good as its best child."""
    pairs = [(key, text) for key, children in texts.items() for text in children]
    best: dict[SectionKey, float] = {}
    for (key, _), score in zip(pairs, reranker.scores(query, [text for _, text in pairs]), strict=True):
        best[key] = max(score, best.get(key, -math.inf))
    return best


def squashed(score: float) -> float:
    """A logit as a confidence between 0 and 1."""
    return 1 / (1 + math.exp(-max(min(score, 500.0), -500.0)))
