"""A table element as plain cells: what a person sees in it, whichever way it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ingest.elements import Element
from ingest.markdown.plain import plain

Cells = tuple[str, ...]

_BAR: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = re.compile(r"[ \t|:-]*-[ \t|:-]*")
_CELL: Final = re.compile(r"<t[dh]\b[^>]*>(.*?)(?=</?t[dhr]\b|</thead|</tbody|</table|\Z)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Table:
    """The words of a table, without markup."""

    caption: str
    """ "" where the table has none."""
    header: tuple[Cells, ...]
    body: tuple[Cells, ...]

    @property
    def columns(self) -> int:
        """Cells of the longest row."""
        return max(map(len, (*self.header, *self.body)), default=0)

    @property
    def name(self) -> str:
        """The caption, or else what stands in the first row."""
        return self.caption or " | ".join(filter(None, (*self.header, *self.body, ())[0]))


def table_of(text: str, element: Element) -> Table:
    """The cells of a TABLE element of `text`."""
    head = text[slice(*element.header)] if element.header else ""
    below = text[element.rows[-1][1] : element.end] if element.rows else ""
    rows = tuple(_cells(text[slice(*row)]) for row in element.rows)
    if "<" in head and _CELL.search(head):
        first = re.search(r"<tr\b", head, re.IGNORECASE)
        at = first.start() if first else 0
        return Table(plain(head[:at]) or plain(below), (_cells(head[at:]),), rows)
    lines = [line for line in head.split("\n") if line.strip() and not _RULE.fullmatch(line)]
    above = " ".join(line for line in lines if not _BAR.search(line))
    header = tuple(_cells(line) for line in lines if _BAR.search(line))
    return Table(plain(above) or plain(below), header, rows)


def _cells(row: str) -> Cells:
    if found := _CELL.findall(row):
        return tuple(plain(cell) for cell in found)
    inner = row.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(plain(cell) for cell in _BAR.split(inner))
