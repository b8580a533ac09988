"""Lines of words to inline Markdown: hyphens at line ends mended, bold and links kept, footnote marks set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from ingest.markdown.escape import Run, inline
from ingest.pdf.annotations import Link
from ingest.pdf.geometry import Word
from ingest.pdf.lines import gap
from ingest.pdf.references import closed
from ingest.pdf.vocabulary import END_HYPHEN, START, Vocabulary

_DASHES: Final = ("-", "‐", "–", "\u00ad", "/", "@")
"""Ends of a line after which no space belongs."""
_BRACKETED: Final = re.compile(r"\[(\d{1,3}|[*†‡])\]")
_SCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SCRIPT_END: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+$")
_LETTERS: Final = re.compile(r"(?:st|nd|rd|th|tm|sm|®|©|e|er|o|a)$", re.IGNORECASE)

Labels = Callable[[int, str], str | None]
"""(page, mark as shown) -> label of the footnote that it marks."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Words of one line and its page."""

    words: Sequence[Word]
    page: int


@dataclass(frozen=True, slots=True)
class Joiner:
    """Makes text of strips."""

    vocabulary: Vocabulary
    links: Mapping[int, Sequence[Link]] = field(default_factory=dict)
    labels: Labels = lambda page, mark: None
    spaced: bool = False
    """The file types its numbers "4. 2"."""

    def text(self, strips: Sequence[Strip], *, bold: bool = True) -> str:
        """Strips as one line of inline Markdown; `bold=False`: their boldness says nothing, as in a heading."""
        return inline(self._runs(strips, bold=bold)).strip()

    def _runs(self, strips: Sequence[Strip], *, bold: bool) -> Iterator[Run]:
        for place, strip in enumerate(strips):
            words = closed(strip.words) if self.spaced else list(strip.words)
            if not words:
                continue
            end = " "
            if following := next((one.words for one in strips[place + 1 :] if one.words), None):
                words[-1], end = self._mended(words[-1], following[0])
            gaps = [gap(left, right) for left, right in pairwise(words)] + [end]
            for word, space in zip(words, gaps, strict=True):
                yield from self._word(word, space, strip.page, word.bold and bold)

    def _mended(self, word: Word, following: Word) -> tuple[Word, str]:
        """A line's last word and what stands between it and the next line's first."""
        text = word.text
        if not text.endswith(_DASHES) or text in _DASHES or following.raised:
            return word, " "
        cut, start = END_HYPHEN.search(text), START.match(following.text)
        is_address = "/" in text or "@" in text or "://" in following.text
        if cut and start and start[0][0].islower() and not is_address and self.vocabulary.joins(cut[1], start[0]):
            return _with_text(word, text[:-1]), ""
        return (_with_text(word, f"{text[:-1]}-") if text[-1] == "\u00ad" else word), ""

    def _word(self, word: Word, space: str, page: int, bold: bool) -> Iterator[Run]:
        href = self._href(word, page)
        text = word.text.replace("\u00ad", "")
        if word.raised:
            label = self.labels(page, text.strip("[]()"))
            yield from (
                (Run("", note=label), Run(space, bold, href)) if label else (Run(_as_power(text) + space, bold, href),)
            )
            return
        at = 0
        for start, end, shown in _marks(text):
            if label := self.labels(page, shown):
                yield Run(text[at:start], bold, href)
                yield Run("", note=label)
                at = end
        stop = text[-1:] if href and text[-1:] in ".,;:" and not href.endswith(text[-1:]) else ""
        yield Run(text[at : len(text) - len(stop)] + ("" if stop else space), bold, href)
        if stop:
            yield Run(stop + space, bold)

    def _href(self, word: Word, page: int) -> str | None:
        x, y = word.middle
        for link in self.links.get(page, ()):
            x0, top, x1, bottom = link.box
            if x0 <= x <= x1 and top <= y <= bottom:
                return link.href
        return None


def _with_text(word: Word, text: str) -> Word:
    return Word(text, word.x0, word.top, word.x1, word.bottom, word.size, word.font, word.bold, word.raised)


def _as_power(text: str) -> str:
    """A superscript that marks nothing: "m^2", but "1st"."""
    return text if _LETTERS.fullmatch(text) or not text[:1].isalnum() else f"^{text}"


def _marks(text: str) -> Iterator[tuple[int, int, str]]:
    """Places in a word that may mark a footnote: "[1]", or a character that is a superscript by itself."""
    for match in _BRACKETED.finditer(text):
        yield match.start(), match.end(), match[1]
    if ending := _SCRIPT_END.search(text):
        yield ending.start(), ending.end(), ending[0].translate(_SCRIPTS)
