"""What a page's reading left out on purpose, and what it noticed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ingest.blocks import Dropped, Remark
from ingest.html.css import MOST_RULES

QUOTED: Final = 80
"""Characters of hidden text that a remark shows."""


@dataclass(slots=True)
class Findings:
    """Collected in the order of the page."""

    dropped: list[Dropped] = field(default_factory=list)
    _remarks: list[Remark] = field(default_factory=list)
    _unseen: list[tuple[int, str, str]] = field(default_factory=list)
    """Hidden text that nothing visible has interrupted: line, why, words."""
    _insertions: int = 0
    _deletions: int = 0

    def drop(self, reason: str, line: int, texts: Iterable[str]) -> None:
        """Words that are left out."""
        self.dropped += [Dropped(reason, f"line {line}", text) for text in texts if any(map(str.isalnum, text))]

    def hide(self, line: int, why: str, texts: Iterable[str]) -> None:
        """Words that nobody sees; neighbours are remarked on together."""
        self._unseen += [(line, why, text) for text in texts if any(map(str.isalnum, text))]

    def seen(self) -> None:
        """Visible words follow, or the page ends."""
        if not self._unseen:
            return
        (line, why, _), text = self._unseen[0], " ".join(text for _, _, text in self._unseen)
        for at, _, words in self._unseen:
            self.drop("hidden text", at, [words])
        words = " ".join(text.split())
        quoted = words if len(words) <= QUOTED else f"{words[:QUOTED]}..."
        self._remarks.append(Remark("hidden-text", f"line {line}", f'left out, not to be seen ({why}): "{quoted}"'))
        self._unseen = []

    def insert(self) -> None:
        """An insertion that is kept."""
        self._insertions += 1

    def delete(self, line: int, texts: list[str]) -> None:
        """A deletion, or text that is struck out."""
        self._deletions += any(map(str.isalnum, "".join(texts)))
        self.drop("deleted revision", line, texts)

    def embed(self, line: int, tag: str, source: str) -> None:
        """A page in the page."""
        message = f'<{tag}> shows "{source or "something"}", which is not read; index it as a file of its own'
        self._remarks.append(Remark("embedded-page", f"line {line}", message))

    def styles_ignored(self, names: Iterable[str]) -> None:
        """Names with more rules than are looked at."""
        for name in sorted(names):
            message = f'only the first {MOST_RULES} style rules for "{name}" were looked at'
            self._remarks.append(Remark("styles-ignored", "", message))

    @property
    def remarks(self) -> list[Remark]:
        """All of them, that on tracked changes last."""
        kept, left = self._insertions, self._deletions
        if not kept and not left:
            return self._remarks
        message = (
            f"{kept} insertion{'' if kept == 1 else 's'} kept, {left} deletion{'' if left == 1 else 's'}"
            " (struck-out text) left out; accept or reject them where the page is written"
        )
        return [*self._remarks, Remark("tracked-changes", "", message)]
