"""Telling somebody: a command of the user's choice, with the summary on its standard input; no shell is involved."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence

from ingest.errors import ConfigError

_KEY = "eval.notify"
_SHOWN = 200
"""Characters of the command's own complaint that are passed on."""


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
        done = subprocess.run(
            list(command), input=summary.encode("utf-8", "replace"), capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        fix = "make it faster, or raise eval.notify_seconds"
        raise ConfigError(f"nobody was told: {named} took longer than {seconds:g} s", where=_KEY, fix=fix) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        fix = 'name a program and its arguments: ["mail", "-s", "Caveat", "team@example.com"]'
        raise ConfigError(f"nobody was told: {named} cannot be run ({reason})", where=_KEY, fix=fix) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()[-_SHOWN:]
        found = f"nobody was told: {named} ended with status {done.returncode}{f': {said}' if said else ''}"
        raise ConfigError(found, where=_KEY, fix="run it by hand with some text on its standard input")
