"""Caveat's own search as a contender: one state folder, any settings.

with Pipelines(Path(".caveat")) as pipelines:
    full = pipelines.under(RetrieveSettings())
    answer = full.answer(question, 5)
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import Final, Self

from eval.retrievers.answer import Answer, Given
from eval.retrievers.losses import losses
from eval.suites.question import Question, check_lengths
from index.digests import digest
from index.encoding.models import file_digest
from index.generation.manifest import NAME
from index.history.o200k import count_tokens
from index.settings import EncoderSettings
from index.state import State
from ingest.dates import Instant
from retrieve.reranking import exported
from retrieve.reranking.choosing import folder_of
from retrieve.reranking.reranker import Reranker
from retrieve.result import Passage
from retrieve.retriever import Retriever, system_clock
from retrieve.settings import RetrieveSettings
from retrieve.shelf import Shelf

LIBRARIES: Final = ("numpy", "onnxruntime", "tokenizers", "qdrant-edge-py", "rank-bm25", "snowballstemmer")
"""Whose versions may change an answer."""
_FLOORS: Final = ("eval/retrievers", "index", "ingest", "retrieve")


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The search under one set of settings."""

    name: str
    key: str
    retriever: Retriever

    def answer(self, question: Question, k: int) -> Answer:
        """The passages of the question's day (today's where it has none), and what is linked to them.

        Raises:
            QueryError: the query is too long; with file, line and id.
            CaveatError: as `Retriever.retrieve`.
        """
        check_lengths([question], self.retriever.settings.max_query_chars)
        start = perf_counter()
        result = self.retriever.retrieve(question.query, as_of=question.as_of, k=k)
        total = (perf_counter() - start) * 1000
        passages, linked = tuple(map(given, result.passages)), tuple(map(given, result.linked))
        return Answer(
            passages,
            linked,
            result.confidence,
            result.low_confidence or not passages,
            {**result.latency_ms, "total": round(total, 3)},
            losses(self.retriever, result, question.gold, (*passages, *linked), k),
        )


class Pipelines:
    """Pipelines over one state folder; they share the open index, its trees, the encoder and a second reader."""

    def __init__(
        self,
        state: Path,
        *,
        encoder: EncoderSettings | None = None,
        clock: Callable[[], Instant] = system_clock,
    ):
        """Open what was indexed last. Arguments and errors are those of `Retriever.open`."""
        self._shelf, self._clock = Shelf(state, encoder), clock
        self._state = State(state)

    def close(self) -> None:
        """Release the files."""
        self._shelf.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def generation(self) -> int:
        """Number of the generation that is searched."""
        return self._shelf.snapshot().generation

    def under(
        self, settings: RetrieveSettings, name: str = "pipeline", reranker: Reranker | None = None, mark: str = ""
    ) -> Pipeline:
        """The pipeline under these settings.

        Args:
            settings: How to search; its k counts only where none is given.
            name: What its row is called.
            reranker: Takes the cross-encoder's place.
            mark: Names that reranker in the key; answers of another one must have another.
        """
        retriever = Retriever(self._shelf, settings, reranker, self._clock)
        return Pipeline(name, digest([self.basis, *settings_told(settings), mark]), retriever)

    @property
    def basis(self) -> str:
        """All that answers depend on besides question and settings, as a digest: index, code and libraries."""
        manifest = self._state.generation(self.generation) / NAME
        return digest([file_digest(manifest), code_digest(), *runtime()])


def settings_told(settings: RetrieveSettings) -> list[str]:
    """Everything in the settings that changes an answer, a reranker's files included."""
    values = settings.model_dump_json(exclude={"k"})
    folder = folder_of(settings.reranker)
    pinned = exported.pins(folder) if exported.is_exported(folder) else {}
    return [values, *(f"{name} {value}" for name, value in sorted(pinned.items()))]


@cache
def runtime() -> tuple[str, ...]:
    """Python, processor and the versions of the libraries that may change an answer."""
    versions = [f"{name} {metadata.version(name)}" for name in LIBRARIES]
    return f"python {platform.python_version()}", platform.machine(), *versions


@cache
def code_digest() -> str:
    """Of the code that answers come from: an answer that other code gave is not taken for this one's."""
    root = Path(__file__).parents[2]
    files = sorted(file for floor in _FLOORS for file in (root / floor).rglob("*.py"))
    return digest([f"{file.relative_to(root).as_posix()} {file_digest(file)}" for file in files])


def given(passage: Passage) -> Given:
    """A passage in the form that is judged."""
    texts = (passage.text, *passage.inherits)
    return Given(
        passage.address,
        texts,
        frozenset((*(part.address for part in passage.parts), *passage.also_in)),
        passage.effective_from,
        passage.superseded_at,
        sum(map(counted, texts)),
    )


@lru_cache(maxsize=8192)
def counted(text: str) -> int:
    """o200k tokens; those of texts that were seen last are remembered."""
    return count_tokens(text)
