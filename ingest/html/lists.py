"""The marks of lists as a browser shows them: "3.", "c.", "iv.", and "(a)" or "1.1." from counters in the styles."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ingest.html.css import Style, Styles
from ingest.html.looks import Look
from ingest.html.names import INLINE
from ingest.html.tree import Node
from ingest.markdown.htmlblocks import LETTERS, written
from ingest.markdown.ordinals import MARK

_BULLETS: Final = frozenset({"disc", "circle", "square", "disclosure-open", "disclosure-closed"})
LONGEST_MARK: Final = 20
"""Characters at the start of an item in which a typed ordinal is looked for."""
_SIGN: Final = re.compile(r"[^\s\w\"']")
_GREEK: Final = "αβγδεζηθικλμνξοπρστυφχψω"
_INTEGER: Final = re.compile(r"\s*([+-]?)0*([0-9]{1,10})(?![0-9])")
LARGEST: Final = 2_147_483_647
"""Browsers ignore a larger start or value."""
_STYLE_NAME: Final = re.compile(r"[a-z][a-z-]*")
_RESET: Final = re.compile(r"([a-z_][\w-]*)(?:\s+([+-]?\d{1,9}))?", re.IGNORECASE)
_PIECE: Final = re.compile(
    r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|counter\(\s*([\w-]+)\s*(?:,\s*([\w-]+)\s*)?\)"
    r"|counters\(\s*([\w-]+)\s*,\s*(?:\"([^\"]*)\"|'([^']*)')\s*(?:,\s*([\w-]+)\s*)?\)",
    re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)")
# Lists of Google Docs lie beside each other; their depth is the last number of a class such as "lst-kix_x1y2-1".
_GOOGLE: Final = re.compile(r"lst-kix_\w+-(\d)")


def shown(style: str, count: int) -> str:
    """A count in a `list-style-type`: shown("lower-roman", 4) is "iv"."""
    if style == "decimal-leading-zero":
        return f"{count:02}"
    if style == "lower-greek" and 0 < count <= len(_GREEK):
        return _GREEK[count - 1]
    return written(LETTERS.get(style, style), count)


@dataclass(slots=True)
class OpenList:
    """A list whose items are being read."""

    node: Node
    style: str | None
    """None: bullets; "none": no mark is shown."""
    depth: int
    count: int
    step: int = 1
    drawn: bool = False
    """Whether the page's styles draw a bullet before its items."""

    def mark(self, item: Node, look: Look) -> str | None:
        """Count the next item; its mark, None for a bullet, "" where none is shown."""
        value = _integer(item, "value")
        self.count = value if value is not None else self.count + self.step
        style = _typed(item) or _named(look.marker) or self.style
        if style == "none":
            return None if self.drawn else ""
        return None if style is None or style in _BULLETS else f"{shown(style, self.count)}."


def opened(node: Node, look: Look, around: int, styles: Styles) -> OpenList:
    """A list that starts; `around`: how many lists it lies in."""
    style = _named(look.marker) or _typed(node) or ("1" if node.tag == "ol" else None)
    google = next((match for name in node.classes if (match := _GOOGLE.fullmatch(name))), None)
    depth = int(google[1]) + 1 if google else around + 1
    start = _integer(node, "start")
    items = [child for child in node.nodes if child.tag == "li"]
    if items and all(MARK.match(_start(item)) for item in items):
        # The author typed the ordinals, "(a) the request", and a style sheet elsewhere hides the list's own.
        style = "none"
    drawn = bool(items) and _draws(styles.before(items[0]))
    if "reversed" in node.attributes and node.tag == "ol":
        return OpenList(node, style, depth, (start if start is not None else len(items)) + 1, -1, drawn)
    return OpenList(node, style, depth, start - 1 if start is not None else 0, drawn=drawn)


def _draws(before: Style) -> bool:
    content = before.get("content", "")
    return "counter" not in content and bool(_SIGN.search(_ESCAPE.sub(_character, content)))


def _start(item: Node) -> str:
    """The first words of an item."""
    found = ""
    for one in item.walk():
        found += one if isinstance(one, str) else "" if one.tag in INLINE else " "
        found = found.lstrip()
        if len(found) >= LONGEST_MARK:
            break
    return found[:LONGEST_MARK]


def _typed(node: Node) -> str | None:
    kind = node.get("type").strip()
    if kind in ("1", "a", "A", "i", "I"):
        return kind
    return kind.lower() if kind.lower() in _BULLETS | {"none"} else None


def _named(marker: str | None) -> str | None:
    """The style in a declaration such as "lower-alpha inside"; a string or an unknown style counts as decimal."""
    names: list[str] = _STYLE_NAME.findall(marker or "")
    for name in names:
        if name in LETTERS or name in _BULLETS or name in ("none", "decimal-leading-zero", "lower-greek"):
            return name
        if name == "decimal":
            return "1"
    return None


def _integer(node: Node, name: str) -> int | None:
    match = _INTEGER.match(node.get(name))
    value = int(match[1] + match[2]) if match else None
    return value if value is not None and abs(value) <= LARGEST else None


@dataclass(slots=True)
class Counters:
    """CSS counters, which number headings and legal lists: `content: counters(item, ".")`."""

    styles: Styles
    _values: dict[str, list[tuple[Node | None, int]]] = field(default_factory=dict)
    """For each name its instances, outermost first: the element whose children see it, and its value."""
    _seen_in: dict[Node | None, set[str]] = field(default_factory=dict)
    """The names that only the children of an element see."""

    def enter(self, node: Node, style: Style) -> str:
        """Count an element; the number that is generated at its start, or ""."""
        self._count(node, style)
        before = self.styles.before(node)
        if "counter" not in before.get("content", ""):
            return ""
        self._count(node, before)
        return "".join(self._piece(match) for match in _PIECE.finditer(before["content"]))

    def leave(self, node: Node) -> None:
        """Forget the counters that only the children of an element see."""
        for name in self._seen_in.pop(node, ()) if self._seen_in else ():
            if self._values[name] and self._values[name][-1][0] is node:
                self._values[name].pop()

    def _count(self, node: Node, style: Style) -> None:
        for name, value in _RESET.findall(style.get("counter-reset", "")):
            instances = self._values.setdefault(name, [])
            if instances and instances[-1][0] is node.parent:
                instances.pop()
            self._open(name, node, int(value or 0))
        for name, value in _RESET.findall(style.get("counter-increment", "")):
            self._set(name, node, self._last(name) + int(value or 1))
        for name, value in _RESET.findall(style.get("counter-set", "")):
            self._set(name, node, int(value or 0))

    def _open(self, name: str, node: Node, value: int) -> None:
        self._values.setdefault(name, []).append((node.parent, value))
        self._seen_in.setdefault(node.parent, set()).add(name)

    def _last(self, name: str) -> int:
        instances = self._values.get(name)
        return instances[-1][1] if instances else 0

    def _set(self, name: str, node: Node, value: int) -> None:
        if not self._values.get(name):
            self._open(name, node, value)
        self._values[name][-1] = (self._values[name][-1][0], value)

    def _piece(self, match: re.Match[str]) -> str:
        if match[3]:
            return shown((match[4] or "1").lower(), self._last(match[3]))
        if match[5]:
            values = [value for _, value in self._values.get(match[5], [])]
            return (match[6] or match[7] or "").join(shown((match[8] or "1").lower(), value) for value in values)
        return _ESCAPE.sub(_character, match[1] or match[2] or "")


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] and int(match[1], 16) < 0x110000 else match[2] or ""
