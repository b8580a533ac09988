"""A table of subject experts as a suite: a .csv file, one row for each quote, rows of one id together.

    query,as_of,document,section,quote
    How early must I tell you?,2026-03-15,04-seats.md,4.2,arrives at least 30 calendar days before

Optional columns: id, kind (exception, plain, dated, unanswerable), family, split, role of the quote. Without ids, rows
that ask the same on the same day are one question. Commas, semicolons and tabs divide cells; what Excel saves as
"CSV UTF-8" is read as it is. A question of kind "unanswerable" leaves document, section and quote empty.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import groupby, islice
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from eval.policy import Policy
from eval.split import SIDES
from eval.suites.placing import edition_on, placed, slices
from eval.suites.question import Feature, Question
from eval.suites.read import Broken, Read, addresses
from eval.ticket_check import fault_of
from eval.ticket_files import text_of
from eval.tickets import Anchor, Kind, Role
from ingest.dates import parse_day, show_day
from ingest.errors import SourceError

NEEDED: Final = ("query", "as_of", "document", "section", "quote")
OPTIONAL: Final = ("id", "kind", "family", "split", "role")
_MEANT: Final = {
    **dict.fromkeys(("question", "message", "text", "prompt"), "query"),
    **dict.fromkeys(("answer", "expected"), "quote"),
    **dict.fromkeys(("date", "day"), "as_of"),
}
"""What a column is called elsewhere."""
_GOLD: Final = ("document", "section", "quote")
_ONE: Final = ("query", "as_of", "kind", "family", "split")
"""Columns that have to be the same in all rows of a question."""
_DIVIDERS: Final = ",;\t"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells by column, stripped; a column that is not there is empty."""

    cells: Mapping[str, str]
    where: str

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    @property
    def name(self) -> tuple[str, ...]:
        """What rows of one question share."""
        return (self["id"],) if self["id"] else (self["query"], self["as_of"])


def read_table(file: Path, policy: Policy) -> Read:
    """Every question of a table; one whose gold is not in place is broken and not asked.

    Raises:
        SourceError: not UTF-8, a column is missing or unknown, a cell is not what its column holds; with file and line.
        DateError: a day that cannot be read, or with two readings.
    """
    questions: list[Question] = []
    broken: list[Broken] = []
    said: list[tuple[str | None, str]] = []
    for rows in _together(_rows(file)):
        question, anchors = _question(rows)
        said.append((question.split, json.dumps([rows[0].cells, [anchor.model_dump() for anchor in anchors]])))
        try:
            questions.append(_with_gold(question, anchors, rows, policy))
        except SourceError as error:
            broken.append(Broken(question.id, question.split, (error,)))
    features: tuple[Feature, ...] = ("dates", "quotes", "windows", "links")
    return Read(tuple(questions), frozenset(features), tuple(broken), tuple(said), addresses(policy))


def _rows(file: Path) -> Iterator[Row]:
    text = text_of(file).removeprefix("\ufeff")
    divider, skipped = _divider(text)
    # Not splitlines: a vertical tab or U+2028 within a cell ends no row.
    lines = islice(io.StringIO(text, newline=""), skipped, None)
    reader = csv.reader(lines, delimiter=divider, strict=True)
    header: list[str] | None = None
    line = skipped + 1
    try:
        for cells in reader:
            where, line = f"{file}:{line}", skipped + reader.line_num + 1
            cells = [cell.strip() for cell in cells]
            if not any(cells):
                continue
            if header is None:
                header = _header(cells, where)
            else:
                yield Row(_named(header, cells, where), where)
    except csv.Error as error:
        fix = 'put cells that hold quotation marks in quotation marks, and double the inner ones: "say ""yes"""'
        if "field limit" in str(error):
            fix = f"close a quotation mark that was left open; a cell holds up to {csv.field_size_limit():,} characters"
        raise SourceError(f"not a table ({error})", where=f"{file}:{line}", fix=fix) from None
    if header is None:
        raise SourceError("no header", where=f"{file}:1", allowed="the columns " + ", ".join(NEEDED))


def _divider(text: str) -> tuple[str, int]:
    """What divides cells, and how many lines stand before the header (Excel's "sep=;")."""
    first = text.partition("\n")[0].strip()
    if first.lower().startswith("sep=") and len(first) == 5:
        return first[4], 1
    return max(_DIVIDERS, key=lambda sign: (first.count(sign), -_DIVIDERS.index(sign))), 0


def _header(cells: Sequence[str], where: str) -> list[str]:
    names = [cell.lower().replace(" ", "_") for cell in cells]
    known = (*NEEDED, *OPTIONAL)
    for name in names:
        if name not in known:
            near = [_MEANT[name]] if name in _MEANT else get_close_matches(name, known, 1)
            fix = f'did you mean "{near[0]}"?' if near else None
            raise SourceError(f'unknown column "{name}"', where=where, allowed=", ".join(known), fix=fix)
        if names.count(name) > 1:
            raise SourceError(f'the column "{name}" is there twice', where=where)
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise SourceError(f"no column {', '.join(missing)}", where=where, allowed="at least " + ", ".join(NEEDED))
    return names


def _named(header: Sequence[str], cells: Sequence[str], where: str) -> dict[str, str]:
    if len(cells) > len(header) and any(cells[len(header) :]):
        found = f"{len(cells)} cells below {len(header)} columns"
        raise SourceError(found, where=where, fix="put a cell that holds a comma or semicolon in quotation marks")
    return dict(zip(header, cells, strict=False))


def _together(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Rows by question, as they follow each other."""
    first: dict[tuple[str, ...], Row] = {}
    for name, group in groupby(rows, key=lambda row: row.name):
        held = list(group)
        if name in first:
            found = f'"{name[0]}" has rows from {first[name].where} on, and others between'
            raise SourceError(
                found, where=held[0].where, fix="put the rows of a question together, or give it its own id"
            )
        first[name] = held[0]
        yield held


def _question(rows: Sequence[Row]) -> tuple[Question, list[Anchor]]:
    """A question without its gold, and the anchors that its rows name."""
    first = rows[0]
    for row in rows[1:]:
        for column in _ONE:
            if row[column] not in ("", first[column]):
                found = f'{column} is "{row[column]}", and "{first[column]}" in {first.where}, of the same question'
                raise SourceError(found, where=row.where, fix="give one of them another id")
    if not first["query"]:
        raise SourceError("no query", where=first.where)
    anchors = [_anchor(row) for row in rows if any(row[column] for column in _GOLD)]
    kind = _among(first, "kind", [one.value for one in Kind]) or "question"
    if bool(anchors) == (kind == Kind.UNANSWERABLE):
        fix = 'fill in document, section and quote; or write "unanswerable" into the column kind, and leave them empty'
        raise SourceError(f"{len(anchors)} quotes in a question of kind {kind}", where=first.where, fix=fix)
    name = first["id"] or f"row-{first.where.rpartition(':')[2]}"
    day = parse_day(first["as_of"], where=first.where)
    side = _among(first, "split", SIDES) or None
    family = first["family"] or name
    asked = Question(name, first["query"], (), family, show_day(day), kind, ticket=name, split=side, where=first.where)
    return asked, anchors


def _anchor(row: Row) -> Anchor:
    for column in _GOLD:
        if not row[column]:
            raise SourceError(f"no {column}", where=row.where, fix=f"fill in {', '.join(_GOLD)}, or leave all empty")
    role = _among(row, "role", [one.value for one in Role]) or Role.RULE
    try:
        return Anchor(quote=row["quote"], document=row["document"], section=row["section"], role=Role(role))
    except ValidationError as error:
        found = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise SourceError(found, where=row.where, fix="quote more of the section") from None


def _among(row: Row, column: str, allowed: Sequence[str]) -> str:
    found = row[column].lower()
    if found and found not in allowed:
        raise SourceError(f'{column} is "{found}"', where=row.where, allowed=", ".join(allowed))
    return found


def _with_gold(question: Question, anchors: Sequence[Anchor], rows: Sequence[Row], policy: Policy) -> Question:
    day = parse_day(question.as_of or "", where=question.where)
    edition = edition_on(policy, day, question.where)
    places = [row.where for row in rows if row["quote"]]
    for anchor, where in zip(anchors, places, strict=True):
        if found := fault_of(anchor, edition):
            raise SourceError(f"{found[1]}, on {question.as_of}", where=where, fix="quote what is in force on that day")
    gold = placed(anchors, edition)
    return replace(question, gold=gold, slices=slices(gold, edition))
