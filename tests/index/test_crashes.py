"""A run that is killed, or meets a full disk, at every point that a run passes."""

import shutil
import signal
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest

from index.faults import CRASH_POINTS, VARIABLE
from index.run import index_run
from index.snapshot import Snapshot
from ingest.errors import StateError
from tests.index import scene

AFTER_PUBLISHING = CRASH_POINTS[CRASH_POINTS.index("published") :]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state with revision 1 published, and revision 2 of the handbook waiting."""
    folder = tmp_path_factory.mktemp("published")
    scene.publish(folder, 1)
    scene.write_handbook(folder / "handbook", 2)
    return folder


@pytest.fixture(scope="module")
def undisturbed(published: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a run without a fault makes of it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    shutil.copytree(published, folder, dirs_exist_ok=True)
    index_run(scene.request(folder, 2))
    return scene.content(folder)


@pytest.fixture(scope="module")
def expected(published: Path) -> scene.Expected:
    return scene.Expected.of(Snapshot.open(published / "state"))


@pytest.fixture
def folder(published: Path, fast_path: Path) -> Path:
    shutil.copytree(published, fast_path, dirs_exist_ok=True)
    return fast_path


def check_what_answers(folder: Path, point: str, expected: scene.Expected) -> None:
    """Before the next run: the generation that was published, whole."""
    snapshot = Snapshot.open(folder / "state")
    assert snapshot.generation == (2 if point in AFTER_PUBLISHING else 1)
    assert scene.fault_in(snapshot, expected) is None


def check_the_next_run(folder: Path, expected: scene.Expected, undisturbed: dict[str, Any]) -> None:
    index_run(scene.request(folder, 2))
    assert scene.fault_in(Snapshot.open(folder / "state"), expected) is None
    assert scene.content(folder) == undisturbed
    assert [path.name for path in (folder / "state" / "generations").iterdir()] == ["2"]


@pytest.mark.parametrize("point", CRASH_POINTS)
def test_killed(
    point: str, folder: Path, processes: ForkServerContext, expected: scene.Expected, undisturbed: dict[str, Any]
) -> None:
    child = processes.Process(target=scene.run_with_fault, args=(scene.request(folder, 2), f"{point}:kill"))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    check_what_answers(folder, point, expected)
    check_the_next_run(folder, expected, undisturbed)


@pytest.mark.parametrize("point", CRASH_POINTS)
def test_disk_full(
    point: str, folder: Path, expected: scene.Expected, undisturbed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, f"{point}:full")
        with pytest.raises(StateError, match=r"No space left on device.*free some space and run `caveat index` again"):
            index_run(scene.request(folder, 2))
    check_what_answers(folder, point, expected)
    check_the_next_run(folder, expected, undisturbed)


@pytest.mark.parametrize("point", ["catalog-open", "catalog-committed", "vectors-added", "build-named", "published"])
def test_killed_in_the_first_run_ever(point: str, fast_path: Path, processes: ForkServerContext) -> None:
    scene.write_handbook(fast_path / "handbook", 1)
    child = processes.Process(target=scene.run_with_fault, args=(scene.request(fast_path, 1), f"{point}:kill"))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    index_run(scene.request(fast_path, 1))
    snapshot = Snapshot.open(fast_path / "state")
    assert scene.fault_in(snapshot, scene.Expected.of(snapshot)) is None
