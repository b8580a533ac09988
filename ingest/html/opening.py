"""Which elements gather the blocks inside them, to fold them when they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ingest.html.css import Style
from ingest.html.folds import Frame
from ingest.html.looks import Look
from ingest.html.office import heading_level, list_level
from ingest.html.tables import Grid
from ingest.html.tree import Node

_FRAMES: Final = {
    "blockquote": "quote",
    "pre": "code",
    "xmp": "code",
    "listing": "code",
    "plaintext": "code",
    "dl": "definitions",
    "dt": "term",
    "dd": "definition",
    "summary": "summary",
    "figure": "figure",
    "figcaption": "caption",
}


@dataclass(slots=True)
class Spot:
    """An element whose children are being read."""

    node: Node
    look: Look
    block: bool = False
    frame: Frame | None = None
    at: int = 0
    """How many of its children were read."""
    after: str = ""
    """Words that a browser puts at its end."""


@dataclass(frozen=True, slots=True)
class Opener:
    """What is known of a page before it is walked over."""

    notes: Mapping[Node, str]
    """Footnotes, to their labels."""
    layout: set[Node]
    """Tables that are none."""
    where: str

    def frame(self, spot: Spot, style: Style, number: str, here: Frame, at: int) -> Frame | None:
        """The frame of an element; None where its blocks are those of the element around. `number`: what the page's
        counters put before it; `here`: the frame around; `at`: words of the page before it."""
        node = spot.node
        if label := self.notes.get(node):
            if node.tag == "li" and here.lists:
                here.lists[-1].mark(node, spot.look)
            return Frame("note", node, 0, [], label=label, at=at)
        if level := heading_level(node):
            return Frame("heading", node, here.level, here.lists, at=at, heading=level)
        if node.tag == "li":
            return _item(spot, number, here, at)
        if node.tag == "table" and node not in self.layout:
            return Frame("table", node, here.level, [], grid=Grid(f"{self.where}:{node.line}"), at=at)
        if here.name in ("table", "part", "row"):
            return _table_part(node, here, at)
        if level := list_level(style):
            return Frame("word item", node, level, here.lists, at=at)
        name = _FRAMES.get(node.tag)
        return Frame(name, node, here.level, here.lists, at=at) if name else None


def _item(spot: Spot, number: str, here: Frame, at: int) -> Frame:
    last = here.lists[-1] if here.lists else None
    mark = last.mark(spot.node, spot.look) if last else None
    depth = last.depth if last else here.level + 1
    return Frame("item", spot.node, depth, here.lists, mark=number.strip() or mark, counted=True, at=at)


def _table_part(node: Node, here: Frame, at: int) -> Frame | None:
    grid = here.grid
    if node.tag in ("td", "th"):
        return Frame("cell", node, 0, [], grid=grid, at=at)
    if node.tag in ("thead", "tbody", "tfoot") and grid:
        grid.part(node.tag)
        return Frame("part", node, here.level, [], grid=grid, part=node.tag)
    if node.tag == "tr" and grid:
        grid.row(here.part)
        return Frame("row", node, here.level, [], grid=grid, part=here.part)
    return Frame("caption", node, 0, [], at=at) if node.tag == "caption" else None
