"""Index runs: what is published, what is embedded, what is refused."""

import shutil
import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from index.encoding.hashing import HashEncoder
from index.encoding.tokenstore import TokenStore
from index.generation.manifest import VECTORS, Manifest
from index.history.parsed import ParseCache
from index.run import IndexRequest, RollbackRequest, index_run, plan_run, rollback_run
from index.settings import EncoderSettings, IndexSettings, Settings
from index.snapshot import Snapshot
from index.state import State
from ingest.errors import GuardError, StateDamaged, StateError, StateLocked, StateMissing
from ingest.settings import IngestSettings
from tests.index import scene
from tests.index.scene import DAY, NOW, SECOND


@pytest.fixture
def folder(fast_path: Path) -> Path:
    scene.publish(fast_path, 1)
    return fast_path


def wording(folder: Path, known_at: int | None = None) -> str:
    view = Snapshot.open(folder / "state").view(DAY, known_at)
    return view.find("04-seats.md#4.2")[0].version.text


def test_a_first_run_embeds_every_chunk_once(fast_path: Path) -> None:
    scene.write_handbook(fast_path / "handbook", 1)
    report = index_run(scene.request(fast_path, 1))
    assert (report.seq, report.generation, report.published, report.full) == (1, 1, True, True)
    assert report.chunks_embedded + report.chunks_reused == report.chunks_new == report.chunks_total
    assert report.exit_status == 0
    assert set(report.seconds) == {"read", "plan", "record", "prepare", "build", "encode"}


def test_one_changed_sentence_embeds_one_chunk(folder: Path) -> None:
    scene.write_handbook(folder / "handbook", 2)
    plan = plan_run(scene.request(folder, 2))
    assert [(change.address, change.kind) for change in plan.changes] == [("04-seats.md#Seats > Downgrades", "amended")]
    report = index_run(scene.request(folder, 2))
    assert report.counts == {"amended": 1}
    assert (report.chunks_embedded, report.full) == (1, False)
    assert "revision2" in wording(folder)
    assert "revision1" in wording(folder, known_at=NOW + SECOND)


def test_a_plan_changes_nothing(folder: Path) -> None:
    before = scene.content(folder)
    scene.write_handbook(folder / "handbook", 2)
    plan_run(scene.request(folder, 2))
    assert scene.content(folder) == before


def test_a_plan_without_a_state_makes_none(fast_path: Path) -> None:
    scene.write_handbook(fast_path / "handbook", 1)
    assert plan_run(scene.request(fast_path, 1)).counts == {"added": 27, "amended": 1}
    assert not (fast_path / "state").exists()


def test_nothing_new_publishes_nothing(folder: Path) -> None:
    report = index_run(scene.request(folder, 2))
    assert (report.published, report.generation, report.chunks_embedded) == (False, 1, 0)


def test_increments_equal_a_rebuild(folder: Path) -> None:
    for revision in (2, 3, 4):
        scene.publish(folder, revision)
    increments = scene.content(folder)
    report = index_run(replace(scene.request(folder, 4), full=True))
    assert report.full
    assert report.chunks_embedded > 1
    assert scene.content(folder) == increments


def test_generations_are_numbered_on_and_known(folder: Path) -> None:
    scene.publish(folder, 2)
    index_run(replace(scene.request(folder, 2), full=True))
    snapshot = Snapshot.open(folder / "state")
    assert [entry.generation for entry in snapshot.manifest.published] == [1, 2, 3]
    assert [snapshot.recorded_at(number) - NOW for number in (1, 2, 3)] == [SECOND, 2 * SECOND, 2 * SECOND]


def test_rollback_and_forward_again(folder: Path) -> None:
    scene.publish(folder, 2)
    report = rollback_run(RollbackRequest(folder / "state", 1, NOW + 3 * SECOND, scene.SETTINGS))
    assert (report.seq, report.generation, report.chunks_embedded) == (3, 3, 0)
    assert "revision1" in wording(folder)
    assert "revision2" in wording(folder, known_at=NOW + 2 * SECOND)
    assert [change.kind for change in plan_run(scene.request(folder, 4)).changes] == ["amended"]
    index_run(scene.request(folder, 4))
    assert "revision2" in wording(folder)


def test_another_encoder_rebuilds(folder: Path) -> None:
    settings = replace(scene.SETTINGS, encoder=EncoderSettings(model="hash-32"))
    report = index_run(replace(scene.request(folder, 2), settings=settings))
    assert (report.published, report.full, report.seq) == (True, True, 1)
    assert Snapshot.open(folder / "state").encoder.dim == 32


def test_another_chunk_size_rebuilds(folder: Path) -> None:
    settings = replace(scene.SETTINGS, ingest=IngestSettings(child_max=50))
    assert index_run(replace(scene.request(folder, 2), settings=settings)).full


def test_old_generations_are_collected(folder: Path) -> None:
    settings = Settings(encoder=scene.SETTINGS.encoder, index=IndexSettings(keep_generations=2))
    for revision in (2, 3, 4):
        scene.write_handbook(folder / "handbook", revision)
        index_run(replace(scene.request(folder, revision), settings=settings))
    assert sorted(path.name for path in (folder / "state" / "generations").iterdir()) == ["3", "4"]


def test_a_guard_writes_nothing(folder: Path) -> None:
    before = scene.content(folder)
    for path in (folder / "handbook" / "2026-07-01").glob("0[1-3]*"):
        path.unlink()
    with pytest.raises(GuardError, match=r"2026-07-01.*allow-removals"):
        index_run(scene.request(folder, 2))
    assert scene.content(folder) == before


def test_a_refused_file_is_exit_status_1(folder: Path) -> None:
    (folder / "handbook" / "2026-07-01" / "01-upgrades.md").write_bytes(b"# 1 Upgrades\n\n\xff\xfe")
    report = index_run(scene.request(folder, 2))
    assert report.exit_status == 1
    assert [refusal.relative for refusal in report.refusals] == ["01-upgrades.md"]
    assert Snapshot.open(folder / "state").view(DAY).find("01-upgrades.md#1.1")


def test_a_locked_state(folder: Path) -> None:
    with State(folder / "state").locked(), pytest.raises(StateLocked, match="another process is writing"):
        index_run(scene.request(folder, 2))


def test_a_state_of_another_handbook(folder: Path) -> None:
    (folder / "handbook").rename(folder / "elsewhere")
    moved = replace(scene.request(folder, 2), root=folder / "elsewhere")
    with pytest.raises(StateError, match=r"belongs to the handbook .*handbook, not to .*elsewhere.*--moved"):
        index_run(moved)
    index_run(replace(moved, moved=True))
    index_run(moved)


def test_a_lost_history_is_not_begun_anew(folder: Path) -> None:
    (folder / "state" / "history" / "catalog.sqlite").unlink()
    with pytest.raises(StateDamaged, match=r"the history is gone.*copy .*generations/1/catalog\.sqlite there"):
        index_run(scene.request(folder, 2))
    assert "revision1" in wording(folder)


def test_a_lost_cache_is_filled_again(folder: Path) -> None:
    shutil.rmtree(folder / "state" / "cache")
    scene.publish(folder, 2)
    assert "revision2" in wording(folder)


def with_encoder(request: IndexRequest, **changes: Any) -> IndexRequest:
    settings = request.settings
    return replace(request, settings=replace(settings, encoder=settings.encoder.model_copy(update=changes)))


def kept(folder: Path) -> int:
    with suppress(StateMissing):
        return len(TokenStore.open(State(folder / "state").token_vectors, HashEncoder(64).fingerprint))
    return 0


def test_token_vectors_of_every_text_are_kept_and_lost_ones_filled_in(folder: Path) -> None:
    texts = Manifest.load(folder / "state" / "generations" / "1").texts
    assert kept(folder) == texts > 0
    shutil.rmtree(State(folder / "state").token_vectors)
    report = index_run(scene.request(folder, 2))
    assert (report.published, kept(folder)) == (False, texts)


def test_token_vectors_are_off_by_one_setting_and_above_a_number_of_texts(folder: Path) -> None:
    shutil.rmtree(State(folder / "state").token_vectors)
    for change in ({"token_vectors": False}, {"token_vectors_limit": 3}):
        scene.write_handbook(folder / "handbook", 2)
        index_run(with_encoder(scene.request(folder, 2), **change))
        assert kept(folder) == 0


def test_token_vectors_of_another_encoder_are_deleted(folder: Path) -> None:
    index_run(with_encoder(scene.request(folder, 2), model="hash-32"))
    assert {path.stem for path in State(folder / "state").token_vectors.iterdir()} == {HashEncoder(32).fingerprint}


def test_full_encodes_token_vectors_again(folder: Path) -> None:
    before = State(folder / "state").token_vectors.joinpath(f"{HashEncoder(64).fingerprint}.bin")
    old = before.stat().st_ino, before.read_bytes()
    index_run(replace(scene.request(folder, 2), full=True))
    assert (before.stat().st_ino == old[0], before.read_bytes() == old[1]) == (False, True)


@pytest.mark.parametrize("lost", ["CURRENT", "generations"])
def test_a_lost_generation_is_built_again(folder: Path, lost: str) -> None:
    scene.publish(folder, 2)
    before = scene.content(folder)
    place = folder / "state" / lost
    place.rename(folder / "away")
    report = index_run(scene.request(folder, 3))
    assert (report.published, report.full, report.chunks_embedded, report.generation) == (True, True, 0, 3)
    assert scene.content(folder) == before


def test_a_damaged_generation_is_built_again(folder: Path) -> None:
    before = scene.content(folder)
    for path in (folder / "state" / "generations" / "1" / "vectors").rglob("*.mmap"):
        path.unlink()
    report = index_run(scene.request(folder, 2))
    assert (report.published, report.full, report.generation) == (True, True, 2)
    assert scene.content(folder) == before


def test_a_state_folder_that_cannot_be_written(folder: Path) -> None:
    request = IndexRequest(folder / "handbook", folder / "handbook" / "2026-01-01" / "04-seats.md", NOW, scene.SETTINGS)
    with pytest.raises(StateError, match=r"cannot be written.*name another with --state"):
        index_run(request)


def test_a_disk_without_room_is_refused_before_the_build(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from index.stores import edge

    monkeypatch.setattr(edge.shutil, "disk_usage", lambda _: type("usage", (), {"free": 10_000_000}))
    scene.write_handbook(folder / "handbook", 2)
    with pytest.raises(StateError, match=r"No space left on device.*free some space"):
        index_run(scene.request(folder, 2))
    assert "revision1" in wording(folder)


def test_progress_is_told_by_stage(fast_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    scene.write_handbook(fast_path / "handbook", 1)
    index_run(replace(scene.request(fast_path, 1), progress=lambda *step: told.append(step)))
    assert {stage for stage, _, _ in told} == {"read", "encode"}
    assert all(done <= total for _, done, total in told)


def test_a_database_that_finds_no_room_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: ParseCache) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(ParseCache, "commit", full)
    with pytest.raises(StateError, match=r"database or disk is full\); fix: free some space"):
        index_run(scene.request(folder, 2))
    assert "revision1" in wording(folder)


def test_vectors_that_the_engine_cannot_load_are_built_anew(folder: Path) -> None:
    config = State(folder / "state").generation(1) / VECTORS / "edge_config.json"
    config.write_text("{")
    report = index_run(scene.request(folder, 2))
    assert (report.published, report.full, report.chunks_embedded) == (True, True, 0)
    assert Snapshot.open(folder / "state").view(DAY).find("01-upgrades.md#1.1")
