"""Opening a published generation: what it answers, and what it refuses to be."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import qdrant_edge

from index import opened
from index.generation.manifest import SCHEMA, Manifest
from index.run import index_run
from index.settings import EncoderSettings
from index.snapshot import Snapshot
from index.state import State
from index.stores.store import Scored, VectorStore
from ingest.dates import parse_day
from ingest.errors import EncoderError, QueryError, StateDamaged, StateError, StateMissing, StoreError
from tests.index import scene
from tests.index.scene import DAY, NOW, SECOND

WINTER = parse_day("2026-02-01")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    scene.publish(folder, 1)
    scene.publish(folder, 2)
    return folder / "state"


@pytest.fixture
def state(published: Path, fast_path: Path) -> Path:
    """A copy to damage."""
    return shutil.copytree(published, fast_path / "state")


def edit_manifest(state: Path, **fields: object) -> None:
    path = state / "generations" / "2" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_dense_hits_are_spans_of_sections_in_force(published: Path) -> None:
    snapshot = Snapshot.open(published)
    view = snapshot.view(DAY)
    question = "Seats > Downgrades: seat reductions must be announced in writing, revision2, before the renewal date"
    hit = view.dense(snapshot.encoder.encode_query(question), 1)[0]
    placed = view.section(hit.doc_id, hit.section_id)
    assert "revision2" in placed.version.text[hit.start : hit.end]
    assert (placed.valid_from, placed.valid_to) == (parse_day("2026-07-01"), 9_999_999)


@pytest.mark.parametrize(
    ("day", "known_at", "word"),
    [
        (DAY, None, "revision2"),
        (DAY, NOW + SECOND, "revision1"),
        (WINTER, None, "zero"),
        (DAY, NOW + 9 * SECOND, "revision2"),
    ],
    ids=["now", "known before", "in force before", "later than the last run"],
)
def test_keywords_are_of_the_day_and_the_belief(published: Path, day: int, known_at: int | None, word: str) -> None:
    view = Snapshot.open(published).view(day, known_at)
    assert [hit.doc_id for hit in view.keywords(word, 5)] == ["04-seats.md"]
    others = {"revision1", "revision2", "zero"} - {word}
    assert [hit for other in others for hit in view.keywords(other, 5)] == []


def test_before_everything_nothing_is_in_force(published: Path) -> None:
    snapshot = Snapshot.open(published)
    view = snapshot.view(parse_day("2025-12-31"))
    assert view.documents() == ()
    assert view.dense(snapshot.encoder.encode_query("seats"), 5) == []
    assert view.keywords("seats", 5) == []
    with pytest.raises(QueryError, match=r"04-seats\.md: not in force; allowed: no document is in force"):
        view.outline("04-seats.md")


def test_documents_limit_both_lists(published: Path) -> None:
    snapshot = Snapshot.open(published)
    view, wanted = snapshot.view(DAY), ("02-credits.md", "03-refunds.md")
    dense = view.dense(snapshot.encoder.encode_query("rules"), 100, wanted)
    assert {hit.doc_id for hit in dense} == {hit.doc_id for hit in view.keywords("rule", 100, wanted)} == set(wanted)


@pytest.mark.parametrize(
    ("reference", "doc_id"),
    [
        ("04-seats.md#Seats > Downgrades", None),
        ("04-seats.md#4.2", None),
        ("4.2", "04-seats.md"),
        ("Section 4.2", "04-seats.md"),
        ("seats > downgrades", None),
        ("Downgrades", None),
    ],
)
def test_a_section_is_found_by_each_of_its_names(published: Path, reference: str, doc_id: str | None) -> None:
    found = Snapshot.open(published).view(DAY).find(reference, doc_id)
    assert [placed.version.address for placed in found] == ["04-seats.md#Seats > Downgrades"]


def test_an_ambiguous_name_finds_all(published: Path) -> None:
    assert len(Snapshot.open(published).view(DAY).find("Rule 1")) == len(scene.TOPICS)
    assert Snapshot.open(published).view(DAY).find("Rule 9") == []


def test_sections_come_in_the_order_of_the_outline(published: Path) -> None:
    view = Snapshot.open(published).view(DAY)
    titles = [placed.version.title for placed in view.sections("04-seats.md")]
    assert [title for title in titles if title] == ["Seats", "Terms", "Downgrades"]
    assert [section for section, _ in view.outline("04-seats.md").sections] == [
        placed.version.section_id for placed in view.sections("04-seats.md")
    ]


def test_history_is_every_belief(published: Path) -> None:
    snapshot = Snapshot.open(published)
    [section_id] = snapshot.find_ever("04-seats.md#4.2")
    words = [version.text.split(", ")[1] for _, version in snapshot.history(section_id)]
    assert words == ["zero", "revision1", "revision2"]


def test_an_unknown_generation_number(published: Path) -> None:
    with pytest.raises(QueryError, match="no generation 7; allowed: 1 to 2"):
        Snapshot.open(published).recorded_at(7)


def test_stale_once_another_is_published(state: Path) -> None:
    snapshot = Snapshot.open(state)
    assert not snapshot.stale()
    State(state).publish(3)
    assert snapshot.stale()


def test_a_snapshot_outlives_its_folder(state: Path) -> None:
    snapshot = Snapshot.open(state)
    shutil.rmtree(state)
    view = snapshot.view(DAY)
    assert view.keywords("revision2", 5)
    assert view.dense(snapshot.encoder.encode_query("seats"), 5)
    assert view.find("04-seats.md#4.2")


def test_searching_changes_no_byte(state: Path) -> None:
    def contents() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}

    Snapshot.open(state).close()
    before = contents()
    for _ in range(2):
        snapshot = Snapshot.open(state)
        scene.fault_in(snapshot, scene.Expected.of(snapshot))
        snapshot.close()
    assert contents() == before


def test_a_read_only_folder_is_searched_through_a_copy(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, load = [], qdrant_edge.EdgeShard.load

    class ReadOnlyThere:
        @staticmethod
        def load(path: str) -> qdrant_edge.EdgeShard:
            loaded.append(path)
            if path.startswith(str(state)):
                raise Exception("Read-only file system (os error 30)")
            return load(path)

    monkeypatch.setattr(qdrant_edge, "EdgeShard", ReadOnlyThere)
    snapshot = Snapshot.open(state)
    assert scene.fault_in(snapshot, scene.Expected.of(snapshot)) is None
    assert len(loaded) == 2
    assert not Path(loaded[1]).exists()


def test_nothing_indexed_yet(tmp_path: Path) -> None:
    with pytest.raises(StateMissing, match=r"nothing was indexed.*caveat index HANDBOOK"):
        Snapshot.open(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "settings", [EncoderSettings(model="hash-32"), EncoderSettings(model="hash-64", query_prefix="q: ")]
)
def test_another_encoder_is_refused(published: Path, settings: EncoderSettings) -> None:
    with pytest.raises(EncoderError, match=r"built with hash-64, and the encoder is hash-.*run `caveat index`"):
        Snapshot.open(published, settings)


def test_the_same_encoder_with_other_weights_is_refused(state: Path) -> None:
    edit_manifest(state, encoder_fingerprint="other")
    with pytest.raises(EncoderError, match=r"built with fingerprint other.*run `caveat index`"):
        _ = Snapshot.open(state).encoder


def test_a_generation_of_a_newer_caveat(state: Path) -> None:
    edit_manifest(state, schema=SCHEMA + 1)
    with pytest.raises(StateError, match=rf"schema {SCHEMA + 1} was written by a newer Caveat.*update Caveat"):
        Snapshot.open(state)


def test_a_generation_of_an_older_caveat_is_built_anew_not_misread(state: Path) -> None:
    scene.write_handbook(state.parent / "handbook", 2)
    edit_manifest(state, schema=1)
    with pytest.raises(StateDamaged, match=r"schema 1 was written by an older Caveat.*run `caveat index`"):
        Snapshot.open(state)
    report = index_run(scene.request(state.parent, 3))
    assert (report.full, report.chunks_embedded, Snapshot.open(state).recorded_at(1)) == (True, 0, NOW + SECOND)


@pytest.mark.parametrize(
    "lost",
    [
        "catalog.sqlite",
        "points.npz",
        "keywords.npz",
        "texts.npz",
        "texts.bin",
        "manifest.json",
        "vectors",
        "vectors/segments/*/vector_storage/vectors/status.dat",
    ],
)
def test_every_lost_part_is_named(state: Path, lost: str) -> None:
    [path] = (state / "generations" / "2").glob(lost)
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(StateDamaged, match=rf"{path.name}.*run `caveat index`"):
        Snapshot.open(state)


@pytest.mark.parametrize("name", ["points.npz", "keywords.npz", "texts.npz", "catalog.sqlite"])
def test_every_changed_part_is_noticed(state: Path, name: str) -> None:
    path = state / "generations" / "2" / name
    path.write_bytes(b"\xab" * path.stat().st_size)
    with pytest.raises(StateDamaged, match=name.replace(".", r"\.")):
        Snapshot.open(state)


def test_a_cut_file_is_noticed_by_its_size(state: Path) -> None:
    [path] = (state / "generations" / "2").glob("vectors/segments/*/mutable_id_tracker.mappings")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StateDamaged, match=r"generation 2 is not whole: .*mappings has \d+ bytes, not \d+"):
        Snapshot.open(state)


def test_texts_are_what_was_encoded(published: Path) -> None:
    snapshot = Snapshot.open(published)
    view = snapshot.view(DAY)
    hits = view.keywords("revision2", 1) + view.keywords("rule", 2)
    texts = view.texts(hits)
    assert texts[0] == (
        "Seats > Downgrades\nSeat reductions must be announced in writing, revision2, before the renewal date."
    )
    vectors = snapshot.encoder.encode_passages(texts)
    stored = snapshot._opened.store.vectors([hit.point for hit in hits])
    assert np.allclose(vectors, stored)


def test_token_vectors_are_those_that_are_kept_or_else_computed(state: Path) -> None:
    kept = Snapshot.open(state)
    shutil.rmtree(state / "cache" / "token_vectors")
    lost = Snapshot.open(state)
    texts = kept.view(DAY).texts(kept.view(DAY).keywords("rule", 5))
    (stored, none), (computed, all_of_them) = kept.token_vectors.of(texts), lost.token_vectors.of(texts)
    assert (none, all_of_them) == (0, len(texts))
    assert all(np.array_equal(one, other) for one, other in zip(stored, computed, strict=True))
    assert lost.token_vectors.of(texts).computed == 0


def test_a_folder_that_is_deleted_while_it_is_opened_is_not_believed(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = opened.open_store

    def open_store(manifest: Manifest, folder: Path) -> VectorStore:
        store = real(manifest, folder)
        folder.rename(folder.with_name(".trash-2"))
        return store

    with monkeypatch.context() as patch:
        patch.setattr(opened, "open_store", open_store)
        with pytest.raises(StateDamaged, match="generation 2 is not whole"):
            Snapshot.open(state)


def test_a_store_that_returns_too_much_is_not_believed(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = Snapshot.open(published)
    closed = int(snapshot._opened.points.id[~snapshot.view(DAY)._mask][0])
    monkeypatch.setattr(type(snapshot._opened.store), "search", lambda *_: [Scored(closed, 1.0)])
    with pytest.raises(StoreError, match=rf"point {closed}, which is not in force.*caveat index --full"):
        snapshot.view(DAY).dense(snapshot.encoder.encode_query("seats"), 5)
