import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from index.doctor import examine
from index.run import index_run
from index.state import State
from index.stores.edge import EdgeStore
from tests.index import scene


@pytest.fixture
def state(fast_path: Path) -> State:
    scene.publish(fast_path, 1)
    return State(fast_path / "state")


def test_a_whole_state_has_no_findings(state: State) -> None:
    assert examine(state) == []


def lose_history(state: State) -> None:
    state.catalog.unlink()


def lose_current(state: State) -> None:
    (state.folder / "CURRENT").unlink()


def lose_a_vector_file(state: State) -> None:
    next(state.generation(1).glob("vectors/**/*.mmap")).unlink()


def damage_history(state: State) -> None:
    state.catalog.write_bytes(b"no database" * 400)


def damage_a_cache(state: State) -> None:
    state.embeddings.write_bytes(b"no database" * 400)


def lose_a_cache(state: State) -> None:
    state.parsed.unlink()


def lose_token_vectors(state: State) -> None:
    shutil.rmtree(state.token_vectors)


def damage_token_vectors(state: State) -> None:
    [path] = state.token_vectors.glob("*.bin")
    path.write_bytes(path.read_bytes()[:-1] + b"?")


def cut_token_vectors_short(state: State) -> None:
    [path] = state.token_vectors.glob("*.bin")
    path.write_bytes(path.read_bytes()[:-1])


def change_a_text(state: State) -> None:
    path = state.generation(1) / "texts.bin"
    path.write_bytes(path.read_bytes().replace(b"counted daily", b"counted never"))


def begin_a_build(state: State) -> None:
    (state.generations / ".building-2").mkdir()


def move_the_handbook(state: State) -> None:
    (state.folder.parent / "handbook").rename(state.folder.parent / "away")


def forget_a_point(state: State) -> None:
    import qdrant_edge

    shard = qdrant_edge.EdgeShard.load(str(state.generation(1) / "vectors"))
    point = int(shard.scroll(qdrant_edge.ScrollRequest(limit=1))[0][0].id)
    shard.update(qdrant_edge.UpdateOperation.set_payload([point], {"valid_from": 1}))
    shard.close()
    del shard
    for journal in (state.generation(1) / "vectors").rglob("tracker_journal.dat"):
        journal.touch()
    store = EdgeStore.open(state.generation(1) / "vectors")
    store.close()


@pytest.mark.parametrize(
    ("hurt", "part", "found", "fix", "harmless"),
    [
        (lose_history, "history/catalog.sqlite", "the history is gone", "copy ", False),
        (damage_history, "history/catalog.sqlite", "not a readable catalog", "restore", False),
        (lose_current, "CURRENT", "nothing is published yet", "caveat index", False),
        (lose_a_vector_file, "generations/1", r"\.mmap is gone", "caveat index", False),
        (forget_a_point, "generations/1", "the vector of point .* is wrong", "caveat index --full", False),
        (damage_a_cache, "cache/embeddings.sqlite", "cannot be read", "delete it", False),
        (lose_a_cache, "cache/parsed.sqlite", "the cache is gone", "nothing to do", True),
        (lose_token_vectors, "cache/token_vectors", "no token vectors are kept: late", "caveat index", True),
        (damage_token_vectors, "cache/token_vectors", "those of 1 texts are damaged", "delete this folder", True),
        (cut_token_vectors_short, "cache/token_vectors", "cut short.*: late interaction", "caveat index", True),
        (change_a_text, "generations/1", "1 texts are not those that were encoded", "caveat index --full", False),
        (begin_a_build, "generations/.building-2", "did not finish", "caveat index", True),
        (move_the_handbook, "state.json", "is not there", "--moved", True),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_each_fault_is_found_with_its_fix(
    state: State, hurt: Callable[[State], None], part: str, found: str, fix: str, harmless: bool
) -> None:
    import re

    hurt(state)
    finding = examine(state)[0]
    assert finding.part == part
    assert re.search(found, finding.found)
    assert fix in finding.fix
    assert finding.harmless is harmless


def test_a_recorded_run_that_is_not_published(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    from ingest.errors import StateError

    folder = state.folder.parent
    scene.write_handbook(folder / "handbook", 2)
    with monkeypatch.context() as patch:
        patch.setenv("CAVEAT_FAULT", "catalog-committed:full")
        with pytest.raises(StateError, match="No space left"):
            index_run(scene.request(folder, 2))
    [finding] = examine(state)
    assert (finding.part, finding.found) == ("generations/1", "holds run 1, the history has run 2")
    assert finding.harmless
    index_run(scene.request(folder, 2))
    assert examine(state) == []


def test_an_empty_folder(tmp_path: Path) -> None:
    assert [finding.found for finding in examine(State(tmp_path))] == ["no handbook was indexed here yet"]
