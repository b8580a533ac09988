"""What a call costs, and a month of them; USD throughout.

Tokens of one call are of three kinds: the prefix that other calls share (instructions and context), the rest of the
input (the ticket), and the output. Only the prefix can be cached, and only where it is long enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from eval.comparison.prices import MILLION, ModelPrice

Cache = Literal["none", "write", "read"]
"""What a call does with its prefix: pay the input's price, write it to the cache, or read it from there."""


@dataclass(frozen=True, slots=True)
class Size:
    """o200k tokens of one call; means over tickets need not be whole."""

    prefix: float
    asked: float
    output: float = 0.0

    @property
    def input(self) -> float:
        """All that is sent."""
        return self.prefix + self.asked


def call_usd(price: ModelPrice, size: Size, cache: Cache = "none") -> float:
    """One call. A prefix below `cache_from_tokens` costs the input's price whatever was asked for."""
    cached = cache if size.prefix >= price.cache_from_tokens else "none"
    of_prefix = {"none": price.input, "write": price.cache_write, "read": price.cached_read}[cached]
    return (size.prefix * of_prefix + size.asked * price.input + size.output * price.output) / MILLION


def mixed_usd(price: ModelPrice, size: Size, hits: float) -> float:
    """One call on average, where a share `hits` of the calls reads the cache and all others write it."""
    return hits * call_usd(price, size, "read") + (1 - hits) * call_usd(price, size, "write")


def scaled(price: ModelPrice, factor: float) -> ModelPrice:
    """All of a model's prices, `factor` times as high."""
    changed = {name: getattr(price, name) * factor for name in ("input", "cached_read", "cache_write", "output")}
    return price.model_copy(update=changed)


def with_prefix(size: Size, tokens: float) -> Size:
    """The same call with another prefix."""
    return replace(size, prefix=tokens)
