"""`caveat eval`: opens a suite, asks who is to be asked, and measures; everything that it needs is joined here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from eval.ladder import corpus, handbook
from eval.ladder.climbing import Climbed, climb
from eval.ladder.ragas import ragas_of
from eval.ladder.readings import Reading, log_reading
from eval.ladder.rungs import Ladder, Rung
from eval.ladder.table import Table, table_of
from eval.policy import Policy, read_policy
from eval.progress import Told
from eval.retrievers.called import called
from eval.retrievers.trecrun import run_file
from eval.suites.beir import is_beir
from eval.suites.opening import default_split, open_questions
from eval.suites.question import Questions
from eval.surroundings import Surroundings
from index.digests import digest
from index.state import State
from ingest.dates import show_instant


@dataclass(frozen=True, slots=True)
class Order:
    """What was typed."""

    suite: Path
    handbook: Path | None = None
    split: str | None = None
    """None: the tune side, where questions have sides."""
    ablate: bool = False
    k: int | None = None
    """None: retrieve.k."""
    retriever: str | None = None
    run: Path | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured, and the answers that it was measured on."""

    questions: Questions
    policy: Policy | None
    climbed: tuple[Climbed, ...]
    table: Table


def evaluate(around: Surroundings, order: Order, told: Told | None = None) -> Evaluation:
    """Ask and measure; a reading of the holdout side is logged.

    Raises:
        SourceError: the suite or the run file is not sound, or empty; the log of holdout readings is damaged.
        StateError, EncoderError: nothing is indexed, or something else.
        GuardError: the index is older than the handbook's files.
        QueryError: no such side, or the callable cannot be called.
    """
    policy = _policy_of(around, order)
    split = order.split or default_split(order.suite, policy)
    questions = open_questions(order.suite, policy, split)
    known = None if is_beir(order.suite) else policy()
    k = order.k or around.config.retrieve.k
    with ExitStack() as stack:
        ladder = _ladder(around, order, questions, known, k, told, stack)
        rungs = [rung for rung in ladder if isinstance(rung, Rung)]
        climbed = climb(rungs, questions.questions, known, told)
        readings = _logged(around, order, questions, rungs) if split == "holdout" else None
        table = table_of(questions, split, k, ladder, climbed, readings)
        table = replace(table, ragas=ragas_of(around, order.suite, known, climbed))
        return Evaluation(questions, known, climbed, table)


def readings_file(around: Surroundings) -> Path:
    """Where readings of the holdout side are logged."""
    return around.path(around.config.eval.readings)


def _policy_of(around: Surroundings, order: Order) -> Callable[[], Policy]:
    @cache
    def policy() -> Policy:
        return read_policy(around.handbook(order.handbook), around.config.ingest, around.now, state=around.state)

    return policy


def _ladder(
    around: Surroundings,
    order: Order,
    questions: Questions,
    policy: Policy | None,
    k: int,
    told: Told | None,
    stack: ExitStack,
) -> Ladder:
    foreign = tuple(_foreign(order, questions, k))
    if foreign and not order.ablate and not is_beir(order.suite) and State(around.state).current() is None:
        return foreign
    own = _own(around, order, questions, policy, k, told, stack)
    before = foreign[-1].name if foreign else None
    return (*foreign, *(own if order.ablate else [own[0].following(before) if isinstance(own[0], Rung) else own[0]]))


def _own(
    around: Surroundings,
    order: Order,
    questions: Questions,
    policy: Policy | None,
    k: int,
    told: Told | None,
    stack: ExitStack,
) -> Ladder:
    if policy is None:
        if order.ablate:
            return corpus.ladder_of_corpus(around, order.suite, questions, k, told, stack)
        return (corpus.as_configured_over(around, order.suite, k, told, stack),)
    root = around.handbook(order.handbook)
    book = handbook.opened_handbook(around, root, policy, questions, k, told, stack)
    return handbook.ladder_of(book, stack) if order.ablate else (handbook.as_configured(book),)


def _foreign(order: Order, questions: Questions, k: int) -> Iterator[Rung]:
    """Who else is measured: a function, a run file."""
    if order.retriever:
        contender = called(order.retriever)
        yield Rung(contender.name, contender, k)
    if order.run:
        recorded = run_file(order.run, questions)
        yield Rung(recorded.name, recorded, k)


def _logged(around: Surroundings, order: Order, questions: Questions, rungs: list[Rung]) -> int:
    reading = Reading(
        at=show_instant(around.now),
        suite=questions.name,
        suite_digest=questions.digest,
        configuration=digest([rung.contender.key for rung in rungs]),
        measures=digest([[rung.name, *map(str, rung.measures())] for rung in rungs]),
        command="eval --ablate" if order.ablate else "eval",
    )
    return log_reading(readings_file(around), reading)
