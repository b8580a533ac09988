"""What every test shares: no network (see pyproject.toml), no settings of the person who runs them."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
# A busy machine draws slowly; that is no fault of what is tested.
settings.register_profile("caveat", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("caveat")


@pytest.fixture(scope="session", autouse=True)
def plain_surroundings() -> Iterator[None]:
    """Nothing of the person's environment reaches a test: no clock, fault, colour or model hub."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("CAVEAT_") and name != "CAVEAT_QDRANT_URL"]:
            patch.delenv(name)
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("NO_COLOR", "1")
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def demo_handbook(root: Path) -> Path:
    """The bundled handbook."""
    return root / "data" / "handbook"


@pytest.fixture
def write_files(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """A function that writes {"2026-01-01/a.md": text} below one new folder and returns it."""

    def write(files: Mapping[str, str], folder: str = "handbook") -> Path:
        for name, text in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / folder

    return write
