"""Footnotes and endnotes: their labels as Word shows them, and which of them are marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ingest.docx.lines import NOTES_WITHOUT_WORDS
from ingest.docx.names import ENDNOTE, ENDNOTE_MARK, FOOTNOTE, FOOTNOTE_MARK, ID, TYPE, Node, W, val, whole
from ingest.docx.numerals import LARGEST, numeral

_KINDS: Final = {FOOTNOTE_MARK: FOOTNOTE, ENDNOTE_MARK: ENDNOTE}
_PROPERTIES: Final = {FOOTNOTE_MARK: W + "footnotePr", ENDNOTE_MARK: W + "endnotePr"}
_FORMS: Final = {FOOTNOTE_MARK: "decimal", ENDNOTE_MARK: "lowerRoman"}
_SUFFIXES: Final = {FOOTNOTE_MARK: "-footnote", ENDNOTE_MARK: "-endnote"}


@dataclass(slots=True)
class _Count:
    form: str
    number: int


class Notes:
    """The notes of one file; labels are given in the order in which their marks are read."""

    def __init__(self, roots: dict[str, Node], settings: Node | None, document: Node):
        """`roots`: of the parts with notes, by the tag of their marks; the others may change how notes count."""
        self._notes: dict[tuple[str, str], Node] = {}
        for mark, root in roots.items():
            for note in root.iterchildren(_KINDS[mark]):
                if note.get(TYPE) not in NOTES_WITHOUT_WORDS:
                    self._notes.setdefault((mark, note.get(ID, "")), note)
        self._counts = {mark: _count(mark, settings, document) for mark in _KINDS}
        self._labels: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()

    def label(self, mark: str, note: str, *, counts: bool = True) -> str | None:
        """The label of the note that a mark names; None where it is not there.

        `counts`: whether Word numbers it, which it does not where the author typed a mark such as "*".
        """
        key = (mark, note)
        if key not in self._notes:
            return None
        if key not in self._labels:
            self._labels[key] = self._free(mark, self._next(mark) if counts else f"note{note}")
        return self._labels[key]

    def labelled(self, deleted: set[str]) -> Iterator[tuple[str, str, Node]]:
        """Label, tag of the mark and note of all, in the order of their marks; last those that nobody marks.

        `deleted`: tags and ids of marks that were deleted, whose notes are left out.
        """
        for key in list(self._labels):
            yield self._labels[key], key[0], self._notes[key]
        for mark, note in self._notes:
            if (mark, note) not in self._labels and f"{mark} {note}" not in deleted:
                yield self._free(mark, f"note{note}"), mark, self._notes[mark, note]

    def deleted(self, deleted: set[str]) -> Iterator[Node]:
        """The notes of which the only mark was deleted."""
        for mark, note in self._notes:
            if (mark, note) not in self._labels and f"{mark} {note}" in deleted:
                yield self._notes[mark, note]

    def _next(self, mark: str) -> str:
        count = self._counts[mark]
        shown = numeral(count.number, count.form) or ""
        # Signs such as "*" and "†" come again and again, so that they name no note.
        label = shown if shown.isalnum() else str(count.number)
        count.number += 1
        return label

    def _free(self, mark: str, label: str) -> str:
        label = "".join(char for char in label if char.isalnum()) or "note"
        for found in (label, label + _SUFFIXES[mark]):
            if found not in self._taken:
                break
        else:
            found = f"{label}{_SUFFIXES[mark]}-{len(self._taken)}"
        self._taken.add(found)
        return found


def _count(mark: str, settings: Node | None, document: Node) -> _Count:
    """Format and first number, which a section may set, and else the settings."""
    name = _PROPERTIES[mark]
    places = [node.find(name) for node in document.iter(W + "sectPr")]
    places += [settings.find(name)] if settings is not None else []
    found = [place for place in places if place is not None]
    form = next((form for place in found if (form := val(place, W + "numFmt"))), _FORMS[mark])
    start = next((start for place in found if (start := val(place, W + "numStart"))), "1")
    return _Count(form, min(max(whole(start, 1), 1), LARGEST))
