"""A Retriever under other settings that asks nothing twice: hundreds of settings for the price of a few.

What settings share is worked out once: both lists of a question, its pieces, and what a reranker says of a question
and a text. What they return is what a plain Retriever returns (a test holds them together); how long they take is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eval.tuning.space import changed
from ingest.dates import Instant
from retrieve.asking import Asked
from retrieve.reranking.choosing import cross_encoder
from retrieve.reranking.late import LateInteraction, Read
from retrieve.reranking.reranker import Reranker
from retrieve.reranking.stages import Stages
from retrieve.retriever import Retriever
from retrieve.search import Clockwork, Found, Lists, Question, Searcher
from retrieve.settings import RetrieveSettings
from retrieve.shelf import Shelf
from retrieve.when import Moment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from index.encoding.tokenvectors import TokenVectors
    from index.snapshot import Snapshot

_HELD = 2
"""Settings whose candidates are held: the axes that come last change only what is made of the same candidates."""


class Memory:
    """What searches under different settings of one published index have in common."""

    def __init__(self) -> None:
        self.lists: dict[tuple[Question, Moment, int], Lists] = {}
        self._late: RememberedLate | None = None
        self._cross: RememberedCross | None = None
        self._found: dict[RetrieveSettings, dict[tuple[Question, Moment], Found]] = {}

    def stages(self, snapshot: Snapshot, settings: RetrieveSettings) -> Stages:
        """The second readers that the settings want; each is made once."""
        weights = settings.weights
        if weights.late and not self._late:
            self._late = RememberedLate(snapshot.token_vectors)
        if weights.cross and not self._cross:
            self._cross = RememberedCross(cross_encoder(settings.reranker, snapshot.encoder_settings.threads))
        late, cross = (self._late if weights.late else None), (self._cross if weights.cross else None)
        return Stages(weights, late, cross, settings.reranker if cross else None)

    def found(self, settings: RetrieveSettings) -> dict[tuple[Question, Moment], Found]:
        """Candidates of all settings that differ only in what is made of them."""
        alike = changed(settings, {name: RetrieveSettings.model_fields[name].default for name in _LATER})
        held = self._found.pop(alike, {})
        self._found[alike] = held
        while len(self._found) > _HELD:
            del self._found[next(iter(self._found))]
        return held


_LATER = ("k", "passage", "passage_tokens", "budget_tokens", "max_links", "low_confidence")


class RememberedLate(LateInteraction):
    """Late interaction that reads each pair once."""

    def __init__(self, tokens: TokenVectors):
        super().__init__(tokens)
        self._scores: dict[tuple[str, str], float] = {}
        self._pieces: dict[str, NDArray[np.float32]] = {}

    def pieces(self, query: str) -> NDArray[np.float32]:
        """As read before."""
        if query not in self._pieces:
            self._pieces[query] = super().pieces(query)
        return self._pieces[query]

    def read(self, query: str, texts: Sequence[str]) -> Read:
        """Scores of all texts; those that are new are read."""
        new = [text for text in dict.fromkeys(texts) if (query, text) not in self._scores]
        scores, computed = super().read(query, new) if new else Read([], 0)
        self._scores |= {(query, text): score for text, score in zip(new, scores, strict=True)}
        return Read([self._scores[query, text] for text in texts], computed)


class RememberedCross:
    """Implements `retrieve.reranking.reranker.Reranker`: another one, that reads each pair once."""

    def __init__(self, reranker: Reranker):
        self._reranker = reranker
        self._scores: dict[tuple[str, str], float] = {}

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of all texts; those that are new are read."""
        new = [text for text in dict.fromkeys(texts) if (query, text) not in self._scores]
        scores = self._reranker.scores(query, new) if new else []
        self._scores |= {(query, text): score for text, score in zip(new, scores, strict=True)}
        return [self._scores[query, text] for text in texts]

    def unread(self, query: str, texts: Sequence[str]) -> int:
        """As the other says."""
        return self._reranker.unread(query, texts)


class Rerun(Retriever):
    """A Retriever on a shelf that others stand at too; closing the shelf is the owner's matter."""

    def __init__(self, shelf: Shelf, settings: RetrieveSettings, memory: Memory, clock: Callable[[], Instant]):
        super().__init__(shelf, settings, clock=clock)
        self._memory, self._held = memory, memory.found(settings)

    def close(self) -> None:
        """Nothing: others stand at the shelf."""

    def _found(self, asked: Asked, question: Question) -> Found:
        held = self._held
        # How many passages are wanted has a say in the candidates only where it exceeds their number.
        alike = replace(question, k=max(question.k, self.settings.section_candidates)), asked.moment
        if alike not in held:
            held[alike] = self._search(asked, question)
        return held[alike]

    def _search(self, asked: Asked, question: Question) -> Found:
        stages = self._memory.stages(asked.snapshot, self.settings)
        searcher, clock = Searcher(asked.snapshot.encoder, self.settings, stages), Clockwork()
        key = replace(question, k=1), asked.moment, self.settings.chunk_candidates
        if key not in self._memory.lists:
            self._memory.lists[key] = searcher.lists(question, asked.library, clock)
        return searcher.ordered(question, self._memory.lists[key], asked.library, clock)
