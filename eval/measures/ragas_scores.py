"""What ragas measures without a model: by ids of sections, and by likeness of texts, on every run.

    ragas IDBasedContextRecall                  share of the gold ids among those that came back
    ragas IDBasedContextPrecision               share of the ids that came back that are gold
    ragas NonLLMContextRecall                   share of the gold texts that some passage is more than half like
    ragas NonLLMContextPrecisionWithReference   how early passages stand that are at least half like a gold text

Likeness is Levenshtein's distance over the longer length, so that a passage which holds the gold and much more counts
as unlike: these figures are for comparison with others that publish them. They are over messages with gold; a passage's
ids are all sections that it holds, a twin counted as its gold. ragas loads in 7 seconds of processor time, then takes
5 ms a message for all four (7 passages of 2,000 characters, two gold sections). It keeps a random user id of its own in
the user's data folder; what it would send home is switched off.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from eval.measures.bootstrap import Estimate, bootstrap
from eval.measures.summary import SEED
from eval.policy import Policy
from eval.retrievers.answer import Answer
from eval.suites.question import Gold, Question
from ingest.dates import parse_day

References = Callable[[Question, Gold], str | None]
"""The text of a gold section; None where it is not known."""
BY_ID: Final = ("IDBasedContextRecall", "IDBasedContextPrecision")
BY_TEXT: Final = ("NonLLMContextRecall", "NonLLMContextPrecisionWithReference")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RagasScore:
    """One of ragas's metrics."""

    name: str
    """"ragas NonLLMContextRecall"."""
    estimate: Estimate | None
    """None: not measured."""
    why: str = ""
    """Why it was not measured, or what was left out."""
    spread: float | None = None
    """Standard deviation of the mean over the repeats; None without a model, or with one repeat."""


def ragas_scores(
    questions: Sequence[Question], answers: Mapping[str, Answer], references: References, *, seed: int = SEED
) -> list[RagasScore]:
    """The four metrics over messages with gold; one that nothing came back for scores 0.

    Args:
        questions: All that were asked; others than messages with gold are passed over.
        answers: By question id; a question that is not there scores 0.
        references: Texts of gold sections.
        seed: Of the intervals.
    """
    asked = [_Row.of(one, answers.get(one.id), references) for one in questions if one.asked == "message" and one.gold]
    if not asked:
        return [RagasScore(f"ragas {name}", None, "no message with gold") for name in (*BY_ID, *BY_TEXT)]
    found = []
    for names, why in ((BY_ID, _without_ids(asked)), (BY_TEXT, _without_texts(asked))):
        for name in names:
            estimate = None if why else _estimate(name, asked, seed)
            found.append(RagasScore(f"ragas {name}", estimate, why))
    return found


def section_texts(policy: Policy) -> References:
    """Texts of gold sections as they were in force on the question's day."""
    known: dict[str, dict[str, str]] = {}

    def text(question: Question, gold: Gold) -> str | None:
        if question.as_of is None:
            return None
        if question.as_of not in known:
            sections = policy.on(parse_day(question.as_of)).sections
            known[question.as_of] = {section.address: section.section.text for section in sections}
        return known[question.as_of].get(gold.id)

    return text


@contextmanager
def ragas_quietly() -> Iterator[None]:
    """ragas without the notice that its own metrics move elsewhere, and without what it sends home."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    with warnings.catch_warnings():
        # The metrics without a model are at their old place alone (0.4.3).
        warnings.simplefilter("ignore", DeprecationWarning)
        # It leaves the file of its user id open.
        warnings.simplefilter("ignore", ResourceWarning)
        yield


def in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Runs it in a thread of its own: a notebook's loop runs already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@dataclass(frozen=True, slots=True)
class _Row:
    question: Question
    came: bool
    texts: tuple[str, ...]
    ids: tuple[str, ...]
    gold_texts: tuple[str | None, ...]

    @classmethod
    def of(cls, question: Question, answer: Answer | None, references: References) -> _Row:
        given = (*answer.passages, *answer.linked) if answer else ()
        twins = {twin: gold.id for gold in question.gold for twin in gold.twins}
        ids = dict.fromkeys(twins.get(name, name) for one in given for name in sorted(one.covers))
        texts = tuple("\n\n".join(one.texts) for one in given if one.texts)
        return cls(question, bool(given), texts, tuple(ids), tuple(references(question, one) for one in question.gold))

    def sample(self) -> dict[str, list[str]]:
        return {
            "retrieved_contexts": list(self.texts),
            "reference_contexts": [text for text in self.gold_texts if text is not None],
            "retrieved_context_ids": list(self.ids),
            "reference_context_ids": [gold.id for gold in self.question.gold],
        }


def _without_ids(rows: Sequence[_Row]) -> str:
    came = [row for row in rows if row.came]
    return "" if not came or any(row.ids for row in came) else "the retriever names no sections"


def _without_texts(rows: Sequence[_Row]) -> str:
    if any(text is None for row in rows for text in row.gold_texts):
        return "the text of some gold section is not known"
    return "the retriever gives no texts" if any(row.came and not row.texts for row in rows) else ""


def _estimate(name: str, rows: Sequence[_Row], seed: int) -> Estimate | None:
    values = in_a_loop(_scored(name, rows))
    scores = {row.question.id: value for row, value in zip(rows, values, strict=True)}
    families = {row.question.id: row.question.family for row in rows}
    return bootstrap(scores, families, np.random.default_rng(seed))


async def _scored(name: str, rows: Sequence[_Row]) -> list[float]:
    with ragas_quietly():
        from ragas import metrics
        from ragas.dataset_schema import SingleTurnSample

        metric = getattr(metrics, name)()
        needed = "texts" if name in BY_TEXT else "ids"
        return [
            float(await metric.single_turn_ascore(SingleTurnSample(**row.sample()))) if getattr(row, needed) else 0.0
            for row in rows
        ]
