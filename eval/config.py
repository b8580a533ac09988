"""caveat.toml: the settings of all floors, joined into one file.

The file is optional: every key has a default. Relative paths in it are relative to its own folder.
"""

from __future__ import annotations

import difflib
import json
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from eval.settings import EvalSettings, GateSettings, RedactSettings
from index.settings import EncoderSettings, IndexSettings, Settings, StoreSettings
from ingest.dates import zone
from ingest.errors import ConfigError
from ingest.settings import IngestSettings
from retrieve.settings import RetrieveSettings

FILE_NAME: Final = "caveat.toml"
STATE_NAME: Final = ".caveat"
_KINDS: Final = {"int": "a whole number", "float": "a number", "bool": "true or false", "string": "text in quotes"}
_UNREADABLE: Final = ("_parsing", "_type", "_from_float")
"""How pydantic ends the names of faults in which the value is of the wrong kind."""


class Config(BaseModel):
    """The whole of caveat.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    handbook: str | None = Field(None, description="The handbook's folder, for `caveat index` without an argument.")
    state: str = Field(STATE_NAME, description="The state folder, where `--state` is not given.")
    ingest: IngestSettings = Field(IngestSettings(), description="How files are read and cut.")
    encoder: EncoderSettings = Field(EncoderSettings(), description="Which model turns text into vectors.")
    store: StoreSettings = Field(StoreSettings(), description="Where vectors live.")
    index: IndexSettings = Field(IndexSettings(), description="How changes are guarded and how much is kept.")
    retrieve: RetrieveSettings = Field(RetrieveSettings(), description="How candidates are found, fused and shown.")

    eval: EvalSettings = Field(EvalSettings(), description="What is measured, and where it is written.")
    gates: GateSettings = Field(GateSettings(), description="What must hold for a night to pass.")
    redact: RedactSettings = Field(
        RedactSettings(), description="What is taken out of queries before they are written."
    )

    @property
    def indexing(self) -> Settings:
        """What an index run depends on."""
        return Settings(self.ingest, self.encoder, self.store, self.index)


@dataclass(frozen=True, slots=True)
class Place:
    """A configuration and the folder that its relative paths start from."""

    config: Config
    folder: Path
    file: Path | None
    """The caveat.toml that was read; None where there is none."""

    @property
    def state(self) -> Path:
        """The state folder that the configuration names."""
        return self.folder / Path(self.config.state).expanduser()

    @property
    def handbook(self) -> Path | None:
        """The handbook's folder, where the configuration names one."""
        named = self.config.handbook
        return self.folder / Path(named).expanduser() if named else None


def find_config(start: Path) -> Path | None:
    """The nearest caveat.toml in `start` or a folder above it."""
    return next((file for folder in (start, *start.parents) if (file := folder / FILE_NAME).is_file()), None)


def load_place(start: Path) -> Place:
    """The configuration in force in the folder `start` (absolute).

    Raises:
        ConfigError: caveat.toml is unreadable, not TOML, has an unknown key or a value that is not allowed.
    """
    file = find_config(start)
    if file is None:
        return Place(Config(), start, None)
    return Place(read_config(file), file.parent, file)


def read_config(file: Path) -> Config:
    """The configuration in `file`.

    Raises:
        ConfigError: unreadable, not TOML, an unknown key or a value that is not allowed.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(file)) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"is not UTF-8 at byte {error.start}", where=str(file)) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not TOML: {error}", where=str(file)) from error
    try:
        config = Config.model_validate(values)
    except ValidationError as error:
        raise _config_error(error.errors()[0], file) from error
    _check_zone(config.ingest.timezone, file)
    return config


def _check_zone(name: str, file: Path) -> None:
    try:
        zone(name)
    except ConfigError as error:
        raise ConfigError(f'ingest.timezone = "{name}"', where=str(file), allowed=error.allowed) from None


def known_keys() -> tuple[str, ...]:
    """Every key as written with its section: ("handbook", ..., "retrieve.k")."""
    return tuple(f"{section}.{name}" if section else name for section, name, _ in fields())


def starter(handbook: str | None = None) -> str:
    """A commented caveat.toml: each key with its default, switched off but for the handbook's, if given."""
    lines = ["# Caveat's settings. Each line shows a default; take the # away to change it.", ""]
    current = ""
    for section, name, field in fields():
        if section != current:
            about = Config.model_fields[section].description
            lines += ["", f"# {about}", f"[{section}]"]
            current = section
        lines += textwrap.wrap(field.description or "", 100, initial_indent="# ", subsequent_indent="# ")
        lines += [f"# {name} = {_toml(field.default)}"] if name != "handbook" or not handbook else []
        lines += [f"handbook = {_toml(handbook)}"] if name == "handbook" and handbook else []
    return "\n".join(lines) + "\n"


def fields() -> Iterator[tuple[str, str, FieldInfo]]:
    """Every setting as (section or "", name, field), in the order of the file."""
    nested = []
    for name, field in Config.model_fields.items():
        if isinstance(field.default, BaseModel):
            nested += [(name, inner, value) for inner, value in type(field.default).model_fields.items()]
        else:
            yield "", name, field
    yield from nested


def _toml(value: object) -> str:
    """A default as TOML; a key without one shows an empty string (TOML has no null)."""
    return '""' if value is None else json.dumps(value)


def _config_error(fault: ErrorDetails, file: Path) -> ConfigError:
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        near = _nearest(key)
        return ConfigError(f'unknown key "{key}"', where=str(file), fix=f'did you mean "{near}"?' if near else None)
    found = json.dumps(fault["input"], default=str)
    allowed = _KINDS.get(fault["type"].split("_")[0]) if fault["type"].endswith(_UNREADABLE) else None
    allowed = allowed or fault["msg"].removeprefix("Input should be ")
    return ConfigError(f"{key} = {found}", where=str(file), allowed=allowed)


def _nearest(key: str) -> str | None:
    """The known key or section that looks most like `key`; the last part alone counts too."""
    sections = {known.split(".")[0] for known in known_keys() if "." in known}
    whole = difflib.get_close_matches(key, [*known_keys(), *sorted(sections)], n=1, cutoff=0.6)
    if whole:
        return whole[0]
    last = {known.rsplit(".", 1)[-1]: known for known in known_keys()}
    near = difflib.get_close_matches(key.rsplit(".", 1)[-1], list(last), n=1, cutoff=0.6)
    return last[near[0]] if near else None
