from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from index.encoding.embeddings import EmbeddingCache, embed
from index.encoding.encoder import Keep, Progress
from index.encoding.hashing import HashEncoder
from ingest.errors import StateDamaged, StateError

TEXTS = ["Seat downgrades", "A notice of 30 days", "", "Seat downgrades"]


class CountingEncoder(HashEncoder):
    """Remembers what it was asked for."""

    def __init__(self, dim: int = 16, *, passage_prefix: str = ""):
        super().__init__(dim, passage_prefix=passage_prefix)
        self.asked: list[str] = []

    def encode_passages(
        self, texts: Sequence[str], progress: Progress | None = None, keep: Keep | None = None
    ) -> NDArray[np.float32]:
        self.asked += texts
        return super().encode_passages(texts, progress, keep)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[EmbeddingCache]:
    with EmbeddingCache(tmp_path / "cache" / "embeddings.sqlite") as opened:
        yield opened


def test_vectors_are_the_encoders_in_the_order_of_the_texts(cache: EmbeddingCache) -> None:
    embedded = embed(TEXTS, HashEncoder(16), cache)
    np.testing.assert_array_equal(embedded.vectors, HashEncoder(16).encode_passages(TEXTS))


def test_each_text_is_encoded_once(cache: EmbeddingCache) -> None:
    encoder = CountingEncoder()
    first, second = embed(TEXTS, encoder, cache), embed([*TEXTS, "new"], encoder, cache)
    assert sorted(encoder.asked) == ["", "A notice of 30 days", "Seat downgrades", "new"]
    assert (first.encoded, first.reused, second.encoded, second.reused) == (3, 1, 1, 4)
    np.testing.assert_array_equal(first.vectors, second.vectors[:4])


def test_another_encoder_shares_nothing(cache: EmbeddingCache) -> None:
    embed(TEXTS, CountingEncoder(), cache)
    assert embed(TEXTS, CountingEncoder(passage_prefix="passage: "), cache).encoded == 3


def test_fresh_encodes_all_again(cache: EmbeddingCache) -> None:
    encoder = CountingEncoder()
    embed(TEXTS, encoder, cache)
    assert embed(TEXTS, encoder, cache, fresh=True).encoded == 3


def test_no_texts_give_no_rows(cache: EmbeddingCache) -> None:
    embedded = embed([], HashEncoder(16), cache)
    assert (embedded.vectors.shape, embedded.encoded, embedded.reused) == ((0, 16), 0, 0)


def test_progress_counts_what_is_encoded_across_blocks(cache: EmbeddingCache) -> None:
    calls: list[tuple[int, int]] = []
    embed([f"text {number}" for number in range(1300)], HashEncoder(16), cache, lambda *call: calls.append(call))
    assert calls == [(512, 1300), (1024, 1300), (1300, 1300)]


def test_a_run_that_breaks_keeps_the_blocks_it_finished(tmp_path: Path) -> None:
    class Breaking(CountingEncoder):
        def encode_passages(
            self, texts: Sequence[str], progress: Progress | None = None, keep: Keep | None = None
        ) -> NDArray[np.float32]:
            if self.asked:
                raise KeyboardInterrupt
            return super().encode_passages(texts, progress, keep)

    texts = [f"text {number}" for number in range(600)]
    with EmbeddingCache(tmp_path / "e.sqlite") as cache, pytest.raises(KeyboardInterrupt):
        embed(texts, Breaking(), cache)
    with EmbeddingCache(tmp_path / "e.sqlite") as cache:
        assert embed(texts, CountingEncoder(), cache).encoded == 88


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    (tmp_path / "e.sqlite").write_text("not a database, and long enough to be read as one" * 10)
    with pytest.raises(StateDamaged, match=r"e\.sqlite: not an embedding cache .* fix: delete this file"):
        EmbeddingCache(tmp_path / "e.sqlite")


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="the embedding cache cannot be used"):
        EmbeddingCache(tmp_path)


def test_a_full_disk_is_one_clear_error_and_loses_nothing(cache: EmbeddingCache) -> None:
    embed(TEXTS, HashEncoder(16), cache)
    cache._db.execute("PRAGMA max_page_count = 8")
    with pytest.raises(StateError, match=r"database or disk is full.* make room"):
        embed([f"text {number}" for number in range(500)], HashEncoder(16), cache)
    assert embed(TEXTS, HashEncoder(16), cache).encoded == 0
