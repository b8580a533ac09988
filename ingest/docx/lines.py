"""All words of a part, paragraph by paragraph: a plain walk that knows nothing of styles, lists or fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from ingest.blocks import SourceLine
from ingest.docx.names import (
    BREAK,
    COMMENT,
    DEL,
    DELETED_TEXT,
    DRAWN_PARAGRAPH,
    DRAWN_TEXT,
    ENDNOTE,
    FOOTNOTE,
    MATH_TEXT,
    MOVE_FROM,
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
_OWN_LINES: Final = (P, DRAWN_PARAGRAPH, DEL, MOVE_FROM)
_TAGS: Final = (*_OWN_LINES, *_WORDS, *_GAPS)
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
    lines: list[tuple[str, list[str]]] = [(place or "paragraph 1", [])]
    # Text boxes are paragraphs inside of paragraphs. Deleted words are a line apart, since the rest is read without.
    open_lines = [lines[0]]
    count = 0
    for event, node in etree.iterwalk(top, events=("start", "end"), tag=_TAGS):
        tag = node.tag
        if tag in _OWN_LINES:
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
            open_lines[-1][1].append(" " if tag in _GAPS else node.text or "")
    for here, parts in lines:
        if text := "".join(parts).strip():
            yield SourceLine(here, text)
