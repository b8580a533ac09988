"""The stream of lines and tables as blocks, and what is said about words that are not in it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ingest.blocks import Block, Dropped, Remark
from ingest.elements import Kind
from ingest.markdown.plain import plain
from ingest.pdf.continuation import joined, repeated_rows
from ingest.pdf.flow import Stream, words_of_flow
from ingest.pdf.geometry import Cell, Word
from ingest.pdf.headings import find_heads
from ingest.pdf.heads import Head, Named
from ingest.pdf.joining import Joiner, Strip
from ingest.pdf.levels import levels_of
from ingest.pdf.lines import Flow, Line, Placed, text_of
from ingest.pdf.margins import is_page_number
from ingest.pdf.measures import Measures, mark_of
from ingest.pdf.notes import find_notes
from ingest.pdf.numbered import is_spaced
from ingest.pdf.pages import ReadPage
from ingest.pdf.paragraphs import Paragraph, Part, parts_of
from ingest.pdf.vocabulary import Vocabulary

_DIGITS: Final = re.compile(r"\d+")
_QUOTED: Final = 80
"""Characters of hidden text that a remark quotes."""
_ON_LINE: Final = 0.4
"""Of the em: words of a cell whose lower edges differ by less stand on one line."""


@dataclass(frozen=True, slots=True)
class Composed:
    """Blocks in reading order, and what was left out or noticed while making them."""

    blocks: tuple[Block, ...]
    dropped: tuple[Dropped, ...]
    remarks: tuple[Remark, ...]


def compose(stream: Stream, pages: Sequence[ReadPage], named: Sequence[Named]) -> Composed:
    """Turn the stream of a file to blocks; `named` are the headings that its bookmarks list."""
    measures = Measures.of([one for one in stream.flow if isinstance(one, Line)])
    notes = find_notes(stream.flow, measures)
    # Only now: between a table and its rest on the next page stand the footnotes of the first.
    flow, repeated = _with_joined_tables([one for at, one in enumerate(stream.flow) if at not in notes.lines])
    lines = [one for one in flow if isinstance(one, Line)]
    heads = find_heads(lines, named, measures, stream.listed)
    links = {page.number: page.links for page in pages if page.links}
    vocabulary = Vocabulary.of(words_of_flow(flow))
    levels = dict(zip((head.first for head in heads), levels_of(heads), strict=True))
    parts = parts_of(flow, lines, heads, measures)
    titles = _looks_of_titles(parts, measures)
    maker = _Maker(Joiner(vocabulary, links, notes.label, is_spaced(lines)), lines, measures, titles)
    blocks = [maker.block(part, levels) for part in parts]
    blocks += [
        Block(
            Kind.FOOTNOTE,
            maker.joiner.text([Strip(words, page) for page, words in note.strips]),
            note.page,
            label=note.label,
        )
        for note in notes.found
    ]
    turned, dropped = _turned(stream.turned, maker.joiner)
    hidden, remarks = _hidden(pages)
    return Composed(
        tuple(inserted(blocks, turned)),
        (*stream.dropped, *repeated, *dropped, *hidden, *_list_marks(parts)),
        tuple(remarks),
    )


_Look = tuple[str, float, bool]
"""Font and size of bold lines, and whether an ordinal in brackets opens them."""


def _looks_of_titles(parts: Sequence[Part], measures: Measures) -> frozenset[_Look]:
    """How bold paragraphs with an ordinal look that are not smaller than the text of their page.

    A page of small print shows what the others, smaller than their text, are: "(a) Purpose" is as "(i) Records" is.
    """
    firsts = [part.lines[0] for part in parts if isinstance(part, Paragraph)]
    looks = (_look_of_title(line) for line in firsts if line.bold and not measures.is_smaller(line))
    return frozenset(look for look in looks if look is not None)


def _look_of_title(line: Line) -> _Look | None:
    mark = mark_of(line)
    if mark is None or not mark.strip("().").isalnum():
        return None
    return line.font, round(2 * line.size) / 2, mark[0] == "("


@dataclass(frozen=True, slots=True)
class _Maker:
    joiner: Joiner
    lines: Sequence[Line]
    measures: Measures
    titles: frozenset[_Look]

    def block(self, part: Part, levels: dict[int, int]) -> Block:
        if isinstance(part, Head):
            return self._heading(part, levels[part.first])
        if isinstance(part, Placed):
            return self._table(part)
        kind = Kind.ITEM if part.bullet else Kind.PARAGRAPH
        return Block(kind, self.joiner.text(part.strips, bold=not self._is_label(part)), part.page, part.depth)

    def _is_label(self, paragraph: Paragraph) -> bool:
        """Whether bold words are a label in a figure, or a word between two names, and would be taken for a heading."""
        first = paragraph.lines[0]
        small = self.measures.is_smaller(first) and _look_of_title(first) not in self.titles
        return first.bold and (small or first.text[:1].islower())

    def _heading(self, head: Head, level: int) -> Block:
        strips = [Strip(self.lines[at].words, self.lines[at].page) for at in range(head.first, head.last)]
        last = self.lines[head.last]
        strips.append(Strip(last.words[: head.words], last.page))
        number = head.number
        if number:
            strips[0] = Strip(strips[0].words[number.words :], strips[0].page)
        title = self.joiner.text(strips, bold=False)
        # A title that runs into its text ends with a stop that says nothing in an outline.
        text = f"{number.shown} {title}".rstrip(" .:") if number else title
        return Block(Kind.HEADING, text, self.lines[head.first].page, level)

    def _table(self, placed: Placed) -> Block:
        table = placed.table
        rows = tuple(
            tuple(self._cell(cell, placed.page, at < table.header_rows) for cell in row)
            for at, row in enumerate(table.rows)
        )
        # Equal words at equal places: the cell of the row above, which spans this row too.
        made = tuple(
            plain(rows[at][column])
            for at in range(1, len(rows))
            for column, cell in enumerate(table.rows[at])
            if cell and cell == table.rows[at - 1][column]
        )
        return Block(Kind.TABLE, page=placed.page, cells=rows, header_rows=table.header_rows, made=made)

    def _cell(self, cell: Cell, page: int, header: bool) -> str:
        return self.joiner.text([Strip(words, page) for words in _lines_of(cell)], bold=not header)


def _lines_of(cell: Cell) -> list[list[Word]]:
    lines: list[list[Word]] = []
    for word in cell:
        if lines and (word.raised or abs(lines[-1][-1].bottom - word.bottom) < _ON_LINE * word.size):
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def inserted(blocks: Sequence[Block], further: Sequence[Block]) -> Iterator[Block]:
    """`blocks` with `further` ones, each at the end of its page."""
    waiting: dict[int, list[Block]] = defaultdict(list)
    for block in further:
        waiting[block.page or 0].append(block)
    for block in blocks:
        # A footnote stands behind all pages.
        if block.kind is not Kind.FOOTNOTE:
            for page in sorted(page for page in waiting if page < (block.page or 0)):
                yield from waiting.pop(page)
        elif waiting:
            yield from (one for page in sorted(waiting) for one in waiting.pop(page))
        yield block
    yield from (one for page in sorted(waiting) for one in waiting[page])


def _with_joined_tables(flow: Sequence[Flow]) -> tuple[list[Flow], list[Dropped]]:
    """The flow, where a table that goes on at the top of the next column or page is one; headers that it repeats."""
    found: list[Flow] = []
    repeated: list[Dropped] = []
    for one in flow:
        above = found[-1] if found else None
        if isinstance(one, Placed) and isinstance(above, Placed) and one.column != above.column:
            aside = above.left - one.left
            whole = joined(above.table, one.table, aside)
            if whole:
                found[-1] = Placed(whole, above.page, one.column, above.left)
                again = repeated_rows(above.table, one.table, aside)
                repeated += [Dropped("duplicate", f"page {one.page}", _row_text(row)) for row in again]
                continue
        found.append(one)
    return found, repeated


def _row_text(row: Sequence[Cell]) -> str:
    return " ".join(text_of(cell) for cell in row if cell)


def _list_marks(parts: Sequence[Part]) -> Iterator[Dropped]:
    """Bullets that are letters: an item has no mark for them."""
    for part in parts:
        if isinstance(part, Paragraph) and part.bullet and (mark := part.lines[0].words[part.skip].text).isalnum():
            yield Dropped("list mark", f"page {part.page}", mark)


# Words that are not in the stream


def _turned(lines: Sequence[Line], joiner: Joiner) -> tuple[list[Block], list[Dropped]]:
    """Lines that do not run level: page numbers and what comes back on many pages is dropped, the rest is text."""
    counts = Counter(_DIGITS.sub("#", line.text) for line in lines)
    blocks: list[Block] = []
    dropped: list[Dropped] = []
    for line in lines:
        if is_page_number(line.text):
            dropped.append(Dropped("page number", f"page {line.page}", line.text))
        elif counts[_DIGITS.sub("#", line.text)] > 2:
            dropped.append(Dropped("running head", f"page {line.page}", line.text))
        else:
            blocks.append(Block(Kind.PARAGRAPH, joiner.text([Strip(line.words, line.page)]), line.page))
    return blocks, dropped


def _hidden(pages: Sequence[ReadPage]) -> tuple[list[Dropped], list[Remark]]:
    """Words that cannot be seen; one remark for those that differ from page to page in numbers only."""
    dropped: list[Dropped] = []
    alike: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for page in pages:
        for one in page.shown.hidden:
            dropped.append(Dropped("hidden text", page.place, one.text))
            alike[one.why, _DIGITS.sub("", one.text)[:_QUOTED]].append((page.place, one.text))
    remarks = []
    for (why, _), places in alike.items():
        place, text = places[0]
        more = f" (and the like on {len(places) - 1} more)" if len(places) > 1 else ""
        quoted = text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."
        remarks.append(Remark("hidden-text", place, f'left out what nobody sees ({why}): "{quoted}"{more}'))
    return dropped, remarks
