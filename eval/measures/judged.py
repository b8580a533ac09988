"""An answer held against its gold: where everything came back. Every measure is a function of this alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Ranks = tuple[int | None, ...]
"""Ranks from 1; None where it did not come back."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question's answer, judged. Ranks count passages, then linked ones behind them."""

    question: str
    """Its id."""
    sections: Ranks
    """Of each gold section: the first passage that covers it or one of its twins, or holds all of its quotes."""
    quotes: Ranks
    """Of each quote, over all gold sections in their order: the first passage that holds it."""
    grades: tuple[int, ...]
    """Of each gold section."""
    relevant: tuple[bool, ...]
    """Of each passage, linked ones too: whether it brought a gold section, or a quote of one."""
    stale: tuple[bool | None, ...]
    """Of each passage, linked ones too: whether some of its text was not in force on the day; None: not known."""
    tokens: tuple[int, ...]
    """Of each passage, linked ones too."""
    passages: int
    """How many of them are passages; the rest is linked."""
    confidence: float | None = None
    low_confidence: bool | None = None
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    """By gold section that is not within the passages and links: the stage that lost it."""
    unanswered: bool = False
    """The retriever has no answer on record (a run file without this question): scored as the default, and counted."""
