"""A teacher for one pass: the blend of a trained cross-encoder, late interaction and the first stage, list by list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from eval.training.lists import List
from eval.training.network import CrossEncoder
from eval.training.trainer import fast_precision, tensors
from index.encoding.encoder import Encoder
from index.lexical.postings import Postings
from index.lexical.words import tokens
from retrieve.reranking.pairs import Pairs

Values = NDArray[np.float64]
WEIGHTS: Final = {"cross": 0.4, "late": 0.3, "first": 0.3}
_RRF_K: Final = 60


def taught(lists: Iterable[List], teacher: CrossEncoder, pairs: Pairs, encoder: Encoder) -> Iterator[List]:
    """The lists with the blended score of their first right text and of every wrong one, 0 to 1."""
    known: dict[str, NDArray[np.float16]] = {}
    teacher.eval()
    for one in lists:
        texts = [one.positives[0], *one.negatives]
        parts = {
            "cross": _cross(one.query, texts, teacher, pairs),
            "late": _late(one.query, texts, encoder, known),
            "first": _first(one.query, texts, encoder),
        }
        blended = sum(WEIGHTS[name] * _scaled(values) for name, values in parts.items())
        yield replace(one, taught=tuple(np.round(np.asarray(blended), 4).tolist()))


def _cross(query: str, texts: Sequence[str], teacher: CrossEncoder, pairs: Pairs) -> Values:
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, fast_precision() == "bf16"):
        logits = teacher(*tensors(pairs.batch([(query, text) for text in texts])))
    return np.asarray(logits.float().numpy(), dtype=np.float64)


def _late(query: str, texts: Sequence[str], encoder: Encoder, known: dict[str, NDArray[np.float16]]) -> Values:
    asked = encoder.token_vectors(query)[0]
    for text in texts:
        if text not in known:
            known[text] = encoder.token_vectors(text)[0].astype(np.float16)
    return np.array([float((asked @ known[text].T.astype(np.float32)).max(axis=1).mean()) for text in texts])


def _first(query: str, texts: Sequence[str], encoder: Encoder) -> Values:
    """Reciprocal rank fusion within the list."""
    dense = encoder.encode_passages(texts) @ encoder.encode_query(query)
    keywords = np.zeros(len(texts))
    rows, scores = Postings.build([tokens(text) for text in texts]).score(tokens(query), np.ones(len(texts), np.bool_))
    keywords[rows] = scores
    return np.asarray(sum(1 / (_RRF_K + _ranks(values)) for values in (dense, keywords)))


def _ranks(values: Sequence[float] | NDArray[np.float32] | Values) -> Values:
    ranks = np.empty(len(values))
    ranks[np.argsort(-np.asarray(values), kind="stable")] = np.arange(1, len(values) + 1)
    return ranks


def _scaled(values: Values) -> Values:
    span = values.max() - values.min()
    return (values - values.min()) / span if span else np.ones(len(values))
