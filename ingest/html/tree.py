"""Tags to a tree, by the rules of the HTML standard for end tags that may be left out.

No element is moved: where the standard would (text between table rows, formatting that overlaps blocks), the text
stays where it is written. `<html>`, `<head>` and `<body>` make no node, so that nothing is "after the end".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ingest.errors import SourceError
from ingest.html.names import BLOCKS, HEADINGS, KNOWN, VOID, names_in
from ingest.html.tokens import NO_ATTRIBUTES, Sort, Token, tokens
from ingest.settings import IngestSettings

_COUNTED: Final = names_in("p li dt dd tr div pre blockquote option") | HEADINGS
TAGS_PER_ELEMENT: Final = 10
"""Tags that are allowed for each paragraph, item and row of the limit; keeps memory in bounds."""
_CONTAINERS: Final = frozenset({"select", "object", "button", "svg", "math", "textarea"})
FARTHEST: Final = 256
"""Open elements that are looked through for the one that a tag closes, so that time stays linear."""

_TABLE: Final = frozenset({"table", "template"})
_CELL: Final = frozenset({"table", "td", "th", "caption", "template", "object", "marquee"})
_LIST: Final = BLOCKS - {"address", "div", "p", "li", "dd", "dt"}
_ITEM_SCOPE: Final = _CELL | {"ol", "ul", "menu", "dir"}
_P: Final = frozenset({"p"})
_ENDS_P: Final = BLOCKS - names_in(
    "body caption col colgroup legend option optgroup noscript template tbody td tfoot th thead tr"
)
_CELLS: Final = frozenset({"td", "th"})
_ROWS: Final = frozenset({"thead", "tbody", "tfoot", "caption", "colgroup"})
_ENDS: Final[Mapping[str, tuple[tuple[frozenset[str], frozenset[str]], ...]]] = {
    "li": ((frozenset({"li"}), _LIST),),
    "dt": ((frozenset({"dt", "dd"}), _LIST),),
    "dd": ((frozenset({"dt", "dd"}), _LIST),),
    "option": ((frozenset({"option"}), BLOCKS - {"option"}),),
    "optgroup": ((frozenset({"option"}), BLOCKS - {"option"}), (frozenset({"optgroup"}), BLOCKS - {"optgroup"})),
    "td": ((_CELLS, _TABLE),),
    "th": ((_CELLS, _TABLE),),
    "tr": ((_CELLS, _TABLE), (frozenset({"tr", "caption", "colgroup"}), _TABLE)),
    **dict.fromkeys(_ROWS, ((_CELLS, _TABLE), (frozenset({"tr"}), _TABLE), (_ROWS, _TABLE))),
    "a": ((frozenset({"a"}), BLOCKS),),
    "button": ((frozenset({"button"}), _CELL),),
}
"""What a start tag closes, and the elements around that it does not look beyond."""


@dataclass(slots=True, eq=False)
class Node:
    """An element."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    parent: Node | None = None
    children: list[Node | str] = field(default_factory=list)

    def get(self, name: str) -> str:
        """An attribute; "" where it is missing."""
        return self.attributes.get(name, "")

    @property
    def classes(self) -> list[str]:
        """Class names in order."""
        return self.get("class").split()

    @property
    def nodes(self) -> list[Node]:
        """Child elements."""
        return [child for child in self.children if isinstance(child, Node)]

    def walk(self) -> Iterator[Node | str]:
        """The element itself and all that is in it, in the order of the page."""
        waiting: list[Node | str] = [self]
        while waiting:
            one = waiting.pop()
            yield one
            if isinstance(one, Node):
                waiting += reversed(one.children)

    def elements(self) -> Iterator[Node]:
        """The element itself and all elements in it, in the order of the page."""
        return (one for one in self.walk() if isinstance(one, Node))

    def above(self) -> Iterator[Node]:
        """The elements around this one, innermost first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


@dataclass(slots=True)
class Page:
    """A page's body, and what of its head matters."""

    body: Node
    title: str | None = None
    sheets: list[str] = field(default_factory=list)
    """Texts of `<style>` elements."""
    linked_styles: bool = False
    """Whether there is a style sheet that was not read."""
    unshown: list[tuple[str, int, str]] = field(default_factory=list)
    """(reason, line, words) of scripts, styles and comments."""
    first: str = ""
    """The first tag."""
    html: bool = False
    """Whether any tag is one of HTML."""
    frames: bool = False
    """Whether it is a set of frames, whose text is in other files."""


def parsed(text: str, settings: IngestSettings, where: str) -> Page:
    """The tree of a page.

    Raises:
        SourceError: deeper, or of more elements, than the settings allow; or something is never closed.
    """
    xml = is_xhtml(text)
    builder = _Builder(settings, where, xml)
    for token in tokens(text, xml=xml, where=where):
        builder.add(token)
    builder.check_depth()
    return builder.page


def is_xhtml(text: str) -> bool:
    """Whether a page says that it is XML, in which "/>" closes any element."""
    head = text[:2_000].lower()
    return head.lstrip().startswith("<?xml") or "http://www.w3.org/1999/xhtml" in head


class _Builder:
    def __init__(self, settings: IngestSettings, where: str, xml: bool) -> None:
        self.page = Page(Node("body", {}, 1))
        self._settings, self._where, self._xml = settings, where, xml
        self._stack = [self.page.body]
        self._open: Counter[str] = Counter()
        self._deepest, self._too_deep = 1, ""
        self._tags = self._counted = 0

    def add(self, token: Token) -> None:
        match token.sort:
            case Sort.TEXT:
                self._text(token)
            case Sort.START:
                self._start(token)
            case Sort.END:
                self._end(token.name)
            case Sort.COMMENT if token.name == "!--":
                self.page.unshown.append(("comment", token.line, token.text))

    def _text(self, token: Token) -> None:
        if token.name in ("script", "style"):
            self.page.unshown.append((token.name, token.line, token.text))
            if token.name == "style":
                self.page.sheets.append(token.text)
        elif token.name == "title" and not self._open["svg"]:
            self.page.title = self.page.title or " ".join(token.text.split()) or None
        elif token.text:
            self._stack[-1].children.append(token.text)

    def _start(self, token: Token) -> None:
        tag = token.name
        self._count(token)
        if tag in ("html", "body"):
            self.page.body.attributes = {**token.attributes, **self.page.body.attributes}
        elif tag == "link":
            self.page.linked_styles |= "stylesheet" in token.attributes.get("rel", "").lower()
        elif tag not in ("head", "style", "script", "meta", "base") and (tag != "title" or self._open["svg"]):
            self._close_for(tag)
            self._push(token)

    def _count(self, token: Token) -> None:
        self._tags += 1
        self._counted += token.name in _COUNTED
        self.page.first = self.page.first or token.name
        self.page.html |= token.name in KNOWN
        self.page.frames |= token.name == "frameset"
        limit = self._settings.max_elements
        if self._counted > limit or self._tags > limit * TAGS_PER_ELEMENT:
            what = "paragraphs, items and rows" if self._counted > limit else "tags"
            allowed = limit if self._counted > limit else limit * TAGS_PER_ELEMENT
            raise SourceError(
                f"more than {allowed:,} {what} by line {token.line}",
                where=self._where,
                allowed=f"max_elements = {limit:,}",
                fix="split the page, or raise max_elements under [ingest] in caveat.toml",
            )

    def _push(self, token: Token) -> None:
        node = Node(token.name, token.attributes, token.line, self._stack[-1])
        self._stack[-1].children.append(node)
        if token.name in VOID or (token.closed and self._closes_itself(token.name)):
            return
        self._stack.append(node)
        self._open[token.name] += 1
        if len(self._stack) > self._deepest:
            self._deepest = len(self._stack)
            if self._deepest == self._settings.max_nesting + 2:
                self._too_deep = f"<{token.name}> in line {token.line}"

    def _closes_itself(self, tag: str) -> bool:
        return self._xml or bool(self._open["svg"] or self._open["math"]) or ":" in tag

    def _close_for(self, tag: str) -> None:
        if tag in _ENDS_P and self._open["p"]:
            self._close(_P, _CELL | {"button"})
        for names, bounds in _ENDS.get(tag, ()):
            self._close(names, bounds)
        if tag in HEADINGS and self._stack[-1].tag in HEADINGS:
            self._cut(len(self._stack) - 1)

    def _close(self, names: frozenset[str], bounds: frozenset[str]) -> None:
        if names.isdisjoint(self._open):
            return
        for depth in range(len(self._stack) - 1, max(0, len(self._stack) - FARTHEST), -1):
            tag = self._stack[depth].tag
            if tag in names:
                self._cut(depth)
                return
            if tag in bounds:
                return

    def _cut(self, depth: int) -> None:
        for node in self._stack[depth:]:
            self._open[node.tag] -= 1
            if not self._open[node.tag]:
                del self._open[node.tag]
        del self._stack[depth:]

    def _end(self, tag: str) -> None:
        if tag == "br":
            self._push(Token(Sort.START, self._stack[-1].line, "br", attributes=NO_ATTRIBUTES))
        elif tag in HEADINGS:
            self._close(HEADINGS, _CELL)
        elif tag not in BLOCKS and tag not in _CONTAINERS:
            # Formatting that a block closed already, or that a block inside it still needs.
            self._close(frozenset({tag}), BLOCKS)
        elif tag in ("table", "tr", "td", "th", *_ROWS):
            self._close(frozenset({tag}), _TABLE - {tag})
        else:
            self._close(frozenset({tag}), (_ITEM_SCOPE if tag == "li" else _CELL) - {tag})

    def check_depth(self) -> None:
        """Refuse a tree that is too deep; done at the end, when the whole depth is known."""
        if self._too_deep:
            raise SourceError(
                f"elements nest {self._deepest - 1:,} levels deep; the first beyond the limit is {self._too_deep}",
                where=self._where,
                allowed=f"max_nesting = {self._settings.max_nesting}",
                fix="flatten the page, or raise max_nesting under [ingest] in caveat.toml",
            )
