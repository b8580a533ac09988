"""Long texts stand once in a trace: where one comes again, only its digest is written.

{"$same": DIGEST} stands for a text of an earlier line, or of the same one. An object of the recorded data that would
read as this mark is written as {"$literal": OBJECT}. What a mark refers to always comes first, so a trace that was cut
off still reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from index.digests import text_digest

LONG: Final = 200
"""Characters from which a text is written once; a mark takes 43."""
SAME: Final = "$same"
LITERAL: Final = "$literal"


class UnknownText(ValueError):
    """A mark refers to a text that no line so far has held."""


class Packer:
    """Packs the lines of one trace, in their order."""

    def __init__(self) -> None:
        self._written: dict[str, None] = {}
        """Digests in their order."""

    def pack(self, value: Any) -> Any:
        """A value with the texts that were written before as marks."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.pack(one) for one in value]
        if isinstance(value, dict):
            packed = {key: self.pack(one) for key, one in value.items()}
            return {LITERAL: packed} if len(value) == 1 and (SAME in value or LITERAL in value) else packed
        return value

    def _text(self, text: str) -> Any:
        if len(text) < LONG:
            return text
        name = text_digest(text)
        if name in self._written:
            return {SAME: name}
        self._written[name] = None
        return text

    @property
    def written(self) -> int:
        """How many long texts the lines so far hold."""
        return len(self._written)

    def take_back(self, written: int) -> None:
        """Forget all but the first texts: the line with the others was not written."""
        while len(self._written) > written:
            self._written.popitem()


class Unpacker:
    """Reads the lines of one trace, in their order."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def unpack(self, value: Any) -> Any:
        """A packed value as it was.

        Raises:
            UnknownText: a mark without its text.
        """
        # Keys may have been sorted by another program: first every text of the line, then its marks.
        self._texts.update((text_digest(text), text) for text in _long_texts(value))
        return self._unpacked(value)

    def _unpacked(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._unpacked(one) for one in value]
        if not isinstance(value, dict):
            return value
        if _is_mark(value):
            ((name, inner),) = value.items()
            return self._same(inner) if name == SAME else {key: self._unpacked(one) for key, one in inner.items()}
        return {key: self._unpacked(one) for key, one in value.items()}

    def _same(self, name: str) -> str:
        if name not in self._texts:
            raise UnknownText(f'no text with the digest "{name}" in the lines so far')
        return self._texts[name]


def _is_mark(value: dict[str, Any]) -> bool:
    if len(value) != 1:
        return False
    return isinstance(value.get(SAME), str) or isinstance(value.get(LITERAL), dict)


def _long_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and len(value) >= LONG:
        yield value
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _long_texts(one)
