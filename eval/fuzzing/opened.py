"""What `caveat fuzz` works on: queries of the tune side or from a log, and the index of the handbook that they ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from eval.fuzzing.drawing import Drawing
from eval.fuzzing.fuzz import Fuzzing, spread
from eval.fuzzing.logged import Log, is_log, logged_queries
from eval.fuzzing.vocabulary import Vocabulary, vocabulary
from eval.ladder.handbook import check_indexed
from eval.policy import Policy, read_policy
from eval.redaction.redactor import Redactor
from eval.retrievers.kept import AnswerStore, Kept, answers_file
from eval.retrievers.pipeline import Pipelines
from eval.suites import beir
from eval.suites.opening import open_questions, open_sound
from eval.suites.placing import edition_on
from eval.suites.question import Question, Questions, check_lengths
from index.state import State
from ingest.dates import Day, parse_day, show_day
from ingest.errors import GuardError, QueryError, SourceError

if TYPE_CHECKING:
    from eval.fuzzing.chances import Runs
    from eval.progress import Told
    from eval.surroundings import Surroundings

Base = Literal["messages", "rewrites"]
BASES: Final[tuple[Base, ...]] = ("messages", "rewrites")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command was asked for."""

    log: Log
    """A suite, or logged queries."""
    handbook: Path | None
    split: str | None
    base: str | None
    """messages or rewrites; None: rewrites where there are some."""
    most: int | None
    k: int | None
    drawing: Drawing
    runs: Runs


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything that is needed, open."""

    questions: Questions
    """Redacted, as pins keep them."""
    split: str | None
    fuzzing: Fuzzing
    policy: Policy
    redacted: int
    """Queries of which something was taken out."""


@contextmanager
def opened(around: Surroundings, wanted: Wanted, told: Told | None) -> Iterator[Bench]:
    """Everything that can be wrong is said before a query is asked.

    Raises:
        GuardError: the holdout side was asked for; the index is older than the handbook's files.
        QueryError: a base that is not there, a suite in BEIR's layout, or a query that is too long.
        SourceError: the suite, the log or the handbook cannot be read as they stand, or nothing is in force on a
            query's day.
        StateError: nothing is indexed, or another handbook is.
        EncoderError: the index was built with another model.
    """
    root, state = around.handbook(wanted.handbook), State(around.state)
    state.must_be_published()
    state.check_owner(root)
    reading = (lambda done, total: told("read", done, total)) if told else None
    policy = read_policy(root, around.config.ingest, around.now, reading, state=around.state)
    questions, split = _queries(wanted, policy, around.today)
    redactor = Redactor(around.config.redact)
    clean = tuple(replace(one, query=redactor.text(one.query)) for one in questions.questions)
    redacted = sum(one.query != other.query for one, other in zip(clean, questions.questions, strict=True))
    questions = replace(questions, questions=clean)
    check_lengths(clean, around.config.retrieve.max_query_chars)
    with ExitStack() as stack:
        pipelines = stack.enter_context(Pipelines(around.state, encoder=around.wanted_encoder, clock=around.clock))
        pipeline = pipelines.under(around.config.retrieve, "caveat")
        check_indexed(pipeline.retriever, policy, questions)
        store = stack.enter_context(AnswerStore(answers_file(around.state)))

        def words(question: Question) -> Vocabulary:
            return vocabulary(policy.on(parse_day(question.as_of) if question.as_of else around.today))

        contender = Kept(pipeline, store, show_day(around.today) or "")
        k = wanted.k or around.config.retrieve.k
        yield Bench(questions, split, Fuzzing(contender, k, words, wanted.drawing, wanted.runs), policy, redacted)


def _queries(wanted: Wanted, policy: Policy, today: Day) -> tuple[Questions, str | None]:
    path = wanted.log.file
    if is_log(path):
        if wanted.split or wanted.base:
            raise QueryError("logged queries have no sides and no rewrites", where=str(path))
        questions, split = logged_queries(wanted.log), None
        for one in questions.questions:
            edition_on(policy, parse_day(one.as_of) if one.as_of else today, one.where)
    else:
        questions, split = _suite(wanted, policy)
    return replace(questions, questions=spread(questions.questions, wanted.most)), split


def _suite(wanted: Wanted, policy: Policy) -> tuple[Questions, str | None]:
    path = wanted.log.file
    if wanted.log.as_of or wanted.log.boundary or wanted.log.fields:
        fix = "--as-of, --boundary and --map are for logged queries: a .txt or a .jsonl file"
        raise QueryError("a suite says its days itself", where=str(path), fix=fix)
    if beir.is_beir(path):
        allowed = "a folder of tickets, a .csv file, logged queries"
        raise QueryError("a folder in BEIR's layout", where=str(path), allowed=allowed)
    sides = {one.split for one in open_sound(path, policy).questions.questions}
    if wanted.split == "holdout" or sides == {"holdout"}:
        fix = "losses are looked at one by one, on the tune side; holdout is for `caveat eval` alone"
        raise GuardError("the holdout side", where=str(path), fix=fix)
    split = wanted.split or ("tune" if "tune" in sides else None)
    questions = open_questions(path, policy, split)
    return replace(questions, questions=_based(questions, wanted.base)), split


def _based(questions: Questions, base: str | None) -> tuple[Question, ...]:
    """Messages, or the frozen rewrites that are not ambiguous."""
    rewritten = questions.of("rewrite")
    if base not in (None, *BASES):
        raise QueryError(f'no queries called "{base}"', where="--of", allowed=", ".join(BASES))
    if base == "rewrites" and not rewritten:
        raise SourceError("no rewrites", where=questions.name, fix="--of messages")
    return rewritten if base != "messages" and rewritten else questions.of("message")
