"""What ragas measures with a model as judge: faithfulness, context recall, answer relevancy, where one is configured.

The judge writes an answer from the passages alone, and is then asked about it; the reference that context recall
looks for is what is quoted as gold. It gets queries and passages as they are: name a judge that may see them. All is
judged `judge_repeats` times, since a model's word differs from one time to the next; the spread is part of the figure.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from eval.measures.bootstrap import bootstrap
from eval.measures.ragas_scores import RagasScore, in_a_loop, ragas_quietly
from eval.measures.summary import SEED
from eval.retrievers.answer import Answer
from eval.settings import EvalSettings
from eval.suites.question import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]
    """Texts to vectors, `(n_texts, dim)`; for answer relevancy."""

JUDGED: Final = ("Faithfulness", "ContextRecall", "AnswerRelevancy")
AT_ONCE: Final = 4
"""Questions that the judge works on at a time."""
UNCONFIGURED: Final = "no judge: set eval.judge_url and eval.judge_model in caveat.toml"
_PROMPT: Final = """Answer the question from the passages alone, in at most three sentences. If they do not, say so.

Passages:
{passages}

Question: {query}"""


def ragas_judged(
    questions: Sequence[Question],
    answers: Mapping[str, Answer],
    settings: EvalSettings,
    embed: Embed,
    *,
    seed: int = SEED,
) -> list[RagasScore]:
    """The three metrics over messages with gold that got texts back; "not measured" without a judge that answers.

    Args:
        questions: All that were asked; of the messages with gold, `judge_questions` are judged at most.
        answers: By question id.
        settings: Which model judges, and how often.
        embed: Texts to vectors.
        seed: Of the intervals.
    """
    why = _not_configured(settings)
    asked = [] if why else _asked(questions, answers, settings.judge_questions)
    if not asked:
        return [
            RagasScore(f"ragas {name}", None, why or "no message with gold and quotes got texts") for name in JUDGED
        ]
    tallies = in_a_loop(_judge_all(asked, settings, embed))
    families = {one.question.id: one.question.family for one in asked}
    return [tallies[name].score(name, families, len(asked), seed) for name in JUDGED]


def _not_configured(settings: EvalSettings) -> str:
    if not settings.judge_url or not settings.judge_model:
        return UNCONFIGURED
    if settings.judge_key_env and not os.environ.get(settings.judge_key_env):
        return f"no key: the environment variable {settings.judge_key_env} is not set"
    return ""


@dataclass(frozen=True, slots=True)
class _Asked:
    question: Question
    texts: list[str]

    @property
    def reference(self) -> str:
        return "\n".join(quote for gold in self.question.gold for quote in gold.quotes)


def _asked(questions: Sequence[Question], answers: Mapping[str, Answer], most: int) -> list[_Asked]:
    """Evenly spread over the suite, so that no chapter is judged alone."""
    found = []
    for question in questions:
        answer = answers.get(question.id)
        given = (*answer.passages, *answer.linked) if answer else ()
        texts = ["\n\n".join(one.texts) for one in given if one.texts]
        if question.asked == "message" and texts and any(gold.quotes for gold in question.gold):
            found.append(_Asked(question, texts))
    step = max(1.0, len(found) / most)
    return [found[int(at * step)] for at in range(min(most, len(found)))]


@dataclass(slots=True)
class _Tally:
    """Scores of one metric: by question, one a repeat; those that the judge could not give are counted."""

    scores: dict[str, dict[int, float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, question: str, repeat: int, value: float) -> None:
        self.scores.setdefault(question, {})[repeat] = value

    def score(self, name: str, families: Mapping[str, str], asked: int, seed: int) -> RagasScore:
        means = {question: sum(of.values()) / len(of) for question, of in sorted(self.scores.items())}
        estimate = bootstrap(means, families, np.random.default_rng(seed))
        left_out = f"{len(self.failures)} judgements failed, the first: {self.failures[0]}" if self.failures else ""
        return RagasScore(f"ragas {name}", estimate, left_out, self._spread())

    def _spread(self) -> float | None:
        """Of the means over the questions that every repeat has judged."""
        repeats = sorted({repeat for of in self.scores.values() for repeat in of})
        whole = [of for of in self.scores.values() if len(of) == len(repeats)]
        if len(repeats) < 2 or not whole:
            return None
        return float(np.std([np.mean([of[repeat] for of in whole]) for repeat in repeats], ddof=1))


async def _judge_all(asked: Sequence[_Asked], settings: EvalSettings, embed: Embed) -> dict[str, _Tally]:
    tallies = {name: _Tally() for name in JUDGED}
    with ragas_quietly():
        from openai import AsyncOpenAI

        key = os.environ[settings.judge_key_env] if settings.judge_key_env else "none"
        async with AsyncOpenAI(base_url=settings.judge_url, api_key=key, timeout=60, max_retries=1) as client:
            judge = _Judge(client, settings.judge_model, _metrics(client, settings.judge_model, embed), tallies)
            gate = asyncio.Semaphore(AT_ONCE)
            work = [judge.one(item, repeat, gate) for repeat in range(settings.judge_repeats) for item in asked]
            await asyncio.gather(*work)
    return tallies


def _metrics(client: Any, model: str, embed: Embed) -> dict[str, Any]:
    from ragas.embeddings.base import BaseRagasEmbedding
    from ragas.llms.base import llm_factory
    from ragas.metrics.collections import AnswerRelevancy, ContextRecall, Faithfulness

    class Embedding(BaseRagasEmbedding):  # type: ignore[misc, unused-ignore]
        def embed_text(self, text: str, **kwargs: Any) -> list[float]:
            return [float(value) for value in embed([text])[0]]

        async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
            return self.embed_text(text)

    llm = llm_factory(model, client=client)
    return {
        "Faithfulness": Faithfulness(llm=llm),
        "ContextRecall": ContextRecall(llm=llm),
        "AnswerRelevancy": AnswerRelevancy(llm=llm, embeddings=Embedding()),
    }


@dataclass(frozen=True, slots=True)
class _Judge:
    client: Any
    model: str
    metrics: Mapping[str, Any]
    tallies: Mapping[str, _Tally]

    async def one(self, asked: _Asked, repeat: int, gate: asyncio.Semaphore) -> None:
        """All metrics of one question."""
        async with gate:
            query = asked.question.query
            passages = {"user_input": query, "retrieved_contexts": asked.texts}
            await self._score("ContextRecall", asked, repeat, passages | {"reference": asked.reference})
            try:
                response = await self._respond(asked)
            except Exception as fault:
                for name in ("Faithfulness", "AnswerRelevancy"):
                    self.tallies[name].failures.append(_said(fault))
                return
            await self._score("Faithfulness", asked, repeat, passages | {"response": response})
            await self._score("AnswerRelevancy", asked, repeat, {"user_input": query, "response": response})

    async def _respond(self, asked: _Asked) -> str:
        prompt = _PROMPT.format(passages="\n---\n".join(asked.texts), query=asked.question.query)
        messages = [{"role": "user", "content": prompt}]
        found = await self.client.chat.completions.create(model=self.model, messages=messages)
        content = found.choices[0].message.content
        if not content:
            raise ValueError("the judge wrote no answer")
        return str(content)

    async def _score(self, name: str, asked: _Asked, repeat: int, fields: Mapping[str, Any]) -> None:
        # A model's server can fail in as many ways as there are servers: each is counted and shown, none ends the run.
        try:
            value = float((await self.metrics[name].ascore(**fields)).value)
        except Exception as fault:
            self.tallies[name].failures.append(_said(fault))
            return
        if np.isnan(value):
            self.tallies[name].failures.append("the judge found nothing to judge")
        else:
            self.tallies[name].add(asked.question.id, repeat, value)


def _said(fault: Exception) -> str:
    """The first line, without what a server may have echoed at length."""
    lines = str(fault).strip().splitlines() or [""]
    return f"{type(fault).__name__}: {lines[0]}"[:200]
