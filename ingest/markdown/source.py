"""A text that knows its lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

_LINE_END: Final = re.compile(r"\r\n?|\n")
_MARGIN: Final = re.compile(r"[ \t]*")


class Source:
    """Offsets of the lines of `text`; lines count from 0, `first_line` is the file's line of the first."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self._first_line = first_line
        if "\r" in text:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        else:
            self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def line_start(self, line: int) -> int:
        """Where a line starts; the end of the text for lines after the last."""
        return min(self._starts[line], len(self.text)) if line < len(self._starts) else len(self.text)

    def number(self, at: int) -> int:
        """The file's line number of an offset, from `first_line`."""
        return self._first_line + bisect_right(self._starts, at) - 1

    def span(self, lines: tuple[int, int], cursor: int) -> tuple[int, int]:
        """The lines [first, last) as a span from `cursor` at the earliest, white space around left out."""
        start = self.after_margin(max(self.line_start(lines[0]), cursor))
        return start, max(start, trimmed(self.text, start, self.line_start(lines[1])))

    def after_margin(self, at: int) -> int:
        """The first offset from `at` that is no space or tab."""
        match = _MARGIN.match(self.text, at)
        return match.end() if match else at


def trimmed(text: str, start: int, end: int) -> int:
    """The end of `text[start:end]` without trailing white space."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
