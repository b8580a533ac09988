"""Whether a page's text layer says what the page shows.

A font may hide which characters its glyphs are, or name wrong ones ("7KH PDWWHU" for "The matter"). No dictionary
is asked: glyphs without a character are counted, and the share of vowels in words tells letters from a cipher, in
any language that is written in Latin letters with vowels.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Final

from ingest.pdf.pieces import is_unknown
from ingest.pdf.words import PageWords

NOTED: Final = 0.02
"""Share of glyphs without a character that is worth a remark: a bullet's font alone stays below."""
HOPELESS: Final = 0.3
"""Share from which on the rest of a page cannot be understood either."""
_LEAST_LETTERS: Final = 120
"""Letters of words below which shares say nothing."""
_LONG: Final = 4
"""Letters of a word that should have a vowel; shorter ones are often codes and abbreviations."""
_VOWELS: Final = frozenset("aeiouyæœøäöüå")
# Between 0.36 and 0.48 in European languages; texts shifted by a few codes have 0.1 to 0.25.
_FEWEST_VOWELS: Final = 0.26
_MOST_VOWELS: Final = 0.65
_SAME: Final = 0.6
"""Share of one letter or digit among all."""


@dataclass(frozen=True, slots=True)
class Health:
    """How much of a page's text is no text."""

    letters: int
    """Letters and digits."""
    unknown: float
    """Share of its glyphs of which nobody knows the character."""
    cipher: str | None = None
    """What is odd about its letters, in words."""

    @property
    def hopeless(self) -> bool:
        """Whether the page's text layer is no text at all."""
        return self.unknown >= HOPELESS or self.cipher is not None

    @property
    def said(self) -> str:
        """What was found, for a message."""
        return self.cipher or f"{self.unknown:.0%} of its characters are not known"


def health_of(shown: PageWords) -> Health:
    """The statistics of a page's words."""
    words = [word.text for row in shown.rows for word in row]
    letters = sum(char.isalnum() and not is_unknown(char) for word in words for char in word)
    unknown = shown.unknown / shown.glyphs if shown.glyphs else 0.0
    return Health(letters, unknown, _cipher(words))


def _cipher(words: list[str]) -> str | None:
    long = [_plain(word) for word in words]
    latin = [word for word in long if len(word) >= _LONG and word.isascii() and word.isalpha()]
    size = sum(map(len, latin))
    counts = Counter(char for word in long for char in word if char.isalnum())
    total = sum(counts.values())
    if total >= _LEAST_LETTERS and counts.most_common(1)[0][1] > _SAME * total:
        char, count = counts.most_common(1)[0]
        return f'{count / total:.0%} of its letters are "{char}"'
    if size < _LEAST_LETTERS:
        return None
    vowels = sum(char in _VOWELS for word in latin for char in word) / size
    if _FEWEST_VOWELS <= vowels <= _MOST_VOWELS:
        return None
    return f"{vowels:.0%} of the letters of its words are vowels"


def _plain(word: str) -> str:
    """Lower case, without accents and punctuation."""
    if word.isascii():
        return word.strip(".,;:()[]'\"").lower()
    spread = unicodedata.normalize("NFD", word.lower())
    return "".join(char for char in spread if char.isalnum())
