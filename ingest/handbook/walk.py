"""The files below a folder whose format is read, each with its digest, or refused by name."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from ingest.document import Note
from ingest.errors import SourceError
from ingest.formats import FORMATS, advice_for, format_of
from ingest.handbook.frontmatter import fits_address
from ingest.handbook.sources import SIDECAR, Refusal, SourceFile

_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, ends of lines and marks of direction: a name with one could write lines of a report itself."""
OURS: Final = frozenset({".caveat", "caveat.toml"})
"""The state folder and the settings, where they stand in the handbook's own folder: not worth a word."""
_NAMES: Final = [one.name for one in FORMATS]
_NEITHER: Final = f"neither {', '.join(_NAMES[:-1])} nor {_NAMES[-1]}, so it is skipped"


@dataclass(slots=True)
class Found:
    """What a walk found below one folder."""

    files: list[SourceFile] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Walk:
    """One walk below `folder`, an edition of the handbook at `root` (both without links)."""

    root: Path
    folder: Path
    edition: str
    prefix: str
    """What messages put before a relative path: "2026-01-01/", or nothing for the live folder."""
    max_file_bytes: int
    found: Found = field(default_factory=Found)
    linked: set[Path] = field(default_factory=set)

    def run(self) -> Found:
        """Read every file once.

        Raises:
            SourceError: a folder that cannot be listed, or a link to a folder outside of the root: which
                documents are missing could not be told.
        """
        self._folder(self.folder, "")
        self._refuse_one_name()
        self._note_twins()
        self.found.files.sort(key=lambda file: file.relative)
        self.found.refused.sort(key=lambda refusal: refusal.relative)
        return self.found

    def _folder(self, folder: Path, above: str) -> None:
        entries = listed(folder, self.prefix + above or ".")
        names = {entry.name for entry in entries}
        for entry in entries:
            relative = above + shown(entry.name)
            if not above and entry.name in OURS:
                continue
            if entry.name.startswith("."):
                self._note("hidden-skipped", relative, "hidden, so it is skipped")
            elif entry.name.startswith("~$"):
                self._note("hidden-skipped", relative, "Word's mark that a file is open, so it is skipped")
            elif is_folder(entry):
                self._subfolder(Path(entry.path), relative)
            elif format_of(entry.name):
                self._file(
                    Path(entry.path), relative, Path(entry.path + SIDECAR) if entry.name + SIDECAR in names else None
                )
            elif not (entry.name.endswith(SIDECAR) and entry.name.removesuffix(SIDECAR) in names):
                self._other(entry.name, relative)

    def _subfolder(self, path: Path, relative: str) -> None:
        if not path.is_symlink():
            return self._folder(path, f"{relative}/")
        target = Path(os.path.realpath(path))
        if not target.is_relative_to(self.root):
            raise SourceError(
                "a link to a folder outside of the handbook",
                where=self.prefix + relative,
                fix="copy the folder into the handbook, or remove the link",
            )
        # A folder is entered once at most, so links cannot lead in circles.
        if target.is_relative_to(self.folder) or self.folder.is_relative_to(target) or target in self.linked:
            return self._note("link-skipped", relative, "a link to a folder that is read anyway")
        self.linked.add(target)
        return self._folder(target, f"{relative}/")

    def _file(self, path: Path, relative: str, sidecar: Path | None) -> None:
        where = self.prefix + relative
        try:
            _must_be_plain(path.name, where)
            raw = self._bytes(path, where)
            digest = sha256(raw)
            if sidecar:
                digest.update(b"\0" + self._bytes(sidecar, where + SIDECAR))
        except SourceError as error:
            self.found.refused.append(Refusal(self.edition, relative, error))
        else:
            self.found.files.append(SourceFile(path, relative, digest.hexdigest(), len(raw)))

    def _bytes(self, path: Path, where: str) -> bytes:
        try:
            target = Path(os.path.realpath(path, strict=True))
            status = target.stat()
        except OSError as error:
            raise unreadable(error, where) from None
        if not target.is_relative_to(self.root):
            raise SourceError(
                "a link to a file outside of the handbook", where=where, fix="copy the file into the handbook"
            )
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("not a regular file", where=where, fix="remove it, or replace it by a file")
        if status.st_size > self.max_file_bytes:
            raise SourceError(
                f"{status.st_size:,} bytes",
                where=where,
                allowed=f"up to {self.max_file_bytes:,}",
                fix="split the file, or raise max_file_bytes in caveat.toml",
            )
        return read_bytes(path, where)

    def _other(self, name: str, relative: str) -> None:
        if name.endswith(SIDECAR):
            self._note(
                "sidecar-alone", relative, f"there is no {name.removesuffix(SIDECAR)} beside it, so it is skipped"
            )
        elif name != "edition.toml" or "/" in relative or not self.prefix:
            advice = advice_for(name)
            message = f"{PurePosixPath(name).suffix.lower()} is not read, so it is skipped; {advice}"
            self._note("unread-document" if advice else "not-read", relative, message if advice else _NEITHER)

    def _refuse_one_name(self) -> None:
        """Names that only differ in how they are written: the same file on another machine."""
        by_name: dict[str, list[SourceFile]] = defaultdict(list)
        for file in self.found.files:
            by_name[file.relative.casefold()].append(file)
        for files in by_name.values():
            if len({file.relative for file in files}) < len(files):
                self._refuse(files)
            elif len(files) > 1:
                names = ", ".join(sorted(file.relative for file in files))
                self._note("case-collision", files[0].relative, f"{names} differ in case alone: one file on macOS")

    def _note_twins(self) -> None:
        """Files that differ in their endings alone: perhaps one text, which searches would find twice."""
        by_stem: dict[str, list[str]] = defaultdict(list)
        for file in self.found.files:
            by_stem[str(PurePosixPath(file.relative).with_suffix(""))].append(file.relative)
        for names in by_stem.values():
            if len({format_of(name) for name in names}) > 1:
                first, *others = sorted(names)
                advice = "each is a document of its own; keep one if they are one text"
                self._note("same-name", first, f"beside {', '.join(others)}: {advice}")

    def _refuse(self, files: list[SourceFile]) -> None:
        for file in files:
            error = SourceError(
                "a second file has the same name, written with other code points",
                where=self.prefix + file.relative,
                fix="rename one of them",
            )
            self.found.files.remove(file)
            self.found.refused.append(Refusal(self.edition, file.relative, error))

    def _note(self, code: str, relative: str, message: str) -> None:
        self.found.notes.append(Note(code, self.prefix + relative, message))


def listed(folder: Path, where: str) -> list[os.DirEntry[str]]:
    """The entries of a folder by name.

    Raises:
        SourceError: it cannot be listed.
    """
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise unreadable(error, where) from None


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder or a link to one; a link in a circle is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def read_bytes(path: Path, where: str) -> bytes:
    """The bytes of a file.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(error, where) from None


def unreadable(error: OSError, where: str) -> SourceError:
    """A fault of the file system in one line."""
    return SourceError(f"cannot be read ({error.strerror or error})", where=where)


def shown(name: str) -> str:
    """A file name in composed form and on one line; bytes that are no text, and signs that steer it, as escapes."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _STEERING.sub(lambda sign: sign[0].encode("unicode_escape").decode(), unicodedata.normalize("NFC", text))


def _must_be_plain(name: str, where: str) -> None:
    if any("\ud800" <= char <= "\udfff" for char in name):
        raise SourceError("a name that is not UTF-8", where=where, fix="rename the file")
    if not fits_address(name) or _STEERING.search(name):
        raise SourceError("a name with # or control characters", where=where, fix="rename the file")
