"""Markdown to elements, by markdown-it's block rules; every offset is exact in the text that was read.

Beyond CommonMark: tables with their captions, footnotes, definition lists, ordinals such as "(a)(ii)" and
"4.2" at the start of a line, list items and headings in raw HTML, and MDX or Liquid leftovers. Inline markup
is not parsed. Where the parser reports nothing for text that has words, a paragraph takes it: nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from ingest.elements import Element, Kind
from ingest.markdown.captions import is_caption, pipe_table, with_captions_below
from ingest.markdown.definitions import defines
from ingest.markdown.htmlblocks import closing_end, html_elements
from ingest.markdown.lists import Lists
from ingest.markdown.ordinals import MARK, Ladder, Marks
from ingest.markdown.plain import has_words
from ingest.markdown.source import Source, trimmed

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
    reader = _Reader(Source(text, first_line))
    reader.read(_parser().parse(text))
    return reader.finished()


@dataclass(slots=True)
class _Reader:
    source: Source
    text: str = field(init=False)
    found: list[Element] = field(default_factory=list)
    lists: Lists = field(default_factory=Lists)
    cursor: int = 0
    marks: Marks = field(init=False)

    def __post_init__(self) -> None:
        self.text = self.source.text
        self.marks = Marks(self.text)

    def _span(self, token: Token) -> tuple[int, int]:
        return self.source.span(_lines(token), self.cursor)

    def _add(self, kind: Kind, start: int, end: int, level: int = 0, ordinal: str | None = None) -> None:
        self.found.append(Element(kind, start, end, self.source.number(start), level, ordinal))
        self.cursor = end

    @property
    def _last(self) -> Element | None:
        return self.found[-1] if self.found else None

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
                self.lists.open(self._numbers(tokens, at), self._last)
            case "bullet_list_close" | "ordered_list_close":
                self.lists.close()
            case "list_item_open":
                self.cursor = self.lists.open_item(self.source, _lines(token)[0], self.cursor)
            case "list_item_close":
                self.lists.close_item()
            case "blockquote_open" | "footnote_reference_open":
                self._mark_item()
                self._add(Kind.QUOTE if token.tag else Kind.FOOTNOTE, *self._span(token))
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
        elif not has_words(self.text[start:end]):
            self.cursor = end
        elif (item := self.lists.item) is None:
            self._add(Kind.HEADING, start, end, int(token.tag[1]))
            self.lists.ladder = Ladder()
        elif len(self.lists.items) == 1 and item.shown and item.own is None:
            # "1. ## Definitions": the list is an outline, and its number is the heading's.
            item.own = len(self.found)
            self._add(Kind.HEADING, item.start, end, int(token.tag[1]), item.ordinal)
        else:
            self._block(start, end)

    def _code(self, token: Token) -> None:
        start, end = self._span(token)
        # Four spaces before "(a)" or "<li>" are the author's indentation of a list, not a listing.
        if token.type == "code_block" and MARK.match(self.text, start):
            self._block(start, end)
        elif token.type == "code_block" and self.text.startswith("<", start):
            self._html_span(start, end)
        elif has_words(self.text[start:end]) or end - start > 8:
            self._mark_item()
            self._add(Kind.CODE, start, end)

    def _mark_item(self) -> None:
        """An item that starts with a table, quote or code has an element of its mark alone."""
        item = self.lists.item
        if item and item.own is None:
            item.own = len(self.found)
            self._add(
                Kind.ITEM,
                item.start,
                max(item.start + 1, trimmed(self.text, item.start, self.cursor)),
                item.depth,
                item.ordinal if item.shown else None,
            )

    def _numbers(self, tokens: list[Token], at: int) -> tuple[str, ...]:
        """The marks of an ordered list's items as typed: ("1.", "2.")."""
        if tokens[at].type == "bullet_list_open":
            return ()
        inner = tokens[at + 1 : _close(tokens, at)]
        level = tokens[at].level + 1
        return tuple(one.info + one.markup for one in inner if one.type == "list_item_open" and one.level == level)

    # Text

    def _block(self, start: int, end: int) -> None:
        """A paragraph, cut where one of its lines starts with an ordinal in sequence."""
        pieces = self._pieces(start, end)
        for place, (at, ordinal, depth) in enumerate(pieces):
            stop = trimmed(self.text, at, pieces[place + 1][0] if place + 1 < len(pieces) else end)
            if ordinal is None:
                self._text(at, stop)
            else:
                self._marked(at, stop, ordinal, depth)

    def _pieces(self, start: int, end: int) -> list[tuple[int, str | None, int]]:
        nested = bool(self.lists.items) or (self._last is not None and self._last.kind is Kind.ITEM)
        ladder = self.lists.open_ladder(self.text, self._last)
        return ladder.pieces(self.text, (start, end), self.marks, nested=nested)

    def _marked(self, start: int, end: int, ordinal: str, depth: int) -> None:
        if (item := self.lists.item) and item.own is None:
            item.own = len(self.found)
            start = item.start
        self._add(Kind.ITEM, start, end, depth, ordinal)

    def _text(self, start: int, end: int) -> None:
        item = self.lists.item
        if item and item.own is None:
            item.own = len(self.found)
            self._add(Kind.ITEM, item.start, end, item.depth, item.ordinal if item.shown else None)
        elif not has_words(self.text[start:end]):
            return
        elif item and item.own == len(self.found) - 1 and self.found[-1].kind is Kind.ITEM:
            self.found[-1] = replace(self.found[-1], end=end)
            self.cursor = end
        else:
            self._add(Kind.DEFINITION if defines(self.text, start, end) else Kind.PARAGRAPH, start, end)

    def _definitions(self, tokens: list[Token], at: int) -> int:
        stop = _close(tokens, at)
        level = tokens[at].level + 1
        terms = [_lines(one)[0] for one in tokens[at:stop] if one.type == "dt_open" and one.level == level]
        for first, last in zip(terms, [*terms[1:], _lines(tokens[at])[1]], strict=True):
            start = self.source.after_margin(max(self.source.line_start(first), self.cursor))
            self._add(Kind.DEFINITION, start, trimmed(self.text, start, self.source.line_start(last)))
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
        return token.map is not None and self.source.line_start(token.map[0]) < stop

    def _html_span(self, start: int, end: int) -> None:
        item = self.lists.item
        for element in html_elements(self.text, start, end):
            if item and element.kind in (Kind.HEADING, Kind.HTML):
                self._text(element.start, element.end)
                continue
            self._mark_item()
            level = element.level + item.depth if item and element.kind is Kind.ITEM else element.level
            self.found.append(replace(element, line=self.source.number(element.start), level=level))
            self.cursor = element.end
        self.cursor = max(self.cursor, end)

    def _table(self, tokens: list[Token], at: int) -> int:
        self._mark_item()
        stop = _close(tokens, at)
        start, end = self._span(tokens[at])
        rows = [self.source.span(_lines(token), 0) for token in tokens[at:stop] if token.type == "tr_open"]
        above = self._last
        top = start
        if above and above.kind is Kind.PARAGRAPH and is_caption(self.text, above):
            top = self.found.pop().start
        self.found.append(pipe_table(self.source, (top, start, end), rows[1:]))
        self.cursor = end
        return stop

    # The end

    def finished(self) -> list[Element]:
        """The elements, captions below tables joined to them, gaps with words filled."""
        return list(self._filled(with_captions_below(self.text, self.found)))

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
            yield Element(Kind.PARAGRAPH, start, trimmed(self.text, start, end), self.source.number(start))


def _lines(token: Token) -> tuple[int, int]:
    first, last = token.map or (0, 0)
    return first, last


def _close(tokens: list[Token], at: int) -> int:
    """Index after the token that closes `tokens[at]`."""
    if tokens[at].nesting != 1:
        return at + 1
    level = tokens[at].level
    at += 1
    while tokens[at].level != level:
        at += 1
    return at + 1
