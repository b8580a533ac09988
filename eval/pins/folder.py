"""The folder of pins on disk: read and written whole, a fault of a file told as one of ours."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from eval.pins.plain.form import BadPin, Filed, Pin, read_folder, read_text
from eval.surroundings import Surroundings
from index.state import write_atomically
from ingest.errors import QueryError, SourceError, StateError

FOLDER: Final = "data/pins"
_LONGEST: Final = 80
"""Characters of an id made from a title."""


def folder_of(around: Surroundings, given: Path | None = None) -> Path:
    """Where pins are: as given, else beside caveat.toml."""
    return given or around.place.folder / FOLDER


def pins_in(folder: Path) -> list[Filed]:
    """Every pin in a folder.

    Raises:
        SourceError: a file is no pin, or two pins have one id; by name.
    """
    try:
        return read_folder(folder)
    except BadPin as error:
        raise SourceError(error.found, where=error.where, allowed=error.allowed, fix=error.fix) from None


def chosen(filed: Sequence[Filed], names: Iterable[str]) -> list[Filed]:
    """The pins that names stand for, in the order of the folder; all of them where none is named.

    A name is an id, or the beginning of one pin's id alone.

    Raises:
        QueryError: there is no such pin, or there are several.
    """
    wanted = {_id_of(name, filed) for name in names}
    return [one for one in filed if not wanted or one.pin.id in wanted]


def _id_of(name: str, filed: Sequence[Filed]) -> str:
    known = [one.pin.id for one in filed]
    meant = [name] if name in known else sorted(one for one in known if one.startswith(name))
    if len(meant) == 1:
        return meant[0]
    found = f'{len(meant)} pins begin with "{name}"' if meant else f'no pin "{name}"'
    raise QueryError(found, allowed=", ".join(meant or sorted(known)) or "none: there are no pins yet")


def slug(*parts: str) -> str:
    """Words as an id: lower case, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", " ".join(parts)).encode("ascii", "ignore").decode().lower()
    whole = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return (whole if len(whole) <= _LONGEST else whole[:_LONGEST].rpartition("-")[0] or whole[:_LONGEST]) or "pin"


def check_reads_back(pin: Pin) -> None:
    """Raises QueryError where a pin's file could not be read again: no title, or bytes that are not UTF-8."""
    try:
        read_text(pin.to_text(), pin.id)
    except BadPin as error:
        raise QueryError(error.found, where=f'pin "{pin.id}"', allowed="text in UTF-8") from None


def write_new(folder: Path, pins: Sequence[Pin]) -> list[Path]:
    """Write pins that are not there yet: all of them or none.

    Raises:
        QueryError: a pin of that id is there, or two of them have one.
        SourceError: the folder holds a file that is no pin.
        StateError: the folder cannot be written.
    """
    known = {one.pin.id: one.file for one in pins_in(folder)}
    for place, pin in enumerate(pins):
        file = folder / f"{pin.id}.json"
        if pin.id in known or file.exists():
            found = f'there is a pin "{pin.id}" already'
            raise QueryError(found, where=str(known.get(pin.id, file)), fix="give another --title or --id")
        if any(other.id == pin.id for other in pins[:place]):
            raise QueryError(f'two pins with one id, "{pin.id}"', fix="give each line a title or an id of its own")
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for pin in pins:
            written.append(folder / f"{pin.id}.json")
            write_atomically(written[-1], pin.to_text())
    except OSError as error:
        _take_back(written)
        raise _unwritable(folder, error) from None
    except BaseException:
        _take_back(written)
        raise
    return written


def rewrite(filed: Filed, pin: Pin) -> None:
    """Put a pin in the place of what its file held.

    Raises:
        QueryError: it could not be read again.
        StateError: it cannot be written.
    """
    check_reads_back(pin)
    try:
        write_atomically(filed.file, pin.to_text())
    except OSError as error:
        raise _unwritable(filed.file.parent, error) from None


def _take_back(files: Iterable[Path]) -> None:
    for file in files:
        for one in (file, file.with_name(f".{file.name}.new")):
            try:
                one.unlink(missing_ok=True)
            except OSError:
                continue


def _unwritable(folder: Path, error: OSError) -> StateError:
    reason = error.strerror or os.strerror(error.errno or 0)
    return StateError(f"cannot be written: {reason}", where=str(folder), fix="name another folder with --pins")
