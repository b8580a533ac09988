"""What was left out of a Word file on purpose, and what was noticed, collected while it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ingest.blocks import Dropped, Remark
from ingest.docx.names import DELETED_TEXT, DRAWN_TEXT, MATH_TEXT, PLACE, TEXT, Node, P, whole

QUOTED: Final = 80
"""Characters of hidden text that a remark quotes."""

TABLE_OF_CONTENTS: Final = "table of contents"
DELETED: Final = "deleted revision"
HIDDEN: Final = "hidden text"
DUPLICATE: Final = "duplicate"
FIELD_CODE: Final = "field code"


@dataclass(slots=True)
class Report:
    """Grows while a file is read."""

    dropped: list[Dropped] = field(default_factory=list)
    insertions: int = 0
    deletions: int = 0
    placeholders: int = 0
    symbols: Counter[str] = field(default_factory=Counter)
    """Signs of symbol fonts that no table names, by font and code."""
    deleted_notes: set[str] = field(default_factory=set)
    """Kinds and ids of footnotes whose mark was deleted."""
    _remarks: list[Remark] = field(default_factory=list)

    def drop(self, reason: str, place: str, text: str) -> None:
        """Note words that are left out."""
        if text.strip():
            self.dropped.append(Dropped(reason, place, text))

    def drop_all(self, reason: str, node: Node) -> None:
        """Note all words below `node`, each with its paragraph."""
        place, parts = "", list[str]()
        for text in node.iter(TEXT, DELETED_TEXT, MATH_TEXT, DRAWN_TEXT):
            here = place_of(text)
            if here != place:
                self.drop(reason, place, "".join(parts))
                place, parts = here, []
            parts.append(text.text or "")
        self.drop(reason, place, "".join(parts))

    def remark(self, code: str, place: str, message: str) -> None:
        """Note something, once."""
        if (one := Remark(code, place, message)) not in self._remarks[-20:]:
            self._remarks.append(one)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """All that was noticed, what is said of the whole file first."""
        return (*self._of_file(), *self._remarks, *self._of_hidden_text())

    def _of_file(self) -> Iterator[Remark]:
        if self.insertions or self.deletions:
            kept, left = _counted(self.insertions, "insertion"), _counted(self.deletions, "deletion")
            yield Remark("tracked-changes", "", f"{kept} kept, {left} left out; accept or reject them in Word")
        if self.placeholders:
            verb = "shows its" if self.placeholders == 1 else "show their"
            message = f"{_counted(self.placeholders, 'content control')} still {verb} placeholder text; fill them in"
            yield Remark("placeholder", "", message)
        for sign, count in sorted(self.symbols.items()):
            yield Remark("symbol", "", f"{sign} is a sign that cannot be read; left out {_counted(count, 'time')}")

    def _of_hidden_text(self) -> Iterator[Remark]:
        """One remark for neighbouring paragraphs, each quoted from its start."""
        hidden = [one for one in self.dropped if one.reason == HIDDEN]
        first, parts, last = "", list[str](), -1
        for one in hidden:
            number = whole(one.where.rpartition(" ")[2])
            if parts and number - last not in (0, 1):
                yield _hidden(first, parts)
                parts = []
            first = first if parts else one.where
            parts.append(one.text)
            last = number
        if parts:
            yield _hidden(first, parts)


def place_of(node: Node) -> str:
    """The place of the paragraph around `node`; "" where there is none."""
    if node.tag == P:
        return node.get(PLACE, "")
    around = next(node.iterancestors(P), None)
    return "" if around is None else around.get(PLACE, "")


def _hidden(place: str, parts: list[str]) -> Remark:
    text = " ".join(" ".join(parts).split())
    shown = text if len(text) <= QUOTED else f"{text[:QUOTED]}..."
    return Remark("hidden-text", place, f'hidden text left out: "{shown}"')


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
