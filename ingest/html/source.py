"""Every line of words of a page's raw text, by a plain search for tags that knows nothing of the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ingest.blocks import SourceLine
from ingest.charrefs import unescaped
from ingest.html.names import INLINE

_STRING: Final = r"=\s*(?:\"[^\"]*\"|'[^']*')"
_MARKUP: Final = re.compile(
    rf"<!--.*?--!?>|<!-->|<(?P<raw>script|style|title)\b(?:{_STRING}|[^>])*+>.*?</(?P=raw)(?=[\s/>])[^>]*>"
    rf"|</?(?P<name>[a-z][^\s/>]*)(?P<rest>(?:{_STRING}|[^>])*+)>|<[!?/][^>]*>",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    r"(?<![\w-])(alt|value|type)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))", re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W_]")
_EMPHASIS: Final = frozenset({"b", "i", "em", "strong", "u", "big", "small", "tt", "code"})
_SILENT: Final = frozenset({"hidden", "checkbox", "radio", "password"})


def source_lines(text: str) -> Iterator[SourceLine]:
    """The words of a page, a line or a part of it at a time, but for its title, scripts, styles and comments."""
    line, at = 1, 0
    parts: list[str] = []
    for match in _MARKUP.finditer(text):
        yield from _split(parts, text[at : match.start()], line)
        line += text.count("\n", at, match.start())
        name = (match["name"] or "").lower()
        if name not in INLINE:
            yield from _taken(parts, line)
            yield from _taken([_spoken(name, match["rest"] or "")], line)
        elif name not in _EMPHASIS:
            # Of "<del>30</del><ins>45</ins> days" one part is left out.
            parts.append(" ")
        line += text.count("\n", match.start(), match.end())
        at = match.end()
    yield from _split(parts, text[at:], line)
    yield from _taken(parts, line)


def _split(parts: list[str], text: str, line: int) -> Iterator[SourceLine]:
    """Whole lines of `text`, the first joined to `parts`; its last line becomes the new `parts`."""
    for place, piece in enumerate(text.split("\n")):
        if place:
            yield from _taken(parts, line + place - 1)
        parts.append(piece)


def _taken(parts: list[str], line: int) -> Iterator[SourceLine]:
    words = unescaped("".join(parts))
    parts.clear()
    if _WORD.search(words):
        yield SourceLine(f"line {line}", words)


def _spoken(name: str, rest: str) -> str:
    if name not in ("img", "input"):
        return ""
    found: dict[str, str] = {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(rest)}
    kind = found.get("type", "").lower()
    if name == "img" or kind == "image":
        return found.get("alt", "")
    return found.get("value", "") if kind not in _SILENT else ""
