"""Captions: the line above or below a table that names it stays with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ingest.elements import Element, Kind
from ingest.markdown.source import Source, trimmed

LONGEST_CAPTION: Final = 300
"""Characters; a longer line that starts with "Table 4.2 -" is a paragraph about the table."""
_NUMBER = r"(?>[ \t]+(?:\d+(?:\.\d+)*[a-z]?|[A-Z](?:[.-]?\d+)*)(?![\w.]*\w))?"
_TITLE = r"(?:[ \t]*[-–—:*_]|\.(?!\w)|[ \t]*$|[ \t]+[A-Z(][^\n]*[^.;\s][ \t]*$)"
_START: Final = re.compile(rf"[ \t]*(?:\*\*|__|[*_:])?[ \t]*(?i:table|figure|exhibit){_NUMBER}{_TITLE}", re.MULTILINE)


def starts_caption(text: str, start: int) -> bool:
    """Whether a line that names a table starts here: "Table 4.2 - Credit", "**Table 3.** Plans", ": Table of fees"."""
    return bool(_START.match(text, start))


def is_caption(text: str, element: Element) -> bool:
    """Whether a paragraph is one line that names the table beside it."""
    short = element.end - element.start <= LONGEST_CAPTION
    return short and "\n" not in text[element.start : element.end] and starts_caption(text, element.start)


def pipe_table(source: Source, bounds: tuple[int, int, int], rows: list[tuple[int, int]]) -> Element:
    """A Markdown table; `bounds`: where its caption (if any) starts, where its header row does, where it ends."""
    top, start, end = bounds
    body = [row for row in rows if row[1] > row[0]]
    # A caption right below the last row is a row to the parser.
    if body and "|" not in source.text[slice(*body[-1])] and starts_caption(source.text, body[-1][0]):
        body.pop()
    head = body[0][0] if body else end
    header = (top, max(start, trimmed(source.text, top, head)))
    return Element(Kind.TABLE, top, end, source.number(top), rows=tuple(body), header=header)


def with_captions_below(text: str, elements: Iterable[Element]) -> Iterator[Element]:
    """`elements`, where a caption below a table that has none above is part of the table."""
    table: Element | None = None
    for element in elements:
        if table and element.kind is Kind.PARAGRAPH and is_caption(text, element) and not _captioned(text, table):
            table = replace(table, end=element.end)
            continue
        if table:
            yield table
        table = element if element.kind is Kind.TABLE else None
        if not table:
            yield element
    if table:
        yield table


def _captioned(text: str, table: Element) -> bool:
    return starts_caption(text, table.start) or bool(table.rows and table.rows[-1][1] < table.end)
