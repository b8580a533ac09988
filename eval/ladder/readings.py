"""The log of holdout readings: each line says when the holdout side was read, of which suite, under what settings.

A side that is read often stops being held out: whoever reads a figure of it must see how many readings there were.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from index.state import write_atomically
from ingest.errors import SourceError


class Reading(BaseModel):
    """One reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: str
    """ISO instant, UTC."""
    suite: str
    suite_digest: str
    configuration: str
    """Digest of all that the answers depend on."""
    measures: str
    """Digest of what was measured."""
    command: str
    """What was typed: "eval --ablate"."""


def readings(file: Path) -> tuple[Reading, ...]:
    """All readings so far, oldest first; none where there is no file.

    Raises:
        SourceError: a line is no reading; with file and line.
    """
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"the log of readings cannot be read ({error})", where=str(file)) from error
    return tuple(_parsed(line, f"{file}:{number}") for number, line in enumerate(lines, 1) if line.strip())


def log_reading(file: Path, reading: Reading) -> int:
    """Append a reading, and say how many there are by now.

    Raises:
        SourceError: a line is no reading: the log is not continued behind a damaged one.
    """
    known = (*readings(file), reading)
    write_atomically(file, "".join(f"{json.dumps(one.model_dump())}\n" for one in known))
    return len(known)


def _parsed(line: str, where: str) -> Reading:
    try:
        return Reading.model_validate_json(line)
    except ValidationError as error:
        found = f"no holdout reading ({error.errors()[0]['msg']})"
        raise SourceError(found, where=where, fix="restore the file: it is to be committed with the suite") from None
