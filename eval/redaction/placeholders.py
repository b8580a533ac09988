"""Placeholders: "<EMAIL_1>" for the first e-mail address that a Redactor met, wherever it meets it again."""

from __future__ import annotations

import re
import threading
from typing import Final

PLACEHOLDER: Final = re.compile(r"<([A-Z][A-Z_]*)_([1-9]\d{0,8})>")


def kind_of(placeholder: str) -> str | None:
    """The kind, "EMAIL", of a text that is one placeholder; None for any other text."""
    match = PLACEHOLDER.fullmatch(placeholder)
    return match[1] if match else None


def kinds_only(text: str) -> str:
    """A text with its placeholders' numbers left out: what two redactions of one text have in common."""
    return PLACEHOLDER.sub(r"<\1>", text)


class Placeholders:
    """Gives the same placeholder for the same value, also to several threads."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], str] = {}
        self._last: dict[str, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._given)

    def give(self, kind: str, value: str) -> str:
        """The placeholder of a value, a new one at its first time."""
        with self._lock:
            if (kind, value) not in self._given:
                self._last[kind] = self._last.get(kind, 0) + 1
                self._given[kind, value] = f"<{kind}_{self._last[kind]}>"
            return self._given[kind, value]

    def skip(self, text: str) -> None:
        """Leave out the numbers of placeholders that stand in a text already."""
        if "_" not in text or "<" not in text:
            return
        with self._lock:
            given = set(self._given.values())
            for match in PLACEHOLDER.finditer(text):
                if match[0] not in given:
                    self._last[match[1]] = max(self._last.get(match[1], 0), int(match[2]))
