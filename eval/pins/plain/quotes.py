"""Whether a passage brings a quote: by its section where ids are known, else by words that stand nowhere else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .form import Anchor

# Words, and the signs that change what a figure says; marks such as ** and | do not count, since retrievers drop them.
_WORDS: Final = re.compile(r"[^\W_]+|[%$€£¥<=+/]")

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_SHOWN: Final = 72
"""Characters of a passage that has no id, where it is named."""


@dataclass(frozen=True, slots=True)
class Came:
    """One passage that came back."""

    name: str
    """Its address or id; where there is none, its first words."""
    texts: tuple[str, ...]
    """Its text, then its lead-ins."""
    covers: frozenset[str] = frozenset()
    """Addresses of the sections that it holds, identical ones too."""


def normal(text: str) -> str:
    """White space normalised."""
    return " ".join(text.split())


def one_line(text: str) -> str:
    """A text of any origin in one line and without control characters, to be shown."""
    return normal(_CONTROL.sub("", text))


def shortened(text: str) -> str:
    """A text's first words, to name it by."""
    whole = normal(text)
    return f"{whole[:_SHOWN]}..." if len(whole) > _SHOWN else whole or "(an empty text)"


def in_words(text: str) -> str:
    """A text as its words, with a space before and after each."""
    return f" {' '.join(_WORDS.findall(text))} "


def brings(anchor: Anchor, passage: Came) -> bool:
    """Whether the passage says the quote, and says it of the anchor's section."""
    if passage.covers & set(anchor.sections):
        return any(anchor.quote in normal(text) for text in passage.texts)
    said = [in_words(text) for text in passage.texts]
    return any(in_words(wording) in text for wording in anchor.wordings for text in said)


def first_rank(anchor: Anchor, passages: Sequence[Came]) -> int | None:
    """Rank, from 1, of the first passage that brings the quote; None where none does."""
    return next((rank for rank, one in enumerate(passages, 1) if brings(anchor, one)), None)


def wordings(quote: str, text: str, others: str, most: int = 12) -> tuple[str, ...]:
    """The quote with the fewest words around it that no other text says: to the left, to the right and to both sides.

    Args:
        quote: White space normalised; it stands in `text`.
        text: The own text of its section.
        others: The words of all other texts, as `in_words` gives them, one after the other.
        most: Words on each side at most; what is not unmistakable with so many is taken as it then is.
    """
    whole, found = normal(text), list[str]()
    spans = [match.span() for match in _WORDS.finditer(whole)]
    for place in re.finditer(re.escape(quote), whole):
        held = [i for i, (start, end) in enumerate(spans) if start < place.end() and end > place.start()]
        if not held:
            continue
        ways = ((1, 0), (0, 1), (1, 1))
        grown = [_grown(whole, spans, (held[0], held[-1]), way, others, most) for way in ways]
        widest = whole[spans[max(held[0] - most, 0)][0] : spans[min(held[-1] + most, len(spans) - 1)][1]]
        found += [one for one in grown if one] or [widest]
    return tuple(dict.fromkeys(found))


def _grown(
    whole: str, spans: list[tuple[int, int]], held: tuple[int, int], way: tuple[int, int], others: str, most: int
) -> str | None:
    for step in range(most + 1):
        first, last = held[0] - step * way[0], held[1] + step * way[1]
        if first < 0 or last >= len(spans):
            return None
        wording = whole[spans[first][0] : spans[last][1]]
        if in_words(wording) not in others:
            return wording
    return None
