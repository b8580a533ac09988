"""Blocks of any format as Markdown text with its elements, the same that the Markdown reader finds in such a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.blocks import Block
from ingest.elements import Element, Kind
from ingest.markdown.captions import is_caption, with_captions_below
from ingest.markdown.definitions import defines
from ingest.markdown.ordinals import Ladder, Marks, joined
from ingest.markdown.plain import has_words
from ingest.markdown.source import Source, trimmed
from ingest.outline import outline

DEEPEST_HEADING: Final = 6
"""Number signs that Markdown knows; deeper headings keep their level in the element."""
_INDENT: Final = "   "
_NOTE_MARK: Final = re.compile(r"\[\^([^\]\s^]{1,80})\](?!:)")
_DOTTED: Final = re.compile(r"§?\d{1,4}(?:\.\d{1,4})+(?:\([0-9A-Za-z]{1,4}\))*\.?")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_FENCE: Final = re.compile(r"`{3,}")


def write(blocks: Sequence[Block]) -> tuple[str, list[Element]]:
    """The text of `blocks` and its elements, in order and disjoint; blocks without words leave no trace.

    A footnote goes below the table, or to the end of the section, that marks it first. A paragraph that starts
    with an ordinal in sequence becomes an item, one that names the table beside it the table's caption.
    """
    said = [block for block in blocks if _says_something(block)]
    notes = {block.label: block for block in said if block.kind is Kind.FOOTNOTE}
    if notes:
        said = [block for block in said if block.kind is not Kind.FOOTNOTE]
        said = _with_notes_placed(said, notes, _heading_places(said))
    text, spans = _composed(said)
    return text, _elements(text, spans)


def _elements(text: str, spans: Sequence[_Span]) -> list[Element]:
    writer = _Writer(text, Marks(text), Source(text))
    for span in spans:
        writer.add(span)
    return list(with_captions_below(text, writer.found))


def _heading_places(blocks: list[Block]) -> set[int]:
    """Which of the blocks head a section: a bold line may as well."""
    text, spans = _composed(blocks)
    heads = {head.element.start for head in outline(text, _elements(text, spans))[1]}
    return {place for place, span in enumerate(spans) if span.start in heads}


def _says_something(block: Block) -> bool:
    words = "".join((block.text, block.caption, block.mark or "", *(cell for row in block.cells for cell in row)))
    return has_words(words) or (block.kind is Kind.CODE and bool(words.strip()))


def _with_notes_placed(blocks: list[Block], notes: dict[str, Block], heads: set[int]) -> list[Block]:
    placed: list[Block] = []
    waiting: list[Block] = []
    for place, block in enumerate(blocks):
        if place in heads:
            placed, waiting = [*placed, *waiting], []
        placed.append(block)
        if block.kind is Kind.TABLE:
            placed += _marked_in(block, notes)
        else:
            waiting += _marked_in(block, notes)
    # What nobody marks is kept at the end.
    return [*placed, *waiting, *notes.values()]


def _marked_in(block: Block, notes: dict[str, Block]) -> list[Block]:
    """The footnotes that a block marks, and those that they mark, taken out of `notes`."""
    found: list[Block] = []
    texts = [" ".join((block.text, block.caption, *(cell for row in block.cells for cell in row)))]
    while texts:
        for label in _NOTE_MARK.findall(texts.pop(0)):
            if note := notes.pop(label, None):
                found.append(note)
                texts.append(note.text)
    return found


# Text


@dataclass(frozen=True, slots=True)
class _Span:
    """A block and where it stands: all of it, and a table's rows."""

    block: Block
    start: int
    end: int
    rows: tuple[tuple[int, int], ...] = ()


def _composed(blocks: list[Block]) -> tuple[str, list[_Span]]:
    parts: list[str] = []
    spans: list[_Span] = []
    length = 0
    for place, block in enumerate(blocks):
        indent = _INDENT * max(0, block.level - (block.kind is Kind.ITEM)) if block.kind is not Kind.HEADING else ""
        lines = _lines(block)
        shown = f"\n{indent}".join(line for one in lines for line in one.split("\n"))
        gap = "" if not place else "\n" if _one_list(blocks[place - 1], block) else "\n\n"
        start = length + len(gap) + len(indent)
        rows = _row_spans(lines, start, len(indent)) if block.kind is Kind.TABLE else ()
        spans.append(_Span(block, start, start + len(shown), rows))
        parts += [gap, indent, shown]
        length = start + len(shown)
    return "".join([*parts, "\n" if parts else ""]), spans


def _one_list(above: Block, block: Block) -> bool:
    return above.kind is Kind.ITEM and block.kind is Kind.ITEM


def _row_spans(lines: list[str], start: int, indent: int) -> tuple[tuple[int, int], ...]:
    spans = []
    for line in lines:
        spans.append((start, start + len(line)))
        start += len(line) + 1 + indent
    return tuple(spans)


def _lines(block: Block) -> list[str]:
    """The block as Markdown, without the indentation of lists; of a table, one line a row."""
    text = block.text.strip()
    match block.kind:
        case Kind.HEADING:
            return [_heading(block)]
        case Kind.ITEM:
            return [f"{block.mark or '-'} " + text.replace("\n", f"\n{_INDENT}")]
        case Kind.TABLE:
            return _table_lines(block)
        case Kind.QUOTE:
            return [f"> {line}" for line in text.split("\n")]
        case Kind.CODE:
            return _code_lines(block.text)
        case Kind.FOOTNOTE:
            return [f"[^{block.label}]: " + text.replace("\n", "\n    ")]
        case _:
            return [text]


def _heading(block: Block) -> str:
    identity = f" {{#{block.explicit_id}}}" if block.explicit_id else ""
    return f"{'#' * min(max(block.level, 1), DEEPEST_HEADING)} {' '.join(block.text.split())}{identity}"


def _code_lines(code: str) -> list[str]:
    longest = max((len(fence) for fence in _FENCE.findall(code)), default=2)
    fence = "`" * (longest + 1)
    return [fence, code.strip("\n"), fence]


def _table_lines(block: Block) -> list[str]:
    rows = [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in block.cells]
    rule = [f"|{'---|' * len(block.cells[0])}"] if block.header_rows else []
    caption = [" ".join(block.caption.split()), ""] if block.caption else []
    return [*caption, *rows[: block.header_rows], *rule, *rows[block.header_rows :]]


def _cell(text: str) -> str:
    return "<br>".join(" ".join(_PIPE.sub(r"\\|", line).split()) for line in text.strip().split("\n"))


# Elements


@dataclass(frozen=True, slots=True)
class _Open:
    depth: int
    ordinal: str | None
    ladder: Ladder
    place: int
    """Of its element among those found."""


@dataclass(slots=True)
class _Writer:
    text: str
    marks: Marks
    source: Source
    found: list[Element] = field(default_factory=list)
    items: list[_Open] = field(default_factory=list)
    """The items that are open, outermost first."""
    ladder: Ladder = field(default_factory=Ladder)
    """Ordinals that paragraphs started outside of such items."""
    base: tuple[str | None, int] | None = None
    """Ordinal and depth of what the list lies in to which the last element belongs; None outside of lists."""

    def add(self, span: _Span) -> None:
        block = span.block
        if block.kind is Kind.HEADING:
            self.ladder = Ladder()
        depth = block.level if block.kind is not Kind.HEADING else 0
        while self.items and self.items[-1].depth > depth - (block.kind is Kind.ITEM):
            self.items.pop()
        if depth == 0:
            self.base = None
        match block.kind:
            case Kind.ITEM:
                self._item(span)
            case Kind.TABLE:
                self._table(span)
            case Kind.PARAGRAPH:
                self._paragraph(span)
            case _:
                self._put(span, block.kind, span.start, span.end, block.level if block.kind is Kind.HEADING else 0)

    def _put(self, span: _Span, kind: Kind, start: int, end: int, level: int = 0, ordinal: str | None = None) -> None:
        made = span.block.made if start == span.start else ()
        line, page = self.source.number(start), span.block.page
        self.found.append(Element(kind, start, end, line, level, ordinal, page=page, made=made))

    @property
    def _last(self) -> Element | None:
        return self.found[-1] if self.found else None

    def _item(self, span: _Span) -> None:
        block = span.block
        outer, depth = self._around()
        self.base = self.base or (outer, depth)
        ordinal = _full(outer, block.mark) if block.mark else None
        depth = depth + 1 if not self.items else max(block.level, depth + 1)
        self.items.append(_Open(block.level, ordinal or outer, Ladder(ordinal or outer, depth), len(self.found)))
        self._put(span, Kind.ITEM, span.start, span.end, depth, ordinal)

    def _around(self) -> tuple[str | None, int]:
        """Ordinal and depth of what a new item lies in."""
        if self.items:
            return self.items[-1].ladder.top
        if self.base:
            return self.base
        last = self._last
        return self.ladder.top if last and last.kind is Kind.ITEM and self.ladder.rungs else (None, 0)

    def _paragraph(self, span: _Span) -> None:
        last = self._last
        nested = bool(self.items) or (last is not None and last.kind is Kind.ITEM)
        ladder = self._open_ladder(last)
        pieces = ladder.pieces(self.text, (span.start, span.end), self.marks, nested=nested)
        for place, (at, ordinal, depth) in enumerate(pieces):
            stop = trimmed(self.text, at, pieces[place + 1][0] if place + 1 < len(pieces) else span.end)
            if ordinal is not None:
                self._put(span, Kind.ITEM, at, stop, depth, ordinal)
            elif self.items and last and self.items[-1].place == len(self.found) - 1:
                # A further paragraph of the item right above, with no list or table between.
                made = span.block.made if at == span.start else ()
                self.found[-1] = replace(last, end=stop, made=last.made + made)
            else:
                self._put(span, Kind.DEFINITION if defines(self.text, at, stop) else Kind.PARAGRAPH, at, stop)

    def _open_ladder(self, last: Element | None) -> Ladder:
        """The ordinals open here; "(a)" right below "1. The buyer may:" lies in it."""
        if self.items:
            return self.items[-1].ladder
        if not self.ladder.rungs:
            leads = last and last.kind is Kind.ITEM and last.ordinal and self.text[last.end - 1] == ":"
            self.ladder = Ladder(last.ordinal, last.level) if last and leads else Ladder()
        return self.ladder

    def _table(self, span: _Span) -> None:
        block, start, made = span.block, span.start, span.block.made
        last = self._last
        if last and last.kind is Kind.PARAGRAPH and is_caption(self.text, last) and not block.caption:
            self.found.pop()
            start, made = last.start, last.made + made
        body = span.rows[len(span.rows) - len(block.cells) + block.header_rows :]
        head = body[0][0] if body else span.end
        header = (start, trimmed(self.text, start, head)) if head > start and (body or block.header_rows) else None
        self.found.append(
            Element(
                Kind.TABLE,
                start,
                span.end,
                self.source.number(start),
                rows=body,
                header=header,
                page=block.page,
                made=made,
            )
        )


def _full(outer: str | None, mark: str) -> str:
    """A full ordinal; a dotted mark such as "4.2" is one by itself."""
    if _DOTTED.fullmatch(mark):
        return mark.strip("§").rstrip(".")
    return joined(outer, mark)
