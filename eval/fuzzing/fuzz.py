"""`caveat fuzz`: queries rewritten, asked, and held against what they brought before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from eval.fuzzing.chances import Chance, Runs, WayChances, chances
from eval.fuzzing.drawing import Drawing, rewrites
from eval.fuzzing.logged import LOGGED
from eval.fuzzing.tried import Anchor, Tried, first_as_gold, tried, worst_first
from eval.fuzzing.vocabulary import Vocabulary
from eval.suites.question import Question, Questions

if TYPE_CHECKING:
    from eval.progress import Told
    from eval.retrievers.answer import Answer, Contender


@dataclass(frozen=True, slots=True)
class Fuzzing:
    """Who is asked what, and what is assumed of an agent's runs."""

    contender: Contender
    k: int
    words: Callable[[Question], Vocabulary]
    """The handbook's on a question's day."""
    drawing: Drawing
    runs: Runs


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """What rewrites lose."""

    suite: str
    split: str | None
    k: int
    queries: int
    """Asked as they are."""
    fair: int
    """Of those: brought all of their anchors."""
    without_anchors: int
    """Unanswerable, or logged and nothing came: not rewritten."""
    unchanged: int
    """Has anchors, and no way of rewriting changes it."""
    drawing: Drawing
    runs: Runs
    chances: tuple[WayChances, ...]
    losses: tuple[Tried, ...]
    """Worst first."""

    @property
    def worst(self) -> tuple[Tried, ...]:
        """The worst of each family whose query brought everything, worst first."""
        found: dict[str, Tried] = {}
        for one in self.losses:
            if one.fair:
                found.setdefault(one.family, one)
        return tuple(found.values())

    def to_dict(self, pins: Mapping[str, str | None]) -> dict[str, Any]:
        """Plain values, ready for JSON; `pins` are command lines by loss."""
        return {
            "suite": self.suite,
            "split": self.split,
            "k": self.k,
            "seed": self.drawing.seed,
            "each": self.drawing.each,
            "runs": self.runs.runs,
            "share": self.runs.share,
            "queries": self.queries,
            "brought_all": self.fair,
            "without_anchors": self.without_anchors,
            "unchanged": self.unchanged,
            "ways": [_chances_told(one) for one in self.chances],
            "losses": [_loss_told(one, pins.get(one.id)) for one in self.losses],
        }


def fuzz(questions: Questions, split: str | None, fuzzing: Fuzzing, told: Told | None = None) -> Fuzzed:
    """Ask every query, then its rewrites.

    Raises:
        CaveatError: as the contender.
    """
    every = []
    for done, question in enumerate(questions.questions, 1):
        if anchored := _anchored(question, fuzzing):
            every.append(list(_tried(*anchored, fuzzing)))
        if told:
            told("fuzz", done, len(questions.questions))
    flat = [one for found in every for one in found]
    return Fuzzed(
        questions.name,
        split,
        fuzzing.k,
        len(questions.questions),
        sum(found[0].fair for found in every if found),
        len(questions.questions) - len(every),
        sum(not found for found in every),
        fuzzing.drawing,
        fuzzing.runs,
        chances(flat, fuzzing.runs, fuzzing.drawing.seed),
        tuple(worst_first(flat)),
    )


def _anchored(question: Question, fuzzing: Fuzzing) -> tuple[Question, Answer] | None:
    """A query with its anchors, and what it brings as it is; None where it has none."""
    if not question.gold and question.kind != LOGGED:
        return None
    before = fuzzing.contender.answer(question, fuzzing.k)
    if question.kind == LOGGED:
        question = first_as_gold(question, before)
    return (question, before) if question.gold else None


def _tried(question: Question, before: Answer, fuzzing: Fuzzing) -> Iterator[Tried]:
    """The rewrites of one query."""
    for way, number, rewrite in rewrites(question.id, question.query, fuzzing.words(question), fuzzing.drawing):
        changed = replace(question, id=f"{question.id}/{way}-{number}", query=rewrite.text)
        yield tried(question, before, way, number, rewrite, fuzzing.contender.answer(changed, fuzzing.k))


def spread(questions: Sequence[Question], most: int | None) -> tuple[Question, ...]:
    """So many at most, evenly spread over the suite."""
    if most is None or len(questions) <= most:
        return tuple(questions)
    return tuple(questions[at * len(questions) // most] for at in range(most))


def _chances_told(one: WayChances) -> dict[str, Any]:
    return {
        "way": one.way,
        "rewrites": one.rewrites,
        "anchor": _chance_told(one.anchor),
        "exception": _chance_told(one.exception),
        "rule_alone": one.rule_alone,
    }


def _chance_told(one: Chance | None) -> dict[str, Any] | None:
    return asdict(one) if one else None


def _loss_told(one: Tried, pin: str | None) -> dict[str, Any]:
    return {
        "question": one.question.id,
        "kind": one.question.kind,
        "as_of": one.question.as_of,
        "way": one.way.value,
        "before": one.question.query,
        "query": one.query,
        "change": one.change,
        "brought_all": one.fair,
        "rule_alone": one.rule_alone,
        "low_confidence": one.low_confidence,
        "lost": [_anchor_told(anchor, one) for anchor in one.lost],
        "came": list(one.came),
        "pin": pin,
    }


def _anchor_told(anchor: Anchor, one: Tried) -> dict[str, Any]:
    return {**asdict(anchor), "stage": one.stages.get(anchor.section)}
