"""Generations whose vectors lie on a server (qdrant-client's in-memory mode stands in for one)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from qdrant_client import QdrantClient

import index.stores.server
from index.run import IndexRequest, index_run
from index.settings import StoreSettings
from index.snapshot import Snapshot
from index.stores.server import ServerStore
from ingest.errors import StateError, StoreError
from tests.index import scene

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[QdrantClient]:
    """The one server that every store in a test connects to."""
    client = QdrantClient(":memory:")
    monkeypatch.setattr(ServerStore, "close", lambda _: None)
    monkeypatch.setattr(index.stores.server, "client_of", lambda _: client)
    yield client
    client.close()


def request(folder: Path, revision: int) -> IndexRequest:
    scene.write_handbook(folder / "handbook", revision)
    settings = replace(scene.SETTINGS, store=StoreSettings(url="http://server:6333"))
    return replace(scene.request(folder, revision), settings=settings)


def collections(client: QdrantClient) -> list[str]:
    return [collection.name for collection in client.get_collections().collections]


def test_a_pinned_reader_stays_right_while_the_collection_moves_on(fast_path: Path, client: QdrantClient) -> None:
    index_run(request(fast_path, 1))
    old = Snapshot.open(fast_path / "state")
    expected = scene.Expected.of(old)
    index_run(request(fast_path, 2))
    new = Snapshot.open(fast_path / "state")
    assert old.stale()
    assert (scene.fault_in(old, expected), scene.fault_in(new, expected)) == (None, None)
    assert len(collections(client)) == 1


def test_an_unfinished_run_is_finished_in_the_same_collection(
    fast_path: Path, client: QdrantClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    index_run(request(fast_path, 1))
    old = Snapshot.open(fast_path / "state")
    expected = scene.Expected.of(old)
    for point in ("vectors-added", "vectors-closed", "build-named"):
        with monkeypatch.context() as patch:
            patch.setenv("CAVEAT_FAULT", f"{point}:full")
            with pytest.raises(StateError, match="No space left"):
                index_run(request(fast_path, 2))
        assert scene.fault_in(Snapshot.open(fast_path / "state"), expected) is None
    report = index_run(request(fast_path, 2))
    assert (report.generation, report.full) == (2, False)
    assert scene.fault_in(Snapshot.open(fast_path / "state"), expected) is None
    assert scene.fault_in(old, expected) is None


def test_a_full_build_takes_a_new_collection_and_drops_the_old(fast_path: Path, client: QdrantClient) -> None:
    index_run(request(fast_path, 1))
    [first] = collections(client)
    index_run(replace(request(fast_path, 1), full=True))
    [second] = collections(client)
    assert first != second
    snapshot = Snapshot.open(fast_path / "state")
    assert scene.fault_in(snapshot, scene.Expected.of(snapshot)) is None


def test_moving_to_a_server_builds_anew(fast_path: Path, client: QdrantClient) -> None:
    scene.publish(fast_path, 1)
    report = index_run(request(fast_path, 1))
    assert (report.full, report.chunks_embedded) == (True, 0)
    assert len(collections(client)) == 1


def test_a_lost_collection_says_what_to_run(fast_path: Path, client: QdrantClient) -> None:
    index_run(request(fast_path, 1))
    client.delete_collection(collections(client)[0])
    with pytest.raises(StoreError, match=r"has no collection .*run `caveat index"):
        Snapshot.open(fast_path / "state")
    assert index_run(request(fast_path, 1)).full
    assert Snapshot.open(fast_path / "state").view(scene.DAY).keywords("revision1", 1)
