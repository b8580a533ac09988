"""An exported model on disk: graph, tokenizer, and the record that is written last and makes them valid."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from index.settings import EncoderSettings
from ingest.errors import EncoderError

RECORD = "encoder.json"
_FORMAT = 1
_FIX = "caveat index"


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """What was exported; the files' names carry their digests, so an old record never meets new files."""

    model: str
    source: str
    """Digest of the files that the model was read from."""
    precision: str
    exporter: str
    """Software that wrote the graph, with its version."""
    dim: int
    limit: int
    """Longest input in WordPieces, specials included."""
    inputs: tuple[str, ...]
    pad: int
    lower: bool
    """Whether the model wants its text in lower case before the tokenizer."""
    files: dict[str, int]
    """Size in bytes by file name; the graph ends in .onnx, the tokenizer in .json."""
    format: int = _FORMAT

    @property
    def graph(self) -> str:
        """Name of the ONNX file."""
        return next(name for name in self.files if name.endswith(".onnx"))

    @property
    def tokenizer(self) -> str:
        """Name of the tokenizer's file."""
        return next(name for name in self.files if name.endswith(".json"))

    def fingerprint(self, settings: EncoderSettings, runtime: str) -> str:
        """16 hexadecimal digits that change whenever vectors could."""
        parts = (self.source, self.exporter, self.precision, self.limit, runtime)
        text = json.dumps([*parts, settings.query_prefix, settings.passage_prefix])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def read_record(folder: Path) -> ExportRecord:
    """The record in `folder`, whose files are there and whole.

    Raises:
        EncoderError: nothing was exported there, or a part of it is gone, cut short or of another Caveat.
    """
    try:
        stored = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        record = ExportRecord(**stored | {"inputs": tuple(stored["inputs"])})
        sizes = {name: (folder / name).stat().st_size for name in record.files}
    except FileNotFoundError as error:
        found = "the encoder was not exported here yet, or its files are gone"
        raise EncoderError(found, where=str(folder), fix=_FIX) from error
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise EncoderError(f"the exported encoder cannot be read ({error})", where=str(folder), fix=_FIX) from error
    if sizes != record.files or record.format != _FORMAT:
        raise EncoderError("the exported encoder is cut short or of another version", where=str(folder), fix=_FIX)
    return record


def write_record(folder: Path, record: ExportRecord) -> None:
    """Make `record` the valid one, at once, and delete files of earlier ones."""
    fresh = folder / f"{RECORD}.new"
    fresh.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    fresh.replace(folder / RECORD)
    for path in folder.iterdir():
        if path.is_file() and path.name not in {RECORD, *record.files}:
            path.unlink()
