"""Questions with gold sections: folders in BEIR's layout, and the tickets of one side by their day."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.policy import Edition, Policy
from eval.suites.passage import Passage
from eval.ticket_check import gold_sections
from eval.tickets import Ticket
from ingest.errors import SourceError


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the ids of the passages that answer it, and what it is resampled with."""

    id: str
    query: str
    gold: frozenset[str]
    family: str


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that are asked of the same passages."""

    passages: tuple[Passage, ...]
    questions: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A named set; its questions' ids are unique in it."""

    name: str
    groups: tuple[Group, ...]


def beir_sets(folder: Path) -> tuple[QuestionSet, ...]:
    """The set in `folder`; passages of the GitHub handbook, which others are trained on, make a second one.

    Raises:
        SourceError: a file is missing or not in BEIR's layout.
    """
    read, sources = beir(folder)
    seen = {name for name, source in sources.items() if source == "github"}
    parts = {
        folder.name: [one for one in read.questions if not one.gold & seen],
        f"{folder.name}, GitHub (seen)": [one for one in read.questions if one.gold & seen],
    }
    return tuple(QuestionSet(name, (Group(read.passages, tuple(part)),)) for name, part in parts.items() if part)


def beir(folder: Path) -> tuple[Group, Mapping[str, str]]:
    """The passages of a folder in BEIR's layout with its questions that have gold, and where passages are from.

    Raises:
        SourceError: corpus.jsonl, queries.jsonl or qrels/test.tsv is missing or not in that layout.
    """
    try:
        rows = list(_rows(folder / "corpus.jsonl"))
        passages = tuple(Passage(row["_id"], row["title"], row["text"]) for row in rows)
        sources = {row["_id"]: str((row.get("metadata") or {}).get("source", "")) for row in rows}
        gold = _gold(folder / "qrels" / "test.tsv", sources)
        asked = tuple(
            Asked(row["_id"], row["text"], frozenset(gold[row["_id"]]), row["_id"])
            for row in _rows(folder / "queries.jsonl")
            if row["_id"] in gold
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"not a question set ({error})", where=str(folder), allowed="BEIR's layout") from error
    return Group(passages, asked), sources


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def _gold(path: Path, known: Collection[str]) -> Mapping[str, set[str]]:
    """Gold passages by question; a KeyError for one that is not in the corpus."""
    found: dict[str, set[str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                if row["corpus-id"] not in known:
                    raise KeyError(row["corpus-id"])
                found.setdefault(row["query-id"], set()).add(row["corpus-id"])
    return found


def ticket_set(name: str, tickets: Iterable[Ticket], policy: Policy) -> QuestionSet:
    """Tickets with gold, each asked of what was in force on its day."""
    editions: dict[int, Edition] = {}
    asked: dict[int, list[Asked]] = {}
    for ticket in tickets:
        edition = policy.on(ticket.day)
        gold = frozenset(section.address for section in gold_sections(ticket, edition))
        if gold:
            editions[id(edition)] = edition
            asked.setdefault(id(edition), []).append(Asked(ticket.id, ticket.message, gold, ticket.family))
    groups = tuple(Group(_passages(editions[key]), tuple(found)) for key, found in asked.items())
    return QuestionSet(name, groups)


def _passages(edition: Edition) -> tuple[Passage, ...]:
    return tuple(
        Passage(one.address, " > ".join(one.section.titles), one.section.text, one.section, one.document.title)
        for one in edition.sections
    )
