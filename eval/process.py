"""One command as a whole process: its time, its memory and what it printed, by the operating system's account."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

# macOS reports bytes, Linux kilobytes.
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True)
class Finished:
    """A process that ended."""

    output: str
    seconds: float
    """Wall time."""
    peak_bytes: int
    """Largest resident set of it and of what it started."""
    processor_seconds: float
    """Of it and of what it started, without waiting for others."""


class ProcessFailed(RuntimeError):
    """A measured command ended with a status that was not allowed."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs commands in one folder."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    allowed: tuple[int, ...] = (0,)
    """Exit statuses of a command that did its work."""

    def __call__(self, command: Sequence[str]) -> Finished:
        """Run a command to its end.

        Raises:
            ProcessFailed: it ended with a status that is not allowed; the message holds what it wrote to stderr.
        """
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.perf_counter()
            child = subprocess.Popen(
                command, cwd=self.folder, stdout=out, stderr=err, env={**os.environ, **self.environment}
            )
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            if child.returncode not in self.allowed:
                told = err.read().decode(errors="replace").strip()
                raise ProcessFailed(f"{' '.join(command)}: exit status {child.returncode}: {told}")
            worked = usage.ru_utime + usage.ru_stime
            return Finished(out.read().decode(), seconds, usage.ru_maxrss * _RSS_UNIT, worked)
