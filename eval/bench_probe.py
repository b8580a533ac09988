"""What `make bench` measures inside one process: the encoder alone, and warm retrieval."""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any, Final

from eval import corpus
from index.settings import EncoderSettings
from index.state import State

_QUERIES: Final = 200
_WARM_UP: Final = 20
_KINDS: Final = {"short question": 6, "40-word ticket": 40}


def prepare(state: Path, model: str) -> None:
    """Export the encoder into a state folder."""
    from index.encoding.encoder import prepare_encoder

    settings = EncoderSettings(model=model)
    prepare_encoder(settings, State(state).encoder(settings))


def warm(state: Path) -> dict[str, Any]:
    """Milliseconds of warm retrieval without the encoder's share, and texts a second of the encoder alone."""
    found: dict[str, Any] = {"queries": _QUERIES}
    for kind, words in _KINDS.items():
        found[kind] = _latency(state, corpus.questions(_QUERIES + _WARM_UP, words))
    found["alone"] = _throughput(state)
    return found


def _latency(state: Path, queries: list[str]) -> dict[str, float]:
    from retrieve import Retriever

    spent, encode = [], []
    with Retriever.open(state) as retriever:
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


def _throughput(state: Path) -> float:
    """Texts a second of one call for a sample of the chunks that are in the index."""
    from index.encoding.encoder import open_encoder
    from index.generation.chunking import pieces_of
    from index.generation.manifest import CATALOG, Manifest
    from index.history.catalog import Catalog
    from ingest.settings import IngestSettings

    place = State(state)
    folder = place.generation(place.must_be_published())
    manifest = Manifest.load(folder)
    encoder = open_encoder(manifest.encoder, place.encoder(manifest.encoder))
    with Catalog.open_snapshot(folder / CATALOG) as catalog:
        pieces = pieces_of(catalog.rows(opened_after=0), catalog, encoder, IngestSettings())
    texts = sorted({piece.chunk.embed_text for piece in pieces}, key=len, reverse=True)[::3]
    start = time.perf_counter()
    encoder.encode_passages(texts)
    return len(texts) / (time.perf_counter() - start)


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]), sys.argv[3])
    else:
        print(json.dumps(warm(Path(sys.argv[2]))))
