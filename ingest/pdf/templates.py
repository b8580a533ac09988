"""Lines as they are compared from page to page: their letters, and their numbers apart."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"(?<!\d)\d(?: \d)+(?!\d)|\d+")
_ROMAN: Final = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3}|c{1,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def template_of(text: str) -> tuple[str, tuple[int, ...]]:
    """A line without its numbers, and the numbers."""
    numbers: list[int] = []

    def keep(match: re.Match[str]) -> str:
        numbers.append(int(match[0].replace(" ", "")[:9]))
        return "#"

    low = _NUMBER.sub(keep, text.lower())
    stripped = low.strip(" -–—|.[]()")
    if not numbers and (value := _roman(stripped)):
        return "#", (value,)
    return "".join(char for char in low if char.isalnum() or char == "#"), tuple(numbers)


def _roman(text: str) -> int | None:
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_DIGITS[char] for char in text.lower()]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
