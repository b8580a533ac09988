"""Puts a suite's questions to every rung, and judges what comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from eval.ladder.rungs import Rung
from eval.measures.judged import Judged
from eval.measures.judging import judge
from eval.policy import Policy
from eval.progress import Told
from eval.retrievers.answer import Answer
from eval.retrievers.kept import Kept
from eval.suites.question import Question


@dataclass(frozen=True, slots=True)
class Climbed:
    """A rung with its answers."""

    rung: Rung
    questions: tuple[Question, ...]
    """Those that were put to it."""
    answers: Mapping[str, Answer]
    """By question id."""
    judged: Mapping[str, Judged]
    """By question id."""
    fresh: frozenset[str]
    """Ids of the questions that were really asked now."""

    def milliseconds(self) -> list[float]:
        """Of each answered question, as measured when it was really asked; none where nothing was timed."""
        return [spent for one in self.answers.values() if (spent := one.milliseconds.get("total")) is not None]

    def losses(self) -> Counter[str]:
        """Gold sections of messages that did not come back, by the stage that lost them."""
        lost = (self.judged[one.id].lost.values() for one in self.questions if one.asked == "message")
        return Counter(stage for stages in lost for stage in stages)


def climb(
    rungs: Sequence[Rung], questions: Iterable[Question], policy: Policy | None, told: Told | None = None
) -> tuple[Climbed, ...]:
    """Every rung with its answers.

    Args:
        rungs: Who is asked.
        questions: What is asked.
        policy: What was in force when; None: staleness is not known.
        told: Reports progress by rung.
    """
    asked = tuple(questions)
    return tuple(_climbed(rung, [one for one in asked if rung.puts(one)], policy, told) for rung in rungs)


def _climbed(rung: Rung, questions: Sequence[Question], policy: Policy | None, told: Told | None) -> Climbed:
    report = partial(told, rung.name) if told else None
    answers: dict[str, Answer] = {}
    judged: dict[str, Judged] = {}
    for done, question in enumerate(questions, 1):
        answer = rung.contender.answer(question, rung.k)
        # Links that a rung does not count must not be judged as if they had come.
        answers[question.id] = answer if rung.links else replace(answer, linked=())
        judged[question.id] = judge(question, answers[question.id], policy)
        if report:
            report(done, len(questions))
    contender = rung.contender
    fresh = frozenset(contender.fresh) if isinstance(contender, Kept) else frozenset(answers)
    return Climbed(rung, tuple(questions), answers, judged, fresh)
