"""Tables: which of them only lay out the page, and the rows and columns of the others."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

from ingest.errors import SourceError
from ingest.html.css import Styles
from ingest.html.drafts import Line, bold, is_mark
from ingest.html.looks import is_bordered
from ingest.html.names import HEADINGS
from ingest.html.tree import Node
from ingest.settings import IngestSettings

CELLS_PER_ELEMENT: Final = 10
"""Cells of one table, those that spans fill counted, that are allowed for each element of the limit."""
MOST_REPEATED: Final = 20_000_000
"""Characters that cells spanning rows may come to when each row repeats them."""
LONGEST_LABEL: Final = 60
"""Characters of a cell that may name a column."""
_WIDEST: Final = 1_000
"""Columns that a cell can span, by the standard."""
_BULLETS: Final = frozenset({"•", "·", "●", "○", "▪", "■", "–", "-", "o", "*"})
_BLOCKS: Final = frozenset({"p", "div", "ul", "ol", "dl", "blockquote", "pre"})


@dataclass(slots=True)
class _Facts:
    """What a table holds, without the tables in it."""

    told: bool = False
    """Whether it says itself that it is one: by header cells, a caption or a head."""
    headings: bool = False
    nested: bool = False
    lists: bool = False
    bordered: bool = False
    cells: dict[Node, int] = field(default_factory=dict)
    """Of each row."""
    blocks: dict[Node, int] = field(default_factory=dict)
    """Directly in each cell."""


def layout_tables(root: Node, styles: Styles) -> set[Node]:
    """The tables of a page that are none: their cells are read as blocks, one after the other."""
    owner: dict[Node, Node | None] = {}
    facts: dict[Node, _Facts] = {}
    for node in root.elements():
        table = owner.get(node.parent) if node.parent else None
        if table is not None:
            _note(facts[table], node, styles)
        if node.tag == "table":
            facts[node] = _Facts(bordered=_has_border(node) or is_bordered(styles.of(node)))
            table = node
        owner[node] = table
    found: set[Node] = set()
    # Inner tables first: one that holds headings makes the one around it hold them.
    for node, fact in reversed(facts.items()):
        if _is_layout(node, fact):
            found.add(node)
            outer = owner.get(node.parent) if node.parent else None
            if outer is not None:
                facts[outer].headings |= fact.headings
    return found


def _note(fact: _Facts, node: Node, styles: Styles) -> None:
    if node.tag in ("th", "thead", "caption"):
        fact.told = True
    elif node.tag in HEADINGS:
        fact.headings = True
    elif node.tag == "table":
        fact.nested = True
    elif node.tag in ("ul", "ol", "dl"):
        fact.lists = True
    if node.tag in ("td", "th") and node.parent:
        fact.cells[node.parent] = fact.cells.get(node.parent, 0) + 1
        fact.bordered |= is_bordered(styles.of(node))
    elif node.tag in _BLOCKS and node.parent and node.parent.tag in ("td", "th"):
        fact.blocks[node.parent] = fact.blocks.get(node.parent, 0) + 1


def _has_border(node: Node) -> bool:
    return node.get("border").strip() not in ("", "0") or node.get("rules") not in ("", "none")


def _is_layout(node: Node, fact: _Facts) -> bool:
    role = node.get("role").lower()
    if role in ("presentation", "none") or not fact.cells:
        return True
    if fact.told or role in ("table", "grid", "treegrid"):
        return False
    if fact.headings or max(fact.cells.values()) == 1:
        return True
    rich = fact.nested or fact.lists or any(count > 1 for count in fact.blocks.values())
    bare = len(fact.cells) == 1 or node.get("border").strip() == "0" or fact.nested
    return rich and bare and not fact.bordered


@dataclass(slots=True)
class _Cell:
    lines: list[Line]
    down: int
    """Rows that it spans; 0: to the end of its part of the table."""
    across: int
    header: bool

    @property
    def text(self) -> str:
        return _words(self.lines)

    @property
    def again(self) -> _Cell:
        """The same as it stands in a further row that it spans."""
        lines = [[replace(run, made=True) for run in line] for line in self.lines]
        return _Cell(lines, self.down, self.across, self.header)

    @property
    def is_bold(self) -> bool:
        runs = [run for line in self.lines for run in line if run.text.strip()]
        return bool(runs) and all(run.bold for run in runs)


@dataclass(slots=True)
class Grid:
    """A table whose cells are being read."""

    where: str
    """Of the table, for messages."""
    parts: list[tuple[str, list[list[_Cell]]]] = field(default_factory=list)
    """Heads, bodies and feet in the order of the page; no cell spans more than its own."""

    def part(self, name: str) -> None:
        """Start a head, body or foot."""
        self.parts.append((name, []))

    def row(self, part: str) -> None:
        """Start a row; `part`: what it lies in, "" for rows that lie in the table itself."""
        if not self.parts or self.parts[-1][0] != part:
            self.part(part)
        self.parts[-1][1].append([])

    def cell(self, node: Node, lines: list[Line]) -> None:
        """Add a cell to the last row."""
        if not self.parts or not self.parts[-1][1]:
            self.row("")
        rows = self.parts[-1][1]
        down, across = _span(node, "rowspan", 65_534), min(max(_span(node, "colspan", _WIDEST), 1), _WIDEST)
        rows[-1].append(_Cell(lines, down, across, node.tag == "th"))

    def finished(self, settings: IngestSettings) -> tuple[list[list[list[Line]]], int]:
        """Rows of equal length, head first and foot last, and how many of them head the others.

        Raises:
            SourceError: spans make it larger than the settings allow.
        """
        limit = settings.max_elements * CELLS_PER_ELEMENT
        placed = [(name, _placed(rows, limit, self.where)) for name, rows in self.parts]
        head = [row for name, part in placed if name == "thead" for row in part]
        body = [row for name, part in placed if name not in ("thead", "tfoot") for row in part]
        rows = [*head, *body, *(row for name, part in placed if name == "tfoot" for row in part)]
        # Columns that only spans count, or that only keep a distance, are none.
        columns = sorted({column for row in rows for column, cell in row.items() if any(cell.lines)})
        if len(rows) * len(columns) > limit:
            raise _too_large(f"{len(rows):,} rows and {len(columns):,} columns", limit, self.where)
        lines = [[row[column].lines if column in row else [] for column in columns] for row in rows]
        heading = _header_rows(rows, len(head))
        lines[:heading] = [[bold(cell, on=False) for cell in row] for row in lines[:heading]]
        filled = [any(any(cell) for cell in row) for row in lines]
        return [row for row, has in zip(lines, filled, strict=True) if has], sum(filled[:heading])


def is_list(rows: list[list[list[Line]]]) -> bool:
    """Whether a table only sets ordinals or bullets beside their texts."""
    marks = [_words(row[0]) for row in rows if len(row) == 2 and row[1]]
    return len(marks) == len(rows) and all(is_mark(mark) or mark in _BULLETS for mark in marks)


def _words(lines: list[Line]) -> str:
    return " ".join("".join(run.text for run in line) for line in lines).strip()


def _span(node: Node, name: str, most: int) -> int:
    match = re.match(r"\s*(\d{1,9})", node.get(name))
    return min(int(match[1]), most) if match else 1


def _too_large(size: str, limit: int, where: str) -> SourceError:
    return SourceError(f"a table of {size}", where=where, allowed=f"up to {limit:,} cells", fix="split the table")


def _placed(rows: list[list[_Cell]], limit: int, where: str) -> list[dict[int, _Cell]]:
    """Each row's cells by column; a cell stands in each row that it spans, and in the first of its columns."""
    grid: list[dict[int, _Cell]] = []
    spanning: dict[int, tuple[int, _Cell]] = {}
    repeated = count = 0
    for place, row in enumerate(rows):
        placed = {column: cell for column, (_, cell) in spanning.items()}
        spanning = {column: (left - 1, cell) for column, (left, cell) in spanning.items() if left > 1}
        column = 0
        for cell in row:
            while column in placed:
                column += 1
            down = min(cell.down or len(rows), len(rows) - place)
            repeated += (down - 1) * sum(len(run.text) for line in cell.lines for run in line)
            for offset in range(cell.across):
                shown = cell if not offset else _Cell([], cell.down, 0, cell.header)
                placed.setdefault(column + offset, shown)
                if down > 1:
                    spanning[column + offset] = (down - 1, shown.again)
            column += cell.across
        count += len(placed)
        if count > limit:
            raise _too_large(f"more than {limit:,} cells with what they span", limit, where)
        if repeated > MOST_REPEATED:
            raise _too_large(f"cells whose spans repeat more than {MOST_REPEATED:,} characters", limit, where)
        grid.append(placed)
    return grid


def _header_rows(rows: list[dict[int, _Cell]], head: int) -> int:
    """How many rows head the others: those that say so, else a first one in bold or of nothing but short labels."""
    if head:
        return head
    count = len(list(takewhile(lambda row: all(cell.header or not cell.text for cell in row.values()), rows)))
    if count == len(rows):
        # Header cells everywhere: somebody liked them bold.
        return min(count, 1)
    if count or len(rows) < 2 or len(rows[0]) < 2 or any(cell.header for row in rows for cell in row.values()):
        return count
    stands_out = _is_bold(rows[0]) and not _is_bold(rows[1])
    return int(stands_out or (_are_labels(rows[0]) and not _labelled_at_the_side(rows)))


def _is_bold(row: dict[int, _Cell]) -> bool:
    cells = [cell for cell in row.values() if cell.text]
    return bool(cells) and all(cell.is_bold for cell in cells)


def _are_labels(row: dict[int, _Cell]) -> bool:
    """Whether each cell but the first, which may be an empty corner, has a short label of its own."""
    return all(cell.down == 1 for cell in row.values()) and all(
        _is_label(cell.text) for column, cell in row.items() if cell.text or (column and cell.across)
    )


def _is_label(text: str) -> bool:
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return letters > digits and len(text) <= LONGEST_LABEL and not text.endswith((".", ";", "!"))


def _labelled_at_the_side(rows: list[dict[int, _Cell]]) -> bool:
    """Whether the first column names the rows, and not the first row the columns."""
    first = [row[0] for row in rows if 0 in row]
    return first[0].text.endswith(":") or all(cell.is_bold for cell in first)
