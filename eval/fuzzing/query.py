"""A query as words with their places, so that a rewrite changes what it means to and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from eval.fuzzing.phrases import worded
from eval.fuzzing.vocabulary import Vocabulary

_WORD: Final = re.compile(r"[$€£¥]?\d(?:[\d,.:]*\d)?\w*%?|[^\W\d_]+(?:['’&_-]?\w+)*")
_BEFORE: Final = re.compile(r"\s+([,.;:!?)])")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a query."""

    text: str
    start: int
    end: int
    stem: str
    """Empty of a stop word or a figure."""

    @property
    def is_figure(self) -> bool:
        """Whether it is written in digits."""
        return any(char.isdigit() for char in self.text)


@dataclass(frozen=True, slots=True)
class Query:
    """A text and its words in order."""

    text: str
    words: tuple[Word, ...]

    @classmethod
    def of(cls, text: str) -> Query:
        """Its words, white space normalised."""
        text = " ".join(text.split())
        return cls(text, tuple(_word(match) for match in _WORD.finditer(text)))

    def spots(self, wanted: Callable[[Word], bool]) -> list[int]:
        """Places of the words that are wanted."""
        return [place for place, word in enumerate(self.words) if wanted(word)]

    def content(self, vocabulary: Vocabulary, fewest: int) -> list[Word]:
        """The handbook's subjects among the words, each stem once, in order; all of its words where those are few."""
        known: dict[str, Word] = {}
        for word in self.words:
            if word.stem and vocabulary.knows(word.stem):
                known.setdefault(word.stem, word)
        subjects = [word for stem, word in known.items() if stem in vocabulary.subjects]
        return subjects if len(subjects) >= fewest else list(known.values())

    def without(self, places: Iterable[int]) -> str:
        """The text without some of its words."""
        return self.replaced(dict.fromkeys(places, ""))

    def replaced(self, texts: dict[int, str]) -> str:
        """The text with other words at some places, white space put right."""
        return _BEFORE.sub(r"\1", " ".join("".join(self._pieces(texts)).split()))

    def _pieces(self, texts: dict[int, str]) -> Iterator[str]:
        at = 0
        for place, word in enumerate(self.words):
            if place in texts:
                yield self.text[at : word.start] + texts[place]
                at = word.end
        yield self.text[at:]


def _word(match: re.Match[str]) -> Word:
    stems = worded(match[0])
    return Word(match[0], match.start(), match.end(), stems[0] if stems else "")
