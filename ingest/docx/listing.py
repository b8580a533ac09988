"""Drafts to blocks: what only their neighbours tell, such as the depth of an item and the level of a title."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from ingest.blocks import Block
from ingest.docx.drafts import LONGEST_TITLE, Draft, without_doubles
from ingest.docx.faces import PLAIN_LOOK
from ingest.docx.report import TABLE_OF_CONTENTS, Report
from ingest.docx.runs import Piece
from ingest.elements import Kind

NEAR: Final = 100
"""Twentieths of a point within which two indents are one."""
DEEPEST: Final = 20
"""Items in items; a list of Word has nine levels."""
_HEADING_MARK: Final = re.compile(r"(?:[^\W\d_]+ )?(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])\.?")
_SENTENCE_END: Final = (".", ";", ",", "!", "?", ":")


def blocks(drafts: list[Draft], report: Report) -> list[Block]:
    """The blocks of a body."""
    drafts = without_doubles(list(_without_listings(drafts, report)))
    drafts = list(_with_whole_code(drafts))
    _head_lists(drafts)
    _lower_headings(drafts)
    depths = _Depths(drafts)
    return [_block(draft, depths.of(place)) for place, draft in enumerate(drafts)]


def _without_listings(drafts: list[Draft], report: Report) -> Iterator[Draft]:
    """`drafts` without tables of contents; the title of one goes with it, that of anything else stays."""
    for place, draft in enumerate(drafts):
        following = drafts[place + 1].role if place + 1 < len(drafts) else ""
        if draft.role == "listing title" and following == "listing":
            report.drop(TABLE_OF_CONTENTS, draft.place, draft.words)
        elif draft.role != "listing":
            yield draft


def _with_whole_code(drafts: list[Draft]) -> Iterator[Draft]:
    """`drafts`, where neighbouring lines of code are one block."""
    for kind, group in groupby(drafts, key=lambda one: one.kind):
        if kind is not Kind.CODE:
            yield from group
            continue
        first, *others = group
        first.pieces += [piece for other in others for piece in (Piece("\n", PLAIN_LOOK), *other.pieces)]
        yield first


def _lower_headings(drafts: list[Draft]) -> None:
    """A title is level 1, and the headings lie below it, as in Markdown "# Title" holds "## 4 Seats".

    So the document is called by its title, and a file of several titled parts has them as its sections.
    """
    if not any(draft.role == "title" for draft in drafts):
        return
    for draft in drafts:
        if draft.kind is Kind.HEADING:
            draft.level = 1 if draft.role == "title" else draft.level + 1


# Lists whose items are headings


def _head_lists(drafts: list[Draft]) -> None:
    """Make headings of the items of a level if all are numbered titles, bold or in capitals, with text below.

    Many write "4. FEES" by a list and not by a style of headings. A list of names in bold has no text below.
    """
    levels: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, draft in enumerate(drafts):
        if draft.kind is Kind.ITEM and draft.mark:
            levels[draft.series, draft.ilvl].append(place)
    deepest = max((draft.level for draft in drafts if draft.kind is Kind.HEADING), default=0)
    for (_, ilvl), places in levels.items():
        if all(_is_title(drafts[place]) for place in places) and _have_text(drafts, places):
            for place in places:
                _make_heading(drafts[place], deepest + 1 + ilvl)


def _is_title(draft: Draft) -> bool:
    words = draft.words
    mark = _HEADING_MARK.fullmatch(draft.mark or "")
    return (
        bool(mark)
        and (draft.is_bold or words.isupper())
        and len(words) <= LONGEST_TITLE
        and not words.endswith(_SENTENCE_END)
    )


def _have_text(drafts: list[Draft], places: list[int]) -> bool:
    """Whether at least every other one has something below it that is no item of the same level."""
    first = drafts[places[0]]
    followed = 0
    for place in places:
        below = drafts[place + 1] if place + 1 < len(drafts) else first
        same = below.series == first.series and below.ilvl <= first.ilvl and below.kind is Kind.ITEM
        followed += not same and below.kind is not Kind.HEADING
    return 2 * followed >= len(places)


def _make_heading(draft: Draft, level: int) -> None:
    draft.kind, draft.level = Kind.HEADING, level
    draft.pieces = [Piece(f"{draft.mark} ", PLAIN_LOOK, made=True), *draft.pieces]
    draft.mark, draft.series = None, ""


# Depth


@dataclass(slots=True)
class _Item:
    series: str
    ilvl: int
    left: int


@dataclass(slots=True)
class _Depths:
    """How deep each block lies in items, by its list, by its indent, and by what comes after it."""

    drafts: list[Draft]
    _open: list[_Item] = field(default_factory=list)
    _margin: int = 0
    """Where most text outside of lists starts."""
    _next: list[Draft | None] = field(default_factory=list)
    """For each block the next item before a heading."""

    def __post_init__(self) -> None:
        self._margin = _margin(self.drafts)
        following: Draft | None = None
        for draft in reversed(self.drafts):
            self._next.append(following)
            following = None if draft.kind is Kind.HEADING else draft if draft.kind is Kind.ITEM else following
        self._next.reverse()

    def of(self, place: int) -> int:
        """The depth of a block; ask in order."""
        draft = self.drafts[place]
        if draft.kind is Kind.HEADING:
            self._open = []
            return draft.level
        if draft.kind is Kind.ITEM:
            self._enter(draft)
        else:
            self._leave(draft, self._next[place])
        return len(self._open)

    def _enter(self, draft: Draft) -> None:
        mine = [place for place, one in enumerate(self._open) if one.series == draft.series]
        if mine:
            above = [place for place in mine if self._open[place].ilvl < draft.ilvl]
            del self._open[above[-1] + 1 if above else mine[0] :]
        # A list of which no item is open lies in an item that is less indented.
        while not mine and self._open and self._open[-1].left + NEAR >= draft.left:
            self._open.pop()
        del self._open[DEEPEST - 1 :]
        self._open.append(_Item(draft.series, draft.ilvl, draft.left))

    def _leave(self, draft: Draft, following: Draft | None) -> None:
        """Close the items in which a block does not lie."""
        if draft.role == "continuation":
            del self._open[max(draft.continued, 1) :]
            return
        depth = self._resumed(following)
        while len(self._open) > depth and not self._reaches(draft):
            self._open.pop()

    def _resumed(self, following: Draft | None) -> int:
        """How many items must stay open since their list goes on below them."""
        if following is None:
            return 0
        held = [
            place
            for place, one in enumerate(self._open)
            if one.series == following.series and one.ilvl < following.ilvl
        ]
        return held[-1] + 1 if held else 0

    def _reaches(self, draft: Draft) -> bool:
        """Whether a paragraph starts where the text of the innermost open item does."""
        if draft.kind is Kind.TABLE or draft.left <= self._margin:
            return False
        return draft.left + NEAR >= self._open[-1].left


def _margin(drafts: list[Draft]) -> int:
    lefts = Counter(
        draft.left
        for above, draft in zip([None, *drafts], drafts, strict=False)
        if draft.kind is Kind.PARAGRAPH and (above is None or above.kind is not Kind.ITEM)
    )
    return lefts.most_common(1)[0][0] if lefts else 0


def _block(draft: Draft, level: int) -> Block:
    match draft.kind:
        case Kind.TABLE:
            cells, header, caption = draft.rows, draft.header_rows, draft.caption
            return Block(Kind.TABLE, "", None, level, cells=cells, header_rows=header, caption=caption, made=draft.made)
        case Kind.CODE:
            return Block(Kind.CODE, "".join(piece.text for piece in draft.pieces), level=level)
        case _:
            text, mark, identity = draft.text(), draft.mark, draft.explicit_id
            return Block(draft.kind, text, level=level, mark=mark, explicit_id=identity, made=draft.made)
