"""What a reading process may not do: use more memory than it has, write large files, run programs, reach the network.

Pictures of pages are read by a program (`image_pages = "ocr"`), or with models that are fetched at first use
("hi-res"): who sets these allows as much, and no more.
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Final

from ingest.settings import ImagePages

OUT_OF_MEMORY: Final = 77
"""Exit status of a process that needed more memory than it has."""
GRACE: Final = 10
"""Seconds after which a process ends itself that should have been ended from outside: its parent is gone."""
NEAR: Final = 0.9
"""Share of the memory limit from which on a fault is put down to memory: libxml2 calls it a syntax error."""
_LARGEST_FILE: Final = {"refuse": 1 << 20, "ocr": 1 << 28}
"""Bytes, by `image_pages`: room for a compiled module and for complaints, or for the picture of a page."""
_NETWORK: Final = ("socket.",)
_PROGRAMS: Final = ("subprocess.", "os.fork", "os.exec", "os.spawn", "os.posix_spawn", "os.system", "pty.")
_REFUSED: Final = {"refuse": (*_NETWORK, *_PROGRAMS), "ocr": _NETWORK}
_PAUSE: Final = 0.05


def confine(memory: int, image_pages: ImagePages) -> None:
    """Bind this process, for good, to `memory` bytes, no core dump, no large file, no socket and no program.

    The network is refused where Python asks for it: the readers' libraries have no code of their own for it. On
    Linux the kernel keeps the memory limit. Elsewhere (macOS ignores such limits) a thread looks on, so that a
    process can be above it for some moments.
    """
    _lower(resource.RLIMIT_CORE, 0)
    if image_pages in _LARGEST_FILE:
        _lower(resource.RLIMIT_FSIZE, _LARGEST_FILE[image_pages])
    if sys.platform == "linux":
        # What a process may write to. RLIMIT_AS would also count libraries and what threads only reserve.
        _lower(resource.RLIMIT_DATA, memory)
    else:
        threading.Thread(target=_watch, args=(memory,), daemon=True).start()
    if image_pages in _REFUSED:
        sys.addaudithook(partial(_refuse, _REFUSED[image_pages]))


def _lower(which: int, limit: int) -> None:
    limit = min([limit, *(known for known in resource.getrlimit(which) if known != resource.RLIM_INFINITY)])
    resource.setrlimit(which, (limit, limit))


def _watch(memory: int) -> None:
    while peak() <= memory:
        time.sleep(_PAUSE)
    os._exit(OUT_OF_MEMORY)


def _refuse(refused: tuple[str, ...], event: str, _: tuple[object, ...]) -> None:
    if event.startswith(refused):
        raise PermissionError(f"a process that reads files may not do this: {event}")


def peak() -> int:
    """The most memory that this process ever used, in bytes."""
    if sys.platform == "linux":
        # Not ru_maxrss, which begins with the parent's.
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def alarm(seconds: int) -> None:
    """Let the kernel end this process after so many seconds, whatever it is busy with; 0: not any more."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)


def end_with(pipe: int, folder: str | None) -> None:
    """End this process and its programs, whatever they are busy with, when the other side of `pipe` is closed.

    Args:
        folder: The one that its temporary files are in, which goes with it.
    """
    threading.Thread(target=_wait_for_end, args=(pipe, folder), daemon=True).start()


def _wait_for_end(pipe: int, folder: str | None) -> None:
    waiting = select.poll()
    # Nothing asked for: then it only hears of the end.
    waiting.register(pipe, 0)
    waiting.poll()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)
