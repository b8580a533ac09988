"""Footnotes and the sections that mark them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ingest.elements import Element, Kind

_MARK: Final = re.compile(r"\[\^([^\]\s^]{1,80})\](?!:)")
_LABEL: Final = re.compile(r"\[\^([^\]\s^]{1,80})\]:")


class Footnotes:
    """The footnotes of one text, by label; of two with one label the first counts, as in Markdown."""

    def __init__(self, text: str, elements: Iterable[Element]) -> None:
        self._text = text
        self._by_label: dict[str, Element] = {}
        for element in elements:
            if element.kind is Kind.FOOTNOTE and (label := _LABEL.match(text, element.start, element.end)):
                self._by_label.setdefault(label[1], element)

    def marked(self, start: int, end: int) -> list[Element]:
        """The footnotes that `text[start:end]` marks but does not hold, and those that they mark, in that order."""
        if not self._by_label:
            return []
        found: dict[str, Element] = {}
        waiting = _MARK.findall(self._text, start, end)
        while waiting:
            label = waiting.pop(0)
            note = self._by_label.get(label)
            if note and label not in found and not start <= note.start < end:
                found[label] = note
                waiting += _MARK.findall(self._text, note.start, note.end)
        return list(found.values())
