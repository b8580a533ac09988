"""Measures as values whose names read back: `str(parse_measure("nDCG@10"))` is "nDCG@10".

    Recall@k                  share of the gold sections that the first k passages bring
    Hit@k                     1 if they bring any gold section
    Precision@k               share of the k places that bring gold; a place left empty counts as a miss
    MRR, MRR@k                1 over the rank of the first gold section; 0 without one
    nDCG@k                    discounted gain over the best possible one (Järvelin and Kekäläinen 2002), at most 1
    AnchorRecall@k            share of the quotes that the first k passages hold
    PolicyExceptionRecall@k   of exception questions: 1 if they hold them all; a rule without its limit is worth nothing
    StaleRate@k               1 if any of their text was not in force on the day; lower is better
    Tokens@k                  o200k tokens of their texts; lower is better
    ZeroResults               1 if nothing came back at all; lower is better

"+links" after a name with a cut counts the linked passages as well: the first k passages, and all that came along.
Scores are per question first. A question without an answer on record scores the default and stays in the
denominator; one that a measure does not apply to (no gold, no quotes), and one whose score cannot be known (a text
that only its id is known of), is not scored: None, never 0. Definitions only: who retrieves is not known here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, Literal

from eval.measures.judged import Judged
from eval.suites.question import Question
from ingest.errors import QueryError

_NAMED: Final = re.compile(r"(\w+?)(?:@([1-9]\d*))?(\+links)?")
Wants = Literal["gold", "quotes", "exception", "nothing"]
"""What a question must have to be scored."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Which passages count."""

    k: int | None
    links: bool

    def place(self, rank: int | None, judged: Judged) -> int | None:
        """The place from 1 among those that count; None where it does not."""
        if rank is None:
            return None
        first = self.first(judged)
        if rank <= judged.passages:
            return rank if rank <= first else None
        return first + rank - judged.passages if self.links else None

    def first(self, judged: Judged) -> int:
        """Passages that count, without links."""
        return judged.passages if self.k is None else min(self.k, judged.passages)

    def of(self, values: Sequence[object], judged: Judged) -> Sequence[object]:
        """Of values by passage, those that count."""
        return (*values[: self.first(judged)], *(values[judged.passages :] if self.links else ()))

    def room(self, judged: Judged) -> int:
        """Places that could be filled."""
        asked = judged.passages if self.k is None else self.k
        return asked + (len(judged.relevant) - judged.passages if self.links else 0)


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name means."""

    of: Callable[[Judged, Cut], float | None]
    wants: Wants = "gold"
    cut: Literal["needed", "optional", "none"] = "needed"
    higher_is_better: bool = True
    zero_one: bool = False
    """Whether every score is 0 or 1, so that McNemar's test applies."""
    default: float | None = 0.0
    """The score of a question without an answer on record."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, at which cut."""

    name: str
    k: int | None = None
    links: bool = False

    def __str__(self) -> str:
        return self.name + (f"@{self.k}" if self.k else "") + ("+links" if self.links else "")

    @property
    def definition(self) -> Definition:
        """What its name means."""
        return DEFINITIONS[self.name]

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better."""
        return self.definition.higher_is_better

    @property
    def zero_one(self) -> bool:
        """Whether every score is 0 or 1."""
        return self.definition.zero_one

    def applies(self, question: Question) -> bool:
        """Whether the question has what is measured; PolicyExceptionRecall is of exception questions alone."""
        wants = self.definition.wants
        if wants == "nothing":
            return True
        quoted = wants == "gold" or any(gold.quotes for gold in question.gold)
        return bool(question.gold) and quoted and (wants != "exception" or question.kind == "exception")

    def of(self, judged: Judged) -> float | None:
        """The score of one judged answer; None where it cannot be known."""
        definition = self.definition
        return definition.default if judged.unanswered else definition.of(judged, Cut(self.k, self.links))

    def score(self, question: Question, judged: Judged | None) -> float | None:
        """The score of one question; None where the measure does not apply, or its score cannot be known."""
        if not self.applies(question):
            return None
        return self.definition.default if judged is None else self.of(judged)

    def scores(self, questions: Iterable[Question], judged: Mapping[str, Judged]) -> dict[str, float]:
        """Scores by question id, of those that are scored; a question that `judged` lacks scores the default."""
        found = ((question.id, self.score(question, judged.get(question.id))) for question in questions)
        return {name: score for name, score in found if score is not None}


def parse_measure(name: str) -> Measure:
    """The measure that a name stands for.

    Raises:
        QueryError: no such measure, or no cut after the @, or one too many.
    """
    match = _NAMED.fullmatch(name.strip())
    if match and match[1] in DEFINITIONS:
        cut = DEFINITIONS[match[1]].cut
        fits = {"needed": bool(match[2]), "optional": True, "none": not match[2] and not match[3]}
        if fits[cut]:
            return Measure(match[1], int(match[2]) if match[2] else None, bool(match[3]))
    near = get_close_matches(name.partition("@")[0].removesuffix("+links"), DEFINITIONS, 1)
    shown = f"{near[0]}{'@5' if DEFINITIONS[near[0]].cut == 'needed' else ''}" if near else None
    raise QueryError(
        f'no measure "{name}"',
        allowed=", ".join(map(_pattern, DEFINITIONS)) + "; +links after those with a cut",
        fix=f'did you mean "{shown}"?' if shown else None,
    )


def standard(k: int = 5) -> tuple[Measure, ...]:
    """What is measured where nothing else is asked for: all at `k`, nDCG at 10, and what links add."""
    plain = tuple(Measure(name, k) for name in ("PolicyExceptionRecall", "AnchorRecall", "Recall", "Hit", "Precision"))
    ranked = Measure("MRR"), Measure("nDCG", 10)
    linked = tuple(Measure(name, k, True) for name in ("PolicyExceptionRecall", "AnchorRecall", "Recall"))
    stale = Measure("StaleRate", k), Measure("StaleRate", k, True)
    return (*plain, *ranked, *linked, *stale, Measure("Tokens", k), Measure("Tokens", k, True), Measure("ZeroResults"))


def _pattern(name: str) -> str:
    return {"needed": f"{name}@k", "optional": f"{name} or {name}@k", "none": name}[DEFINITIONS[name].cut]


def _places(ranks: Iterable[int | None], judged: Judged, cut: Cut) -> list[int]:
    return [place for rank in ranks if (place := cut.place(rank, judged)) is not None]


def _recall(judged: Judged, cut: Cut) -> float | None:
    return len(_places(judged.sections, judged, cut)) / len(judged.sections) if judged.sections else None


def _hit(judged: Judged, cut: Cut) -> float | None:
    return float(bool(_places(judged.sections, judged, cut))) if judged.sections else None


def _precision(judged: Judged, cut: Cut) -> float | None:
    if not judged.sections:
        return None
    room = cut.room(judged)
    return sum(map(bool, cut.of(judged.relevant, judged))) / room if room else 0.0


def _reciprocal_rank(judged: Judged, cut: Cut) -> float | None:
    places = _places(judged.sections, judged, cut)
    return (1 / min(places) if places else 0.0) if judged.sections else None


def _ndcg(judged: Judged, cut: Cut) -> float | None:
    """A passage that brings two sections gains both at its rank, so that the gain can exceed the best of one a rank."""
    if not judged.sections:
        return None
    placed = ((cut.place(rank, judged), grade) for rank, grade in zip(judged.sections, judged.grades, strict=True))
    gain = sum(grade * _discount(place) for place, grade in placed if place is not None)
    best = sorted(judged.grades, reverse=True)[: cut.room(judged)]
    return min(1.0, gain / sum(grade * _discount(place) for place, grade in enumerate(best, 1))) if best else 0.0


@lru_cache(maxsize=4096)
def _discount(place: int) -> float:
    return 1 / math.log2(place + 1)


def _anchors(judged: Judged, cut: Cut) -> float | None:
    return len(_places(judged.quotes, judged, cut)) / len(judged.quotes) if judged.quotes else None


def _all_anchors(judged: Judged, cut: Cut) -> float | None:
    share = _anchors(judged, cut)
    return None if share is None else float(share == 1)


def _stale(judged: Judged, cut: Cut) -> float | None:
    counted = cut.of(judged.stale, judged)
    if any(counted):
        return 1.0
    return None if not counted or None in counted else 0.0


def _tokens(judged: Judged, cut: Cut) -> float | None:
    counted = [number for number in cut.of(judged.tokens, judged) if isinstance(number, int)]
    # A text has a token at least: 0 is one that is not known.
    return None if 0 in counted else float(sum(counted))


def _nothing(judged: Judged, cut: Cut) -> float | None:
    return float(not judged.relevant)


DEFINITIONS: Final[Mapping[str, Definition]] = {
    "Recall": Definition(_recall),
    "Hit": Definition(_hit, zero_one=True),
    "Precision": Definition(_precision),
    "MRR": Definition(_reciprocal_rank, cut="optional"),
    "nDCG": Definition(_ndcg),
    "AnchorRecall": Definition(_anchors, "quotes"),
    "PolicyExceptionRecall": Definition(_all_anchors, "exception", zero_one=True),
    "StaleRate": Definition(_stale, "nothing", higher_is_better=False, zero_one=True, default=None),
    "Tokens": Definition(_tokens, "nothing", higher_is_better=False, default=None),
    "ZeroResults": Definition(_nothing, "nothing", "none", higher_is_better=False, zero_one=True, default=1.0),
}
"""By name."""
