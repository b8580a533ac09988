"""Named points of an index run at which a test can kill it or fill its disk.

`CAVEAT_FAULT=verified:kill` ends the process at the point `verified` as the kernel would (SIGKILL: no
handler, no clean-up); `verified:full` raises the error of a full disk there; `embed:kill:3` waits for the
third time. Without the variable a point costs one look into the environment.
"""

from __future__ import annotations

import errno
import os
import signal
from collections import Counter
from typing import Final

from ingest.errors import ConfigError

VARIABLE: Final = "CAVEAT_FAULT"
CRASH_POINTS: Final = (
    "begin",
    "recovered",
    "catalog-open",
    "planned",
    "catalog-written",
    "catalog-committed",
    "encoder-ready",
    "build-begun",
    "token-vectors-appended",
    "embedded",
    "vectors-copied",
    "vectors-added",
    "vectors-closed",
    "vectors-flushed",
    "texts-saved",
    "points-saved",
    "keywords-saved",
    "catalog-copied",
    "names-saved",
    "verified",
    "manifest-saved",
    "synced",
    "build-named",
    "published",
    "collected",
)
"""In the order of a run."""
_ACTIONS: Final = ("kill", "full")
_reached: Counter[str] = Counter()


def reach(point: str) -> None:
    """Say that the run is at `point`.

    Raises:
        OSError: ENOSPC, where the environment asks for a full disk here.
        ConfigError: the environment names a point or an action that does not exist.
    """
    wish = os.environ.get(VARIABLE)
    if not wish:
        return
    name, action, nth = _parse(wish)
    if name != point:
        return
    _reached[point] += 1
    if _reached[point] >= nth:
        _fail(action)


def _parse(wish: str) -> tuple[str, str, int]:
    name, _, rest = wish.partition(":")
    action, _, nth = rest.partition(":")
    if name not in CRASH_POINTS or action not in _ACTIONS or not (nth or "1").isdecimal():
        raise ConfigError(
            f"{VARIABLE}={wish!r}", allowed=f"<point>:<{'|'.join(_ACTIONS)}>[:<nth>]; points: {', '.join(CRASH_POINTS)}"
        )
    return name, action, int(nth or "1")


def _fail(action: str) -> None:
    if action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
