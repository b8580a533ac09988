"""What lies on a page beside its content: links, and words that were typed into form fields or set down as free text.

The content stream has no words of a filled form; who reads it on screen or paper sees them (ISO 32000-1, 12.5, 12.7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pdfminer.pdftypes import resolve1
from pdfminer.psparser import PSLiteral
from pdfminer.utils import decode_text

from ingest.pdf.geometry import Box, Word
from ingest.pdf.opening import RecordedPage
from ingest.pdf.pieces import DESCENT

FORM_FONT: Final = "form"
"""Font of such words; their size is guessed where the file leaves it to the viewer."""
_MOST: Final = 2_000
"""Annotations of a page that are looked at."""
_UNSEEN: Final = 0b100010
"""Flags (table 165): hidden, not to be viewed."""
_NO_WORDS: Final = ("Link", "Popup", "Widget")
_OF_WORDS: Final = ("Stamp", "FileAttachment", "Redact")
_DEEPEST: Final = 8
"""Parents of a field that may hold its value."""
_SIZE: Final = re.compile(rb"([\d.]+)\s+Tf")
_USUAL: Final = 10.0
_LEADING, _WIDTH = 1.15, 0.5
"""Of the em, between lines and of a character."""


@dataclass(frozen=True, slots=True)
class Link:
    """An area that leads somewhere."""

    box: Box
    href: str


@dataclass(frozen=True, slots=True)
class Annotations:
    """Links and typed words of one page."""

    links: tuple[Link, ...] = ()
    rows: tuple[tuple[Word, ...], ...] = ()
    """Words of each line of each field."""
    unread: int = 0
    """Others that can be seen and hold words: comments, stamps, attached files."""


def annotations_of(page: RecordedPage) -> Annotations:
    """The annotations of a page; none of a turned one, since their boxes are not turned with it."""
    held = resolve1(page.page_obj.annots)
    entries = [one for one in map(resolve1, held[:_MOST]) if isinstance(one, dict)] if isinstance(held, list) else []
    unread = sum(map(_is_unread, entries))
    if page.rotation:
        return Annotations(unread=unread + sum(_typed(entry) is not None for entry in entries))
    links: list[Link] = []
    rows: list[tuple[Word, ...]] = []
    for entry in entries:
        box = _box(page, entry)
        if box is None:
            continue
        if href := _href(entry):
            links.append(Link(box, href))
        if text := _typed(entry):
            rows += _rows(text, box, entry)
    return Annotations(tuple(links), tuple(rows), unread)


def _box(page: RecordedPage, entry: dict[str, Any]) -> Box | None:
    values = resolve1(entry.get("Rect"))
    numbers = [resolve1(value) for value in values] if isinstance(values, list) else []
    if len(numbers) != 4 or not all(isinstance(number, int | float) for number in numbers):
        return None
    x0, y0, x1, y1 = map(float, numbers)
    top = float(page.height + page.mediabox[1])
    return min(x0, x1), top - max(y0, y1), max(x0, x1), top - min(y0, y1)


def _href(entry: dict[str, Any]) -> str | None:
    action = resolve1(entry.get("A"))
    href = resolve1(action.get("URI")) if isinstance(action, dict) else None
    return href.decode("utf-8", "replace") if isinstance(href, bytes) else None


def _typed(entry: dict[str, Any]) -> str | None:
    """The words of a text or choice field, or of free text."""
    if _is_unseen(entry):
        return None
    kind = _name(entry.get("Subtype"))
    if kind == "FreeText":
        return _text(entry.get("Contents"))
    if kind == "Widget" and _name(_inherited(entry, "FT")) in ("Tx", "Ch"):
        return _text(_inherited(entry, "V"))
    return None


def _is_unseen(entry: dict[str, Any]) -> bool:
    flags = resolve1(entry.get("F"))
    return isinstance(flags, int) and bool(flags & _UNSEEN)


def _is_unread(entry: dict[str, Any]) -> bool:
    """Whether a reader on screen finds words here that are not read."""
    kind = _name(entry.get("Subtype"))
    if _is_unseen(entry) or kind in _NO_WORDS:
        return False
    return kind in _OF_WORDS or (kind != "FreeText" and _text(entry.get("Contents")) is not None)


def _inherited(entry: dict[str, Any], key: str) -> Any:
    for _ in range(_DEEPEST):
        if key in entry:
            return entry[key]
        parent = resolve1(entry.get("Parent"))
        if not isinstance(parent, dict):
            break
        entry = parent
    return None


def _name(value: Any) -> str:
    value = resolve1(value)
    return str(value.name) if isinstance(value, PSLiteral) else ""


def _text(value: Any) -> str | None:
    value = resolve1(value)
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value))) or None
    return decode_text(value).strip() or None if isinstance(value, bytes) else None


def _rows(text: str, box: Box, entry: dict[str, Any]) -> Iterator[tuple[Word, ...]]:
    """The lines of a field as words at about their places."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    size = _size(entry) or min(_USUAL, (box[3] - box[1]) / (_LEADING * len(lines)))
    first = box[1] + size if len(lines) > 1 else (box[1] + box[3] + 0.6 * size) / 2
    for place, words in enumerate(lines):
        yield tuple(_words(words, box, first + place * _LEADING * size, size))


def _size(entry: dict[str, Any]) -> float | None:
    look = resolve1(_inherited(entry, "DA"))
    match = _SIZE.search(look) if isinstance(look, bytes) else None
    return float(match[1]) or None if match else None


def _words(words: Sequence[str], box: Box, base: float, size: float) -> Iterator[Word]:
    letters = len(" ".join(words))
    step = min(_WIDTH * size, (box[2] - box[0]) / letters)
    x = box[0]
    for word in words:
        end = x + step * len(word)
        yield Word(word, x, base - (1 - DESCENT) * size, end, base + DESCENT * size, size, FORM_FONT)
        x = end + step
