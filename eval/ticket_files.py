"""Reading and writing a tickets folder; every fault names its file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from eval.tickets import Kind, Rewrites, Ticket, plain
from ingest.errors import SourceError

TICKETS: Final = "tickets.jsonl"
REWRITES: Final = "rewrites.jsonl"
_TEMPLATE: Final = "caveat tickets init FOLDER writes a template"

Entry = TypeVar("Entry", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Suite:
    """Tickets with their rewrites, and where each stands."""

    folder: Path
    tickets: tuple[Ticket, ...]
    rewrites: Mapping[str, Rewrites]
    """By ticket id; a ticket may lack them."""
    lines: Mapping[str, int]
    """Line of each ticket in tickets.jsonl."""
    rewrite_lines: Mapping[str, int]
    """Line of each ticket's rewrites in rewrites.jsonl."""

    def where(self, ticket: Ticket) -> str:
        """File and line of a ticket."""
        return f"{self.folder / TICKETS}:{self.lines[ticket.id]}"

    def where_rewritten(self, ticket: Ticket) -> str:
        """File and line of a ticket's rewrites."""
        return f"{self.folder / REWRITES}:{self.rewrite_lines[ticket.id]}"


def load_suite(folder: Path) -> Suite:
    """Read both files; a folder without rewrites.jsonl has no rewrites yet.

    Raises:
        SourceError: a file is missing or not UTF-8, or a line breaks the schema; with file and line.
    """
    tickets = dict(_numbered(folder / TICKETS, Ticket))
    _check_tickets(folder / TICKETS, tickets)
    known = {ticket.id: ticket for ticket in tickets.values()}
    file = folder / REWRITES
    rewrites = dict(_numbered(file, Rewrites)) if file.exists() else {}
    _check_rewrites(file, rewrites, known)
    return Suite(
        folder,
        tuple(tickets.values()),
        {entry.ticket: entry for entry in rewrites.values()},
        {ticket.id: line for line, ticket in tickets.items()},
        {entry.ticket: line for line, entry in rewrites.items()},
    )


def write_entries(file: Path, entries: Iterable[BaseModel]) -> None:
    """Write a JSON Lines file, one object a line, at once or not at all."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text("".join(f"{entry.model_dump_json()}\n" for entry in entries), encoding="utf-8")
    fresh.replace(file)


def _numbered(file: Path, model: type[Entry]) -> Iterator[tuple[int, Entry]]:
    for number, line in enumerate(text_of(file, _TEMPLATE).split("\n"), 1):
        if line.strip():
            yield number, _parsed(line, model, f"{file}:{number}")


def text_of(file: Path, fix: str | None = None) -> str:
    """The text of a file of a suite.

    Raises:
        SourceError: it is missing or not UTF-8; `fix` says what to do where it is missing.
    """
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise SourceError("no such file", where=str(file), fix=fix) from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", where=str(file)) from None
    except UnicodeDecodeError as error:
        raise SourceError(f"not UTF-8 at byte {error.start}", where=str(file), fix="save it as UTF-8") from None


def _parsed(line: str, model: type[Entry], where: str) -> Entry:
    try:
        return model.model_validate_json(line, strict=False)
    except ValidationError as error:
        raise SourceError("; ".join(map(_fault, error.errors())), where=where) from None


def _fault(error: ErrorDetails) -> str:
    place = ".".join(map(str, error["loc"]))
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        return f'unknown field "{place}"'
    return f"{place}: {message}" if place else message


def _check_tickets(file: Path, tickets: Mapping[int, Ticket]) -> None:
    first: dict[str, int] = {}
    kinds: dict[str, Kind] = {}
    for line, ticket in tickets.items():
        if ticket.id in first:
            raise SourceError(f'id "{ticket.id}" is also that of line {first[ticket.id]}', where=f"{file}:{line}")
        first[ticket.id] = line
        kind = kinds.setdefault(ticket.family, ticket.kind)
        if kind is not ticket.kind:
            found = f'family "{ticket.family}" holds {kind} tickets and this {ticket.kind} one'
            raise SourceError(found, where=f"{file}:{line}", fix="give it a family of its own")


def _check_rewrites(file: Path, rewrites: Mapping[int, Rewrites], tickets: Mapping[str, Ticket]) -> None:
    first: dict[str, int] = {}
    for line, entry in rewrites.items():
        where = f"{file}:{line}"
        if entry.ticket not in tickets:
            raise SourceError(f'no ticket "{entry.ticket}"', where=where, allowed=f"the ids in {TICKETS}")
        if entry.ticket in first:
            found = f'ticket "{entry.ticket}" has rewrites in line {first[entry.ticket]} too'
            raise SourceError(found, where=where, fix="keep one of them")
        first[entry.ticket] = line
        message = plain(tickets[entry.ticket].message)
        if any(plain(rewrite.text) == message for rewrite in entry.rewrites):
            raise SourceError("a rewrite that is the message itself", where=where)


def of_split(tickets: Sequence[Ticket], split: str) -> tuple[Ticket, ...]:
    """The tickets of one side."""
    return tuple(ticket for ticket in tickets if ticket.split == split)
