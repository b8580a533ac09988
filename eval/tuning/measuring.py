"""From settings to scores by ticket: the tickets asked, judged and measured, each way of asking in its share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval.measures.definitions import Measure, parse_measure
from eval.measures.judging import judge
from eval.suites.question import Question
from eval.tuning.choosing import Outcome
from eval.tuning.threshold import Mark
from ingest.errors import QueryError
from retrieve.settings import RetrieveSettings

if TYPE_CHECKING:
    from eval.policy import Policy
    from eval.retrievers.answer import Answer

Ask = Callable[[Question], "Answer"]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Tickets with the questions that stand for them.

    A ticket's score is the mean of its message's and the mean of its rewrites', so that four rewrites say as much as
    the message that they were made from; rewrites that are ambiguous for any reader are left out.
    """

    shares: Mapping[str, tuple[tuple[Question, float], ...]]
    """By ticket: its questions, and what part of its score each is; parts add up to 1."""

    @classmethod
    def of(cls, questions: Iterable[Question]) -> Sheet:
        """The tickets that these questions ask."""
        asked: dict[str, tuple[list[Question], list[Question]]] = {}
        for question in questions:
            if question.asked != "ambiguous rewrite":
                ways = asked.setdefault(question.ticket or question.id, ([], []))
                ways[question.asked == "rewrite"].append(question)
        return cls({ticket: tuple(_shared(ways)) for ticket, ways in asked.items()})

    @property
    def questions(self) -> tuple[Question, ...]:
        """All of them, by day: what is in force then is at hand once."""
        every = [question for shares in self.shares.values() for question, _ in shares]
        return tuple(sorted(every, key=lambda question: (question.as_of or "", question.id)))

    @property
    def families(self) -> dict[str, str]:
        """By ticket."""
        return {ticket: shares[0][0].family for ticket, shares in self.shares.items()}

    @property
    def kinds(self) -> dict[str, str]:
        """By ticket; exceptions across sections are a kind of their own."""
        first = {ticket: shares[0][0] for ticket, shares in self.shares.items()}
        return {ticket: f"{one.kind}, {'several' if one.crosses_sections else 'one'}" for ticket, one in first.items()}

    def scored_by(self, measure: Measure) -> Sheet:
        """The tickets whose questions a measure applies to."""
        return self.where(measure.applies)

    def where(self, holds: Callable[[Question], bool]) -> Sheet:
        """The tickets of which all questions hold."""
        return Sheet({name: all_ for name, all_ in self.shares.items() if all(holds(question) for question, _ in all_)})

    def mean(self, values: Mapping[str, float]) -> dict[str, float]:
        """By ticket, from values by question id."""
        return {
            ticket: sum(values[question.id] * share for question, share in shares)
            for ticket, shares in self.shares.items()
        }


def _shared(ways: Sequence[Sequence[Question]]) -> Iterable[tuple[Question, float]]:
    used = [way for way in ways if way]
    return ((question, 1 / len(used) / len(way)) for way in used for question in way)


def tunable(name: str) -> Measure:
    """The measure that a name stands for.

    Raises:
        QueryError: no such measure, or one of which less is better.
    """
    measure = parse_measure(name)
    if not measure.higher_is_better or measure.name == "Precision":
        found = f"{measure} is not what settings are tuned by"
        raise QueryError(found, where="--measure", allowed="a measure of what comes back", fix="--measure Recall@5")
    return measure


def outcome(sheet: Sheet, settings: RetrieveSettings, ask: Ask, measure: Measure) -> Outcome:
    """The score and the tokens of every ticket under some settings."""
    scores, tokens = {}, {}
    for question in sheet.questions:
        judged = judge(question, ask(question))
        scores[question.id] = measure.of(judged) or 0.0
        tokens[question.id] = float(sum(judged.tokens))
    return Outcome(sheet.mean(scores), sheet.mean(tokens))


def marks(questions: Iterable[Question], ask: Ask) -> list[Mark]:
    """How sure the retriever is of each question; one that nothing came back for is left out, since it says so."""
    answers = ((question, ask(question).confidence) for question in questions)
    return [Mark(one.id, one.family, bool(one.gold), sure) for one, sure in answers if sure is not None]


def stale(sheet: Sheet, ask: Ask, policy: Policy | None, cut: int) -> int | None:
    """Questions that got any text that was not in force; None where that cannot be known."""
    measure = Measure("StaleRate", cut, links=True)
    found = [measure.of(judge(question, ask(question), policy)) for question in sheet.questions]
    known = [rate for rate in found if rate is not None]
    return int(sum(known)) if known else None
