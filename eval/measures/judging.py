"""Holds an answer against a question's gold and against what was in force: the only place where texts are looked at.

judged = judge(question, contender.answer(question, 5), policy)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from eval.measures.judged import Judged
from eval.policy import Edition, Policy
from eval.retrievers.answer import Answer, Given
from eval.suites.question import Gold, Question
from eval.tickets import normal
from ingest.dates import parse_day
from ingest.document import Document

TELLING: Final = 6
"""Words of the shortest line that says something; "Reserved." stands in every edition."""
# Words, and the signs that change what a figure says; marks such as ** and | do not count, since retrievers drop them.
_WORDS: Final = re.compile(r"[^\W_]+|[%$€£¥<=+/]")
_normal: Final = lru_cache(maxsize=8192)(normal)


def judge(question: Question, answer: Answer, policy: Policy | None = None) -> Judged:
    """Where an answer brought the gold, and what of it was not in force on the question's day.

    Args:
        question: With its gold.
        answer: Passages, then linked ones.
        policy: What was in force when; without it, or without a day, staleness is not known.
    """
    if answer.unanswered:
        return unanswered(question)
    given = (*answer.passages, *answer.linked)
    held = [_Held.of(one) for one in given]
    return Judged(
        question=question.id,
        sections=tuple(_first(one.brings(gold) for one in held) for gold in question.gold),
        quotes=tuple(_first(one.holds(quote, gold) for one in held) for gold in question.gold for quote in gold.quotes),
        grades=tuple(gold.grade for gold in question.gold),
        relevant=tuple(any(one.touches(gold) for gold in question.gold) for one in held),
        stale=_stale(given, question, policy),
        tokens=tuple(one.tokens for one in given),
        passages=len(answer.passages),
        confidence=answer.confidence,
        low_confidence=answer.low_confidence,
        milliseconds=answer.milliseconds,
        lost=answer.lost,
    )


def unanswered(question: Question) -> Judged:
    """A question that has no answer on record: nothing came back."""
    return Judged(
        question=question.id,
        sections=(None,) * len(question.gold),
        quotes=(None,) * sum(len(gold.quotes) for gold in question.gold),
        grades=tuple(gold.grade for gold in question.gold),
        relevant=(),
        stale=(),
        tokens=(),
        passages=0,
        unanswered=True,
    )


def stale_lines(texts: Sequence[str], question: Question, policy: Policy) -> tuple[str, ...]:
    """The lines of a passage, as words, that some edition holds but nothing that is in force on the question's day."""
    if question.as_of is None:
        return ()
    known = _Known.on(question.as_of, policy)
    return tuple(line for text in texts for line, fresh in known.lines(text) if fresh is False)


@dataclass(frozen=True, slots=True)
class _Held:
    """One passage, white space normalised."""

    covers: frozenset[str]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, given: Given) -> _Held:
        return cls(given.covers, tuple(map(_normal, given.texts)))

    def covers_one_of(self, gold: Gold) -> bool:
        return gold.id in self.covers or not gold.twins.isdisjoint(self.covers)

    def brings(self, gold: Gold) -> bool:
        """Whether it is the section, or holds all that is quoted of it."""
        return self.covers_one_of(gold) or (
            bool(gold.quotes) and all(self._says(_normal(quote)) for quote in gold.quotes)
        )

    def holds(self, quote: str, gold: Gold) -> bool:
        """Whether it holds a quote; where only ids are known, a section that is covered is believed to be whole."""
        return self._says(_normal(quote)) if self.texts else self.covers_one_of(gold)

    def touches(self, gold: Gold) -> bool:
        """Whether it brings the section or any quote of it."""
        return self.covers_one_of(gold) or any(self._says(_normal(quote)) for quote in gold.quotes)

    def _says(self, quote: str) -> bool:
        return any(quote in text for text in self.texts)


def _first(found: Iterator[bool]) -> int | None:
    return next((rank for rank, it_is in enumerate(found, 1) if it_is), None)


def _stale(given: Sequence[Given], question: Question, policy: Policy | None) -> tuple[bool | None, ...]:
    if policy is None or question.as_of is None:
        return (None,) * len(given)
    known = _Known.on(question.as_of, policy)
    return tuple(_is_stale(one.texts, known) for one in given)


def _is_stale(texts: Sequence[str], known: _Known) -> bool | None:
    """Whether one line is of another day; None where no line is known at all: a text of the retriever's own making."""
    found = {fresh for text in texts for _, fresh in known.lines(text)}
    return True if False in found else False if True in found else None


@dataclass(frozen=True, slots=True)
class _Known:
    """What is in force on a day, and what ever was."""

    now: _Texts
    ever: _Texts

    @classmethod
    def on(cls, day: str, policy: Policy) -> _Known:
        return cls(_in_force(policy.on(parse_day(day))), _ever(policy))

    def lines(self, text: str) -> Iterator[tuple[str, bool | None]]:
        """Each telling line as words, and whether it is in force; None where no edition has it (a title put before).

        The outer ends of a text may be cut within a word. A text without a telling line is taken as one line.
        """
        lines = [line for line in map(_words, text.splitlines()) if line]
        if not any(map(_telling, lines)):
            lines = [" ".join(lines)] if lines else []
        for at, line in enumerate(lines):
            if _telling(line) or len(lines) == 1:
                ends = at == 0, at == len(lines) - 1
                yield line, True if self.now.hold(line, *ends) else False if self.ever.hold(line, *ends) else None


@dataclass(frozen=True)
class _Texts:
    """Documents as words; looked up by line, and only where that fails by search."""

    lines: frozenset[str]
    documents: str
    """All of them, with a line break between two, so that nothing is found across."""
    looked_up: dict[tuple[str, bool, bool], bool] = field(default_factory=dict)

    @classmethod
    def of(cls, documents: Iterable[Document]) -> _Texts:
        texts = sorted({document.text for document in documents})
        lines = frozenset(_words(line) for text in texts for line in text.splitlines())
        return cls(lines, "\n".join(f" {_words(text)} " for text in texts))

    def hold(self, line: str, starts: bool, ends: bool) -> bool:
        if line in self.lines:
            return True
        key = line, starts, ends
        if key not in self.looked_up:
            self.looked_up[key] = f"{'' if starts else ' '}{line}{'' if ends else ' '}" in self.documents
        return self.looked_up[key]


@lru_cache(maxsize=32)
def _in_force(edition: Edition) -> _Texts:
    return _Texts.of(edition.documents)


@lru_cache(maxsize=4)
def _ever(policy: Policy) -> _Texts:
    return _Texts.of(policy.documents)


def _telling(line: str) -> bool:
    return line.count(" ") + 1 >= TELLING


def _words(text: str) -> str:
    return " ".join(_WORDS.findall(text))
