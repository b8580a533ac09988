"""ragas's metrics as figures of a night: those without a model, and the judged ones where a judge is configured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from eval.measures.ragas_judged import ragas_judged
from eval.measures.ragas_scores import RagasScore, ragas_scores, section_texts
from eval.nightly.record import Figure
from eval.policy import Policy
from eval.retrievers.answer import Answer
from eval.suites.question import Question
from eval.surroundings import Surroundings
from index.snapshot import Snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Ragas:
    """Measures a night's answers once, and remembers what was noted on the way."""

    def __init__(self, around: Surroundings, policy: Policy | None):
        self._around, self._policy = around, policy
        self.notes: dict[str, str] = {}
        """By metric: why it was not measured, and the spread over repeats."""

    def figures(self, questions: Sequence[Question], answers: Mapping[str, Answer]) -> list[Figure]:
        """One figure a metric over all messages; none where eval.ragas is false."""
        if not self._around.config.eval.ragas:
            return []
        texts = section_texts(self._policy) if self._policy else lambda question, gold: None
        scores = [
            *ragas_scores(questions, answers, texts),
            *ragas_judged(questions, answers, self._around.config.eval, self._embed),
        ]
        self.notes = dict(_notes(scores))
        return list(map(_figure, scores))

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        snapshot = Snapshot.open(self._around.state, self._around.wanted_encoder)
        try:
            return snapshot.encoder.encode_passages(texts)
        finally:
            snapshot.close()


def _figure(score: RagasScore) -> Figure:
    found = score.estimate
    if found is None:
        return Figure(measure=score.name, mean=None)
    return Figure(measure=score.name, mean=found.mean, low=found.low, high=found.high, n=found.n)


def _notes(scores: Iterable[RagasScore]) -> Iterator[tuple[str, str]]:
    for score in scores:
        told = [score.why] if score.why else []
        told += [f"spread over repeats {score.spread:.3f}"] if score.spread is not None else []
        if told:
            yield score.name, "; ".join(told)
