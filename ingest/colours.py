"""When two colours cannot be told apart, in any format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NEAR: Final = 16
"""Difference of red, green and blue, each from 0 to 255, up to which nobody tells two colours apart."""


def near(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether nobody could tell the two apart, each as red, green and blue."""
    return all(abs(a - b) <= NEAR for a, b in zip(one, other, strict=True))
