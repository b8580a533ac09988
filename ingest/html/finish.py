"""Drafts to blocks: large lines become bold ones, links are resolved, words become Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from ingest.blocks import Block
from ingest.elements import Kind
from ingest.html.anchors import Anchors
from ingest.html.drafts import Draft, Line, bold, with_marks_joined
from ingest.html.looks import FONT
from ingest.html.walk import Walk
from ingest.markdown.escape import Run, inline

LARGE: Final = 1.15
"""Times the page's usual size: words of a line that acts as a heading."""
LONGEST_LARGE: Final = 100
"""Characters of such a line."""
_SENTENCE_END: Final = (".", ";", ",", ":", "!", "?")


def finished(drafts: list[Draft], walk: Walk) -> list[Block]:
    """The blocks of a page that was walked over."""
    anchors, sizes = walk.anchors, walk.sizes
    drafts = list(with_marks_joined(drafts))
    if not any(one.kind is Kind.HEADING for one in drafts):
        _embolden(drafts, sizes)
    _lower(drafts)
    anchors.settle(drafts)
    writer = _Writer(anchors, walk.where, anchors.explicit_ids(drafts, walk.page.title or ""))
    return [writer.block(one) for one in drafts]


def _lower(drafts: Iterable[Draft]) -> None:
    """Where there is a title, the headings lie below it, as in Markdown "# Title" holds "## 4 Seats"."""
    headings = [one for one in drafts if one.kind is Kind.HEADING]
    for one in headings if any(one.role == "title" for one in headings) else ():
        one.level = 1 if one.role == "title" else one.level + 1


def _embolden(drafts: Iterable[Draft], sizes: Counter[float]) -> None:
    """In a page without headings, make lines bold, by which the outline knows them, that are large or have a class
    such as "section-title"."""
    usual = max(sizes, key=lambda size: (sizes[size], -size), default=FONT)
    for one in drafts:
        short = len(one.lines) == 1 and len(one.text) <= LONGEST_LARGE and not one.text.endswith(_SENTENCE_END)
        tells = one.size >= LARGE * usual or one.role == "titled"
        if one.kind is Kind.PARAGRAPH and not one.level and short and tells:
            one.lines = bold(one.lines)


@dataclass(frozen=True, slots=True)
class _Writer:
    anchors: Anchors
    where: str
    ids: dict[int, str]

    def block(self, draft: Draft) -> Block:
        """One block."""
        return Block(
            draft.kind,
            draft.code if draft.kind is Kind.CODE else self._text(draft.lines),
            level=draft.level,
            mark=draft.mark,
            cells=tuple(tuple(self._text(cell) for cell in row) for row in draft.cells),
            header_rows=draft.header_rows,
            caption=" ".join(self._text(draft.caption).split("\n")),
            label=draft.label,
            explicit_id=self.ids.get(draft.at) if draft.kind is Kind.HEADING else None,
            made=draft.made,
        )

    def _text(self, lines: list[Line]) -> str:
        return "\n".join(inline(self._linked(run) for run in line) for line in lines)

    def _linked(self, run: Run) -> Run:
        return replace(run, href=self.anchors.href(run.href, self.where)) if run.href else run
