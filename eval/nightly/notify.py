"""Telling somebody: a command of the user's choice, with the summary on its standard input; no shell is involved."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import IO, Final

from ingest.errors import ConfigError

_KEY: Final = "eval.notify"
_SHOWN: Final = 200
"""Characters of the command's own complaint that are passed on."""
_PIECE: Final = 4096
_LAST_WORDS: Final = 1.0
"""Seconds that are waited for them: a process that the command left behind may hold the pipe for ever."""


class _Complaint(Thread):
    """The end of what a command writes to stderr; of one that never stops, no more than that is held."""

    def __init__(self, pipe: IO[bytes]):
        super().__init__(daemon=True)
        self._pipe, self._end = pipe, b""

    def run(self) -> None:
        with self._pipe:
            while piece := self._pipe.read1(_PIECE):  # type: ignore[attr-defined]
                self._end = (self._end + piece)[-_PIECE:]

    def told(self) -> str:
        """As far as it came."""
        self.join(_LAST_WORDS)
        return self._end.decode("utf-8", "replace").strip()[-_SHOWN:]


def notify(command: Sequence[str], summary: str, seconds: float) -> None:
    """Run a command to its end.

    Args:
        command: Program and arguments; none: nothing is run.
        summary: What it reads on standard input, as UTF-8.
        seconds: After so many it is ended.

    Raises:
        ConfigError: it cannot be run, failed, or took too long.
    """
    if not command:
        return
    named = shlex.join(command)
    try:
        status, said = _run(command, summary, seconds)
    except subprocess.TimeoutExpired:
        fix = "make it faster, or raise eval.notify_seconds"
        raise ConfigError(f"nobody was told: {named} took longer than {seconds:g} s", where=_KEY, fix=fix) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        fix = 'name a program and its arguments: ["mail", "-s", "Caveat", "team@example.com"]'
        raise ConfigError(f"nobody was told: {named} cannot be run ({reason})", where=_KEY, fix=fix) from error
    if status:
        found = f"nobody was told: {named} ended with status {status}{f': {said}' if said else ''}"
        raise ConfigError(found, where=_KEY, fix="run it by hand with some text on its standard input")


def _run(command: Sequence[str], summary: str, seconds: float) -> tuple[int, str]:
    """Exit status and complaint of a command; one that takes too long is ended with all that it started."""
    with tempfile.TemporaryFile() as words:
        words.write(summary.encode("utf-8", "replace"))
        words.seek(0)
        child = subprocess.Popen(
            list(command), stdin=words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
    assert child.stderr is not None
    complaint = _Complaint(child.stderr)
    complaint.start()
    try:
        status = child.wait(seconds)
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        raise
    return status, complaint.told() if status else ""
