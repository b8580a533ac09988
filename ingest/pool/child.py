"""A reading process, seen by the one that started it."""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, cast

import ingest
from ingest.errors import CaveatError, SourceError
from ingest.handbook.reading import FileReading, FileRequest
from ingest.pool import limits
from ingest.pool.wire import PREFIX, READY, Garbled, answer_of, request_frames
from ingest.settings import ImagePages, IngestSettings

# -P: a module that lies in the current folder, which may be the handbook, is never imported.
COMMAND: Final = (sys.executable, "-P", "-m", "ingest.pool.worker")
START_SECONDS: Final = 60.0
"""How long a process may take to start, on whatever busy machine."""
TOLD: Final = 200
"""Characters of a dying process's last line that a message quotes."""
_PIECE: Final = 1 << 20
_KEPT: Final = ("PATH", "HOME", "TMPDIR", "TZ", "VIRTUAL_ENV", "SYSTEMROOT")
_KEPT_PREFIXES: Final = ("LANG", "LC_", "LD_", "DYLD_", "PYTHON", "CONDA_", "NIX_", "TESSDATA", "OMP_")
_OFFLINE: Final = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
_ONLINE: Final = (
    *(
        "HF_HOME",
        "HF_HUB_OFFLINE",
        "HF_ENDPOINT",
        "XDG_CACHE_HOME",
        "HTTPS_PROXY",
        "https_proxy",
        "NO_PROXY",
        "no_proxy",
    ),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
)
"""Where models are and how they are fetched."""
# Linux counts ru_maxrss in KiB, macOS in bytes.
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024


class Died(Exception):
    """A process ended, or had to be ended, before it answered."""

    def __init__(self, found: str, fix: str, *, is_slow: bool = False):
        super().__init__(found)
        self.found, self.fix, self.is_slow = found, fix, is_slow

    def refusal(self, where: str) -> SourceError:
        """What to say of the file that was being read."""
        return SourceError(self.found, where=where, fix=self.fix)


class _Slow(Exception):
    """Nothing came before the deadline."""


class Child:
    """One process that reads files, one after the other."""

    def __init__(self, settings: IngestSettings, command: Sequence[str] = COMMAND):
        """Start it with the limits of `settings`; it is not waited for.

        Raises:
            OSError: it cannot be started.
        """
        self.answered = 0
        self._memory_mb = settings.read_memory_mb
        self._guard = threading.Lock()
        # Has no name, so that it is gone with us whatever happens; and, unlike a pipe, is never full.
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._folder = tempfile.mkdtemp(prefix="caveat-reading-") if settings.image_pages != "refuse" else None
        folder = [self._folder] if self._folder else []
        arguments = [*command, str(settings.read_memory_mb), settings.image_pages, *folder]
        try:
            self._process = _start(
                arguments, self._complaints, environment(os.environ, settings.image_pages, self._folder)
            )
        except OSError:
            self._remove_files()
            raise
        self._to, self._from = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        self._last_words = ""

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def ask(self, request: FileRequest) -> FileReading | CaveatError:
        """Let it read one file.

        Raises:
            Died: it ended, or took longer than `read_seconds` and was ended.
            CaveatError: it does not start.
        """
        if not self.answered:
            self._wait_until_ready()
        try:
            for frame in request_frames(request):
                self._send(frame)
            answer = answer_of(self._receive(time.monotonic() + request.settings.read_seconds))
        except _Slow:
            self.close()
            raise _too_slow(request) from None
        except Garbled as error:
            self.close()
            raise Died(f"the reader gave no answer that makes sense ({error})", _REPAIR) from None
        except (EOFError, OSError):
            raise self._death(request) from None
        self.answered += 1
        return answer

    def kill(self) -> None:
        """End it and what it started, now; another thread that waits for its answer will see it dead."""
        with self._guard:
            # A process that was waited for has given its number back.
            if self._process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> resource.struct_rusage | None:
        """End it, if it has not ended, and leave no trace of it; returns what it used."""
        self.kill()
        with self._guard:
            if self._process.returncode is not None:
                return None
            status, usage = _waited(self._process.pid)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self._last_words = _last_line(self._complaints)
            for stream in (self._to, self._from):
                stream.close()
            self._remove_files()
            return usage

    def _remove_files(self) -> None:
        self._complaints.close()
        if self._folder:
            # What tesseract and others had not removed when they were ended.
            shutil.rmtree(self._folder, ignore_errors=True)

    def _wait_until_ready(self) -> None:
        try:
            if self._receive(time.monotonic() + START_SECONDS) == READY:
                return
        except (_Slow, Garbled, EOFError):
            pass
        self.close()
        raise CaveatError(
            f"the process that reads files does not start{self._last_words}",
            where=sys.executable,
            fix="make sure that Caveat and what it needs are installed for this Python",
        )

    def _send(self, frame: bytes) -> None:
        for part in (len(frame).to_bytes(PREFIX, "big"), frame):
            left = memoryview(part)
            while left:
                left = left[os.write(self._to.fileno(), left[:_PIECE]) :]

    def _receive(self, deadline: float) -> bytes:
        size = int.from_bytes(self._exactly(PREFIX, deadline), "big")
        if size > self._memory_mb << 20:
            raise Garbled(f"{size:,} bytes")
        return self._exactly(size, deadline)

    def _exactly(self, size: int, deadline: float) -> bytes:
        found = bytearray()
        waiting = select.poll()
        waiting.register(self._from, select.POLLIN)
        while len(found) < size:
            if not waiting.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise _Slow
            piece = os.read(self._from.fileno(), min(size - len(found), _PIECE))
            if not piece:
                raise EOFError
            found += piece
        return bytes(found)

    def _death(self, request: FileRequest) -> Died:
        usage = self.close()
        status = self._process.returncode
        if status == limits.OUT_OF_MEMORY or (usage and self._was_large(usage)):
            return Died(f"needed more than {self._memory_mb:,} MiB of memory", _SMALLER.format("read_memory_mb"))
        if status == -signal.SIGALRM:
            return _too_slow(request)
        if status == -signal.SIGKILL:
            return Died("the reader was killed, most likely for want of memory", "close other programs, and run again")
        how = f"signal {-status}, {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        return Died(f"the reader crashed ({how}){self._last_words}", _REPAIR)

    def _was_large(self, usage: resource.struct_rusage) -> bool:
        """Whether it died near its limit: PDFium and others end the process where they get no memory."""
        near = limits.NEAR * (self._memory_mb << 20) / _RSS_UNIT
        # Linux lets a process begin with the figure of the one that started it: that says nothing then.
        return usage.ru_maxrss >= near > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _start(command: Sequence[str], complaints: IO[bytes], known: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        cwd=os.sep,
        env=known,
        # A group of its own: Ctrl-C in the terminal reaches us alone, and what it may start ends with it.
        process_group=0,
    )


def _waited(pid: int) -> tuple[int, resource.struct_rusage | None]:
    try:
        _, status, usage = os.wait4(pid, 0)
    except ChildProcessError:
        # Somebody waits for all children of this process, or ignores their end (SIGCHLD): how it ended is not known.
        return 0, None
    return status, usage


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(max(0, complaints.seek(0, os.SEEK_END) - 10 * TOLD))
    lines = complaints.read().decode("utf-8", "replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f": {last[:TOLD]}" if last else ""


_REPAIR: Final = "open it and save it anew with the program that made it, or in another format"
_SMALLER: Final = "split the file, or raise {} in caveat.toml"


def _too_slow(request: FileRequest) -> Died:
    found = f"took longer than {request.settings.read_seconds:,} s to read"
    return Died(found, _SMALLER.format("read_seconds"), is_slow=True)


def environment(
    ours: Mapping[str, str], image_pages: ImagePages = "refuse", folder: str | None = None
) -> dict[str, str]:
    """What a reading process gets to know of ours: how to start, where models are, and no keys."""
    kept = {name: value for name, value in ours.items() if name in _KEPT or name.startswith(_KEPT_PREFIXES)}
    if image_pages == "hi-res":
        kept |= {name: value for name, value in ours.items() if name in _ONLINE}
    else:
        kept |= _OFFLINE
    if folder:
        kept["TMPDIR"] = folder
    here = str(Path(ingest.__file__ or "").resolve().parent.parent)
    path = [here, *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "DO_NOT_TRACK": "1", "PYTHONPATH": os.pathsep.join(path)}
