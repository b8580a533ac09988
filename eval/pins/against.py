"""The same pins against something else than the search: a frozen index of chunks, windows of today, or a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from eval.pins.plain.form import Anchor, Pin
from eval.pins.plain.outcome import Outcome, judged
from eval.pins.plain.quotes import Came, brings, shortened
from eval.retrievers.answer import Contender, Given
from eval.retrievers.losses import NOT_INDEXED
from eval.suites.question import Gold, Question
from ingest.errors import QueryError

if TYPE_CHECKING:
    from eval.surroundings import Surroundings
    from index.encoding.encoder import Encoder

WINDOWS: Final = "windows"
WINDOWS_TOP: Final = 3
"""What the incident's retriever returned."""
FORM: Final = f'"{WINDOWS}", a folder with a corpus.jsonl of chunks, module:function or file.py:function'
Runner = Callable[[Pin], Outcome]


@dataclass(frozen=True, slots=True)
class Against:
    """Who is asked, what it is called, and how."""

    name: str
    run: Runner


@contextmanager
def against(around: Surroundings, what: str, k: int | None) -> Iterator[Against]:
    """What a name stands for.

    Args:
        around: Its index's encoder, and for windows its handbook.
        what: "windows", a folder of frozen chunks, or a function.
        k: Passages; None: 3 windows, 1 frozen chunk, 5 of a function.

    Raises:
        QueryError: it stands for nothing.
        StateError, EncoderError: nothing is indexed, so that no encoder is at hand.
    """
    with ExitStack() as stack:
        if what == WINDOWS:
            yield _windows(around, k or WINDOWS_TOP, stack)
        elif (Path(what) / "corpus.jsonl").is_file():
            yield _chunks(around, Path(what), k or 1, stack)
        elif ":" in what:
            yield _function(what, k or 5)
        else:
            raise QueryError(f'"{what}"', where="--against", allowed=FORM)


def _function(spec: str, k: int) -> Against:
    from eval.retrievers.called import called

    return Against(f"{spec}, top {k}", _asking(called(spec, "--against"), k))


def _windows(around: Surroundings, k: int, stack: ExitStack) -> Against:
    from eval.ladder.handbook import own_vectors
    from eval.policy import read_policy
    from eval.retrievers.windows import WIDE, Windows, WindowSearch, widened
    from index.encoding.embeddings import EmbeddingCache
    from index.generation.manifest import Manifest
    from index.state import State

    state = State(around.state)
    settings = Manifest.load(state.generation(state.must_be_published())).encoder
    encoder = stack.enter_context(widened(settings, state.encoder(settings)))
    vectors = stack.enter_context(EmbeddingCache(own_vectors(state)))
    policy = read_policy(around.handbook(None), around.config.ingest, around.now, state=around.state)
    contender = Windows(WINDOWS, "", WindowSearch(policy, encoder, vectors, 0), around.today)
    return Against(
        f"windows of 510 pieces, {min(encoder.limit, WIDE)} read, dense only, top {k}", _asking(contender, k)
    )


def _asking(contender: Contender, k: int) -> Runner:
    def run(pin: Pin) -> Outcome:
        answer = contender.answer(_question(pin), k)
        return judged(pin, [came(one) for one in answer.passages], milliseconds=answer.milliseconds.get("total"))

    return run


def _chunks(around: Surroundings, folder: Path, k: int, stack: ExitStack) -> Against:
    from index.encoding.encoder import open_encoder
    from index.generation.manifest import Manifest
    from index.state import State

    state = State(around.state)
    settings = Manifest.load(state.generation(state.must_be_published())).encoder
    encoder = open_encoder(settings, state.encoder(settings))
    run = frozen_chunks(folder, encoder, k, stack)
    return Against(f"{folder.name}, dense only, top {k}", run)


def frozen_chunks(folder: Path, encoder: Encoder, k: int, stack: ExitStack) -> Runner:
    """A frozen index of chunks, BEIR's corpus.jsonl, searched by cosine alone as the incident's retriever did.

    Raises:
        SourceError: it is no such folder; with file and line.
    """
    from eval.retrievers.memory import Memory, Prepared
    from eval.suites.beir import read_corpus
    from eval.suites.held import held_of_corpus
    from index.encoding.embeddings import EmbeddingCache
    from retrieve.settings import RetrieveSettings

    corpus = read_corpus(folder)
    cache = EmbeddingCache(Path(stack.enter_context(TemporaryDirectory())) / "vectors.sqlite")
    stack.callback(cache.close)
    dense = RetrieveSettings(bm25_weight=0, reranker="none", max_links=0)
    memory = Memory(folder.name, Prepared(held_of_corpus(corpus), encoder, cache), dense, dated=False)
    chunks = [Came(name, (passage.text,)) for name, passage in corpus.passages.items()]

    def run(pin: Pin) -> Outcome:
        holders = {anchor: [one.name for one in chunks if brings(anchor, one)] for anchor in pin.anchors}
        every = tuple(Gold(name) for names in holders.values() for name in names)
        answer = memory.answer(_question(pin, every), k)

        def lost(anchor: Anchor) -> str:
            stages = [answer.lost[name] for name in holders[anchor] if name in answer.lost]
            return stages[0] if stages else NOT_INDEXED

        # A chunk's id is no address: whether it brings a quote is told by its words.
        passages = [Came(f"{one.id}: {shortened(one.texts[0])}", one.texts) for one in answer.passages]
        return judged(pin, passages, lost=lost, milliseconds=answer.milliseconds.get("total"))

    return run


def _question(pin: Pin, gold: Sequence[Gold] = ()) -> Question:
    quoted = tuple(Gold(one.sections[0], quotes=(one.quote,)) for one in pin.anchors)
    return Question(pin.id, pin.query, tuple(gold) or quoted, pin.id, pin.as_of)


def came(given: Given) -> Came:
    """A contender's passage in the form that pins judge; one without an id is named by its first words."""
    covers = given.covers | ({given.id} if given.id else set())
    return Came(given.id or shortened(given.texts[0] if given.texts else ""), given.texts, frozenset(covers))
