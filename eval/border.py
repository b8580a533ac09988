"""The border between the command line and the person: every fault becomes one line and an exit status.

0 good, 1 a gate failed (a guard, a refused file, a lint finding), 2 wrong use or broken surroundings,
130 interrupted, 141 the reader of our output went away. CAVEAT_DEBUG=1 shows the traceback instead.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Callable
from typing import Final, TextIO

from typer.exceptions import TyperException

from eval.paint import harmless
from ingest.errors import CaveatError

INTERRUPTED: Final = 130
"""128 + SIGINT, as shells report it."""
PIPE_CLOSED: Final = 141
"""128 + SIGPIPE."""
_WRONG_KIND: Final = re.compile(r"Input should be a valid integer.*")
_DISK: Final = (errno.ENOSPC, errno.EDQUOT)
_PLATFORM: Final = "caveat: Windows is not supported; run it on Linux, on macOS or in WSL"


def supported(platform: str = sys.platform) -> bool:
    """Whether this platform can run Caveat; says so on stderr where it cannot."""
    if platform == "win32":
        print(_PLATFORM, file=sys.stderr)
    return platform != "win32"


def lenient(stream: TextIO, errors: str) -> None:
    """Let a stream pass what its encoding does not have: no character of a passage may lose the whole answer."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=errors)


def guarded(action: Callable[[], int]) -> int:
    """The exit status of `action`; a fault is one line on stderr, without a traceback."""
    try:
        status = action()
        sys.stdout.flush()
    # Typer exits by itself for one reason only: it saw the closed pipe first.
    except (BrokenPipeError, SystemExit):
        return _reader_gone()
    # The outermost border: what is unforeseen is one line too, and CAVEAT_DEBUG=1 shows where it came from.
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("CAVEAT_DEBUG") == "1":
            raise
        return _told(error)
    # Typer turns an interrupt into this status before we can see it.
    return _told(KeyboardInterrupt()) if status == INTERRUPTED else status


def _told(error: BaseException) -> int:
    message, status = explain(error)
    # A message may quote a file that is not to be trusted.
    print(f"caveat: {harmless(message)}", file=sys.stderr)
    return status


def explain(error: BaseException) -> tuple[str, int]:
    """One line for a fault, and its exit status."""
    if isinstance(error, CaveatError):
        return str(error), error.exit_status
    if isinstance(error, TyperException):
        told = _WRONG_KIND.sub("not a whole number", error.format_message())
        return f"{told.rstrip('.')}; see: {_help_for(error)}", 2
    if isinstance(error, KeyboardInterrupt):
        return "interrupted; nothing half-done was published", INTERRUPTED
    if _disk_full(error):
        return f"the disk is full{_at(error)}; what was published still answers; free some space and run it again", 2
    if isinstance(error, OSError):
        return f"{error.strerror or error}{_at(error)}", 2
    reason = " ".join(str(error).split())
    return f"unexpected {type(error).__name__}: {reason}; CAVEAT_DEBUG=1 shows where", 2


def _help_for(error: BaseException) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'caveat'} --help"


def _disk_full(error: BaseException) -> bool:
    # SQLite has its own exception and wraps no errno.
    return (isinstance(error, OSError) and error.errno in _DISK) or "disk is full" in str(error)


def _at(error: BaseException) -> str:
    name = getattr(error, "filename", None)
    return f": {name}" if name else ""


def _reader_gone() -> int:
    # Without this, the interpreter would complain while flushing at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED
