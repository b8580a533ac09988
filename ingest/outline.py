"""Which elements head sections, and which section lies in which.

Evidence in the order of the design: levels of headings, then section numbers ("4.2" lies in "4" even where
both are of one level), then bold lines. A number is never invented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from ingest.elements import Element, Kind
from ingest.markdown.captions import is_caption, starts_caption
from ingest.numbering import explicit_id, extends, heading_text, only_number, split_heading

_BOLD_LINE: Final = re.compile(
    r"(?:<a\s[^>\n]*>\s*</a>\s*)?(?:\*\*(?P<stars>(?:[^*\n]|\*(?!\*)){1,160})\*\*|__(?P<lines>[^_\n]{1,160})__"
    r"|<(?P<tag>b|strong)>(?P<html>[^<\n]{1,160})</(?P=tag)>)(?P<colon>:?)[ \t]*(?=\n|$)"
)
_ITEM_MARK: Final = re.compile(r"\d{1,3}[.)][ \t]+")
LONGEST_BOLD: Final = 100
"""Characters of a bold line that may act as a heading without a number; a longer one is emphasis."""
_SENTENCE_END: Final = (".", ";", ",", "!", "?", ":")


@dataclass(frozen=True, slots=True)
class Head:
    """A section's heading: its element, what it says, and where it hangs (index of the parent in the outline)."""

    element: Element
    number: str | None
    title: str
    shown: str
    level: int
    parent: int | None
    explicit_id: str | None = None


def outline(text: str, elements: list[Element]) -> tuple[list[Element], list[Head]]:
    """The elements with bold lines turned to headings where they act as such, and the tree of headings."""
    promoted = list(_promoted(text, elements))
    return promoted, list(_heads(text, promoted))


def _promoted(text: str, elements: list[Element]) -> Iterator[Element]:
    """`elements`, with bold lines that act as headings as HEADING elements one level below the heading above."""
    level = 0
    takes_title = False
    listed = _headed_items(text, elements)
    for place, element in enumerate(elements):
        if element.kind is Kind.HEADING:
            level, takes_title = element.level, only_number(text[element.start : element.end])
            yield element
            continue
        following = elements[place + 1] if place + 1 < len(elements) else None
        bold = listed.get(element.start) or (None if takes_title else _bold_head(text, element, following))
        takes_title = False
        if bold is None:
            yield element
            continue
        yield replace(
            element,
            kind=Kind.HEADING,
            level=level + 1,
            ordinal=element.ordinal if listed.get(element.start) else None,
            end=bold,
        )
        yield from _rest(text, element, bold)


def _headed_items(text: str, elements: list[Element]) -> dict[int, int]:
    """Starts of list items whose first line is a bold title, with its end, where all items of a list are built so.

    In "3. **Fees**", a line of its own with text below, the list is the outline; a single one is emphasis.
    """
    found: dict[int, int] = {}
    group: list[tuple[int, int | None]] = []
    for place, element in enumerate(elements):
        if element.kind is Kind.HEADING:
            found |= _outline_of(group)
            group = []
        elif element.kind is Kind.ITEM and element.level == 1 and _ITEM_MARK.match(text, element.start):
            inside = place + 1 < len(elements) and elements[place + 1].level > 1
            group.append((element.start, _bold_title(text, element, inside)))
    return found | _outline_of(group)


def _outline_of(group: list[tuple[int, int | None]]) -> dict[int, int]:
    ends = {start: end for start, end in group if end is not None}
    return ends if len(group) > 1 and len(ends) == len(group) else {}


def _bold_title(text: str, item: Element, inside: bool) -> int | None:
    """Where the bold first line of an item ends that has text below it, in the item or (`inside`) nested in it."""
    mark = _ITEM_MARK.match(text, item.start, item.end)
    bold = _BOLD_LINE.match(text, mark.end(), item.end) if mark else None
    if bold is None or not (inside or bold.end() < item.end) or starts_caption(text, bold.start()):
        return None
    return bold.end()


def _rest(text: str, element: Element, end: int) -> Iterator[Element]:
    start = end
    while start < element.end and text[start].isspace():
        start += 1
    if start < element.end:
        line = element.line + text.count("\n", element.start, start)
        yield replace(element, kind=Kind.PARAGRAPH, start=start, line=line, level=0, ordinal=None)


def _bold_head(text: str, element: Element, following: Element | None) -> int | None:
    """Where the bold line ends with which `element` starts, if it acts as a heading.

    A line with a number does; one without must be a short paragraph of its own, no sentence, with text below.
    """
    if element.kind not in (Kind.PARAGRAPH, Kind.ITEM, Kind.DEFINITION) or not _at_margin(text, element.start):
        return None
    match = _BOLD_LINE.match(text, element.start, element.end)
    if match is None or is_caption(text, replace(element, end=match.end())):
        return None
    words = (match["stars"] or match["lines"] or match["html"]).strip()
    if (
        split_heading(words)[0] is not None
        and not only_number(words)
        and not words.endswith((".", ";", ",")) | bool(match["colon"])
    ):
        return match.end()
    if element.kind is not Kind.PARAGRAPH or match.end() < element.end or following is None:
        return None
    is_sentence = (
        bool(match["colon"]) or words.endswith(_SENTENCE_END) or len(words) > LONGEST_BOLD or not words[:1].isalnum()
    )
    return None if is_sentence else match.end()


def _at_margin(text: str, start: int) -> bool:
    return start == 0 or text[start - 1] == "\n"


@dataclass(frozen=True, slots=True)
class _Open:
    raw: int
    level: int
    number: str | None
    place: int


def _heads(text: str, elements: list[Element]) -> Iterator[Head]:
    path: list[_Open] = []
    headings = [(place, element) for place, element in enumerate(elements) if element.kind is Kind.HEADING]
    for place, (at, element) in enumerate(headings):
        raw = text[element.start : element.end]
        number, title = split_heading(raw)
        shown = heading_text(raw)
        if element.ordinal:
            # "1. 1. 1." counts up on the page, so the list's ordinal stands, not the mark as typed.
            title = title if number else _ITEM_MARK.sub("", title, count=1)
            number, shown = element.ordinal, f"{element.ordinal}. {title}"
        if only_number(raw) and (name := _title_below(text, elements, at)):
            title, shown = name, f"{shown} {name}"
        while path and not _lies_in(path[-1], element.level, number):
            path.pop()
        level = path[-1].level + 1 if path and path[-1].raw == element.level else element.level
        yield Head(element, number, title or shown, shown, level, path[-1].place if path else None, explicit_id(raw))
        path.append(_Open(element.level, level, number, place))


def _lies_in(outer: _Open, level: int, number: str | None) -> bool:
    return outer.raw < level or (outer.raw == level and extends(outer.number, number))


def _title_below(text: str, elements: list[Element], at: int) -> str | None:
    """The bold line right below "Clause 8", which is its title."""
    if at + 1 >= len(elements) or elements[at + 1].kind is not Kind.PARAGRAPH:
        return None
    below = elements[at + 1]
    match = _BOLD_LINE.match(text, below.start, below.end)
    if match is None or match.end() < below.end or match["colon"]:
        return None
    words = (match["stars"] or match["lines"] or match["html"]).strip()
    named = words[:1].isupper() and len(words) <= LONGEST_BOLD and not words.endswith(_SENTENCE_END)
    return split_heading(words)[1] if named else None
