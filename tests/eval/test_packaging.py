"""What a fresh clone installs and runs."""

import re
import tomllib
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def pins(root: Path) -> dict[str, str]:
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {normal(name): version for name, version in pairs}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_direct_dependency_is_pinned(root: Path, pins: dict[str, str]) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {normal(re.split(r"[<>=!~ \[;]", line)[0]) for line in wanted}
    assert names - set(pins) == set()


def test_pins_name_no_local_build(pins: dict[str, str]) -> None:
    assert [name for name, version in pins.items() if "+" in version] == []


def test_torch_is_installed_in_the_call_that_installs_its_dependants(root: Path, pins: dict[str, str]) -> None:
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    assert f"-c constraints.txt torch=={pins['torch']} -e '.[dev]'" in makefile


def test_ci_runs_the_tests_as_a_person_does(root: Path) -> None:
    assert "make test" in (root / ".ci" / "run").read_text(encoding="utf-8")
    assert "bash .ci/run" in (root / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


def test_the_licence_is_whole(root: Path) -> None:
    text = (root / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
