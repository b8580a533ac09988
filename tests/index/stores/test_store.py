"""One contract for every vector store: Qdrant Edge, qdrant-client in memory, and a real server where there is one."""

import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from qdrant_client import QdrantClient

import index.stores.server
from index.stores.edge import EdgeStore, copy_file
from index.stores.server import ServerStore
from index.stores.store import Collection, Point, Scored, VectorStore, Window, point_id, ranked
from ingest.dates import FOREVER, FOREVER_DAY
from ingest.errors import StoreError

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]
DIM = 8
SERVER = os.environ.get("CAVEAT_QDRANT_URL")
ALWAYS = Window(as_of=50, known_at=1000)


def edge(fast_path: Path) -> VectorStore:
    return EdgeStore.create(fast_path / "vectors", DIM)


def in_memory(_: Path) -> VectorStore:
    client = QdrantClient(":memory:")
    with patch.object(index.stores.server, "client_of", lambda _: client):
        return ServerStore.connect(Collection("memory", "KEY", "test"), DIM, create=True)


def server(_: Path) -> VectorStore:
    collection = Collection(SERVER or "", "QDRANT_API_KEY", f"caveat-test-{uuid.uuid4().hex}")
    return ServerStore.connect(collection, DIM, create=True)


MAKERS = [
    pytest.param(edge, id="edge"),
    pytest.param(in_memory, id="memory"),
    pytest.param(
        server,
        id="server",
        marks=[pytest.mark.skipif(not SERVER, reason="CAVEAT_QDRANT_URL is not set"), pytest.mark.enable_socket],
    ),
]


@pytest.fixture(params=MAKERS)
def store(request: pytest.FixtureRequest, fast_path: Path) -> Iterator[VectorStore]:
    make: Callable[[Path], VectorStore] = request.param
    made = make(fast_path)
    yield made
    if isinstance(made, ServerStore):
        made.drop()
    made.close()


def point(row: int, vector: list[float] | None = None, doc: str = "a.md", **times: int) -> Point:
    every = {"valid_from": 0, "valid_to": FOREVER_DAY, "rec_from": 1, "rec_to": FOREVER} | times
    values = np.array(vector or [1.0] + [0.0] * (DIM - 1), dtype=np.float32)
    return Point(point_id(row, 0), values, f"{row:016x}", doc, **every)


def rows(found: list[Scored]) -> list[int]:
    return [scored.id >> 16 for scored in found]


def search(store: VectorStore, window: Window, n: int = 10) -> list[int]:
    return rows(store.search(point(0).vector, window, n))


def test_search_finds_the_nearest_exactly(store: VectorStore) -> None:
    vectors = np.random.default_rng(7).normal(size=(200, DIM)).astype(np.float32)
    store.upsert(point(row, vector.tolist()) for row, vector in enumerate(vectors))
    found = store.search(vectors[3], ALWAYS, 25)
    assert rows(found) == np.argsort(-(vectors @ vectors[3]), kind="stable")[:25].tolist()
    assert found[0].score == pytest.approx(float(vectors[found[0].id >> 16] @ vectors[3]), rel=1e-5)


def test_equal_scores_come_by_id(store: VectorStore) -> None:
    store.upsert(point(row) for row in (5, 3, 9, 1))
    assert search(store, ALWAYS) == [1, 3, 5, 9]


@pytest.mark.parametrize(
    ("as_of", "known_at", "expected"),
    [
        (9, 500, []),
        (10, 500, [1]),
        (19, 500, [1]),
        (20, 500, []),
        (15, 99, []),
        (15, 100, [1]),
        (15, 899, [1]),
        (15, 900, []),
    ],
)
def test_times_are_half_open(store: VectorStore, as_of: int, known_at: int, expected: list[int]) -> None:
    store.upsert([point(1, valid_from=10, valid_to=20, rec_from=100, rec_to=900)])
    assert search(store, Window(as_of, known_at)) == expected


def test_real_instants_are_told_apart_to_the_microsecond(store: VectorStore) -> None:
    instant = 1_796_000_000_000_001
    store.upsert([point(1, rec_from=instant)])
    assert search(store, Window(739_999, instant - 1)) == []
    assert search(store, Window(739_999, instant)) == [1]


def test_documents_filter(store: VectorStore) -> None:
    store.upsert([point(1), point(2, doc="b.md"), point(3, doc="c.md")])
    assert search(store, Window(50, 1000, ("b.md", "c.md", "unknown.md"))) == [2, 3]
    assert search(store, Window(50, 1000, ())) == []


def test_a_closed_row_is_still_there_for_earlier_readers(store: VectorStore) -> None:
    store.upsert([point(1), point(2)])
    store.close_rows({point_id(1, 0): 600})
    assert search(store, Window(50, 599)) == [1, 2]
    assert search(store, Window(50, 600)) == [2]


def test_writing_again_changes_nothing(store: VectorStore) -> None:
    for _ in range(2):
        store.upsert([point(1), point(2)])
        store.close_rows({point_id(1, 0): 600})
    assert store.ids().tolist() == [point_id(1, 0), point_id(2, 0)]
    assert search(store, Window(50, 600)) == [2]


def test_counts(store: VectorStore) -> None:
    store.upsert([point(1), point(2, valid_from=60)])
    assert store.count() == 2
    assert store.count(ALWAYS) == 1


def test_an_empty_store_finds_nothing(store: VectorStore) -> None:
    assert search(store, ALWAYS) == []
    assert store.ids().tolist() == []
    assert store.count() == 0


def test_payloads_hold_the_four_times(store: VectorStore) -> None:
    store.upsert([point(1, valid_from=3)])
    expected = {
        "section": f"{1:016x}",
        "doc": "a.md",
        "valid_from": 3,
        "valid_to": FOREVER_DAY,
        "rec_from": 1,
        "rec_to": FOREVER,
    }
    assert store.payloads() == {point_id(1, 0): expected}
    assert store.payloads([point_id(1, 0), point_id(2, 0)]) == {point_id(1, 0): expected}


def test_ranked_breaks_ties_by_id() -> None:
    assert rows(ranked([Scored(9 << 16, 0.5), Scored(2 << 16, 0.5), Scored(7 << 16, 0.9)])) == [7, 2, 9]


def test_edge_keeps_what_was_flushed(fast_path: Path) -> None:
    written = EdgeStore.create(fast_path / "vectors", DIM)
    written.upsert([point(1), point(2)])
    written.close_rows({point_id(2, 0): 600})
    written.flush()
    written.close()
    assert search(EdgeStore.open_to_read(fast_path / "vectors"), Window(50, 600)) == [1]


def test_edge_names_the_folder_it_cannot_load(fast_path: Path) -> None:
    with pytest.raises(StoreError, match=r"gone.*does not exist"):
        EdgeStore.open_to_read(fast_path / "gone")


def test_a_server_that_is_not_there_is_one_clear_error() -> None:
    with pytest.raises(StoreError, match="Qdrant server"):
        ServerStore.connect(Collection("http://127.0.0.1:9", "KEY", "c"), DIM)


def test_a_collection_that_is_gone_says_what_to_run() -> None:
    client = QdrantClient(":memory:")
    lost = Collection("memory", "KEY", "lost")
    with (
        patch.object(index.stores.server, "client_of", lambda _: client),
        pytest.raises(StoreError, match=r"no collection lost.*caveat index"),
    ):
        ServerStore.connect(lost, DIM)


def test_a_copy_keeps_holes(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    with source.open("wb") as file:
        file.write(b"begin")
        file.seek(32 << 20)
        file.write(b"end")
    copy_file(source, target)

    assert target.read_bytes() == source.read_bytes()
    assert target.stat().st_blocks <= max(source.stat().st_blocks, 1024)


def test_a_folder_that_the_engine_cannot_load_says_what_builds_it_anew(tmp_path: Path) -> None:
    EdgeStore.create(tmp_path / "vectors", 4).close()
    (tmp_path / "vectors" / "edge_config.json").write_text("{")

    # A plain `caveat index` finds every size as it should be, and would build nothing.
    with pytest.raises(StoreError, match=r"Qdrant Edge: .*fix: run `caveat index --full`"):
        EdgeStore.open_to_read(tmp_path / "vectors")
