"""The state folder: what lies where, which handbook it belongs to, who may write.

state.json          which handbook, schema of this layout
lock                held by the one process that writes
history/catalog.sqlite                          to keep
cache/{parsed,embeddings}.sqlite, encoder/KEY/, token_vectors/  rebuilt when lost
generations/N/      one published search index, complete in itself
CURRENT             the number of the generation that is searched
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shlex
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from index.encoding.encoder import encoder_key
from index.settings import EncoderSettings
from ingest.errors import StateDamaged, StateError, StateLocked, StateMissing

SCHEMA: Final = 1
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Owner:
    """The handbook that a state folder belongs to."""

    schema: int
    state_id: str
    """Random, names the collections of this state on a server."""
    absolute: str
    relative: str
    """From the state folder, so that moving both together changes nothing."""


@dataclass(frozen=True, slots=True)
class State:
    """Paths in one state folder; making a value touches no disk."""

    folder: Path

    @property
    def catalog(self) -> Path:
        """The history."""
        return self.folder / "history" / "catalog.sqlite"

    @property
    def parsed(self) -> Path:
        """Documents by file digest."""
        return self.folder / "cache" / "parsed.sqlite"

    @property
    def embeddings(self) -> Path:
        """Vectors by text digest."""
        return self.folder / "cache" / "embeddings.sqlite"

    @property
    def token_vectors(self) -> Path:
        """Vectors of the texts' pieces."""
        return self.folder / "cache" / "token_vectors"

    @property
    def generations(self) -> Path:
        """Published search indexes, by number."""
        return self.folder / "generations"

    @property
    def owner_file(self) -> Path:
        """Which handbook this state belongs to."""
        return self.folder / "state.json"

    def encoder(self, settings: EncoderSettings) -> Path:
        """Where the exported encoder lies."""
        return self.folder / "cache" / "encoder" / encoder_key(settings)

    def generation(self, number: int) -> Path:
        """The folder of one generation."""
        return self.generations / str(number)

    def current(self) -> int | None:
        """The number of the published generation; None where nothing was ever published.

        Raises:
            StateDamaged: CURRENT is no number, or is gone while generations are there.
            StateError: CURRENT cannot be read.
        """
        try:
            text = (self.folder / "CURRENT").read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            self._check_never_published()
            return None
        except OSError as error:
            raise StateError(f"CURRENT cannot be read ({error.strerror})", where=str(self.folder)) from error
        if not text.isdecimal():
            raise StateDamaged(
                f"CURRENT holds {text[:40]!r}", where=str(self.folder), allowed="the number of a generation", fix=_FIX
            )
        return int(text)

    def _check_never_published(self) -> None:
        # The first run names its build before it writes CURRENT, so one complete folder may stand here.
        if max(numbers_in(self.generations), default=0) > 1:
            raise StateDamaged("CURRENT is gone", where=str(self.folder), fix=_FIX)

    def must_be_published(self) -> int:
        """The number of the published generation.

        Raises:
            StateMissing: nothing was indexed here yet.
        """
        number = self.current()
        if number is None:
            fix = "run `caveat index HANDBOOK`, or name the state folder with --state"
            raise StateMissing("nothing was indexed into this state folder yet", where=str(self.folder), fix=fix)
        return number

    def publish(self, number: int) -> None:
        """Make a generation the one that is searched; atomic, and durable when it returns."""
        write_atomically(self.folder / "CURRENT", f"{number}\n")

    def owner(self) -> Owner | None:
        """Which handbook this state belongs to; None where none was indexed yet.

        Raises:
            StateDamaged: state.json is unreadable.
            StateError: it was written by a newer Caveat.
        """
        try:
            fields = json.loads(self.owner_file.read_text(encoding="utf-8"))
            owner = Owner(**{name: fields[name] for name in Owner.__dataclass_fields__})
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StateDamaged(
                f"not readable ({error})", where=str(self.owner_file), fix="delete it and name the handbook again"
            ) from error
        if owner.schema > SCHEMA:
            raise newer(self.owner_file, owner.schema, SCHEMA)
        return owner

    def check_owner(self, handbook: Path, *, moved: bool = False) -> Owner:
        """Whose this state will be once `handbook` is indexed into it; a new state is anybody's.

        Raises:
            StateError: it belongs to another handbook.
        """
        absolute, relative = str(handbook.resolve()), os.path.relpath(handbook.resolve(), self.folder.resolve())
        known = self.owner()
        if known is None:
            return Owner(SCHEMA, uuid.uuid4().hex, absolute, relative)
        if not moved and absolute != known.absolute and relative != known.relative:
            raise StateError(
                f"belongs to the handbook {known.absolute}, not to {absolute}",
                where=str(self.folder),
                fix="name another state folder with --state; if the handbook was moved, run: "
                f"caveat index {shlex.quote(str(handbook))} --state {shlex.quote(str(self.folder))} --moved",
            )
        return replace(known, absolute=absolute, relative=relative)

    def belong_to(self, handbook: Path, *, moved: bool = False) -> Owner:
        """Note whose this state is, and where that lies now. Raises as `check_owner`."""
        owner = self.check_owner(handbook, moved=moved)
        if owner != self.owner():
            write_atomically(self.owner_file, json.dumps(asdict(owner), indent=2, ensure_ascii=False) + "\n")
        return owner

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the writer lock; a killed process lets go of it.

        Raises:
            StateLocked: another process is writing.
            StateError: the folder cannot be written.
        """
        lock = FileLock(self.folder / "lock")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=0)
        except Timeout as error:
            fix = "wait until it is done; searching goes on meanwhile"
            raise StateLocked(
                "another process is writing to this state folder", where=str(self.folder), fix=fix
            ) from error
        except OSError as error:
            raise unwritable(self.folder, error) from error
        try:
            yield
        finally:
            lock.release()


_FIX: Final = "run `caveat index`, which publishes again from the history"


def numbers_in(folder: Path) -> list[int]:
    """Numbers of the complete generations in a folder, ascending."""
    return sorted(int(path.name) for path in folder.glob("[0-9]*") if path.name.isdecimal())


def newer(path: Path, found: int, known: int) -> StateError:
    """The error for a file of a later layout."""
    return StateError(
        f"schema {found} was written by a newer Caveat",
        where=str(path),
        allowed=f"up to schema {known}",
        fix="update Caveat",
    )


def unwritable(path: Path, error: OSError) -> StateError:
    """The error for a folder that cannot be written, or a disk that is full."""
    fix = "free some space and run `caveat index` again; what is published stays in use"
    if error.errno not in _FULL:
        fix = "make the state folder writable, or name another with --state"
    return StateError(f"cannot be written ({error.strerror or error})", where=str(error.filename or path), fix=fix)


def write_atomically(path: Path, text: str) -> None:
    """Replace a file's text; after a crash either the old or the new one is there, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Make a file's content, or the names in a folder, durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
