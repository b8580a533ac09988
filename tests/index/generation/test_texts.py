from pathlib import Path

import pytest

from index.digests import text_digest
from index.generation.texts import Texts
from ingest.errors import StateDamaged


@pytest.fixture
def texts() -> Texts:
    return Texts.empty().extended(["Seats\nSeat", "Über Ünits", "", "Seats\nSeat"]).texts


def test_each_text_is_held_once_and_chunks_name_it(texts: Texts) -> None:
    assert [texts[number] for number in range(len(texts))] == ["Seats\nSeat", "Über Ünits", ""]
    grown = texts.extended(["new", "", "Seats\nSeat", "new"])
    assert grown.numbers == [3, 2, 0, 3]
    assert [grown.texts[number] for number in grown.numbers] == ["new", "", "Seats\nSeat", "new"]
    assert [digest.decode() for digest in texts.digest.tolist()] == [text_digest(texts[n]) for n in range(3)]


def test_saving_keeps_everything_also_when_the_folder_is_deleted(texts: Texts, tmp_path: Path) -> None:
    texts.save(tmp_path)
    loaded = Texts.load(tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()
    assert [loaded[number] for number in range(3)] == ["Seats\nSeat", "Über Ünits", ""]
    assert loaded.changed() == 0
    loaded.extended(["new"]).texts.save(tmp_path)
    assert Texts.load(tmp_path)[3] == "new"


def test_no_texts_are_a_table_too(tmp_path: Path) -> None:
    Texts.empty().save(tmp_path)
    assert len(Texts.load(tmp_path)) == 0
    assert Texts.load(tmp_path).extended(["a"]).texts[0] == "a"


@pytest.mark.parametrize("name", ["texts.npz", "texts.bin"])
@pytest.mark.parametrize("keep", [None, 0, 10], ids=["gone", "empty", "cut short"])
def test_texts_that_are_not_whole(texts: Texts, tmp_path: Path, name: str, keep: int | None) -> None:
    texts.save(tmp_path)
    path = tmp_path / name
    whole = path.read_bytes()
    path.unlink() if keep is None else path.write_bytes(whole[:keep])
    with pytest.raises(StateDamaged, match=r"the texts .*cannot be read.*caveat index --full"):
        Texts.load(tmp_path)


def test_a_changed_text_is_noticed(texts: Texts, tmp_path: Path) -> None:
    texts.save(tmp_path)
    path = tmp_path / "texts.bin"
    path.write_bytes(path.read_bytes().replace(b"Seats", b"Boats"))
    assert Texts.load(tmp_path).changed() == 1
