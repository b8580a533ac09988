"""What is learned from: questions written for this project, and lists of a query with one right text.

A question names its section and never quotes it; the sections themselves are read from where they lie.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from eval.overlap import overlap
from eval.suites.passage import Passage
from ingest.dates import Instant
from ingest.errors import SourceError
from ingest.handbook.editions import read_document, scan
from ingest.markdown.plain import plain

Kind = Literal["short", "scenario", "rewrite"]
SOURCES: Final = {
    "dc": "train/dc_code_sections.jsonl",
    "github": "handbooks/github_site_policy",
}
"""Where sections lie below the shared folder; "demo" is the project's own handbook."""
EDITIONS: Final = {"github": "2019-06-01", "demo": "2024-07-01"}
"""The edition of a handbook that is asked about: an old one, since newer ones are measured on."""


class Question(BaseModel):
    """One line of data/training/questions.jsonl."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    kind: Kind
    query: str
    source: Literal["dc", "github", "demo"]
    section: str
    """Of the source: a statute's id, or a section's address in the edition asked about."""
    clause: tuple[int, int] | None = None
    """Span of the clause that decides, in the section's words as `plain` gives them."""
    way: str | None = None
    """Of a rewrite: what was done to the scenario."""


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a file.

    Raises:
        SourceError: a line that is no question, or an id that repeats.
    """
    found: dict[str, Question] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path}:{number}"
        try:
            question = Question.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            raise SourceError(
                f"no question ({'.'.join(map(str, first['loc']))}: {first['msg']})", where=where
            ) from None
        if question.id in found:
            raise SourceError(f'a second question "{question.id}"', where=where, fix="give it an id of its own")
        found[question.id] = question
    return tuple(found.values())


def sections_of(source: str, shared: Path, handbook: Path, now: Instant) -> dict[str, Passage]:
    """All sections of a source by id, in plain words.

    Raises:
        SourceError: it is not there.
    """
    if source == "dc":
        return {one.id: one for one in _statutes(shared / SOURCES["dc"])}
    root = handbook if source == "demo" else shared / SOURCES[source]
    return {one.id: one for one in _handbook(root, EDITIONS[source], now)}


def _statutes(path: Path) -> Iterator[Passage]:
    for row in json_lines(path):
        yield Passage(str(row["_id"]), str(row["title"]), str(row["text"]))


def _handbook(root: Path, name: str, now: Instant) -> Iterator[Passage]:
    found = scan(root, timezone="UTC", now=now, max_file_bytes=50_000_000)
    edition = next(edition for edition in found.editions if edition.name == name)
    for file in edition.files:
        document = read_document(file, edition)
        for section in document.sections:
            body = plain(section.text)
            if body:
                yield Passage(document.address(section), " > ".join(section.titles), body)


def overlaps(questions: Iterable[Question], passages: Mapping[str, Mapping[str, Passage]]) -> dict[str, list[float]]:
    """By kind: of each question's content words, the share that occurs in its section."""
    found: dict[str, list[float]] = {}
    for question in questions:
        section = passages[question.source][question.section]
        share = overlap(question.query, (section.title, section.text))
        found.setdefault(question.kind, []).append(share)
    return found


def json_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """The objects of a JSON Lines file.

    Raises:
        SourceError: the file is missing, or a line is no JSON.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise SourceError(f"not JSON ({error})", where=f"{path}:{number}") from None
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", where=str(path)) from None
