"""What every detector gives: spans of a folded text, each with the value that its placeholder stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """One value."""

    start: int
    end: int
    """Span of the folded text, half-open, not empty."""
    value: str
    """In one spelling, so that "4111 1111 ..." and "4111-1111-..." are the same."""


Detector = Callable[[str], Iterator[Found]]
