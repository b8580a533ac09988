"""All words of a part, paragraph by paragraph: a plain walk that knows nothing of styles, revisions or fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from ingest.blocks import SourceLine
from ingest.docx.names import (
    BREAK,
    COMMENT,
    DELETED_TEXT,
    DRAWN_PARAGRAPH,
    DRAWN_TEXT,
    ENDNOTE,
    FOOTNOTE,
    MATH_TEXT,
    PLACE,
    RETURN,
    TAB,
    TEXT,
    TYPE,
    Node,
    P,
)

_WORDS: Final = (TEXT, DELETED_TEXT, MATH_TEXT, DRAWN_TEXT)
_GAPS: Final = (TAB, BREAK, RETURN)
_TAGS: Final = (P, DRAWN_PARAGRAPH, *_WORDS, *_GAPS)
_NOTES: Final = {FOOTNOTE: "footnote", ENDNOTE: "endnote", COMMENT: "comment"}
NOTES_WITHOUT_WORDS: Final = ("separator", "continuationSeparator", "continuationNotice")
"""Types of footnotes that only draw lines."""


def source_lines(root: Node, place: str | None = None) -> list[SourceLine]:
    """The lines of a part with words, and the place of each paragraph noted on it.

    Places are those of the notes or comments that the part holds ("footnote 3"), or `place`, or counted
    paragraphs ("paragraph 14").
    """
    found = [one for one in root if one.tag in _NOTES and not _only_draws(one)]
    if not found:
        return list(_lines(root, place))
    return [line for number, one in enumerate(found, 1) for line in _lines(one, f"{_NOTES[one.tag]} {number}")]


def _only_draws(note: Node) -> bool:
    return note.get(TYPE) in NOTES_WITHOUT_WORDS


def _lines(top: Node, place: str | None) -> Iterator[SourceLine]:
    lines: list[tuple[str, list[str]]] = []
    # Text boxes are paragraphs inside of paragraphs.
    open_lines: list[tuple[str, list[str]]] = [(place or "paragraph 1", [])]
    lines.append(open_lines[0])
    count, last = 0, ""
    for event, node in etree.iterwalk(top, events=("start", "end"), tag=_TAGS):
        tag = node.tag
        if tag in (P, DRAWN_PARAGRAPH):
            if event == "end":
                open_lines.pop()
                continue
            count += tag == P
            here = place or f"paragraph {max(count, 1)}"
            if tag == P:
                node.set(PLACE, here)
            open_lines.append((here, []))
            lines.append(open_lines[-1])
        elif event == "start":
            parts = open_lines[-1][1]
            # A word of which a part is deleted is two words here: the deleted part is found apart from the rest.
            parts += [" "] if tag in _GAPS or (tag != last and DELETED_TEXT in (tag, last)) else []
            parts += [node.text or ""] if tag not in _GAPS else []
            last = tag
    for here, parts in lines:
        if text := "".join(parts).strip():
            yield SourceLine(here, text)
