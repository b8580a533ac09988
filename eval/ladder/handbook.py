"""The ladder over an indexed handbook: windows, sections by one list and by both, reranked, linked; dates on and off.

Windows are what the incident's retriever returned: three of 510 pieces by cosine alone. They are measured with what
the encoder reads by default and with all that it has positions for, and again with as many tokens for each question as
the search as configured returns for it, so that more text is no advantage.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from eval.ladder.rungs import DATED, MANY, MESSAGES, UNDATED, Ladder, NotApplicable, Rung
from eval.ladder.settings import LINKED, settings_of_rungs
from eval.policy import Policy
from eval.progress import Told
from eval.retrievers.answer import Contender
from eval.retrievers.kept import AnswerStore, Kept, answers_file
from eval.retrievers.memory import Memory, Prepared
from eval.retrievers.pipeline import Pipelines
from eval.retrievers.windows import WIDE, Windows, WindowSearch, widened, windows_key
from eval.suites.held import held_of_policy
from eval.suites.question import Question, Questions, check_lengths
from eval.surroundings import Surroundings
from index.digests import digest
from index.encoding.embeddings import EmbeddingCache
from index.encoding.encoder import Encoder, open_encoder
from index.generation.manifest import Manifest
from index.state import State
from ingest.dates import Day, parse_day, show_day
from ingest.errors import GuardError, QueryError
from retrieve.retriever import Retriever

TOP: Final = 3
"""What the incident's retriever returned."""
OVERLAP: Final = 64


@dataclass(frozen=True, slots=True)
class Handbook:
    """All that the rungs of a handbook share."""

    around: Surroundings
    policy: Policy
    questions: Questions
    k: int
    pipelines: Pipelines
    vectors: EmbeddingCache
    answers: AnswerStore
    told: Told | None

    @property
    def today(self) -> str:
        """The day it is, as ISO writes it."""
        return show_day(self.around.today) or ""

    def kept(self, contender: Contender) -> Kept:
        """The contender, asked only what it was not asked before."""
        return Kept(contender, self.answers, self.today)

    def days(self) -> set[Day]:
        """Days that are asked about."""
        return {parse_day(one.as_of) if one.as_of else self.around.today for one in self.questions.questions}

    def editions(self) -> str:
        """Digest of all texts of all days, for answers that do not come from the index."""
        days = sorted(self.days())
        return digest([[doc.doc_id, doc.text] for day in days for doc in self.policy.on(day).documents])

    def encoded(self, name: str) -> Callable[[int, int], None] | None:
        """What encoding reports to."""
        return partial(self.told, name) if self.told else None


def opened_handbook(
    around: Surroundings, root: Path, policy: Policy, questions: Questions, k: int, told: Told | None, stack: ExitStack
) -> Handbook:
    """The handbook's index and caches; `stack` closes them.

    Raises:
        StateError: nothing is indexed, or another handbook is.
        EncoderError: the index was built with another model.
        GuardError: the index lacks a text that the handbook's files hold.
        QueryError: a question is longer than the search takes.
    """
    check_lengths(questions.questions, around.config.retrieve.max_query_chars)
    state = State(around.state)
    state.must_be_published()
    state.check_owner(root)
    pipelines = stack.enter_context(Pipelines(around.state, encoder=around.wanted_encoder, clock=around.clock))
    check_indexed(pipelines.under(around.config.retrieve).retriever, policy, questions)
    vectors = stack.enter_context(EmbeddingCache(own_vectors(state)))
    answers = stack.enter_context(AnswerStore(answers_file(around.state)))
    return Handbook(around, policy, questions, k, pipelines, vectors, answers, told)


def own_vectors(state: State) -> Path:
    """The evaluation's cache of vectors; at first a copy of the index's, whose own belongs to who holds the lock."""
    path = state.embeddings.with_name("evaluation.sqlite")
    if not path.exists() and state.embeddings.exists():
        with closing(sqlite3.connect(state.embeddings)) as source, closing(sqlite3.connect(path)) as target:
            source.backup(target)
    return path


def own_tokens(state: State) -> Path:
    """The evaluation's folder of token vectors."""
    return state.token_vectors.with_name("evaluation_tokens")


def as_configured(book: Handbook) -> Rung:
    """The search under the settings in force, links included where there are any."""
    settings = book.around.config.retrieve
    contender = book.kept(book.pipelines.under(settings, "caveat"))
    return Rung("caveat", contender, book.k, None, links=bool(settings.max_links))


def ladder_of(book: Handbook, stack: ExitStack) -> Ladder:
    """All rungs, in their order; windows and memory are encoded on the way (minutes at the first run)."""
    full = as_configured(book).contender
    windows = list(_windows(book, full, stack))
    sections = list(_sections(book, windows[-1].name))
    return (*windows, *sections, *_dates(book))


def _windows(book: Handbook, full: Contender, stack: ExitStack) -> Iterator[Rung]:
    encoders, editions = _encoders(book, stack), book.editions()
    top = [_top(book, encoder, 0, editions) for encoder in encoders]
    top.append(_top(book, encoders[-1], OVERLAP, editions))
    before: str | None = None
    for rung in top:
        yield rung.following(before)
        before = before or rung.name
    for encoder in encoders:
        name = f"windows, {encoder.limit} read, same tokens"
        key = windows_key(encoder, 0, editions, f"{full.key} {book.k}")
        search = WindowSearch(book.policy, encoder, book.vectors, 0)
        budget = partial(_tokens, full, book.k)
        after = f"windows, {encoder.limit} read, top {TOP}"
        yield Rung(name, book.kept(Windows(name, key, search, book.around.today, budget)), MANY, after)


def _top(book: Handbook, encoder: Encoder, overlap: int, editions: str) -> Rung:
    told = f", overlap {overlap}" if overlap else ""
    name = f"windows, {encoder.limit} read{told}, top {TOP}"
    search = WindowSearch(book.policy, encoder, book.vectors, overlap)
    search.prepare(book.days(), book.encoded(name))
    key = windows_key(encoder, overlap, editions)
    return Rung(name, book.kept(Windows(name, key, search, book.around.today)), TOP)


def _tokens(full: Contender, k: int, question: Question) -> int:
    """o200k tokens that the search as configured returns for a question."""
    answer = full.answer(question, k)
    return sum(one.tokens for one in (*answer.passages, *answer.linked))


def _encoders(book: Handbook, stack: ExitStack) -> list[Encoder]:
    """The index's encoder at its own limit, and at 512 where that is more."""
    state, settings = State(book.around.state), _manifest(book).encoder
    default = open_encoder(settings, state.encoder(settings))
    if default.limit >= WIDE:
        return [default]
    return [default, stack.enter_context(widened(settings, state.encoder(settings)))]


def _manifest(book: Handbook) -> Manifest:
    return Manifest.load(State(book.around.state).generation(book.pipelines.generation))


def _sections(book: Handbook, after: str) -> Iterator[Rung | NotApplicable]:
    for one in settings_of_rungs(book.around.config.retrieve, after):
        if one.settings is None:
            yield NotApplicable(one.name, one.why_not)
        else:
            contender = book.kept(book.pipelines.under(one.settings, one.name))
            yield Rung(one.name, contender, book.k, one.after, links=one.name == LINKED)


def _dates(book: Handbook) -> Iterator[Rung]:
    """Over single sections in memory, since no index of ours can be searched without its dates."""
    state, settings = State(book.around.state), _manifest(book).encoder
    encoder = open_encoder(settings, state.encoder(settings))
    config = book.around.config
    prepared = Prepared(
        held_of_policy(book.policy),
        encoder,
        book.vectors,
        tokens=own_tokens(state),
        ingest=config.ingest,
        progress=book.encoded("in memory"),
    )
    for name, dated, after in ((UNDATED, False, None), (DATED, True, UNDATED)):
        contender = book.kept(Memory(name, prepared, config.retrieve, dated))
        yield Rung(name, contender, book.k, after, asked=MESSAGES)


def check_indexed(retriever: Retriever, policy: Policy, questions: Questions) -> None:
    """Refuse to measure an index that is older than the handbook's files.

    Raises:
        GuardError: a section with gold is not indexed as its file has it.
    """
    wanted = {(gold.id, one.as_of): None for one in questions.questions if one.as_of for gold in one.gold}
    for address, day in wanted:
        sections = policy.on(parse_day(day or "")).sections
        text = next((section.text for section in sections if section.address == address), "")
        try:
            held = retriever.section(address, as_of=day).text
        except QueryError:
            held = ""
        if not text or text not in " ".join(held.split()):
            found = "the index does not hold this text as the file has it"
            raise GuardError(found, where=f"{address}, on {day}", fix="caveat index")
