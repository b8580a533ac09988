"""A question with its gold, whatever file it came from; what is measured knows no other form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ingest.errors import QueryError

if TYPE_CHECKING:
    from eval.redaction.redactor import Redactor

Asked = Literal["message", "rewrite", "ambiguous rewrite"]
Feature = Literal["dates", "quotes", "rewrites", "windows", "links"]
"""What a suite can show: gold by day, quotes within sections, frozen rewrites, documents to cut, typed links."""


@dataclass(frozen=True, slots=True)
class Gold:
    """One section that an answer needs."""

    id: str
    """Its address on the question's day, or its id in the corpus."""
    grade: int = 1
    """How much it answers; at least 1."""
    quotes: tuple[str, ...] = ()
    """What has to come back of it, white space normalised; none where the whole section counts."""
    roles: tuple[str, ...] = ()
    """Of each quote: rule, exception, condition or definition."""
    twins: frozenset[str] = frozenset()
    """Ids of identical sections, which count as well."""


@dataclass(frozen=True, slots=True)
class Question:
    """One query on one day, and what a good answer holds."""

    id: str
    """Unique in its suite; a rewrite's is "TICKET/STYLE"."""
    query: str
    gold: tuple[Gold, ...]
    """None where the handbook has no answer."""
    family: str
    """Questions that stand or fall together; resampled as one."""
    as_of: str | None = None
    """ISO day; None in a suite without days."""
    kind: str = "question"
    """exception, plain, dated or unanswerable of a ticket; else "question"."""
    asked: Asked = "message"
    ticket: str = ""
    """Id of the ticket that it asks; its own for a message."""
    split: str | None = None
    where: str = ""
    """File and line."""
    slices: Mapping[str, str] = field(default_factory=dict)
    """By what it can be grouped: document, chapter, style, ..."""

    @property
    def crosses_sections(self) -> bool:
        """Whether its gold stands in more than one section."""
        return len(self.gold) > 1


@dataclass(frozen=True, slots=True)
class Questions:
    """A suite, ready to be asked."""

    name: str
    questions: tuple[Question, ...]
    features: frozenset[Feature]
    digest: str
    """Of everything that is asked and expected: two suites with one digest are the same."""
    others: frozenset[str] = frozenset()
    """Ids of the suite's questions that are not asked: of its other side, or with gold out of place."""
    sections: frozenset[str] = frozenset()
    """Ids that a section can have, on whatever day; empty where they are not known."""

    def of(self, asked: Asked) -> tuple[Question, ...]:
        """Those that are asked in one way."""
        return tuple(question for question in self.questions if question.asked == asked)


def check_lengths(questions: Iterable[Question], most: int) -> None:
    """Refuse what the search would, with where it stands.

    Raises:
        QueryError: a query of more than `most` characters; with file, line and id.
    """
    for one in questions:
        if len(one.query) > most:
            found = f'the query "{one.id}" has {len(one.query):,} characters'
            allowed = f"up to {most:,} (retrieve.max_query_chars)"
            raise QueryError(found, where=one.where, allowed=allowed, fix="ask a shorter question, or raise the limit")


def check_names(questions: Iterable[Question], redactor: Redactor) -> None:
    """Refuse ids and families that hold a secret, since reports write them as they are.

    Raises:
        QueryError: one does; with file and line.
    """
    for one in questions:
        for name in (one.id, one.family):
            redactor.check_name(name, one.where or f'question "{redactor.text(one.id)}"')
