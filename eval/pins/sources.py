"""Where pins come from: a call of a recorded trace, or lines of any JSON Lines file, with a map of its fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.replay.envelope import Envelope
from eval.replay.trace import Trace, read_trace
from eval.ticket_files import text_of
from ingest.errors import QueryError, SourceError

FIELDS: Final = ("query", "expect", "section", "as_of", "title", "id")
"""What a line can say of a pin."""
_QUERIES: Final = ("output", "output.query", "inputs.query")
"""Where a call's query is looked for."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of one pin before it is checked."""

    query: str
    incident: str
    where: str
    source: Mapping[str, Any] | None = None
    expect: tuple[str, ...] = ()
    section: str | None = None
    as_of: str | None = None
    title: str | None = None
    id: str | None = None


def from_trace(path: Path, named: str, boundary: str, call: int, field: str | None) -> Told:
    """The query of one recorded call.

    Args:
        path: The trace.
        named: What the pin calls it.
        boundary: The cut point.
        call: Which call of it, from 1.
        field: Where the query stands, "output.query"; None: the output itself, or its or the inputs' `query`.

    Raises:
        SourceError: the trace cannot be read; with file and line.
        QueryError: no such call was recorded, or there is no query in it.
    """
    trace = read_trace(path)
    envelope = trace.envelopes.get((boundary, call))
    if envelope is None:
        found = f"call {call} of {boundary} was never recorded"
        raise QueryError(found, where=str(path), allowed=trace.recorded(), fix="--boundary NAME --call N")
    return _of_call(envelope, path, named, field)


def _of_call(envelope: Envelope, path: Path, named: str, field: str | None) -> Told:
    values = {"inputs": envelope.inputs, "output": envelope.output}
    for place in (field,) if field else _QUERIES:
        query = at(values, place)
        if isinstance(query, str) and query.strip():
            source = {"boundary": envelope.boundary, "call": envelope.call_index, "field": place, "trace": named}
            return Told(query, path.stem, envelope.where, source)
    where = f"{envelope.where}: call {envelope.call_index} of {envelope.boundary}"
    looked = field or ", ".join(_QUERIES)
    raise QueryError(f"no text in {looked}", where=where, fix="name the query's place: --field output.rewritten")


def at(values: Any, place: str) -> Any:
    """What stands at a dotted place; None where nothing does."""
    for name in place.split("."):
        values = values.get(name) if isinstance(values, Mapping) else None
    return values


def read_map(pairs: Sequence[str]) -> dict[str, str]:
    """`--map query=question` and the like.

    Raises:
        QueryError: not in that form, or no field of a pin.
    """
    fields: dict[str, str] = {}
    for pair in pairs:
        name, sign, place = pair.partition("=")
        if not sign or not place.strip() or name not in FIELDS:
            allowed = f"FIELD=PLACE, FIELD one of {', '.join(FIELDS)}"
            raise QueryError(f'"{pair}"', where="--map", allowed=allowed, fix="--map query=input.question")
        fields[name] = place
    return fields


def from_lines(path: Path, named: str, fields: Mapping[str, str], boundary: str | None) -> list[Told]:
    """Every line of a file as a pin to be: our envelopes (of one boundary), or plain JSON Lines.

    Raises:
        SourceError: not UTF-8, not JSON, or a line without a query; with file and line.
        QueryError: the trace has no such boundary.
    """
    found = list(_of_trace(path, named, fields, boundary) if boundary else _of_plain(path, fields))
    if not found:
        raise SourceError("no line to pin", where=str(path))
    return found


def _of_trace(path: Path, named: str, fields: Mapping[str, str], boundary: str) -> Iterator[Told]:
    trace: Trace = read_trace(path)
    calls = trace.of(boundary)
    if not calls:
        raise QueryError(f"no call of {boundary} was recorded", where=str(path), allowed=trace.recorded())
    for envelope in calls.values():
        told = _of_call(envelope, path, named, fields.get("query"))
        values = {"inputs": envelope.inputs, "output": envelope.output}
        yield _with_fields(told, values, {name: place for name, place in fields.items() if name != "query"})


def _of_plain(path: Path, fields: Mapping[str, str]) -> Iterator[Told]:
    places = {name: name for name in FIELDS} | dict(fields)
    for number, line in enumerate(text_of(path).removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        values = _object(line, where)
        query = at(values, places["query"])
        if not isinstance(query, str) or not query.strip():
            fix = "--boundary NAME, for a trace of envelopes" if "boundary" in values else "--map query=PLACE"
            raise SourceError(f"no text in {places['query']}", where=where, fix=fix)
        told = Told(query, path.stem, where)
        yield _with_fields(told, values, {name: place for name, place in places.items() if name != "query"})


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"not JSON ({error})", where=where, allowed="one object a line") from None
    if not isinstance(values, dict):
        raise SourceError(f"{type(values).__name__} instead of an object", where=where)
    try:
        json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise SourceError("half a character (a surrogate without its other half)", where=where) from None
    return values


def _with_fields(told: Told, values: Mapping[str, Any], places: Mapping[str, str]) -> Told:
    said: dict[str, Any] = {name: at(values, place) for name, place in places.items()}
    said = {name: value for name, value in said.items() if value is not None}
    expect = said.pop("expect", ())
    quotes = (expect,) if isinstance(expect, str) else tuple(expect) if isinstance(expect, (list, tuple)) else (None,)
    if not all(isinstance(one, str) for one in (*quotes, *said.values())):
        allowed = "texts, and for expect a list of them"
        raise SourceError("a field that is no text", where=told.where, allowed=allowed)
    return Told(told.query, told.incident, told.where, told.source, quotes, **said)
