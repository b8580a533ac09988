"""What a heading is: its lines, its words, its number, and how it looks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ingest.pdf.clauses import Number, number_at
from ingest.pdf.lines import Line
from ingest.pdf.measures import Measures, is_short, mark_of

LONGEST: Final = 220
"""Letters of a heading."""
MOST_LINES: Final = 4
_ALNUM: Final = re.compile(r"[^\W_]+")
WORD_NUMBER: Final = re.compile(
    r"(?P<word>section|article|chapter|part|appendix|annexure|annex|schedule|exhibit|attachment|addendum|title|division)\s+"
    r"(?P<number>\d{1,3}|[IVXLC]{1,7}|[A-Z])(?P<rest>\s*(?:$|[.:–—-]\s*.*|\s+[A-Z“\"(].*))",
    re.IGNORECASE,
)
""" "Article IV", "Annex A: Rates"."""
TITLE_END: Final = re.compile(r"[.:;–—-]$")


@dataclass(frozen=True, slots=True)
class Style:
    """How a heading looks, in the order of rank."""

    size: float
    caps: bool
    bold: bool
    italic: bool

    @property
    def rank(self) -> tuple[float, bool, bool, bool]:
        """Higher for what looks higher."""
        return self.size, self.caps, self.bold, not self.italic


def style_of(line: Line) -> Style:
    """Sizes are rounded to half points, since fonts are scaled."""
    return Style(round(2 * line.size) / 2, line.caps, line.bold, line.italic)


@dataclass(frozen=True, slots=True)
class Head:
    """A heading found among lines."""

    first: int
    """Its first line."""
    lines: int
    words: int
    """Words of its last line that belong to it; the rest is the section's text."""
    number: Number | None = None
    level: int | None = None
    """The bookmark's; None where there is none."""
    style: Style | None = None
    word: str | None = None
    """ "article" of "Article IV", in lower case."""

    @property
    def last(self) -> int:
        """Its last line."""
        return self.first + self.lines - 1


@dataclass(frozen=True, slots=True)
class Named:
    """A title that the file itself lists, with its level and page."""

    title: str
    level: int
    page: int
    top: float | None = None


def letters(text: str) -> str:
    """A text as it is compared: letters and digits, lower case."""
    return "".join(_ALNUM.findall(text)).lower()


def head_of(
    lines: Sequence[Line], span: tuple[int, int], words: int, number: Number | None = None, level: int | None = None
) -> Head:
    """A heading from one line to another, of which it takes `words`."""
    first, last = span
    every = [word for at in range(first, last) for word in lines[at].words] + list(lines[last].words[:words])
    style = style_of(lines[first])
    match = WORD_NUMBER.fullmatch(" ".join(word.text for word in every))
    return Head(first, last - first + 1, words, number, level, style, match["word"].lower() if match else None)


def last_of_title(lines: Sequence[Line], at: int, measures: Measures) -> int:
    """The last line of a title that starts in a line: lines go on in its style, close to each other."""
    last = at
    while last + 1 < len(lines) and last - at + 1 < MOST_LINES and _goes_on(lines[last], lines[last + 1], measures):
        last += 1
    return last


def _goes_on(above: Line, line: Line, measures: Measures) -> bool:
    if above.column != line.column or style_of(above) != style_of(line) or mark_of(line) or number_at(line.words):
        return False
    if measures.is_body(line) or WORD_NUMBER.fullmatch(line.text):
        return False
    step = (line.bottom - above.bottom) / line.size
    return 0.5 < step <= 1.7 and (not TITLE_END.search(above.text) or not is_short(above, line.words[0]))
