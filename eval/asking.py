"""The two kinds of retriever that tickets are put to: windows, and the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from eval.measure import Found, Texts, find
from eval.tickets import Ticket
from eval.retrievers.windows import WindowSearch
from retrieve.result import Passage, Result
from retrieve.retriever import Retriever


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one message."""

    passages: tuple[Texts, ...]
    """Best first."""
    flagged: bool | None = None
    """Whether it was marked as probably no answer; None where the retriever cannot say."""


class Contender(Protocol):
    """A retriever, as one row of a table."""

    @property
    def name(self) -> str:
        """What the row is called."""
        ...

    @property
    def k(self) -> int:
        """Passages that count."""
        ...

    def answer(self, ticket: Ticket) -> Answer:
        """What it finds for a message on its date."""
        ...


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows by cosine."""

    name: str
    k: int
    search: WindowSearch

    def answer(self, ticket: Ticket) -> Answer:
        """The best windows of the day."""
        found = self.search.search(ticket.message, ticket.day, self.k)
        return Answer(tuple((window.text,) for window in found))


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Whole sections by dense and BM25 search."""

    name: str
    asked: int
    """Passages asked for."""
    linked: int
    """Linked sections that count after them."""
    retrieve: Callable[..., Result]

    @property
    def k(self) -> int:
        """Passages and linked sections that count."""
        return self.asked + self.linked

    def answer(self, ticket: Ticket) -> Answer:
        """The passages of the day, then what is linked to them."""
        result = self.retrieve(ticket.message, as_of=ticket.as_of, k=self.asked)
        found = (*result.passages, *result.linked[: self.linked])
        return Answer(tuple(map(_texts, found)), result.low_confidence or not found)


def pipeline(retriever: Retriever, k: int, *, linked: int = 0) -> Pipeline:
    """The pipeline as the retriever is set up, cut at k."""
    name = f"first stage, top {k}" + (f" and {linked} linked" if linked else "")
    return Pipeline(name, k, linked, retriever.retrieve)


def _texts(passage: Passage) -> Texts:
    return (passage.text, *passage.inherits)


def ask_all(contender: Contender, tickets: Iterable[Ticket]) -> Mapping[str, Answer]:
    """Answers by ticket id."""
    return {ticket.id: contender.answer(ticket) for ticket in tickets}


def found_in(tickets: Iterable[Ticket], answers: Mapping[str, Answer]) -> dict[str, Found]:
    """Where the gold of each answered ticket came back."""
    return {
        ticket.id: find(ticket.gold, answers[ticket.id].passages)
        for ticket in tickets
        if ticket.gold and ticket.id in answers
    }
