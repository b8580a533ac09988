"""Rerankers on the same candidates: every score is worked out once, then any blend of them can be measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from eval.measures.bootstrap import Estimate, bootstrap, paired_difference
from eval.reranking.measures import ndcg, recall, reciprocal_rank
from eval.reranking.sets import Asked, QuestionSet
from eval.retrievers.firststage import Candidate, FirstStage
from retrieve import fusion
from retrieve.reranking.reranker import Texts, best_of, flat, nearest
from retrieve.trace import SectionKey

SEED = 8841
FIRST = "first stage"
Blend = Mapping[str, float]
"""Weight by name of a score: "first stage", or a reranker's."""
Scorer = Callable[[str, Sequence[str]], Sequence[float]]
"""(query, texts) -> scores, higher is better."""
Progress = Callable[[str, int, int], None]
MEASURES: Mapping[str, Callable[[Sequence[str], frozenset[str]], float]] = {
    "Recall@5": lambda ranked, gold: recall(ranked, gold, 5),
    "MRR": reciprocal_rank,
    "nDCG@10": lambda ranked, gold: ndcg(ranked, gold, 10),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's candidates with the scores of everyone who looked at them."""

    asked: Asked
    passages: tuple[str, ...]
    scores: Mapping[str, NDArray[np.float64]]
    """By name, `(n_candidates,)`; a section has the best score of its children."""


@dataclass(slots=True)
class Played:
    """A set as all have judged it."""

    name: str
    questions: list[Judged] = field(default_factory=list)
    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    is_seen: bool = False
    """As in `QuestionSet`."""

    def ranked(self, blend: Blend) -> dict[str, list[str]]:
        """Passages by question, best first."""
        return {one.asked.id: _ranking(one, blend) for one in self.questions}

    def scores(self, blend: Blend, measure: str) -> dict[str, float]:
        """The measure's value for each question."""
        of = MEASURES[measure]
        return {one.asked.id: of(_ranking(one, blend), one.asked.gold) for one in self.questions}

    def mean(self, blend: Blend, measure: str) -> Estimate | None:
        """The mean with its interval."""
        return bootstrap(self.scores(blend, measure), self.families, np.random.default_rng(SEED))

    def gain(self, scores: Mapping[str, float], over: Blend, measure: str) -> Estimate | None:
        """The mean difference of scores by question to those of a blend, with its interval."""
        return paired_difference(scores, self.scores(over, measure), self.families, np.random.default_rng(SEED))

    @property
    def families(self) -> dict[str, str]:
        """What each question is resampled with, by its id."""
        return {one.asked.id: one.asked.family for one in self.questions}


def played(
    questions: QuestionSet,
    stage_of: Callable[[int], FirstStage],
    rerankers: Mapping[str, Scorer],
    progress: Progress | None = None,
) -> Played:
    """Let the first stage find candidates for every question, and every reranker score them.

    Args:
        questions: What is asked.
        stage_of: The first stage over the passages of the group with that number.
        rerankers: By name; as in a search, each reads of a section what the one before it likes best.
    """
    result = Played(questions.name, is_seen=questions.is_seen)
    total = sum(len(group.questions) for group in questions.groups)
    for number, group in enumerate(questions.groups):
        stage = stage_of(number)
        for asked in group.questions:
            candidates = stage.candidates(asked.query)
            result.questions.append(_judged(asked, candidates, stage, rerankers, result.milliseconds))
            if progress:
                progress(questions.name, len(result.questions), total)
    return result


def _judged(
    asked: Asked,
    candidates: Sequence[Candidate],
    stage: FirstStage,
    rerankers: Mapping[str, Scorer],
    milliseconds: dict[str, list[float]],
) -> Judged:
    texts: Texts = {_key(one.passage): [stage.children[row].text for row in one.children] for one in candidates}
    scores = {FIRST: np.array([one.score for one in candidates])}
    for name, scorer in rerankers.items():
        start = time.perf_counter()
        found = scorer(asked.query, flat(texts))
        milliseconds.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        scores[name] = np.array(list(best_of(texts, found).values()))
        texts = nearest(texts, found)
    return Judged(asked, tuple(one.passage for one in candidates), scores)


def _key(passage: str) -> SectionKey:
    return SectionKey("", passage)


def _ranking(judged: Judged, blend: Blend) -> list[str]:
    keys = [_key(passage) for passage in judged.passages]
    lists = (
        (fusion.by_score(dict(zip(keys, judged.scores[name].tolist(), strict=True))), weight)
        for name, weight in blend.items()
    )
    return [entry.key.section_id for entry in fusion.minmax(lists)]
