"""The words of a file, to tell "re-/quest" from "de-/identified" at a line's end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ingest.pdf.geometry import Word

END_HYPHEN: Final = re.compile(r"([^\W\d_]+)[-‐\u00ad]$")
START: Final = re.compile(r"[^\W\d_]+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-‐’'][^\W\d_]+)*")
_KEPT: Final = frozenset(
    ("non", "self", "e", "ex", "co", "cross", "well", "all", "quasi", "vice", "half", "pro", "post")
)
"""Prefixes that English writes with a hyphen, where a file does not show how it writes the word."""
_OFTEN: Final = 0.03
"""Share of lines that end in a hyphen where a program divides words; an author's own hyphens are rarer."""


@dataclass(slots=True)
class Vocabulary:
    """How often each word occurs, and whether the file divides words at line ends."""

    counts: Counter[str] = field(default_factory=Counter)
    divides: bool = True

    @classmethod
    def of(cls, lines: Iterable[Sequence[Word]]) -> Vocabulary:
        """Words that are not cut by a line's end; a compound counts as one word."""
        found = cls()
        ends: list[tuple[str, str]] = []
        number = 0
        last: str | None = None
        for words in lines:
            if not words:
                continue
            number += 1
            if last and (start := START.match(words[0].text)) and start[0][0].islower():
                ends.append((last.lower(), start[0].lower()))
            match = END_HYPHEN.search(words[-1].text)
            last = match[1] if match else None
            for word in words[:-1] if match else words:
                found.counts.update(_WORD.findall(word.text.lower().replace("‐", "-")))
        found.divides = found._divides(ends, number)
        return found

    def _divides(self, ends: Sequence[tuple[str, str]], lines: int) -> bool:
        joined = sum(self.counts[left + right] > 0 for left, right in ends)
        kept = sum(self.counts[f"{left}-{right}"] > 0 for left, right in ends)
        return joined >= kept if joined else len(ends) >= _OFTEN * lines

    def joins(self, left: str, right: str) -> bool:
        """Whether a hyphen between two parts is only there because the line ends."""
        left, right = left.lower(), right.lower()
        if self.counts[left + right]:
            return True
        if self.counts[f"{left}-{right}"]:
            return False
        return self.divides and left not in _KEPT
