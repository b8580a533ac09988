"""Raw HTML inside Markdown: its headings, list items and tables become elements like all others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ingest.elements import Element, Kind
from ingest.markdown.ordinals import joined
from ingest.markdown.plain import has_words

_COMMENT = r"<!--.*?(?:-->|\Z)"
_MARKS: Final = re.compile(
    rf"{_COMMENT}|<(?P<close>/?)(?P<name>ol|ul|li|table|h[1-6])\b(?P<rest>[^>]*)>", re.IGNORECASE | re.DOTALL
)
_NESTING: Final = {
    name: re.compile(rf"{_COMMENT}|<(?P<close>/?){name}\b[^>]*>", re.IGNORECASE | re.DOTALL)
    for name in ("table", "ol", "ul")
}
_END_TABLE: Final = re.compile(r"</table\s*>", re.IGNORECASE)
_ROW: Final = re.compile(r"<tr\b.*?(?=<tr\b|</thead|</tbody|</tfoot|</table|\Z)", re.IGNORECASE | re.DOTALL)
_HEAD: Final = re.compile(r"</thead\s*>", re.IGNORECASE)
_HEAD_CELL: Final = re.compile(r"<th\b", re.IGNORECASE)
_STYLE: Final = re.compile(
    r"(?:list-style-type:\s*|type\s*=\s*[\"']?)(lower-alpha|upper-alpha|lower-latin|upper-latin|lower-roman|upper-roman|[aAiI1])",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\b(?:start|value)\s*=\s*[\"']?(\d{1,6})", re.IGNORECASE)
LETTERS: Final = {
    "lower-alpha": "a",
    "lower-latin": "a",
    "upper-alpha": "A",
    "upper-latin": "A",
    "lower-roman": "i",
    "upper-roman": "I",
}
"""The sign of a `list-style-type`, as the attribute `type` has it."""


@dataclass(slots=True)
class _List:
    style: str | None
    count: int
    ordinal: str | None


@dataclass(slots=True)
class _Cut:
    """The element being filled while tags are read."""

    start: int
    kind: Kind = Kind.HTML
    level: int = 0
    ordinal: str | None = None


def closing_end(text: str, start: int, end: int) -> int:
    """Where the table or list that `text[start:end]` leaves open is closed; `end` if there is none.

    A blank line ends an HTML block in Markdown, but no table and no list.
    """
    for name, pattern in _NESTING.items():
        if f"<{name}" not in text[start:end].lower():
            continue
        depth = 0
        for match in pattern.finditer(text, start):
            if match.group("close") is None:
                continue
            depth += -1 if match["close"] else 1
            if depth == 0 and match.end() >= end:
                return match.end()
            if depth == 0 and not pattern.search(text, match.end(), end):
                break
    return end


def html_elements(text: str, start: int, end: int) -> Iterator[Element]:
    """The elements of the raw HTML in `text[start:end]`, in order; lines are not filled in (0)."""
    reader = _HtmlReader(text, start)
    at = start
    while at < end and (mark := _MARKS.search(text, at, end)):
        at = reader.read(mark, end)
        yield from reader.taken()
    reader.cut(end)
    yield from reader.taken()


@dataclass(slots=True)
class _HtmlReader:
    text: str
    start: int
    lists: list[_List] = field(default_factory=list)
    found: list[Element] = field(default_factory=list)
    open: _Cut = field(init=False)

    def __post_init__(self) -> None:
        self.open = _Cut(self.start)

    def taken(self) -> list[Element]:
        done, self.found = self.found, []
        return done

    def read(self, mark: re.Match[str], end: int) -> int:
        """Read one tag; the offset after what it settles."""
        name, closes = (mark["name"] or "").lower(), bool(mark["close"])
        if not name:
            return mark.end()
        if name == "table" and not closes:
            return self._table(mark.start(), end)
        if name[0] == "h":
            self._heading(mark, int(name[1]), closes)
        elif name == "li":
            self._item(mark, closes)
        elif name != "table":
            self._list(mark, closes)
        return mark.end()

    def cut(self, end: int, following: _Cut | None = None) -> None:
        """End the open element at `end`; without words it is none, and its tags belong to no element."""
        a, b = _trim(self.text, self.open.start, end)
        if b > a and has_words(self.text[a:b]):
            self.found.append(Element(self.open.kind, a, b, 0, self.open.level, self.open.ordinal))
        self.open = following or _Cut(end)

    def _heading(self, mark: re.Match[str], level: int, closes: bool) -> None:
        if closes:
            self.cut(mark.end())
        else:
            self.cut(mark.start(), _Cut(mark.start(), Kind.HEADING, level))

    def _list(self, mark: re.Match[str], closes: bool) -> None:
        self.cut(mark.start())
        if closes:
            del self.lists[-1:]
            return
        style = _STYLE.search(mark["rest"])
        first = _NUMBER.search(mark["rest"])
        kind = LETTERS.get(style[1].lower(), style[1]) if style else "1"
        ordered = mark["name"].lower() == "ol"
        self.lists.append(_List(kind if ordered else None, int(first[1]) - 1 if first else 0, self._outer()))

    def _outer(self) -> str | None:
        if not self.lists:
            return None
        last = self.lists[-1]
        return joined(last.ordinal, written(last.style, last.count)) if last.style and last.count else last.ordinal

    def _item(self, mark: re.Match[str], closes: bool) -> None:
        if closes:
            self.cut(mark.end())
            return
        if self.lists:
            number = _NUMBER.search(mark["rest"])
            self.lists[-1].count = int(number[1]) if number else self.lists[-1].count + 1
        ordered = bool(self.lists and self.lists[-1].style)
        self.cut(
            mark.start(), _Cut(mark.start(), Kind.ITEM, max(1, len(self.lists)), self._outer() if ordered else None)
        )

    def _table(self, start: int, end: int) -> int:
        close = _END_TABLE.search(self.text, start, end)
        stop = close.end() if close else end
        self.cut(start, _Cut(stop))
        if has_words(self.text[start:stop]):
            self.found.append(_table(self.text, start, stop))
        return stop


def _table(text: str, start: int, end: int) -> Element:
    rows = [(row.start(), _trim(text, row.start(), row.end())[1]) for row in _ROW.finditer(text, start, end)]
    head = _HEAD.search(text, start, end)
    if head:
        body = [row for row in rows if row[0] >= head.end()]
    else:
        body = rows[1:] if rows and _HEAD_CELL.search(text, *rows[0]) else rows
    top = body[0][0] if body else end
    header = (start, _trim(text, start, top)[1])
    return Element(
        Kind.TABLE, start, end, 0, rows=tuple(body), header=header if has_words(text[slice(*header)]) else None
    )


def written(style: str | None, count: int) -> str:
    """The ordinal that a browser shows: written("a", 2) is "b", written("i", 4) is "iv"."""
    if style in ("a", "A") and count > 0:
        letters = ""
        while count:
            count, rest = divmod(count - 1, 26)
            letters = chr(ord(style) + rest) + letters
        return letters
    if style in ("i", "I") and 0 < count < 4000:
        return roman(count) if style == "I" else roman(count).lower()
    return str(count)


def roman(count: int) -> str:
    """A number in Roman capitals."""
    signs = (
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    )
    shown = ""
    for value, sign in signs:
        times, count = divmod(count, value)
        shown += sign * times
    return shown


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
