"""Formulas and tables of amounts with no condition near: what an agent would apply to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ingest.document import Document, Note, Relation, Section
from ingest.elements import Element, Kind

if TYPE_CHECKING:
    from index.lint.findings import Placed

SHOWN_TOGETHER: Final = 5_000
"""Characters of a section that an answer would show whole (about 1,200 tokens)."""

_FORMULA = re.compile(
    r"\b[A-Za-z_][\w ]{0,60}?\s*:?=\s*"
    r"(?=[^\n=]{0,200}[\w)\]](?:\s*[*/×÷]\s*|\s+[+−–-]\s+)[\w(\[])[^\n=]{3,200}"
)
_RUN = re.compile(r"\S+")
_AMOUNT = re.compile(r"[$€£¥]\s?[0-9]|[0-9]\s?%|[0-9]\s?(?:percent|USD|EUR|GBP|CHF)\b")
_CONDITION = re.compile(
    r"\b(?:if|unless|except(?:ions?)?|only|provided|subject\s+to|must|requires?d?|requirements?|eligib\w+|at\s+least"
    r"|where|needs?|no\s+later\s+than|prior\s+to|before|within|conditions?|notwithstanding|minimum|maximum|limited\s+to|up\s+to"
    r"|(?:does|do|shall|will|may|is|are)\s+not|non-refundable|does\s+not\s+apply|applies\s+to|for\s+\w+\s+plans?)\b",
    re.IGNORECASE,
)


def bare_formulas(placed: Iterable[Placed]) -> Iterator[Note]:
    """Each formula or table of amounts with no condition in what an answer shows with it, nor a link to one."""
    for one in placed:
        below = _children(one.document)
        for index, section in enumerate(one.document.sections):
            found = _formula(section)
            if found and not _has_condition(one.document, index, below):
                what, offset = found
                message = (
                    f"{what} with no condition near; say for whom and when it holds, or link to the section that does"
                )
                yield Note("no-condition", one.where(section, offset), message)


def _formula(section: Section) -> tuple[str, int] | None:
    """What wants a condition, and its offset in the section's text."""
    for element in section.elements:
        text = _RUN.sub(_without_address, section.text[element.start : element.end])
        if element.kind is not Kind.HEADING and (match := _FORMULA.search(text)):
            return "a formula", element.start + match.start()
        if element.kind is Kind.TABLE and any(_AMOUNT.search(section.text, *row) for row in element.rows):
            return "a table of amounts", element.start
    return None


def _without_address(run: re.Match[str]) -> str:
    """Blanks for a link or an address, whose path may look like a formula."""
    return " " * len(run[0]) if "://" in run[0] or "](" in run[0] else run[0]


def _has_condition(document: Document, index: int, below: Sequence[list[int]]) -> bool:
    section = document.sections[index]
    if any(link.relation in (Relation.LIMITS, Relation.CONDITION) for link in section.links):
        return True
    return any(_CONDITION.search(_body(document.sections[one])) for one in _near(document, index, below))


def _near(document: Document, index: int, below: Sequence[list[int]]) -> list[int]:
    """What an answer shows together: a section, its subsections, its parent, and a small parent's other subsections."""
    near = [index, *below[index]]
    parent = document.sections[index].parent
    if parent is None:
        return near
    family = [parent, *below[parent]]
    is_small = sum(len(document.sections[one].text) for one in family) <= SHOWN_TOGETHER
    return [*near, *(family if is_small and document.sections[parent].parent is not None else [parent])]


def _body(section: Section) -> str:
    """A section's words without its heading: "Conditions" as a title states none."""
    first: Element | None = next(iter(section.elements), None)
    return section.text[first.end :] if first and first.kind is Kind.HEADING else section.text


def _children(document: Document) -> list[list[int]]:
    """Indices of all sections below each section."""
    below: list[list[int]] = [[] for _ in document.sections]
    for index, section in enumerate(document.sections):
        parent = section.parent
        while parent is not None:
            below[parent].append(index)
            parent = document.sections[parent].parent
    return below
