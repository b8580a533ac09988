"""Lines to paragraphs and items, also where they run over columns and pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ingest.markdown.captions import starts_caption
from ingest.pdf.geometry import Word
from ingest.pdf.heads import Head
from ingest.pdf.joining import Strip
from ingest.pdf.lines import Flow, Line, Placed
from ingest.pdf.measures import BULLETS, DASHES, Measures, begins, ends_list, ends_sentence, is_short, mark_of

_DEEPER: Final = 0.6
"""Em by which a nested bullet is further right."""
_BELOW: Final = 3.0
"""Points by which left edges below each other differ."""
_LOOK_BACK: Final = 12
"""Parts before a column's end among which an unfinished paragraph is looked for, past captions and tables."""


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together; the first may start after a heading that runs into it."""

    lines: list[Line]
    skip: int = 0
    """Words of the first line that belong to the heading before."""
    bullet: bool = False
    depth: int = 0
    """ITEM: from 1."""

    @property
    def page(self) -> int:
        """On which it starts."""
        return self.lines[0].page

    @property
    def strips(self) -> list[Strip]:
        """Its words by line, without its bullet and the words of a heading."""
        first = self.lines[0]
        words: Sequence[Word] = first.words[self.skip :]
        if self.bullet:
            words = _without_bullet(words)
        return [Strip(words, first.page), *(Strip(line.words, line.page) for line in self.lines[1:])]


def _without_bullet(words: Sequence[Word]) -> list[Word]:
    first = words[0]
    if first.text in BULLETS or first.text in DASHES:
        return list(words[1:])
    rest = Word(first.text[1:], first.x0, first.top, first.x1, first.bottom, first.size, first.font, first.bold)
    return [rest, *words[1:]]


Part = Paragraph | Placed | Head


@dataclass(slots=True)
class _Builder:
    lines: Sequence[Line]
    """All lines of the text, to which heads refer."""
    measures: Measures
    parts: list[Part] = field(default_factory=list)
    open: Paragraph | None = None
    dashes: Counter[tuple[int, str, int]] = field(default_factory=Counter)
    """Dashes at the starts of lines by page, sign and left edge."""
    depths: list[float] = field(default_factory=list)
    """Indents of the bullets that are open, outermost first."""

    def close(self) -> None:
        # A paragraph that goes on after a caption or a table stands in its place already.
        if self.open and not any(part is self.open for part in self.parts[-_LOOK_BACK - 1 :]):
            self.parts.append(self.open)
        self.open = None

    def head(self, head: Head) -> None:
        self.close()
        self.depths = []
        self.parts.append(head)
        last = self.lines[head.last]
        if head.words < len(last.words):
            self.open = Paragraph([last], head.words)

    def table(self, table: Placed) -> None:
        self.close()
        self.parts.append(table)

    def line(self, line: Line) -> None:
        if self.open is not None and line.column == self.open.lines[-1].column:
            if not self._begins(self.open, line):
                self.open.lines.append(line)
                return
            further = self._is_first_of_text(line)
        else:
            further = True
        if further and (unfinished := self._unfinished(line)):
            self.open = unfinished
            self.open.lines.append(line)
            return
        self.close()
        self.open = self._started(line)

    def _is_first_of_text(self, line: Line) -> bool:
        """Whether a line in the middle of a sentence has only other type above it: a masthead, a figure."""
        self.close()
        if not line.text[:1].islower() or not self.measures.is_body(line):
            return False
        for part in reversed(self.parts[-_LOOK_BACK:]):
            if isinstance(part, Head):
                return False
            if isinstance(part, Paragraph):
                if part.lines[-1].column != line.column:
                    return True
                if any(_alike(one, line) for one in part.lines):
                    return False
        return False

    def _begins(self, paragraph: Paragraph, line: Line) -> bool:
        above = paragraph.lines[-1]
        if starts_caption(line.text, 0) and (ends_sentence(above.text) or is_short(above, line.words[0])):
            return True
        if starts_caption(paragraph.lines[0].text, 0) and _is_body_below(paragraph, line):
            return True
        last = self.parts[-1] if self.parts else None
        if isinstance(last, Paragraph) and ends_list(paragraph.lines, line, last.lines):
            return True
        return begins(paragraph.lines, line, self.measures)

    def _started(self, line: Line) -> Paragraph:
        mark, indent = mark_of(line), line.x0 - line.left
        if mark not in BULLETS and not (mark in DASHES and self._is_dashed(line)):
            # A further paragraph of an item stands below its words.
            if not (self.depths and indent > self.depths[-1] + _DEEPER * line.size and mark is None):
                self.depths = []
            return Paragraph([line], depth=len(self.depths))
        while self.depths and indent < self.depths[-1] - _DEEPER * line.size:
            self.depths.pop()
        if not self.depths or indent > self.depths[-1] + _DEEPER * line.size:
            self.depths.append(indent)
        return Paragraph([line], bullet=True, depth=len(self.depths))

    def _is_dashed(self, line: Line) -> bool:
        """Whether a dash or "o" at the start of a line is a bullet: more stand below each other."""
        near = range(line.page - 1, line.page + 2)
        at = round(line.x0 / _BELOW)
        return sum(self.dashes[page, line.words[0].text, x] for page in near for x in (at - 1, at, at + 1)) > 1

    def _unfinished(self, line: Line) -> Paragraph | None:
        """The paragraph that `line`, the first of a column, goes on with, past captions and tables."""
        self.close()
        if mark_of(line) or starts_caption(line.text, 0):
            return None
        for part in reversed(self.parts[-_LOOK_BACK:]):
            if isinstance(part, Head):
                return None
            if isinstance(part, Placed):
                continue
            last = part.lines[-1]
            if _alike(last, line) and not starts_caption(part.lines[0].text, 0):
                return part if _goes_on(last, line) else None
            if not self.measures.is_body(line):
                return None
        return None


def _is_body_below(paragraph: Paragraph, line: Line) -> bool:
    """Whether a line below a caption is set like text again."""
    last = paragraph.lines[-1]
    return last.font != line.font and is_short(last, line.words[0])


def _alike(above: Line, line: Line) -> bool:
    return abs(above.largest - line.largest) <= 0.06 * line.largest and above.bold == line.bold


def _goes_on(above: Line, line: Line) -> bool:
    """Whether a paragraph goes on in the next column: in the middle of a sentence, and not after a short line."""
    if line.text[:1].islower():
        return not above.text.endswith((".", "!", "?")) or not is_short(above, line.words[0])
    return not ends_sentence(above.text) and not is_short(above, line.words[0])


def parts_of(flow: Sequence[Flow], lines: Sequence[Line], heads: Sequence[Head], measures: Measures) -> list[Part]:
    """Paragraphs, tables and headings in order. `flow` has the `lines` to which `heads` refer, and tables."""
    starts = {head.first: head for head in heads}
    dashes = Counter((one.page, one.words[0].text, round(one.x0 / _BELOW)) for one in lines if mark_of(one) in DASHES)
    builder = _Builder(lines, measures, dashes=dashes)
    skipped = -1
    for at, one in _numbered(flow):
        if at is None:
            assert isinstance(one, Placed)
            builder.table(one)
            continue
        assert isinstance(one, Line)
        if head := starts.get(at):
            builder.head(head)
            skipped = head.last
        elif at > skipped:
            builder.line(one)
    builder.close()
    return builder.parts


def _numbered(flow: Sequence[Flow]) -> Iterator[tuple[int | None, Flow]]:
    at = 0
    for one in flow:
        if isinstance(one, Line):
            yield at, one
            at += 1
        else:
            yield None, one
