"""Questions with gold sections: folders in BEIR's layout, and the tickets of one side by their day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from eval.policy import Edition, Policy
from eval.suites.beir import read_beir, read_corpus
from eval.suites.passage import Passage
from eval.ticket_check import gold_sections
from eval.tickets import Ticket


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
    is_seen: bool = False
    """Whether texts of it were learned from; it does not count when sets are averaged."""


def beir_sets(folder: Path) -> tuple[QuestionSet, ...]:
    """The set in `folder`; passages of the GitHub handbook, which others are trained on, make a second one.

    Raises:
        SourceError: a file is missing or not in BEIR's layout.
    """
    read, sources = beir(folder)
    seen = {name for name, source in sources.items() if source == "github"}
    parts = {
        False: [one for one in read.questions if not one.gold & seen],
        True: [one for one in read.questions if one.gold & seen],
    }
    return tuple(
        QuestionSet(folder.name + (", GitHub (seen)" if is_seen else ""), (Group(read.passages, tuple(part)),), is_seen)
        for is_seen, part in parts.items()
        if part
    )


def beir(folder: Path) -> tuple[Group, Mapping[str, str]]:
    """The passages of a folder in BEIR's layout with its questions that have gold, and where passages are from.

    Raises:
        SourceError: a file is missing, or a line breaks the layout; with file and line.
    """
    corpus = read_corpus(folder)
    asked = tuple(
        Asked(one.id, one.query, frozenset(gold.id for gold in one.gold), one.family)
        for one in read_beir(folder).questions
        if one.gold
    )
    sources = {name: str(said.get("source", "")) for name, said in corpus.metadata.items()}
    return Group(tuple(corpus.passages.values()), asked), sources


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
