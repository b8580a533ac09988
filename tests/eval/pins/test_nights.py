"""Pins in a night: one that is lost fails it, an open one is reported until it passes, a file that is none is named."""

import json
from pathlib import Path

import pytest

from eval.nightly.pins import pins_of
from eval.nightly.record import Pinned
from eval.surroundings import Surroundings, surroundings
from tests.eval.nightly.evenings import Evenings, gate
from tests.eval.nightly.test_history import night
from tests.eval.pins.conftest import Typed, edit, pin, read


@pytest.fixture
def around(ask: Typed, demo_folder: Path) -> Surroundings:
    return surroundings(demo_folder / ".caveat")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data" / "pins").mkdir(parents=True)
    (tmp_path / "data" / "pins" / "a-pin.json").write_text(json.dumps(pin()), encoding="utf-8")
    return tmp_path / "data" / "pins"


def lost(folder: Path, **changed: object) -> None:
    anchor = pin()["anchors"][0] | {"sections": ["04-seats.md#Seats > Nowhere"], "wordings": ["no such words"]}
    edit(folder / "a-pin.json", anchors=[anchor], **changed)


def test_each_pin_is_told(folder: Path, around: Surroundings) -> None:
    assert pins_of(folder, around) == [Pinned(id="a-pin", title="A pin", status="passed")]
    lost(folder)
    [one] = pins_of(folder, around)
    assert (one.status, one.detail) == ("failed", '"30 calendar days" not in force on 2026-03-15')


def test_an_open_pin_is_reported_until_it_passes(folder: Path, around: Surroundings) -> None:
    lost(folder, status="open")
    assert [one.status for one in pins_of(folder, around)] == ["open"]
    edit(folder / "a-pin.json", anchors=pin()["anchors"])
    [one] = pins_of(folder, around)
    assert (one.status, one.detail) == ("passed", "was open and passes: from now on it must")
    assert read(folder / "a-pin.json")["status"] == "pinned"


def test_a_file_that_is_no_pin_has_failed_and_the_others_are_run(folder: Path, around: Surroundings) -> None:
    (folder / "b.json").write_text('{"pin": 1}', encoding="utf-8")
    bad, good = pins_of(folder, around)
    assert (bad.id, bad.status) == ("b", "failed")
    assert bad.detail.startswith("no pin: id is missing or no text")
    assert good.status == "passed"


def test_without_pins_nothing_is_opened(tmp_path: Path, around: Surroundings) -> None:
    assert pins_of(tmp_path / "none", around) == []


def test_a_pin_that_is_gone_has_failed_until_it_is_there_again(folder: Path, around: Surroundings) -> None:
    file = folder / "a-pin.json"
    passed = night(1).model_copy(update={"pins": pins_of(folder, around)})
    moved = file.rename(folder.parent / "elsewhere.json")
    [gone] = pins_of(folder, around, [passed])
    assert (gone.id, gone.title, gone.status) == ("a-pin", "A pin", "failed")
    assert gone.detail.startswith("its file is gone")
    assert pins_of(folder, around, [passed, night(2).model_copy(update={"pins": [gone]})]) == [gone]
    moved.rename(file)
    edit(file, status="retired", retired={"at": "2026-12-01", "why": "no longer sold"})
    assert pins_of(folder, around, [passed]) == []


def test_a_pin_in_a_folder_within_is_run(folder: Path, around: Surroundings, caveat: Typed) -> None:
    (folder / "seats").mkdir()
    (folder / "a-pin.json").rename(folder / "seats" / "a-pin.json")
    assert [one.id for one in pins_of(folder, around)] == ["a-pin"]
    assert "a-pin" in caveat("pin", "list").out


def test_a_lost_pin_fails_the_night(tmp_path: Path, caveat: Typed, indexed: Path, folder: Path) -> None:
    evenings = Evenings(tmp_path, caveat)
    _, told = evenings.run()
    assert gate(told, "lost pins") == "passed"
    lost(folder, status="open")
    status, told = evenings.run("2026-12-02T02:00:00Z", "--no-index")
    # It passed the night before, whatever its file says.
    assert (gate(told, "lost pins"), status) == ("failed", 1)
    assert told["pins"][0]["status"] == "failed"
    (folder / "a-pin.json").unlink()
    status, told = evenings.run("2026-12-03T02:00:00Z", "--no-index")
    assert (gate(told, "lost pins"), status) == ("failed", 1)
