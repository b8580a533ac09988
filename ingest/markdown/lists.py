"""The lists and items that are open while Markdown is read, and the ordinals that are open with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ingest.elements import Element, Kind
from ingest.markdown.ordinals import Ladder, joined
from ingest.markdown.source import Source

_ITEM_MARK: Final = re.compile(r"[ \t>]*(?P<mark>\d{1,9}[.)]|[-+*])")


@dataclass(slots=True)
class Item:
    """An open list item: where its mark starts, its full ordinal and depth, and the ordinals open inside it."""

    start: int
    ordinal: str | None
    depth: int
    ladder: Ladder
    shown: bool
    """Whether the item itself has an ordinal; else `ordinal` is that of the items around it."""
    own: int | None = None
    """Index of its element, once it has one."""


@dataclass(slots=True)
class _List:
    numbers: tuple[str, ...]
    base: str | None
    depth: int
    count: int = 0


@dataclass(slots=True)
class Lists:
    """What is open, outermost first; `ladder` holds the ordinals that stand outside of Markdown's own lists."""

    items: list[Item] = field(default_factory=list)
    ladder: Ladder = field(default_factory=Ladder)
    _lists: list[_List] = field(default_factory=list)

    @property
    def item(self) -> Item | None:
        """The innermost open item."""
        return self.items[-1] if self.items else None

    def open(self, numbers: tuple[str, ...], last: Element | None) -> None:
        """A list starts after the element `last`; `numbers` are its items' as typed, () for bullets."""
        base, depth = self._around(last)
        # "1. 1. 1." is Markdown for 1, 2, 3; other numbers stand as written.
        if len(numbers) > 1 and len(set(numbers)) == 1:
            first, sign = int(numbers[0][:-1]), numbers[0][-1]
            numbers = tuple(f"{first + place}{sign}" for place in range(len(numbers)))
        # "2." goes on with the list before "(a)" and "(b)", and lies in neither.
        if not self.items and numbers and int(numbers[0][:-1]) > 1:
            base, depth, self.ladder = None, 0, Ladder()
        self._lists.append(_List(numbers, base, depth))

    def close(self) -> None:
        """The innermost list ends."""
        self._lists.pop()

    def _around(self, last: Element | None) -> tuple[str | None, int]:
        if item := self.item:
            return item.ladder.top if item.ladder.rungs else (item.ordinal, item.depth)
        return self.ladder.top if last and last.kind is Kind.ITEM else (None, 0)

    def open_item(self, source: Source, line: int, cursor: int) -> int:
        """An item starts in `line`, not before `cursor`; the offset after its mark."""
        inside = self._lists[-1]
        label = inside.numbers[inside.count] if inside.numbers else None
        inside.count += 1
        ordinal = joined(inside.base, label) if label else inside.base
        at = max(source.line_start(line), cursor)
        mark = _ITEM_MARK.match(source.text, at)
        start = mark.start("mark") if mark else at
        # "- 1. text": the outer item has no words of its own, so the inner one starts with its mark.
        if (outer := self.item) and outer.own is None and source.line_start(line) <= outer.start:
            start = outer.start
        depth = inside.depth + 1
        self.items.append(Item(start, ordinal, depth, Ladder(ordinal, depth), bool(label)))
        return mark.end() if mark else at

    def close_item(self) -> None:
        """The innermost item ends; one without words of its own counts its first inner item as its own."""
        item = self.items.pop()
        if self.items and self.items[-1].own is None:
            self.items[-1].own = item.own

    def open_ladder(self, text: str, last: Element | None) -> Ladder:
        """The ordinals open here; "(a)" right below "1. The buyer may:" lies in it, indented or not."""
        if item := self.item:
            return item.ladder
        if not self.ladder.rungs:
            leads = last and last.kind is Kind.ITEM and last.ordinal and text[last.end - 1] == ":"
            self.ladder = Ladder(last.ordinal, last.level) if last and leads else Ladder()
        return self.ladder
