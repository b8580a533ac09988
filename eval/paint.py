"""Plain text with or without the escape codes of a terminal."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import TextIO

# A handbook may hold control characters; shown raw, they could rewrite what is on the screen.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Paint:
    """Styles for one output stream; every method returns the text unchanged where `on` is false."""

    on: bool

    @classmethod
    def of(cls, stream: TextIO) -> Paint:
        """For a stream: on for a terminal, unless NO_COLOR is set or TERM is dumb."""
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(stream.isatty() and not plain)

    @classmethod
    def stdout(cls) -> Paint:
        """For the standard output."""
        return cls.of(sys.stdout)

    def bold(self, text: str) -> str:
        """For headings."""
        return self._styled(text, "1")

    def dim(self, text: str) -> str:
        """For what is beside the point."""
        return self._styled(text, "2")

    def good(self, text: str) -> str:
        """Green: in force, added."""
        return self._styled(text, "32")

    def bad(self, text: str) -> str:
        """Red: removed, refused."""
        return self._styled(text, "31")

    def warn(self, text: str) -> str:
        """Yellow: deserves a look."""
        return self._styled(text, "33")

    def added(self, text: str) -> str:
        """New words: green, or between {+ and +}."""
        return self._styled(text, "32") if self.on else f"{{+{text}+}}"

    def removed(self, text: str) -> str:
        """Former words: red and struck through, or between [- and -]."""
        return self._styled(text, "31;9") if self.on else f"[-{text}-]"

    def _styled(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


def harmless(text: str) -> str:
    """The text without control characters, but for line ends and tabs."""
    return _CONTROL.sub("", text)
