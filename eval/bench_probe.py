"""What `make bench` measures inside a process: warm retrieval, reranking, or the embedding step beside the encoder."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eval import corpus
from index.settings import EncoderSettings
from index.state import State

if TYPE_CHECKING:
    from index.encoding.encoder import Encoder
    from retrieve import Retriever

_QUERIES: Final = 200
_WARM_UP: Final = 20
_RERANKED: Final = 30
"""Queries that are reranked; each takes a good part of a second."""
_SAMPLE: Final = 300
"""Texts that the embedding step and the encoder alone take turns on."""
_ROUNDS: Final = 3
_KINDS: Final = {"short question": 6, "40-word ticket": 40}


def prepare(state: Path, model: str) -> None:
    """Export the encoder into a state folder."""
    from index.encoding.encoder import prepare_encoder

    settings = EncoderSettings(model=model)
    prepare_encoder(settings, State(state).encoder(settings))


def warm(state: Path) -> dict[str, Any]:
    """Milliseconds of warm retrieval without the encoder's share and without reranking, by kind of question."""
    from retrieve import Retriever
    from retrieve.settings import RetrieveSettings

    found: dict[str, Any] = {"queries": _QUERIES}
    with Retriever.open(state, RetrieveSettings(reranker="none")) as retriever:
        for kind, words in _KINDS.items():
            found[kind] = _latency(retriever, corpus.questions(_QUERIES + _WARM_UP, words))
    return found


def _latency(retriever: Retriever, queries: list[str]) -> dict[str, float]:
    spent, encode = [], []
    for query in queries:
        start = time.perf_counter()
        result = retriever.retrieve(query, as_of=corpus.EDITION)
        whole = (time.perf_counter() - start) * 1000
        encode.append(result.latency_ms["encode"])
        spent.append(whole - encode[-1])
    spent, encode = spent[_WARM_UP:], encode[_WARM_UP:]
    return {
        "p50": statistics.median(spent),
        "p95": statistics.quantiles(spent, n=20)[-1],
        "encode": statistics.median(encode),
    }


def reranked(state: Path, reranker: str) -> dict[str, Any]:
    """Milliseconds of a reranking and its stages, medians by kind of question."""
    from retrieve import Retriever
    from retrieve.settings import RetrieveSettings

    found: dict[str, Any] = {}
    with Retriever.open(state, RetrieveSettings(reranker=reranker)) as retriever:
        for kind, words in _KINDS.items():
            queries = corpus.questions(_RERANKED + 2, words)
            spent = [retriever.retrieve(query, as_of=corpus.EDITION).latency_ms for query in queries][2:]
            stages = ("rerank", "late", "cross")
            found[kind] = {stage: statistics.median(one[stage] for one in spent) for stage in stages}
    return found


def encoder_share(state: Path) -> float:
    """Seconds of the encoder alone against the embedding step on the same texts: turn by turn, medians."""
    from index.encoding.embeddings import EmbeddingCache, embed
    from index.encoding.encoder import open_encoder
    from index.generation.manifest import Manifest

    place = State(state)
    manifest = Manifest.load(place.generation(place.must_be_published()))
    encoder = open_encoder(manifest.encoder, place.encoder(manifest.encoder))
    texts = _sample(place, encoder)
    alone, step = [], []
    for _ in range(_ROUNDS):
        with tempfile.TemporaryDirectory() as folder, EmbeddingCache(Path(folder) / "embeddings.sqlite") as cache:
            step.append(_seconds(partial(embed, texts, encoder, cache)))
        alone.append(_seconds(partial(encoder.encode_passages, texts)))
    return statistics.median(alone) / statistics.median(step)


def _sample(place: State, encoder: Encoder) -> Sequence[str]:
    """Chunks of the published index, evenly spread."""
    from index.generation.chunking import pieces_of
    from index.generation.manifest import CATALOG
    from index.history.catalog import Catalog
    from ingest.settings import IngestSettings

    with Catalog.open_snapshot(place.generation(place.must_be_published()) / CATALOG) as catalog:
        pieces = pieces_of(catalog.rows(opened_after=0), catalog, encoder, IngestSettings())
    texts = sorted({piece.chunk.embed_text for piece in pieces})
    return texts[:: max(len(texts) // _SAMPLE, 1)][:_SAMPLE]


def _seconds(step: Callable[[], object]) -> float:
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "rerank":
        print(json.dumps(reranked(Path(sys.argv[2]), sys.argv[3])))
    elif sys.argv[1] == "share":
        print(json.dumps(encoder_share(Path(sys.argv[2]))))
    else:
        print(json.dumps(warm(Path(sys.argv[2]))))
