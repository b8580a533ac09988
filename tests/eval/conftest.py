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
from eval.policy import Policy, read_policy
from ingest.settings import IngestSettings
from tests.eval import desk

SETTINGS = '[encoder]\nmodel = "hash-384"\n[retrieve]\nreranker = "none"\n'
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
def demo_policy(demo_handbook: Path) -> Policy:
    """The whole demo handbook over time, read once."""
    return read_policy(demo_handbook, IngestSettings(), desk.NOW)


@pytest.fixture(scope="session")
def one_chapter(tmp_path_factory: pytest.TempPathFactory, demo_handbook: Path) -> Path:
    """The demo handbook's chapter on seats in three editions, a handbook of its own that is indexed in a second."""
    folder = tmp_path_factory.mktemp("chapter")
    for edition in ("2025-07-01", "2026-01-01", "2026-07-01"):
        (folder / edition).mkdir()
        for name in ("04-seats.md", "edition.toml"):
            shutil.copy(demo_handbook / edition / name, folder / edition / name)
    return folder


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory, one_chapter: Path) -> Path:
    """A folder with a copy of the chapter on seats, indexed; do not write to it."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "caveat.toml").write_text(SETTINGS, encoding="utf-8")
    shutil.copytree(one_chapter, folder / "handbook")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("CAVEAT_NOW", NOW)
        assert run(["index", "handbook"]) == 0
    return folder


@pytest.fixture
def ask(caveat: Caveat, demo_folder: Path) -> Caveat:
    """The same, of the state of that folder."""
    return lambda *arguments, at=None: caveat(*arguments, "--state", str(demo_folder / ".caveat"), at=at)


@pytest.fixture
def own_handbook(tmp_path: Path, one_chapter: Path) -> Path:
    """A copy of the chapter on seats to edit, not indexed yet."""
    return Path(shutil.copytree(one_chapter, tmp_path / "handbook"))


@pytest.fixture
def indexed(tmp_path: Path, demo_folder: Path) -> Path:
    """The same, indexed."""
    shutil.copytree(demo_folder, tmp_path, dirs_exist_ok=True)
    return tmp_path / "handbook"
