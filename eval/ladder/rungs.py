"""One rung of a ladder: who is asked, how much of the answer counts, and which rung it is compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from eval.measures.definitions import Measure
from eval.retrievers.answer import Contender
from eval.suites.question import Asked, Question

EVERY: Final[frozenset[Asked]] = frozenset({"message", "rewrite", "ambiguous rewrite"})
MESSAGES: Final[frozenset[Asked]] = frozenset({"message"})
NAMES: Final = ("PolicyExceptionRecall", "AnchorRecall", "Recall", "Hit", "Precision", "StaleRate", "Tokens")
"""Measures of what a rung hands on; each at the rung's own cut."""
MANY: Final = 100
"""Asked for where tokens decide how much comes back."""
UNDATED: Final = "no date filter"
"""The search as configured, in memory over every text that ever was in force."""
DATED: Final = "date filter"
"""The same over the texts in force on the question's day."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A contender, and what of its answers counts."""

    name: str
    contender: Contender
    k: int
    """Passages asked for."""
    after: str | None = None
    """Name of the rung that it is compared with."""
    links: bool = False
    """Whether linked passages count."""
    asked: frozenset[Asked] = EVERY
    """Which questions are put to it."""

    def measures(self) -> tuple[Measure, ...]:
        """What is measured of it: what it hands on, and the order of its passages."""
        handed = [Measure(name, self.k, self.links) for name in NAMES]
        first = [Measure("Recall", 5)] if self.k > 5 and self.k != MANY else []
        ranked = [Measure("MRR"), Measure("nDCG", self.k), Measure("ZeroResults")]
        return (*dict.fromkeys([*handed, *first, *ranked]),)

    def puts(self, question: Question) -> bool:
        """Whether a question is put to it."""
        return question.asked in self.asked

    def following(self, after: str | None) -> Rung:
        """The same, compared with another rung."""
        return replace(self, after=after)


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """A rung that a suite or the settings leave out."""

    name: str
    why: str


Ladder = tuple[Rung | NotApplicable, ...]
