"""The ZIP file that a Word file is: opened without trusting it, its parts inflated on demand and counted."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from ingest.errors import SourceError
from ingest.formats import disguise
from ingest.settings import IngestSettings

MAX_PARTS: Final = 20_000
"""Parts of a package; an honest one with a picture on every page has a few thousand."""
LONGEST_NAME: Final = 200
"""Characters of a part's name that messages show."""
_LOCAL: Final = b"PK\x03\x04"
_ENTRY: Final = b"PK\x01\x02"
_END: Final = b"PK\x05\x06"
_END_SIZE: Final = 22
_LONGEST_COMMENT: Final = _END_SIZE + 0xFFFF
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_STEP: Final = 1 << 20
_FAULTS: Final = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError)
# Names, sizes and offsets of a damaged directory end in these.
_FAULTS_OF_VALUES: Final = (ValueError, OverflowError, OSError)
_ALLOWED: Final = "a Word document (.docx)"
_AGAIN: Final = "save it in Word again, or fetch it again"
T = TypeVar("T")


class Archive:
    """The parts of a package by name, upper and lower case alike (OPC, part 2, 6.2.2.3)."""

    def __init__(self, raw: bytes, settings: IngestSettings, where: str):
        """Open the ZIP file `raw`.

        Raises:
            SourceError: no ZIP file, or one that is truncated, damaged, encrypted, too large, joined with another
                file, or ambiguous.
        """
        self._where = where
        self._most = self._room = settings.max_unzipped_bytes
        _refuse_others(raw, where)
        _refuse_loose_ends(raw, where)
        self._zip = self._guarded(lambda: zipfile.ZipFile(io.BytesIO(raw)))
        self._parts = {info.filename.lstrip("/").casefold(): info for info in self._zip.infolist()}
        self._check()

    def __contains__(self, name: str) -> bool:
        return name.casefold() in self._parts

    @property
    def names(self) -> list[str]:
        """The names of all parts, in lower case."""
        return list(self._parts)

    def size(self, name: str) -> int:
        """What a part claims to take unzipped, in bytes."""
        return self._parts[name.casefold()].file_size

    def read(self, name: str) -> bytes:
        """The bytes of a part that is there.

        Raises:
            SourceError: damaged, or the parts that were read take more bytes than is allowed.
        """
        return self._guarded(lambda: b"".join(self._inflated(self._parts[name.casefold()])), f", {printable(name)}")

    def _inflated(self, info: zipfile.ZipInfo) -> list[bytes]:
        pieces = []
        with self._zip.open(info) as stream:
            while piece := stream.read(_STEP):
                self._room -= len(piece)
                if self._room < 0:
                    raise self._too_large(self._most - self._room)
                pieces.append(piece)
        return pieces

    def _guarded(self, act: Callable[[], T], part: str = "") -> T:
        """The one border at which faults of the ZIP library become ours."""
        try:
            return act()
        except (*_FAULTS, *_FAULTS_OF_VALUES) as error:
            raise SourceError(
                f"a damaged ZIP file: {printable(str(error))}", where=self._where + part, allowed=_ALLOWED, fix=_AGAIN
            ) from None

    def _check(self) -> None:
        infos = self._zip.infolist()
        if not infos:
            raise SourceError("an empty ZIP file", where=self._where, allowed=_ALLOWED)
        # What a header claims is believed where it is against the file, never where it is for it.
        if (claimed := sum(info.file_size for info in infos)) > self._most:
            raise self._too_large(claimed)
        if first := min(info.header_offset for info in infos):
            raise _joined(f"{first:,} bytes before the first part", self._where)
        self._refuse_doubles()
        for info in infos:
            self._refuse_part(info)

    def _refuse_doubles(self) -> None:
        counts = Counter(info.filename.lstrip("/").casefold() for info in self._zip.infolist())
        doubled = [name for name, count in counts.items() if count > 1]
        if doubled:
            found = f'the part "{printable(doubled[0])}" is there twice, so that two programs may read two texts'
            raise SourceError(found, where=self._where, allowed="each part once", fix=_AGAIN)

    def _refuse_part(self, info: zipfile.ZipInfo) -> None:
        if info.flag_bits & 0x1:
            found = f"the part {printable(info.filename)} is encrypted"
            raise SourceError(found, where=self._where, allowed=_ALLOWED, fix="save it without a password")
        if info.compress_type not in _METHODS:
            # The other methods inflate without a limit.
            found = f"the part {printable(info.filename)} is compressed by method {info.compress_type}"
            raise SourceError(found, where=self._where, allowed="stored or deflated parts", fix=_AGAIN)

    def _too_large(self, size: int) -> SourceError:
        return SourceError(
            f"parts of {size:,} bytes or more, unzipped",
            where=self._where,
            allowed=f"up to {self._most:,} (max_unzipped_bytes)",
            fix="take out pictures, split it, or raise the limit",
        )


def printable(name: str) -> str:
    """A name as messages may show it: one that somebody chose to harm a terminal does not."""
    return "".join(char if char.isprintable() else "?" for char in name[:LONGEST_NAME])


def _refuse_others(raw: bytes, where: str) -> None:
    """Say what a file is that does not start like a ZIP file."""
    if raw.startswith(_OLD_OFFICE):
        found = "encrypted or an old .doc"
        raise SourceError(found, where=where, allowed=_ALLOWED, fix="save it as .docx without a password")
    if raw.startswith(_END):
        raise SourceError("an empty ZIP file", where=where, allowed=_ALLOWED)
    if raw.startswith(_LOCAL):
        if b"%PDF-" in raw[:1024]:
            raise _joined("a PDF starts in its first part", where)
        return
    if _END in raw and _LOCAL in raw:
        raise _joined(f"{raw.index(_LOCAL):,} bytes before the first part", where)
    found = disguise(raw) or f'not a ZIP file: it starts with "{_shown(raw[:24])}"'
    raise SourceError(found, where=where, allowed=_ALLOWED, fix="give it the ending of what it is, or save it as .docx")


def _shown(start: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in start)


def _refuse_loose_ends(raw: bytes, where: str) -> None:
    end = raw.rfind(_END)
    if _is_in_comment(raw, end):
        found = "a ZIP file whose comment holds the sign of its end (PK\\5\\6), so that two programs may read two texts"
        raise SourceError(found, where=where, allowed="a file without a comment", fix=_AGAIN)
    if end < 0 or len(raw) < end + _END_SIZE:
        raise SourceError("a truncated ZIP file: its end is missing", where=where, allowed=_ALLOWED, fix=_AGAIN)
    after = len(raw) - end - _END_SIZE - int.from_bytes(raw[end + 20 : end + 22], "little")
    if after < 0:
        raise SourceError("a truncated ZIP file: its comment is cut off", where=where, allowed=_ALLOWED, fix=_AGAIN)
    if after > 0:
        raise _joined(f"{after:,} bytes after its end", where)
    if (entries := raw.count(_ENTRY)) > MAX_PARTS:
        raise SourceError(f"a ZIP file of {entries:,} parts", where=where, allowed=f"up to {MAX_PARTS:,}")


def _is_in_comment(raw: bytes, last: int) -> bool:
    """Whether the last sign of an end stands in the comment of an end before it."""
    end = raw.rfind(_END, max(0, last - _LONGEST_COMMENT), max(0, last))
    size = int.from_bytes(raw[end + 20 : end + 22], "little")
    return end >= 0 and end + _END_SIZE <= last and end + _END_SIZE + size == len(raw)


def _joined(found: str, where: str) -> SourceError:
    return SourceError(f"a ZIP file joined with something else: {found}", where=where, allowed=_ALLOWED, fix=_AGAIN)
