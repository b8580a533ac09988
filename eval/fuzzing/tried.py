"""A rewrite that was asked: what of its query's anchors came back, and what did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from eval.fuzzing.ways import Rewrite, Way
from eval.measures.judging import judge
from eval.retrievers.answer import Answer
from eval.suites.question import Gold, Question
from eval.tickets import normal, plain

RULE: Final = "rule"


@dataclass(frozen=True, slots=True)
class Anchor:
    """What has to come back: a quote of a section, or the whole section."""

    section: str
    quote: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """One rewrite beside the query that it was made from."""

    id: str
    """"QUERY/WAY-NUMBER"."""
    question: Question
    """Before it was rewritten."""
    way: Way
    query: str
    change: str
    before: Mapping[Anchor, bool]
    """What the query brought."""
    after: Mapping[Anchor, bool]
    """What its rewrite brings."""
    came: tuple[str, ...] = ()
    """Sections of the passages, then of the linked ones, best first."""
    stages: Mapping[str, str] = field(default_factory=dict)
    """By section that is not within: the stage that lost it."""
    low_confidence: bool = False

    @property
    def family(self) -> str:
        """Rewrites of one family stand or fall together."""
        return self.question.family

    @property
    def is_exception(self) -> bool:
        """Whether a rule is asked for with what limits it."""
        return self.question.kind == "exception"

    @property
    def fair(self) -> bool:
        """Whether the query brought everything, so that a loss is the rewrite's."""
        return bool(self.before) and all(self.before.values())

    @property
    def lost(self) -> tuple[Anchor, ...]:
        """What the query brought and the rewrite does not."""
        return tuple(anchor for anchor, held in self.before.items() if held and not self.after[anchor])

    @property
    def loses(self) -> bool:
        """Whether anything is lost."""
        return bool(self.lost)

    @property
    def rule_alone(self) -> bool:
        """Whether a rule came back without what limits it: a wrong answer that looks right."""
        ruled = any(held for anchor, held in self.after.items() if anchor.role == RULE)
        return ruled and any(anchor.role not in (None, RULE) for anchor in self.lost)

    @property
    def likeness(self) -> float:
        """Share of the query's words that the rewrite still has, 0 to 1."""
        words = set(plain(self.question.query).split())
        return len(words & set(plain(self.query).split())) / len(words) if words else 0.0


def tried(question: Question, before: Answer, way: Way, number: int, rewrite: Rewrite, after: Answer) -> Tried:
    """A rewrite's answer beside its query's."""
    return Tried(
        f"{question.id}/{way}-{number}",
        question,
        way,
        rewrite.text,
        rewrite.change,
        brought(question, before),
        brought(question, after),
        tuple(one.id or "no id" for one in (*after.passages, *after.linked)),
        after.lost,
        bool(after.low_confidence),
    )


def brought(question: Question, answer: Answer) -> dict[Anchor, bool]:
    """Which anchors are within an answer's passages and what is linked to them."""
    judged = judge(question, answer)
    quotes = iter(judged.quotes)
    found: dict[Anchor, bool] = {}
    for gold, section in zip(question.gold, judged.sections, strict=True):
        for anchor in _anchors(gold):
            found[anchor] = (section if anchor.quote is None else next(quotes)) is not None
    return found


def first_as_gold(question: Question, answer: Answer) -> Question:
    """A logged query that nobody wrote anchors for: what it brings first is what its rewrites must bring."""
    first = next((one.id for one in answer.passages if one.id), None)
    return replace(question, gold=(Gold(first),) if first else ())


def worst_first(every: Iterable[Tried]) -> list[Tried]:
    """Losses: of exceptions a rule without its limit first, then those unmarked, then those that changed the least."""
    return sorted((one for one in every if one.loses), key=_rank)


def _rank(one: Tried) -> tuple[bool, bool, bool, bool, float, str]:
    limit_lost = one.is_exception and one.rule_alone
    return not one.fair, not limit_lost, not one.is_exception, one.low_confidence, -one.likeness, one.id


def _anchors(gold: Gold) -> Iterator[Anchor]:
    if not gold.quotes:
        yield Anchor(gold.id)
    roles = gold.roles or (None,) * len(gold.quotes)
    for quote, role in zip(gold.quotes, roles, strict=True):
        yield Anchor(gold.id, normal(quote), role)
