"""Traces on disk: JSON Lines, one envelope a line, by (boundary, call index) and never by position.

Lines are written whole, at once, as calls end; a trace that a crash cut off holds every call that had ended but the one
that was being written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from eval.replay.envelope import BadEnvelope, Envelope, Key, read_envelope
from eval.replay.packing import Packer, UnknownText, Unpacker
from index.digests import compact
from ingest.errors import SourceError, StateError

_MAX_SHOWN: Final = 12
"""Recorded calls in a message."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What was recorded of one run."""

    path: Path
    envelopes: Mapping[Key, Envelope]
    """By boundary and call index, in the order of the file."""
    cut_bytes: int
    """Bytes at the end of the file that are no whole record: the recording process died while it wrote them."""

    def of(self, boundary: str) -> dict[int, Envelope]:
        """The calls of one boundary by index."""
        return {index: one for (name, index), one in sorted(self.envelopes.items()) if name == boundary}

    def recorded(self) -> str:
        """The calls that were recorded, for a message: "query_rewrite 1, rag_retrieve 1 to 3"."""
        names = list(dict.fromkeys(name for name, _ in self.envelopes))
        told = [f"{name} {spans(sorted(self.of(name)))}" for name in names]
        more = [f"and {len(told) - _MAX_SHOWN} more boundaries"] if len(told) > _MAX_SHOWN else []
        return ", ".join(told[:_MAX_SHOWN] + more)


def spans(numbers: list[int]) -> str:
    """Ascending numbers in words: "1 to 3, 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def read_trace(path: Path) -> Trace:
    """Read a trace up to its last whole record.

    A trace in which any call has the index 0 counts from 0; its calls are numbered from 1 all the same.

    Raises:
        SourceError: unreadable, empty, a line that is not JSON or no envelope, or a call that comes twice; with file
            and line.
    """
    text, cut = _whole_lines(path)
    lines = list(_decoded(path, text))
    if not lines:
        raise SourceError(
            f"no whole record ({cut} bytes)", where=str(path), fix="record again: nothing was saved before the end"
        )
    first = 0 if any(line.get("call_index") == 0 for _, line in lines) else 1
    envelopes: dict[Key, Envelope] = {}
    for number, line in lines:
        envelope = _enveloped(line, first, f"{path}:{number}")
        if envelope.key in envelopes:
            found = f'call_index {line["call_index"]} of "{envelope.boundary}" repeats'
            before = envelopes[envelope.key].where.rsplit(":", 1)[-1]
            raise SourceError(f"{found} that of line {before}", where=f"{path}:{number}", fix="one trace holds one run")
        envelopes[envelope.key] = envelope
    return Trace(path, envelopes, cut)


def _whole_lines(path: Path) -> tuple[bytes, int]:
    """The file up to its last whole line, and how many bytes came after."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise SourceError("no such trace", where=str(path), fix='record one: CutPointSession(PATH, "record")') from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", where=str(path)) from error
    end = text.rfind(b"\n") + 1
    last = text[end:]
    # Other programs may leave out the last line's end; half an object is no JSON in any case.
    if last.strip() and _is_object(last):
        return text, 0
    return text[:end], len(last) if last.strip(b" \t\r\0") else 0


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _decoded(path: Path, text: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    unpacker = Unpacker()
    for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
            if not isinstance(value, dict):
                raise SourceError(f"{type(value).__name__} instead of an envelope", where=where, allowed=_FORM)
            unpacked = unpacker.unpack(value)
            # JSON can spell half a character, which no text that is asked or written may hold.
            if b"\\ud" in line.lower():
                compact(unpacked).encode()
            yield number, unpacked
        except UnicodeDecodeError as error:
            raise SourceError(f"not UTF-8 at byte {error.start} of the line", where=where) from None
        except UnicodeEncodeError:
            raise SourceError("half a character (a surrogate without its other half)", where=where) from None
        except RecursionError:
            raise SourceError("nested too deeply", where=where) from None
        except UnknownText as error:
            raise SourceError(
                str(error), where=where, fix="a line before this one was taken out: put it back"
            ) from None
        except ValueError as error:
            raise SourceError(f"not JSON: {error}", where=where, allowed=_FORM) from None


_FORM: Final = 'one object a line with "boundary", "call_index", "inputs" and "output"'


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _enveloped(line: dict[str, Any], first: int, where: str) -> Envelope:
    try:
        return read_envelope(line, first, where)
    except BadEnvelope as error:
        fix = "take `digests` out of the line if the change is meant" if "digests:" in str(error) else None
        raise SourceError(str(error), where=where, allowed=_FORM, fix=fix) from None


class Writer:
    """Appends envelopes to a new trace; not safe for threads by itself."""

    def __init__(self, path: Path):
        """Make the file.

        Raises:
            StateError: it holds something already, or cannot be made.
        """
        self.path = path
        self._packer = Packer()
        self._file = _made(path)

    def write(self, envelope: Envelope) -> None:
        """Append one line and hand it to the operating system: it outlives a crash of this process.

        Raises:
            StateError: the disk is full, or the file cannot be written any more.
            TypeError, ValueError: it is no JSON; nothing was written, and others can be.
        """
        line = memoryview(self._line(envelope))
        try:
            # An unbuffered file may take a part of what it is given.
            while line:
                line = line[self._file.write(line) or 0 :]
        except OSError as error:
            raise StateError(f"cannot be written: {error.strerror}", where=str(self.path)) from error

    def _line(self, envelope: Envelope) -> bytes:
        written = self._packer.written
        try:
            # Keys keep their order: an agent may show a row's columns as they come.
            packed = self._packer.pack(envelope.to_dict())
            shown = json.dumps(packed, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
            return f"{shown}\n".encode()
        except Exception:  # what a redactor of one's own gives back may be anything
            self._packer.take_back(written)
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _made(path: Path) -> IO[bytes]:
    try:
        # Exclusive unless it is empty: two recorders never share a file, and no trace is written over.
        empty = path.is_file() and path.stat().st_size == 0
        return path.open("ab" if empty else "xb", buffering=0)
    except FileExistsError:
        fix = "name another file, or move this one away"
        raise StateError("exists already; a recording is never written over", where=str(path), fix=fix) from None
    except OSError as error:
        missing = None if path.parent.is_dir() else f"make the folder {path.parent}"
        raise StateError(f"cannot be written: {error.strerror}", where=str(path), fix=missing) from None
