"""The baseline that lost the exception: documents cut every so many pieces, searched by cosine alone.

It knows no sections, no keywords and no links. It does know the dates: only documents in force are cut.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from eval.policy import Edition, Policy
from eval.retrievers.answer import Answer, Given
from eval.retrievers.pipeline import code_digest, counted, runtime
from eval.suites.question import Question
from index.digests import digest
from index.encoding.embeddings import EmbeddingCache, embed
from index.encoding.encoder import Encoder, Progress, open_encoder
from index.encoding.exported import read_record, write_record
from index.encoding.hashing import HashEncoder, hash_dimension
from index.settings import EncoderSettings
from ingest.chunks import Tokenizer
from ingest.dates import Day, parse_day
from ingest.document import Document

SIZE: Final = 510
"""WordPieces of a window: 512 with the two specials."""
WIDE: Final = 512
"""The longest input that MiniLM has position embeddings for, in WordPieces, specials included."""


@dataclass(frozen=True, slots=True)
class Window:
    """One piece of a document."""

    doc_id: str
    start: int
    end: int
    """Span of Document.text, half-open."""
    text: str


def cut(document: Document, tokenizer: Tokenizer, overlap: int, size: int = SIZE) -> Iterator[Window]:
    """Windows of `size` pieces, each beginning `overlap` pieces before the last one's end; the last may be short.

    Raises:
        ValueError: an overlap as large as the window.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"an overlap of {overlap} in windows of {size}")
    spans = tokenizer.offsets(document.text)
    for first in range(0, max(len(spans) - overlap, 1), size - overlap):
        held = spans[first : first + size]
        if held:
            start, end = held[0][0], held[-1][1]
            yield Window(document.doc_id, start, end, document.text[start:end])


class WindowSearch:
    """Dense search over the windows of what is in force on a day."""

    def __init__(self, policy: Policy, encoder: Encoder, cache: EmbeddingCache, overlap: int):
        self._policy, self._encoder, self._cache, self._overlap = policy, encoder, cache, overlap
        self._laid_out = lru_cache(maxsize=None)(self._lay_out)

    def search(self, query: str, day: Day, k: int) -> list[Window]:
        """The best k windows by (-cosine, place)."""
        windows, vectors = self._laid_out(self._policy.on(day))
        if not windows:
            return []
        scores = vectors @ self._encoder.encode_query(query)
        return [windows[place] for place in np.argsort(-scores, kind="stable")[:k].tolist()]

    def prepare(self, days: Iterable[Day], progress: Progress | None = None) -> int:
        """Cut and encode all that is in force on some of these days; the number of distinct texts encoded anew."""
        editions = {self._policy.on(day): None for day in days}
        texts = {window.text for edition in editions for window in self._windows(edition)}
        return embed(sorted(texts), self._encoder, self._cache, progress).encoded

    def _lay_out(self, edition: Edition) -> tuple[list[Window], NDArray[np.float32]]:
        windows = self._windows(edition)
        return windows, embed([window.text for window in windows], self._encoder, self._cache).vectors

    def _windows(self, edition: Edition) -> list[Window]:
        return [window for document in edition.documents for window in cut(document, self._encoder, self._overlap)]


@dataclass(frozen=True, slots=True)
class Windows:
    """The baseline as a contender: the best windows of the day, so many, or so many tokens of them."""

    name: str
    key: str
    search: WindowSearch
    today: Day
    """Of a question without a day."""
    budget: Callable[[Question], int] | None = None
    """o200k tokens that a question's windows may take together; the best one always comes. None: k decides alone."""

    def answer(self, question: Question, k: int) -> Answer:
        """Up to `k` windows, best first."""
        start = perf_counter()
        day = parse_day(question.as_of) if question.as_of else self.today
        found = self.search.search(question.query, day, k)
        spent = (perf_counter() - start) * 1000
        passages = [Given(None, (window.text,), tokens=counted(window.text)) for window in found]
        if self.budget:
            passages = passages[: _affordable([one.tokens for one in passages], self.budget(question))]
        return Answer(tuple(passages), milliseconds={"total": round(spent, 3)})


def windows_key(encoder: Encoder, overlap: int, editions: str, budget: str = "") -> str:
    """All that the answers of windows depend on: `editions` digests the handbook, `budget` names who sets it."""
    told = encoder.fingerprint, encoder.limit, SIZE, overlap, editions, budget
    return digest([*map(str, told), code_digest(), *runtime()])


def _affordable(tokens: Sequence[int], budget: int) -> int:
    """How many from the front fit; never less than one."""
    count, spent = 0, 0
    for number in tokens:
        spent += number
        if count and spent > budget:
            break
        count += 1
    return count


@contextmanager
def widened(settings: EncoderSettings, folder: Path, limit: int = WIDE) -> Iterator[Encoder]:
    """The encoder exported to `folder`, reading up to `limit` pieces of a text instead of its default.

    The graph is the same; only what is cut off before it changes. It has to have the position embeddings.

    Raises:
        EncoderError: nothing usable was exported to `folder`.
    """
    dim = hash_dimension(settings.model)
    if dim is not None:
        prefixes = settings.query_prefix, settings.passage_prefix
        yield HashEncoder(dim, query_prefix=prefixes[0], passage_prefix=prefixes[1], limit=limit)
        return
    record = read_record(folder)
    with TemporaryDirectory() as temporary:
        for name in record.files:
            _bring(folder / name, Path(temporary) / name)
        write_record(Path(temporary), replace(record, limit=limit))
        yield open_encoder(settings, Path(temporary))


def _bring(file: Path, to: Path) -> None:
    # A link to the file itself where the file system allows it: a runtime may refuse weights behind a symbolic link.
    try:
        os.link(file, to)
    except OSError:
        shutil.copyfile(file, to)
