"""What is usual in a file: the size of its text, its leading, the edges of its columns; and where a paragraph ends."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from ingest.pdf.geometry import Word
from ingest.pdf.lines import Line

BULLETS: Final = frozenset("•◦▪▫■□●○‣⁃∙·➢➤➔✓✔❖✦♦◆◊►")
DASHES: Final = frozenset(("-", "–", "—", "*", "o", "§", "\u00b7", "»", "+", "−"))
"""Bullets only where a gap and a neighbour of the same kind show it."""
_MARK: Final = re.compile(
    r"\((?:[A-Za-z]|[ivxlIVXL]{1,5}|\d{1,3})\)|(?:[A-Za-z]|[ivxl]{1,5}|\d{1,3})\)|(?:[A-Za-z]|[ivx]{1,5}|\d{1,3})\."
)
_DOTTED: Final = re.compile(r"§?\d{1,3}(?:\.\d{1,3})+\.?")
_END: Final = re.compile(r"[.:;!?…][\"'”’)\]]*$")
_LIST_END: Final = re.compile(r"(?:[,:;.]|\b(?:and|or))[\"'”’)\]]*$")
_LARGER: Final = 1.08
_SMALLER: Final = 0.93
"""Times the usual size."""
_PAGE_LINES: Final = 8
"""Lines of a page that show how it is set."""
_MOSTLY: Final = 0.7
_WIDE: Final = 1.8
"""Em between baselines that few files have."""
_FEW: Final = 4
_LOOSE: Final = 1.2
"""Times the leading: a wider gap ends a paragraph."""
_SPACE: Final = 0.45
"""Of the em: a space, and a little for rounding."""
_CERTAIN: Final = 2.0
"""Em that are left where a line ends without a stop."""
_INDENT: Final = 0.8
_SHARED_EDGE: Final = 1.0
_SEEN: Final = 60
"""Lines of a paragraph that are looked back at."""
_SIZES: Final = 0.12
"""Of the em: lines of one paragraph differ by less."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The usual text of a file."""

    size: float
    leading: float
    """Between baselines, in em."""
    pages: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Size and leading of pages that are set otherwise."""

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Measures:
        """What most letters are set in, and the commonest distance below lines that fill their column."""
        size = _size(lines) or 10.0
        leading = _leading(lines, size) or 1.25
        pages: dict[int, list[Line]] = defaultdict(list)
        for line in lines:
            pages[line.page].append(line)
        found = {page: _usual(own, size, leading) for page, own in pages.items() if len(own) >= _PAGE_LINES}
        return cls(size, leading, {page: one for page, one in found.items() if one != (size, leading)})

    def size_on(self, page: int) -> float:
        """The usual size on a page."""
        return self.pages.get(page, (self.size, self.leading))[0]

    def leading_on(self, page: int) -> float:
        """The usual leading on a page."""
        return self.pages.get(page, (self.size, self.leading))[1]

    def is_larger(self, line: Line) -> bool:
        """Whether a line is larger than the text, by half a point at least."""
        usual = self.size_on(line.page)
        return line.size > max(_LARGER * usual, usual + 0.45)

    def is_smaller(self, line: Line) -> bool:
        """Whether a line is set in the type of footnotes."""
        return line.size < _SMALLER * self.size_on(line.page)

    def is_body(self, line: Line) -> bool:
        """Whether a line is of the usual size and not all bold."""
        usual = self.size_on(line.page)
        return abs(line.size - usual) <= _SIZES * usual and not line.bold


def _usual(lines: Sequence[Line], size: float, leading: float) -> tuple[float, float]:
    """A page's own size and leading, where most of it is set so; else the file's."""
    own = _size(lines) or size
    share = sum(len(line.text) for line in lines if abs(line.size - own) < 0.3) / sum(len(line.text) for line in lines)
    own = own if share > _MOSTLY else size
    return own, _leading(lines, own, _PAGE_LINES) or leading


def _size(lines: Sequence[Line]) -> float | None:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(2 * line.size) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else None


def _leading(lines: Sequence[Line], size: float, least: int = 1) -> float | None:
    found: Counter[float] = Counter()
    for above, line in pairwise(lines):
        if above.column != line.column or abs(above.size - size) > 0.6 or abs(line.size - size) > 0.6:
            continue
        step = (line.bottom - above.bottom) / size
        if 0.8 < step < 4 and above.x1 - above.left > 0.8 * (above.right - above.left):
            found[round(20 * step) / 20] += 1
    step, count = found.most_common(1)[0] if found else (0.0, 0)
    # A few steps that are so wide may be those between paragraphs.
    return step if count >= (least if step < _WIDE else max(least, _FEW)) else None


def mark_of(line: Line) -> str | None:
    """The ordinal or bullet with which a line starts, if words follow it."""
    first = line.words[0].text
    if len(line.words) < 2:
        return first[0] if first[0] in BULLETS and len(first) > 1 else None
    if _MARK.fullmatch(first) or _DOTTED.fullmatch(first) or first in BULLETS or first in DASHES:
        return first
    return first[0] if first[0] in BULLETS else None


def ends_sentence(text: str) -> bool:
    """Whether a line ends as paragraphs do."""
    return bool(_END.search(text))


def is_short(line: Line, following: Word, edge: float | None = None, spare: float = _SPACE) -> bool:
    """Whether the next line's first word would have fitted on a line, with `spare` em: its author ended it."""
    slack = (line.right if edge is None else edge) - line.x1
    return slack > following.x1 - following.x0 + spare * line.size


def begins(paragraph: Sequence[Line], line: Line, measures: Measures) -> bool:
    """Whether `line`, which comes next in the same column, begins a paragraph of its own."""
    above = paragraph[-1]
    whole = paragraph
    # Edges of another column say nothing about this one.
    paragraph = [one for one in paragraph[-_SEEN:] if one.column == above.column]
    size = max(above.size, line.size)
    step = line.bottom - above.bottom
    if step <= 0.3 * size or step > (_LOOSE * measures.leading_on(line.page) + 0.05) * size:
        return True
    if min(abs(above.size - line.size), abs(above.largest - line.largest)) > _SIZES * size:
        return True
    short = is_short(above, line.words[0], _edge(paragraph))
    if above.bold != line.bold and (short or ends_sentence(above.text)):
        return True
    if _starts_item(whole, line, short):
        return True
    if short and ends_sentence(above.text):
        return True
    # Names and German nouns start with a capital in the middle of a sentence, too.
    if is_short(above, line.words[0], _edge(paragraph), _CERTAIN) and not line.text[:1].islower():
        return True
    if len(paragraph) < len(whole) and len(paragraph) == 1:
        return line.x0 > above.x0 + _INDENT * size and ends_sentence(above.text)
    return not _is_centred(above, line) and _changes_indent(paragraph, line, short)


def _edge(paragraph: Sequence[Line]) -> float | None:
    """The right edge that a paragraph of three lines or more keeps, narrower than its column; None: the column's."""
    if len(paragraph) < 3:
        return None
    ends = sorted(line.x1 for line in paragraph)
    return ends[-1] if ends[-1] - ends[len(ends) // 2] < _SHARED_EDGE * paragraph[0].size else None


def _starts_item(paragraph: Sequence[Line], line: Line, short: bool) -> bool:
    mark = mark_of(line)
    if mark is None:
        return False
    first, above = paragraph[0], paragraph[-1]
    indent = first.x0 - first.left, line.x0 - line.left
    sibling = _shape(mark_of(first)) == _shape(mark) and abs(indent[0] - indent[1]) < 0.6 * line.size
    if mark in BULLETS or sibling:
        return True
    if mark in DASHES:
        return short or ends_sentence(above.text)
    return short or bool(_LIST_END.search(above.text))


def _shape(mark: str | None) -> str | None:
    """What marks of one list share: "(a)" of "(iv)", "1." of "12."."""
    return re.sub(r"[A-Za-z]+", "a", re.sub(r"\d+", "1", mark)) if mark else None


def ends_list(paragraph: Sequence[Line], line: Line, sibling: Sequence[Line]) -> bool:
    """Whether an item without a hanging indent is the last of its list, and `line` the text after it.

    The items before it end in ";" or "and", it ends in a full stop.
    """
    above, first, before = paragraph[-1], paragraph[0], sibling[0]
    one_list = _shape(mark_of(first)) == _shape(mark_of(before)) is not None and abs(first.x0 - before.x0) < first.size
    if not one_list or abs(line.x0 - first.x0) > 0.5 * line.size or not line.text[:1].isupper():
        return False
    return above.text.endswith(".") and bool(re.search(r"(?:[,;]|\b(?:and|or))$", sibling[-1].text))


def _is_centred(above: Line, line: Line) -> bool:
    """Whether two lines share their middle and not their left edge."""
    middles = abs(above.x0 + above.x1 - line.x0 - line.x1) / 2
    return middles < 0.6 * line.size and abs(above.x0 - line.x0) > _INDENT * line.size


def _changes_indent(paragraph: Sequence[Line], line: Line, short: bool) -> bool:
    first, above = paragraph[0], paragraph[-1]
    size = line.size
    if len(paragraph) > 1:
        return abs(line.x0 - paragraph[1].x0) > _INDENT * size and not _hangs(first, line, size)
    if line.x0 < first.x0 - _INDENT * size:
        # Its first line is indented; unless it is short, the text goes on at the margin.
        return short
    if line.x0 > first.x0 + _INDENT * size:
        return not _hangs(first, line, size) and ends_sentence(above.text)
    return False


def _hangs(first: Line, line: Line, size: float) -> bool:
    """Whether a line stands below the words after its paragraph's mark."""
    after = first.words[1].x0 if mark_of(first) and len(first.words) > 1 else None
    return after is not None and abs(line.x0 - after) < 1.5 * size
