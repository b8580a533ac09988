"""Places in files as messages name them: "seats.md:12", "seats.pdf, page 3"."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from ingest.document import Section
from ingest.elements import Element

_PLACE: Final = re.compile(r":(?P<line>\d+)$|, (?P<kind>page|paragraph) (?P<number>\d+)[^/]*$")


def located(where: str, place: str) -> str:
    """A place that a reader names ("line 12", "page 3", "paragraph 14", or "" for all) in the file `where`."""
    if not place:
        return where
    return f"{where}:{place.removeprefix('line ')}" if place.startswith("line ") else f"{where}, {place}"


def at(where: str, line: int, element: Element | None = None) -> str:
    """A line of `where`, or the page of the element that it lies in, where the file has pages."""
    return located(where, spot(line, element))


def spot(line: int, element: Element | None = None) -> str:
    """The same without the file: "line 12", "page 3"."""
    page = element.page if element else None
    return f"line {line}" if page is None else f"page {page}"


def place_in(section: Section, offset: int) -> str:
    """The line or page of the file for an offset in a section's text."""
    above = bisect_right(section.elements, offset, key=lambda element: element.start)
    if not section.elements:
        return spot(1 + section.text.count("\n", 0, offset))
    element = section.elements[max(0, above - 1)]
    lines = section.text.count("\n", element.start, offset) - section.text.count("\n", offset, element.start)
    return spot(element.line + lines, element)


def file_of(where: str) -> str:
    """The file of a place."""
    return _PLACE.sub("", where)


def sortable(where: str) -> tuple[str, int]:
    """The file and the number in it, so that page 10 comes after page 9."""
    found = _PLACE.search(where)
    return (where, 0) if found is None else (where[: found.start()], int(found["line"] or found["number"]))
