"""What any retriever gives back for a question, in the one form that is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from eval.suites.question import Question


@dataclass(frozen=True, slots=True)
class Given:
    """One passage of an answer."""

    id: str | None
    """Address of its outermost section, or its id in the corpus; None where the retriever knows none."""
    texts: tuple[str, ...] = ()
    """Its text, then the lead-ins that it inherits; none where only ids are known (a run file)."""
    covers: frozenset[str] = frozenset()
    """Ids of the sections whose own text it holds whole, identical ones too."""
    effective_from: str | None = None
    superseded_at: str | None = None
    """ISO days as the retriever says them; whether they are right is measured, not believed."""
    tokens: int = 0
    """o200k tokens of `texts`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one question."""

    passages: tuple[Given, ...]
    """Best first."""
    linked: tuple[Given, ...] = ()
    """What came along by links; ranked after the passages."""
    confidence: float | None = None
    """None where the retriever says none."""
    low_confidence: bool | None = None
    """Whether it was marked as probably no answer; None where the retriever cannot say."""
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    """By stage; "total" for all of it; empty where nothing was timed (a run file)."""
    lost: Mapping[str, str] = field(default_factory=dict)
    """Of each gold section that did not come back: the stage that lost it (`eval.retrievers.losses`)."""
    unanswered: bool = False
    """The retriever has no answer on record (a run file without this question)."""


class Contender(Protocol):
    """A retriever, as one row of a table."""

    @property
    def name(self) -> str:
        """What the row is called."""
        ...

    @property
    def key(self) -> str:
        """All that its answers depend on besides the question, as a digest: answers are kept under it."""
        ...

    def answer(self, question: Question, k: int) -> Answer:
        """Up to `k` passages for a question on its day, and what is linked to them."""
        ...
