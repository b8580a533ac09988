"""The ladder over a corpus in BEIR's layout: the same lists, fusions and second readers over passages in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from eval.ladder.handbook import own_tokens, own_vectors
from eval.ladder.rungs import DATED, UNDATED, Ladder, NotApplicable, Rung
from eval.ladder.settings import LINKED, settings_of_rungs
from eval.progress import Told
from eval.retrievers.kept import AnswerStore, Kept, answers_file
from eval.retrievers.memory import Memory, Prepared
from eval.suites.beir import read_corpus
from eval.suites.held import held_of_corpus
from eval.suites.question import Questions
from eval.surroundings import Surroundings
from index.encoding.embeddings import EmbeddingCache
from index.encoding.encoder import prepare_encoder
from index.state import State
from ingest.dates import show_day

_WINDOWS: Final = NotApplicable("windows", "a corpus of passages has no documents to cut")
_LINKS: Final = NotApplicable(LINKED, "a corpus of passages has no typed links")
_DATES: Final = NotApplicable(UNDATED, "neither passages nor queries have days")


def ladder_of_corpus(
    around: Surroundings, path: Path, questions: Questions, k: int, told: Told | None, stack: ExitStack
) -> Ladder:
    """All rungs that apply, and why the others do not.

    Raises:
        SourceError: the corpus breaks its layout.
        EncoderError: the configured model cannot be loaded.
    """
    searched = _searched(around, path, k, told, stack)
    settings = around.config.retrieve
    rungs: list[Rung | NotApplicable] = [_WINDOWS]
    for one in settings_of_rungs(settings):
        if one.name == LINKED:
            continue
        if one.settings is None:
            rungs.append(NotApplicable(one.name, one.why_not))
        else:
            rungs.append(searched.rung(one.name, Memory(one.name, searched.prepared, one.settings), one.after))
    return (*rungs, _LINKS, *(_dates(searched) if "dates" in questions.features else [_DATES]))


def as_configured_over(around: Surroundings, path: Path, k: int, told: Told | None, stack: ExitStack) -> Rung:
    """The search under the settings in force."""
    searched = _searched(around, path, k, told, stack)
    return searched.rung("caveat", Memory("caveat", searched.prepared, around.config.retrieve), None)


@dataclass(frozen=True, slots=True)
class _Searched:
    around: Surroundings
    prepared: Prepared
    answers: AnswerStore
    k: int

    def rung(self, name: str, contender: Memory, after: str | None) -> Rung:
        kept = Kept(contender, self.answers, show_day(self.around.today) or "")
        return Rung(name, kept, self.k, after)


def _searched(around: Surroundings, path: Path, k: int, told: Told | None, stack: ExitStack) -> _Searched:
    state, settings = State(around.state), around.config.encoder
    encoder = prepare_encoder(settings, state.encoder(settings))
    vectors = stack.enter_context(EmbeddingCache(own_vectors(state)))
    prepared = Prepared(
        held_of_corpus(read_corpus(path)),
        encoder,
        vectors,
        tokens=own_tokens(state),
        ingest=around.config.ingest,
        progress=partial(told, "encode") if told else None,
    )
    return _Searched(around, prepared, stack.enter_context(AnswerStore(answers_file(around.state))), k)


def _dates(searched: _Searched) -> Iterator[Rung]:
    for name, dated, after in ((UNDATED, False, None), (DATED, True, UNDATED)):
        yield searched.rung(name, Memory(name, searched.prepared, searched.around.config.retrieve, dated), after)
