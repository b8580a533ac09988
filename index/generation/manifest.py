"""What a generation is made of, in one JSON file beside it.

A generation is opened only if its manifest is understood and its files are all there at their sizes: the
engine "repairs" a folder that lost a file into an empty one, without an error.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

from index.settings import EncoderSettings
from index.state import newer
from index.stores.store import Collection
from ingest.dates import Instant
from ingest.errors import StateDamaged

SCHEMA: Final = 2
"""2: chunks name the text that was encoded (texts.npz, texts.bin)."""
NAME: Final = "manifest.json"
CATALOG: Final = "catalog.sqlite"
POINTS: Final = "points.npz"
KEYWORDS: Final = "keywords.npz"
NAMES: Final = "names.npz"
TEXTS: Final = "texts.npz"
TEXT_BYTES: Final = "texts.bin"
VECTORS: Final = "vectors"
_FIX: Final = "run `caveat index`, which publishes again from the history"


class Published(NamedTuple):
    """One published generation: its number, the catalog's sequence in it, and that sequence's instant."""

    generation: int
    seq: int
    recorded: Instant


@dataclass(frozen=True, slots=True)
class Manifest:
    """A generation's description."""

    schema: int
    generation: int
    seq: int
    recorded: Instant
    timezone: str
    encoder: EncoderSettings
    encoder_fingerprint: str
    dim: int
    recipe: str
    """Digest of all that decides what chunks and tokens a version gives, and of the engine."""
    rows: int
    points: int
    collection: Collection | None
    """None: the vectors lie in the generation's own folder."""
    files: dict[str, int]
    """Size in bytes by path below the generation's folder, but for the manifest itself."""
    published: tuple[Published, ...]
    """Every generation up to this one, by number."""
    texts: int = 0
    """Distinct texts of the chunks; 0 also before schema 2."""

    def save(self, folder: Path) -> None:
        """Write the manifest into a generation's folder."""
        fields = asdict(self) | {"encoder": self.encoder.model_dump()}
        (folder / NAME).write_text(json.dumps(fields, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read a generation's manifest; its files are not looked at.

        Raises:
            StateDamaged: the manifest is gone or unreadable.
            StateError: a newer Caveat wrote it.
        """
        path = folder / NAME
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            if (schema := int(fields["schema"])) > SCHEMA:
                raise newer(path, schema, SCHEMA)
            return cls(**fields | _parsed(fields))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StateDamaged(f"the manifest cannot be read ({error})", where=str(path), fix=_FIX) from error

    def missing(self, folder: Path) -> list[str]:
        """What differs between the manifest and the folder, one phrase a file; nothing when it is whole."""
        if self.schema < SCHEMA:
            return [f"schema {self.schema} was written by an older Caveat, this one reads schema {SCHEMA}"]
        return [phrase for name, size in sorted(self.files.items()) if (phrase := _fault(folder, name, size))]

    def check(self, folder: Path) -> None:
        """Refuse a folder that is not whole.

        Raises:
            StateDamaged: an older Caveat wrote it; or naming the first file that is gone or has another size.
        """
        if faults := self.missing(folder):
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise StateDamaged(
                f"generation {self.generation} is not whole: {faults[0]}{more}", where=str(folder), fix=_FIX
            )


def _fault(folder: Path, name: str, size: int) -> str | None:
    try:
        found = (folder / name).stat().st_size
    except OSError:
        return f"{name} is gone"
    return None if found == size else f"{name} has {found} bytes, not {size}"


def inventory(folder: Path) -> dict[str, int]:
    """Size by path of every file of a generation, but for the manifest and what the engine rewrites as it loads."""
    files = (path for path in folder.rglob("*") if not _is_engines_own(path) and path.is_file())
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
    sizes.pop(NAME, None)
    return sizes


def _is_engines_own(path: Path) -> bool:
    return path.name == "edge_config.json" or any(part.startswith(".atomicwrite") for part in path.parts)


def _parsed(fields: dict[str, object]) -> dict[str, object]:
    collection, published = fields["collection"], fields["published"]
    return {
        "encoder": EncoderSettings.model_validate(fields["encoder"]),
        "collection": Collection(**collection) if isinstance(collection, dict) else None,
        "published": tuple(Published(*entry) for entry in published) if isinstance(published, list) else (),
    }
