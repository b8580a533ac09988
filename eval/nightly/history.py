"""The history of nights: one file of JSON Lines, small enough to be committed, replaced whole or not at all.

The last nights of each suite and side keep their questions, of rewrites no more than the scores; of older nights
figures, gates, causes and settings stay: a trend wants no more, and the file grows by some kilobytes a night.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from eval.nightly.record import SCHEMA, Night, TicketNight
from index.state import write_atomically
from ingest.errors import StateDamaged, StateMissing

WHOLE: Final = 2
"""Nights of a suite and side that keep their questions: the last one, and the one that it is compared with."""
_MERGE: Final = ("<<<<<<<", "=======", ">>>>>>>")
_RESTORE: Final = "restore the file from version control, or delete the line"


def read_nights(file: Path) -> tuple[Night, ...]:
    """All nights in a history, oldest first; none where there is no file yet.

    Raises:
        StateDamaged: a line is no night, or is out of order; with file and line.
    """
    nights: list[Night] = []
    for number, line in enumerate(_text(file).split("\n"), 1):
        if line.strip():
            night = parsed(line, f"{file}:{number}")
            _check_order(nights, night, f"{file}:{number}")
            nights.append(night)
    return tuple(nights)


def append_night(file: Path, night: Night) -> Night:
    """Write a history anew with one more night at its end; returns it, with another number if its own was taken.

    The file is read again: what came into it while the night was measured stays.

    Raises:
        StateDamaged: as `read_nights`.
    """
    nights = read_nights(file)
    night = night.model_copy(update={"run": max(night.run, next_run(nights))})
    write_atomically(file, "".join(f"{line_of(one)}\n" for one in slimmed((*nights, night))))
    return night


def slimmed(nights: Sequence[Night]) -> tuple[Night, ...]:
    """The same nights as far as they are kept."""
    later: Counter[tuple[str, str]] = Counter()
    kept: list[Night] = []
    for night in reversed(nights):
        key = (night.suite, night.split)
        tickets = [_slimmed(ticket) for ticket in night.tickets] if later[key] < WHOLE else []
        kept.append(night.model_copy(update={"tickets": tickets, "slowest": []}))
        later[key] += 1
    return tuple(reversed(kept))


def _slimmed(ticket: TicketNight) -> TicketNight:
    """What a later night compares; a rewrite expects what its message does."""
    if ticket.asked == "message":
        return ticket
    return ticket.model_copy(update={"expected": [], "came": [], "slices": {}, "ranks": []})


def next_run(nights: Iterable[Night]) -> int:
    """The number of the night that comes after these."""
    return max((night.run for night in nights), default=0) + 1


def like(nights: Iterable[Night], suite: str, split: str) -> tuple[Night, ...]:
    """The nights of one suite and side, oldest first: what may be compared."""
    return tuple(night for night in nights if (night.suite, night.split) == (suite, split))


def line_of(night: Night) -> str:
    """A night as one line of JSON."""
    values: dict[str, Any] = night.model_dump(by_alias=True, exclude_defaults=True)
    return json.dumps({"schema": night.schema_version} | values, ensure_ascii=False, allow_nan=False)


def parsed(text: str, where: str) -> Night:
    """A night from its JSON.

    Raises:
        StateDamaged: it is none, or a newer Caveat wrote it.
    """
    if text.startswith(_MERGE):
        raise StateDamaged("the mark of a merge that was not finished", where=where, fix="keep the lines of one side")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StateDamaged(f"is not JSON ({error})", where=where, fix=_RESTORE) from None
    _check_schema(values, where)
    try:
        return _restored(Night.model_validate(values))
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        raise StateDamaged(f"is no night: {place}: {fault['msg']}", where=where, fix=_RESTORE) from None


def _restored(night: Night) -> Night:
    """The night with what its rewrites expect: the same as their messages, and written with those alone."""
    expected = {ticket.id: ticket.expected for ticket in night.tickets if ticket.asked == "message"}
    tickets = [
        ticket.model_copy(update={"expected": expected.get(message_of(ticket), ticket.expected)})
        for ticket in night.tickets
    ]
    return night.model_copy(update={"tickets": tickets})


def message_of(rewrite: TicketNight) -> str:
    """Id of the message that a rewrite rewrites: "t-1" of "t-1/keywords"; of a message its own."""
    return rewrite.id if rewrite.asked == "message" else rewrite.id.rpartition("/")[0]


def _check_schema(values: object, where: str) -> None:
    schema = values.get("schema") if isinstance(values, dict) else None
    if isinstance(schema, int) and schema > SCHEMA:
        found = f"was written by a newer Caveat (schema {schema}, this one reads {SCHEMA})"
        raise StateDamaged(found, where=where, fix="install the newer Caveat")


def _check_order(nights: Sequence[Night], night: Night, where: str) -> None:
    if nights and night.run <= nights[-1].run:
        found = f"run {night.run} after run {nights[-1].run}"
        raise StateDamaged(found, where=where, allowed="runs in ascending order, each once", fix=_RESTORE)


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise StateDamaged("is not UTF-8", where=f"{file}:{line}", fix=_RESTORE) from None


def read_baseline(file: Path) -> Night | None:
    """The night that was accepted as baseline; None where none was.

    Raises:
        StateDamaged: the file is no night.
    """
    text = _text(file)
    return parsed(text, str(file)) if text.strip() else None


def accept_baseline(file: Path, nights: Sequence[Night], suite: str) -> Night:
    """Make the last night of a suite the baseline; returns it.

    Raises:
        StateMissing: there is none yet.
    """
    last = next((night for night in reversed(nights) if night.suite == suite), None)
    if last is None:
        raise StateMissing(f"no night of {suite} is in the history", fix="run `caveat nightly` first")
    write_atomically(file, line_of(last) + "\n")
    return last
