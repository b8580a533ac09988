"""Markdown to elements, by markdown-it's block rules; every offset is exact in the text that was read.

Beyond CommonMark: tables with their captions, footnotes, definition lists, ordinals such as "(a)(ii)" and
"4.2" at the start of a line, list items and headings in raw HTML, and MDX or Liquid leftovers. Inline markup
is not parsed. Where the parser reports nothing for text that has words, a paragraph takes it: nothing is lost.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from itertools import accumulate
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from ingest.elements import Element, Kind
from ingest.htmlblocks import closing_end, html_elements
from ingest.ordinals import MARK, Ladder, Marks, joined
from ingest.plain import has_words

_LINE_END: Final = re.compile(r"\r\n?|\n")
_ITEM_MARK: Final = re.compile(r"[ \t>]*(?P<mark>\d{1,9}[.)]|[-+*])")
_MARGIN: Final = re.compile(r"[ \t>]*")
CAPTION: Final = re.compile(
    r"[ \t]*(?:\*\*|__|[*_:])?[ \t]*(?:table|figure|exhibit)\b(?=[\s:.]|\*\*)[^\n]{0,300}", re.IGNORECASE
)
"""A line that names a table: "Table 4.2 - Credit formula", "**Table 3.** Plans", ": Table of fees"."""
_CAPTION_START: Final = re.compile(
    r"[ \t]*(?:\*\*|__|[*_:])?[ \t]*(?:table|figure|exhibit)\s*(?:[\dA-Z][\w.-]*)?\s*(?:[-–—:.*_]|$)", re.IGNORECASE
)
_TERM = r"[“\"‘']?(?:\*\*|__)[“\"‘']?[^*_\n]{1,100}[”\"’']?(?:\*\*|__)[”\"’']?[ \t]*"
_MEANS = (
    r"(?:(?:collectively[ ,]+)?(?:means?|refers?[ \t]+to|shall[ \t]+(?:mean|have)|(?:has|have)[ \t]+the[ \t]+meaning"
    r"|is[ \t]+defined|includes?)\b|[:—–][ \t]+\S)"
)
_DEFINITION: Final = re.compile(rf"{_TERM}(?:\([^()\n]{{1,80}}\)[ \t]*)?(?:(?:or|and)[ \t]+{_TERM})?{_MEANS}")
_ADMONITION: Final = re.compile(
    r"[^\w]*(?:note|important|warning|tip|caution|example|attention|reminder|disclaimer)s?\b", re.IGNORECASE
)
LONGEST_SETEXT: Final = 150
"""Characters; a longer "heading" over a line of dashes is a paragraph over a rule."""


def _parser() -> MarkdownIt:
    # Deeper nesting than `maxNesting` would be skipped by markdown-it; 60 stays clear of Python's recursion limit.
    parser = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").use(deflist_plugin).use(footnote_plugin)
    parser.core.ruler.enableOnly(["normalize", "block"])
    # A link definition yields no token, but a reader may search for its title.
    return parser.disable("reference")


def read_markdown(text: str, *, first_line: int = 1) -> list[Element]:
    """The elements of `text`, in order and disjoint; `first_line` is the file's line that `text` starts in."""
    reader = _Reader(text, first_line)
    reader.read(_parser().parse(text))
    return reader.finished()


@dataclass(slots=True)
class _Item:
    """An open list item: its full ordinal and depth, where its mark starts, and its element once it has one."""

    start: int
    ordinal: str | None
    depth: int
    ladder: Ladder
    own: int | None = None
    shown: bool = False
    """Whether the item itself has an ordinal; else `ordinal` is that of the items around it."""


@dataclass(slots=True)
class _List:
    numbers: tuple[str, ...]
    base: str | None
    depth: int
    count: int = 0


@dataclass(slots=True)
class _Reader:
    text: str
    first_line: int
    found: list[Element] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    ladder: Ladder = field(default_factory=Ladder)
    cursor: int = 0
    starts: list[int] = field(init=False)
    marks: Marks = field(init=False)

    def __post_init__(self) -> None:
        if "\r" in self.text:
            self.starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        else:
            self.starts = [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]
        self.marks = Marks(self.text)

    # Where things stand

    def _line(self, line: int) -> int:
        return min(self.starts[line], len(self.text)) if line < len(self.starts) else len(self.text)

    def _span(self, token: Token) -> tuple[int, int]:
        first, last = token.map or (0, 0)
        start = self._skip_margin(max(self._line(first), self.cursor))
        end = self._line(last)
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return start, max(start, end)

    def _skip_margin(self, at: int) -> int:
        match = _MARGIN.match(self.text, at)
        return match.end() if match and not self.items_quote(match[0]) else at

    @staticmethod
    def items_quote(margin: str) -> bool:
        return ">" in margin

    def _number(self, at: int) -> int:
        return self.first_line + bisect_right(self.starts, at) - 1

    def _add(self, kind: Kind, start: int, end: int, level: int = 0, ordinal: str | None = None) -> None:
        self.found.append(Element(kind, start, end, self._number(start), level, ordinal))
        self.cursor = end

    # Tokens

    def read(self, tokens: list[Token]) -> None:
        at = 0
        while at < len(tokens):
            at = self._token(tokens, at)

    def _token(self, tokens: list[Token], at: int) -> int:
        token = tokens[at]
        match token.type:
            case "heading_open":
                self._heading(token, tokens[at + 1].content)
            case "paragraph_open":
                self._block(*self._span(token))
            case "fence" | "code_block":
                self._code(token)
            case "html_block":
                return self._html(tokens, at)
            case "bullet_list_open" | "ordered_list_open":
                self._open_list(tokens, at)
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self._open_item(token)
            case "list_item_close":
                self._close_item()
            case "blockquote_open":
                self._add(Kind.QUOTE, *self._span(token))
                return _close(tokens, at)
            case "footnote_reference_open":
                self._add(Kind.FOOTNOTE, *self._span(token))
                return _close(tokens, at)
            case "table_open":
                return self._table(tokens, at)
            case "dl_open":
                return self._definitions(tokens, at)
        return at + 1

    def _heading(self, token: Token, content: str) -> None:
        start, end = self._span(token)
        setext = token.markup in ("=", "-")
        if setext and ("\n" in content or len(content) > LONGEST_SETEXT or content.rstrip().endswith((".", ";", ","))):
            self._block(start, end)
        elif not self.items:
            self._add(Kind.HEADING, start, end, int(token.tag[1]))
            self.ladder = Ladder()
        elif self._heads_numbered_item():
            self.items[-1].own = len(self.found)
            self._add(Kind.HEADING, self.items[-1].start, end, int(token.tag[1]))
        else:
            self._block(start, end)

    def _heads_numbered_item(self) -> bool:
        """ "1. ## Definitions": the list is an outline, and its number is the heading's."""
        item = self.items[-1]
        return len(self.items) == 1 and item.shown and item.own is None

    def _code(self, token: Token) -> None:
        start, end = self._span(token)
        # Four spaces before "(a)" or "<li>" are the author's indentation of a list, not a listing.
        if token.type == "code_block" and MARK.match(self.text, start):
            self._block(start, end)
        elif token.type == "code_block" and self.text.startswith("<", start):
            self._html_span(start, end)
        elif has_words(self.text[start:end]) or end - start > 8:
            self._add(Kind.CODE, start, end)

    # Lists

    def _open_list(self, tokens: list[Token], at: int) -> None:
        base, depth = self._around()
        numbers: tuple[str, ...] = ()
        if tokens[at].type == "ordered_list_open":
            level = tokens[at].level + 1
            inner = tokens[at + 1 : _close(tokens, at)]
            numbers = tuple(
                token.info + token.markup for token in inner if token.type == "list_item_open" and token.level == level
            )
            # "1. 1. 1." is Markdown for 1, 2, 3; other numbers stand as written.
            if len(set(numbers)) == 1 and len(numbers) > 1:
                first = int(tokens[at + 1].info)
                numbers = tuple(f"{first + place}{tokens[at + 1].markup}" for place in range(len(numbers)))
        self.lists.append(_List(numbers, base, depth))

    def _around(self) -> tuple[str | None, int]:
        """Full ordinal and depth of the item in which the next list stands."""
        if self.items:
            item = self.items[-1]
            return item.ladder.top if item.ladder.rungs else (item.ordinal, item.depth)
        return self.ladder.top if self._below_item() else (None, 0)

    def _below_item(self) -> bool:
        return bool(self.found) and self.found[-1].kind is Kind.ITEM

    def _open_item(self, token: Token) -> None:
        inside = self.lists[-1]
        label = inside.numbers[inside.count] if inside.numbers else None
        inside.count += 1
        ordinal = joined(inside.base, label) if label else inside.base
        first = (token.map or (0, 0))[0]
        mark = _ITEM_MARK.match(self.text, max(self._line(first), self.cursor))
        start = mark.start("mark") if mark else max(self._line(first), self.cursor)
        # "- 1. text": the outer item has no words of its own, so the inner one starts with its mark.
        outer = self.items[-1] if self.items else None
        if outer and outer.own is None and self._line(first) <= outer.start:
            start = outer.start
        self.cursor = mark.end() if mark else start
        self.items.append(_Item(start, ordinal, inside.depth + 1, Ladder(ordinal, inside.depth + 1), shown=bool(label)))

    def _close_item(self) -> None:
        item = self.items.pop()
        if item.own is None and not self.found[-1:]:
            return
        if self.items and self.items[-1].own is None and item.own is not None:
            self.items[-1].own = item.own

    # Text

    def _block(self, start: int, end: int) -> None:
        """A paragraph, cut where one of its lines starts with an ordinal in sequence."""
        pieces = self._pieces(start, end)
        for place, (at, ordinal, depth) in enumerate(pieces):
            stop = _trimmed(self.text, at, pieces[place + 1][0] if place + 1 < len(pieces) else end)
            if ordinal is None:
                self._text(at, stop)
            else:
                self._marked(at, stop, ordinal, depth)

    def _pieces(self, start: int, end: int) -> list[tuple[int, str | None, int]]:
        ladder = self.items[-1].ladder if self.items else self.ladder
        pieces: list[tuple[int, str | None, int]] = [(start, None, 0)]
        for match in MARK.finditer(self.text, start, end):
            at = max(start, _MARGIN.match(self.text, match.start()).end())  # type: ignore[union-attr]
            nested = at > start or self._below_item() or bool(self.items)
            if at > start and match["mark"][0].isdigit() and "." in match["mark"][:-1]:
                continue
            if step := ladder.step(match["mark"], match.start("mark"), self.marks, nested):
                pieces = pieces if at > start else []
                pieces.append((at, *step))
        return pieces

    def _marked(self, start: int, end: int, ordinal: str, depth: int) -> None:
        if self.items and self.items[-1].own is None:
            self.items[-1].own = len(self.found)
            start = self.items[-1].start
        self._add(Kind.ITEM, start, end, depth, ordinal)

    def _text(self, start: int, end: int) -> None:
        if not has_words(self.text[start:end]) and not self.items:
            return
        item = self.items[-1] if self.items else None
        if item and item.own is None:
            item.own = len(self.found)
            self._add(Kind.ITEM, item.start, end, item.depth, item.ordinal if item.shown else None)
        elif item and item.own == len(self.found) - 1 and self.found[-1].kind is Kind.ITEM:
            self.found[-1] = replaced(self.found[-1], end=end)
            self.cursor = end
        else:
            self._add(self._kind(start, end), start, end)

    def _kind(self, start: int, end: int) -> Kind:
        if (
            self.text[start] in "*_“\"‘'"
            and _DEFINITION.match(self.text, start, end)
            and not _ADMONITION.match(self.text, start, end)
        ):
            return Kind.DEFINITION
        return Kind.PARAGRAPH

    def _definitions(self, tokens: list[Token], at: int) -> int:
        stop = _close(tokens, at)
        ends = tokens[at].map or [0, 0]
        terms = [
            token.map[0]
            for token in tokens[at:stop]
            if token.type == "dt_open" and token.level == tokens[at].level + 1 and token.map
        ]
        for first, last in zip(terms, [*terms[1:], ends[1]], strict=True):
            start = self._skip_margin(max(self._line(first), self.cursor))
            self._add(Kind.DEFINITION, start, _trimmed(self.text, start, self._line(last)))
        return stop

    # HTML and tables

    def _html(self, tokens: list[Token], at: int) -> int:
        start, end = self._span(tokens[at])
        stop = closing_end(self.text, start, end)
        self._html_span(start, stop)
        after = at + 1
        while after < len(tokens) and tokens[after].level >= tokens[at].level and self._before(tokens[after], stop):
            after = _close(tokens, after)
        return after

    def _before(self, token: Token, stop: int) -> bool:
        return token.map is not None and self._line(token.map[0]) < stop

    def _html_span(self, start: int, end: int) -> None:
        depth = self.items[-1].depth if self.items else 0
        for element in html_elements(self.text, start, end):
            if self.items and element.kind in (Kind.HEADING, Kind.HTML):
                self._text(element.start, element.end)
            else:
                deeper = depth if element.kind is Kind.ITEM else 0
                self.found.append(replaced(element, line=self._number(element.start), level=element.level + deeper))
            self.cursor = element.end
        self.cursor = max(self.cursor, end)

    def _table(self, tokens: list[Token], at: int) -> int:
        stop = _close(tokens, at)
        start, end = self._span(tokens[at])
        rows = [self._row(token) for token in tokens[at:stop] if token.type == "tr_open"]
        body = [row for row in rows[1:] if row[1] > row[0]]
        # A caption right below the last row is a row to the parser.
        if body and "|" not in self.text[slice(*body[-1])] and _CAPTION_START.match(self.text, body[-1][0]):
            body.pop()
        top = self._caption_above(start)
        head = body[0][0] if body else end
        header = (top, _trimmed(self.text, top, head))
        self.found.append(Element(Kind.TABLE, top, end, self._number(top), rows=tuple(body), header=header))
        self.cursor = end
        return stop

    def _row(self, token: Token) -> tuple[int, int]:
        first, last = token.map or (0, 0)
        start = self._skip_margin(self._line(first))
        return start, _trimmed(self.text, start, self._line(last))

    def _caption_above(self, start: int) -> int:
        last = self.found[-1] if self.found else None
        if last is None or last.kind is not Kind.PARAGRAPH or not is_caption(self.text, last):
            return start
        return self.found.pop().start

    # The end

    def finished(self) -> list[Element]:
        """The elements, captions below tables joined to them, gaps with words filled."""
        return list(self._filled(_with_captions_below(self.text, self.found)))

    def _filled(self, elements: Iterable[Element]) -> Iterable[Element]:
        at = 0
        for element in elements:
            yield from self._gap(at, element.start)
            yield element
            at = element.end
        yield from self._gap(at, len(self.text))

    def _gap(self, start: int, end: int) -> Iterable[Element]:
        gap = self.text[start:end]
        if gap and not gap.isspace() and has_words(gap):
            start += len(gap) - len(gap.lstrip())
            yield Element(Kind.PARAGRAPH, start, _trimmed(self.text, start, end), self._number(start))


def is_caption(text: str, element: Element) -> bool:
    """Whether a paragraph is one line that names the table beside it."""
    return (
        "\n" not in text[element.start : element.end]
        and element.end - element.start <= 300
        and bool(_CAPTION_START.match(text, element.start))
    )


def _with_captions_below(text: str, elements: list[Element]) -> Iterable[Element]:
    table: Element | None = None
    for element in elements:
        if table and element.kind is Kind.PARAGRAPH and is_caption(text, element) and not _captioned(text, table):
            table = replaced(table, end=element.end)
            continue
        if table:
            yield table
        table = element if element.kind is Kind.TABLE else None
        if not table:
            yield element
    if table:
        yield table


def _captioned(text: str, table: Element) -> bool:
    return bool(_CAPTION_START.match(text, table.start)) or bool(table.rows and table.rows[-1][1] < table.end)


def _close(tokens: list[Token], at: int) -> int:
    """Index after the token that closes `tokens[at]`."""
    if tokens[at].nesting != 1:
        return at + 1
    level = tokens[at].level
    at += 1
    while tokens[at].level != level:
        at += 1
    return at + 1


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
