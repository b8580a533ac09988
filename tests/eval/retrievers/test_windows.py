"""The window baseline: what is cut, what the encoder never reads, and what is found."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from eval.policy import Policy, read_policy
from eval.retrievers.windows import WindowSearch, cut, widened
from index.encoding.embeddings import EmbeddingCache
from index.encoding.encoder import prepare_encoder
from index.encoding.exported import read_record
from index.encoding.hashing import HashEncoder
from index.settings import EncoderSettings
from ingest.dates import parse_day
from ingest.document import Document
from ingest.settings import IngestSettings
from tests.eval import desk
from tests.index.encoding.tiny_bert import Shape, save_tiny_bert

Write = Callable[[Mapping[str, str]], Path]
HASH = EncoderSettings(model="hash-384")


def document(words: int) -> Document:
    return Document("a.md", "A", " ".join(f"w{i}" for i in range(words)) + "\n", ())


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[EmbeddingCache]:
    with EmbeddingCache(tmp_path / "windows.sqlite") as opened:
        yield opened


@pytest.mark.parametrize(
    ("words", "overlap", "starts", "last"),
    [(10, 0, [0, 4, 8], 9), (8, 0, [0, 4], 7), (10, 1, [0, 3, 6], 9), (11, 1, [0, 3, 6, 9], 10), (3, 1, [0], 2)],
    ids=["cut", "even", "overlap", "overlap-rest", "short"],
)
def test_windows_cover_every_word_and_overlap_as_asked(words: int, overlap: int, starts: list[int], last: int) -> None:
    windows = [window.text.split() for window in cut(document(words), HashEncoder(), overlap, size=4)]
    assert [window[0] for window in windows] == [f"w{start}" for start in starts]
    assert windows[-1][-1] == f"w{last}"
    assert {word for window in windows for word in window} == {f"w{i}" for i in range(words)}


def test_a_window_is_its_span_of_the_document() -> None:
    one = document(1200)
    for window in cut(one, HashEncoder(), 64):
        assert one.text[window.start : window.end] == window.text
        assert HashEncoder().count(window.text) <= 512


def test_an_overlap_as_large_as_the_window_is_refused() -> None:
    with pytest.raises(ValueError, match="an overlap of 4 in windows of 4"):
        list(cut(document(3), HashEncoder(), 4, size=4))


def test_the_end_of_a_window_is_read_at_512_only() -> None:
    without, whole = document(400).text, document(400).text + "except for resellers"
    with widened(HASH, Path()) as wide:
        for encoder, seen in ((HashEncoder(), False), (wide, True)):
            one, other = encoder.encode_passages([without, whole])
            assert bool(one @ other < 0.9999) is seen
    assert (wide.limit, HashEncoder().limit) == (512, 256)
    assert wide.fingerprint != HashEncoder().fingerprint


def test_the_same_graph_reads_further_and_agrees_with_torch(tiny: Path, tmp_path: Path) -> None:
    settings = EncoderSettings(model=str(tiny))
    default = prepare_encoder(settings, tmp_path)
    texts = ["seat downgrade credit", "a notice of 30 days in writing " * 5 + "the plan", "annual " * 90]
    with widened(settings, tmp_path, limit=60) as wide:
        assert (default.limit, wide.limit, read_record(tmp_path).limit) == (24, 60, 24)
        assert default.fingerprint != wide.fingerprint
        rows = wide.encode_passages(texts)
    assert np.sum(rows * _torch_vectors(tiny, texts, 60), axis=1).min() >= 0.9999
    assert not np.allclose(rows[1], default.encode_passages(texts)[1], atol=1e-3)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    with warnings.catch_warnings():
        # transformers warns of its own deprecated parts while it is imported.
        warnings.simplefilter("ignore")
        return save_tiny_bert(tmp_path / "tiny", Shape())


def _torch_vectors(folder: Path, texts: list[str], limit: int) -> np.ndarray:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    model.max_seq_length = limit
    return np.asarray(model.encode(texts, normalize_embeddings=True, show_progress_bar=False))


@pytest.fixture
def policy(write_files: Write) -> Policy:
    return read_policy(write_files(desk.FILES), IngestSettings(), desk.NOW)


def test_only_what_is_in_force_is_searched(policy: Policy, cache: EmbeddingCache) -> None:
    search = WindowSearch(policy, HashEncoder(), cache, 0)
    [first, *_] = search.search("a notice arrives at least how many days before", parse_day("2025-06-01"), 3)
    assert first.doc_id == "04-seats.md"
    assert "15 calendar days" in first.text
    assert len(search.search("invoices", parse_day("2025-06-01"), 3)) == 2
    assert len(search.search("invoices", parse_day("2026-06-01"), 3)) == 3
    assert search.search("invoices", parse_day("2020-06-01"), 3) == []


def test_a_text_is_encoded_once(policy: Policy, cache: EmbeddingCache) -> None:
    days = [parse_day("2025-06-01"), parse_day("2026-06-01")]
    assert WindowSearch(policy, HashEncoder(), cache, 0).prepare(days) == 4
    assert WindowSearch(policy, HashEncoder(), cache, 0).prepare(days) == 0
