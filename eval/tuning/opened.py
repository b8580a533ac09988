"""What `caveat tune` works on: the tune side of a suite, and the index of the handbook that it quotes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval.policy import Policy, read_policy
from eval.retrievers.answer import Answer
from eval.retrievers.pipeline import given
from eval.suites import beir
from eval.suites.opening import open_questions, open_sound
from eval.suites.question import Question, Questions
from eval.tuning.measuring import Ask, tunable
from eval.tuning.nested import Progress
from eval.tuning.remembering import Memory, Rerun
from eval.tuning.tune import Bench, refuse_holdout
from index.state import State
from ingest.errors import QueryError
from retrieve.retriever import Retriever
from retrieve.shelf import Shelf

if TYPE_CHECKING:
    from eval.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command was asked for."""

    suite: Path
    handbook: Path | None
    measure: str


@contextmanager
def opened(around: Surroundings, wanted: Wanted, progress: Progress | None) -> Iterator[Bench]:
    """Everything that can be wrong is said before a question is asked.

    Raises:
        GuardError: there is no tune side, but a holdout side.
        QueryError: the measure is unknown or unfit, or the suite is in BEIR's layout.
        SourceError: the suite or the handbook cannot be read as they stand.
        StateError: nothing is indexed, or another handbook is.
        EncoderError: the index was built with another model.
    """
    measure = tunable(wanted.measure)
    if beir.is_beir(wanted.suite):
        found, allowed = "a folder in BEIR's layout", "a folder of tickets, or a .csv file, about an indexed handbook"
        raise QueryError(found, where=str(wanted.suite), allowed=allowed)
    root, state = around.handbook(wanted.handbook), State(around.state)
    state.must_be_published()
    state.check_owner(root)
    reading = (lambda done, total: progress("read", done, total)) if progress else None
    policy = read_policy(root, around.config.ingest, around.now, reading, state=around.state)
    questions = tune_side(wanted.suite, policy)
    shelf, memory = Shelf(around.state, around.wanted_encoder), Memory()
    try:
        yield Bench(
            questions,
            measure,
            around.config.retrieve,
            lambda settings: asking(Rerun(shelf, settings, memory, around.clock)),
            lambda settings: asking(Retriever(shelf, settings, clock=around.clock)),
            policy,
        )
    finally:
        shelf.close()


def tune_side(suite: Path, policy: Policy) -> Questions:
    """The tune side; all of a suite that was never dealt to sides.

    Raises:
        GuardError: every question is on the holdout side.
        SourceError: as `open_questions`.
    """
    sides = {question.split for question in open_sound(suite, policy).questions.questions}
    if "tune" in sides:
        return open_questions(suite, policy, "tune")
    questions = open_questions(suite, policy)
    refuse_holdout(questions)
    return questions


def asking(retriever: Retriever) -> Ask:
    """Answers of a retriever; what lost a section is not looked for, which would take longer than the answer."""

    def ask(question: Question) -> Answer:
        result = retriever.retrieve(question.query, as_of=question.as_of)
        linked = tuple(map(given, result.linked))
        return Answer(tuple(map(given, result.passages)), linked, result.confidence, result.low_confidence)

    return ask
