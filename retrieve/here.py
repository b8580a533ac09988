"""`retrieve(query)`: the same as a Retriever, for the state of the current folder."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ingest.errors import ConfigError

if TYPE_CHECKING:
    from retrieve.result import Result
    from retrieve.retriever import Documents, Retriever
    from retrieve.when import AsOf, KnownAt

CONFIG: Final = "caveat.toml"
STATE: Final = ".caveat"


def retrieve(
    query: str,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    k: int | None = None,
    documents: Documents = None,
) -> Result:
    """What `Retriever.retrieve` returns for the state of the nearest caveat.toml, or of ./.caveat without one.

    The Retriever is kept between calls. For another folder, other settings or a clock, open a Retriever.

    Raises:
        ConfigError: caveat.toml cannot be read.
        StateMissing: nothing was indexed here yet.
        QueryError, EncoderError, StateError: as `Retriever.retrieve`.
    """
    folder = Path.cwd()
    file = next((found for above in (folder, *folder.parents) if (found := above / CONFIG).is_file()), None)
    written = file.read_bytes() if file else b""
    return _opened(file.parent if file else folder, written).retrieve(query, as_of, known_at, k, documents)


@lru_cache(maxsize=1)
def _opened(folder: Path, written: bytes) -> Retriever:
    from pydantic import ValidationError

    from index.settings import EncoderSettings
    from retrieve.retriever import Retriever
    from retrieve.settings import RetrieveSettings

    values = _parsed(folder / CONFIG, written)
    try:
        settings = RetrieveSettings.model_validate(values.get("retrieve", {}))
        encoder = EncoderSettings.model_validate(values["encoder"]) if "encoder" in values else None
    except ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(str(part) for part in fault["loc"])
        raise ConfigError(f"{key}: {fault['msg']}", where=str(folder / CONFIG)) from error
    return Retriever.open(folder / Path(str(values.get("state", STATE))).expanduser(), settings, encoder=encoder)


def _parsed(file: Path, written: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(written.decode("utf-8"))
    except ValueError as error:  # not UTF-8, or not TOML
        raise ConfigError(f"is not TOML: {error}", where=str(file)) from error
