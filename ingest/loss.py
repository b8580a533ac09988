"""What of the raw file is in no element: measured word by word against the file, not against the parser."""

from __future__ import annotations

import re
from typing import Final

from ingest.document import Document, Note
from ingest.markdown.plain import blank

_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?(---|\+\+\+)[ \t]*\r?\n.*?^(?:\1|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_WORD: Final = re.compile(r"\w+")
_LINE_END: Final = re.compile(r"\r\n?|\n")


def lost_lines(document: Document, raw: str) -> list[Note]:
    """A note for every line of `raw` outside front matter with words that stand in no element of `document`.

    Elements only ever leave words out, so both are read side by side; comments and tags have no words.
    """
    words = _element_words(document)
    at = 0
    notes = []
    for number, line in _raw_lines(raw):
        wanted = _WORD.findall(line)
        if words[at : at + len(wanted)] == wanted:
            at += len(wanted)
            continue
        found = _partly(words, at, wanted)
        # A line with most words lost would lead the reading astray if the rest were matched by chance.
        at += found if 2 * found >= len(wanted) else 0
        notes.append(Note("lost-line", f"{document.doc_id}:{number}", f"not in any section: {line.strip()[:120]}"))
    return notes


def _partly(words: list[str], at: int, wanted: list[str]) -> int:
    found = 0
    for word in wanted:
        found += at + found < len(words) and words[at + found] == word
    return found


def _element_words(document: Document) -> list[str]:
    seen = blank(document.text)
    words: list[str] = []
    for section in document.sections:
        own = section.end - section.start
        for element in section.elements:
            if element.end <= own:
                words += _WORD.findall(seen, section.start + element.start, section.start + element.end)
    return words


def _raw_lines(raw: str) -> list[tuple[int, str]]:
    """Line numbers and lines that have words, comments and tags blanked, front matter left out."""
    text = _LINE_END.sub("\n", raw)
    front = _FRONT_MATTER.match(text)
    skipped = text.count("\n", 0, front.end()) + 1 if front else 0
    lines = blank(text[front.end() :] if front else text).split("\n")
    first = skipped if front else 1
    return [(first + place, line) for place, line in enumerate(lines) if _WORD.search(line)]
