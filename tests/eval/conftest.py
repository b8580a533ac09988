"""A person at the command line: a folder with a caveat.toml, and commands typed in it."""

import itertools
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from eval.cli import run

SETTINGS = '[encoder]\nmodel = "hash-384"\n'
NOW = "2026-11-30T12:00:00Z"


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str

    @property
    def values(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


Caveat = Callable[..., Done]


@pytest.fixture
def caveat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caveat:
    """Types `caveat ...` in an own folder, from noon of a fixed day, one command a minute."""
    (tmp_path / "caveat.toml").write_text(SETTINGS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    minutes = itertools.count(1)

    def typed(*arguments: str, at: str | None = None) -> Done:
        with monkeypatch.context() as patch:
            patch.setenv("CAVEAT_NOW", at or NOW.replace(":00:", f":{next(minutes):02}:"))
            capsys.readouterr()
            status = run(arguments)
        captured = capsys.readouterr()
        return Done(status, captured.out, captured.err)

    return typed


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory, demo_handbook: Path) -> Path:
    """A folder with a copy of the demo handbook, indexed; do not write to it."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "caveat.toml").write_text(SETTINGS, encoding="utf-8")
    shutil.copytree(demo_handbook, folder / "handbook")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("CAVEAT_NOW", NOW)
        assert run(["index", "handbook"]) == 0
    return folder


@pytest.fixture
def ask(caveat: Caveat, demo_folder: Path) -> Caveat:
    """The same, of the demo handbook's state."""
    return lambda *arguments, at=None: caveat(*arguments, "--state", str(demo_folder / ".caveat"), at=at)


@pytest.fixture
def own_handbook(tmp_path: Path, demo_handbook: Path) -> Path:
    """A copy of the demo handbook to edit, not indexed yet."""
    return Path(shutil.copytree(demo_handbook, tmp_path / "handbook"))


@pytest.fixture
def indexed(tmp_path: Path, demo_folder: Path) -> Path:
    """A copy of the demo handbook to edit, indexed."""
    shutil.copytree(demo_folder, tmp_path, dirs_exist_ok=True)
    return tmp_path / "handbook"
