"""ragas's metrics of the last rung, for comparison with others that publish them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eval.ladder.climbing import Climbed
from eval.ladder.rungs import DATED, UNDATED
from eval.measures.ragas_judged import ragas_judged
from eval.measures.ragas_scores import RagasScore, References, ragas_scores, section_texts
from eval.policy import Policy
from eval.suites.beir import read_corpus
from eval.suites.question import Gold, Question
from eval.surroundings import Surroundings
from index.encoding.encoder import prepare_encoder
from index.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def ragas_of(
    around: Surroundings, suite: Path, policy: Policy | None, climbed: Sequence[Climbed]
) -> tuple[RagasScore, ...]:
    """Without a model, and with one where a judge is configured; of the last rung that is not in memory for dates.

    None where eval.ragas is false.
    """
    if not around.config.eval.ragas:
        return ()
    last = [one for one in climbed if one.rung.name not in (UNDATED, DATED)][-1]
    references = section_texts(policy) if policy else _passages(suite)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        settings = around.config.encoder
        return prepare_encoder(settings, State(around.state).encoder(settings)).encode_passages(list(texts))

    plain = ragas_scores(last.questions, last.answers, references)
    return (*plain, *ragas_judged(last.questions, last.answers, around.config.eval, embed))


def _passages(suite: Path) -> References:
    corpus = read_corpus(suite)

    def text(question: Question, gold: Gold) -> str | None:
        passage = corpus.passages.get(gold.id)
        return passage.text if passage else None

    return text
