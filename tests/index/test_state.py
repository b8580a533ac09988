from pathlib import Path

import pytest

from index.state import Owner, State, write_atomically
from ingest.errors import StateDamaged, StateError, StateLocked, StateMissing


@pytest.fixture
def state(tmp_path: Path) -> State:
    (tmp_path / "state").mkdir()
    return State(tmp_path / "state")


def test_nothing_published_yet(state: State) -> None:
    assert state.current() is None
    with pytest.raises(StateMissing, match=r"nothing was indexed.*run `caveat index HANDBOOK`"):
        state.must_be_published()


def test_publishing_is_reading_the_number_back(state: State) -> None:
    state.publish(7)
    assert state.must_be_published() == 7


@pytest.mark.parametrize("text", ["", "seven", "-1", "7 8"])
def test_a_current_file_that_is_no_number(state: State, text: str) -> None:
    (state.folder / "CURRENT").write_text(text)
    with pytest.raises(StateDamaged, match=r"CURRENT holds.*allowed: the number of a generation"):
        state.current()


def test_current_lost_while_generations_are_there(state: State) -> None:
    state.generation(2).mkdir(parents=True)
    with pytest.raises(StateDamaged, match=r"CURRENT is gone.*caveat index"):
        state.current()


def test_a_first_generation_that_was_never_published(state: State) -> None:
    state.generation(1).mkdir(parents=True)
    assert state.current() is None


def test_a_state_belongs_to_one_handbook(state: State, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    claimed = state.belong_to(first)
    assert state.belong_to(first) == claimed
    with pytest.raises(
        StateError, match=r"belongs to .*first, not to .*second.*run: caveat index .*second --state .* --moved"
    ):
        state.belong_to(second)
    assert state.belong_to(second, moved=True).absolute == str(second)
    assert state.belong_to(second).state_id == claimed.state_id


def test_handbook_and_state_may_move_together(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name / "handbook").mkdir(parents=True)
    claimed = State(tmp_path / "old" / ".caveat").belong_to(tmp_path / "old" / "handbook")
    (tmp_path / "old" / ".caveat").rename(tmp_path / "new" / ".caveat")
    moved = State(tmp_path / "new" / ".caveat").belong_to(tmp_path / "new" / "handbook")
    assert moved == Owner(1, claimed.state_id, str(tmp_path / "new" / "handbook"), "../handbook")


def test_an_owner_of_a_newer_layout(state: State, tmp_path: Path) -> None:
    state.belong_to(tmp_path)
    state.owner_file.write_text(state.owner_file.read_text().replace('"schema": 1', '"schema": 2'))
    with pytest.raises(StateError, match=r"schema 2 was written by a newer Caveat.*allowed: up to schema 1.*update"):
        state.owner()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema": "x"'])
def test_an_unreadable_owner(state: State, text: str) -> None:
    state.owner_file.write_text(text)
    with pytest.raises(StateDamaged, match=r"state\.json: not readable"):
        state.owner()


def test_one_writer_at_a_time(state: State) -> None:
    with state.locked(), pytest.raises(StateLocked, match=r"another process is writing.*wait"), state.locked():
        pass
    with state.locked():
        pass


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StateError, match=r"cannot be written.*name another with --state"),
        State(tmp_path / "file" / "state").locked(),
    ):
        pass


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a" / "file", "one")
    write_atomically(tmp_path / "a" / "file", "two")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["file"]
    assert (tmp_path / "a" / "file").read_text() == "two"
