"""Differences between two versions of a section, word by word; line wrapping does not count."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from eval.paint import Paint, harmless

# Paragraphs, list items and table rows stay apart; all other white space is only wrapping.
_TOKEN = re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]*(?:\||[-*+] |\([a-z0-9]+\) |[0-9]+[.)] ))|[^\s]+")
_BREAK = re.compile(r"\n")
_CONTEXT = 12
"""Unchanged words shown on each side of a change."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words (and paragraph breaks) that both versions have, or only one of them."""

    kind: Literal["same", "added", "removed"]
    words: tuple[str, ...]


def compare(before: str, after: str) -> tuple[Piece, ...]:
    """The pieces, in order; joined without the added ones they are `before`, without the removed ones `after`."""
    old, new = _tokens(before), _tokens(after)
    return tuple(_pieces(old, new, difflib.SequenceMatcher(None, old, new, autojunk=False)))


def _tokens(text: str) -> list[str]:
    return ["\n\n" if match.count("\n") > 1 else match.strip(" \t") or "\n" for match in _TOKEN.findall(text.strip())]


def _pieces(old: list[str], new: list[str], matcher: difflib.SequenceMatcher[str]) -> Iterator[Piece]:
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield Piece("same", tuple(old[a:b]))
            continue
        if b > a:
            yield Piece("removed", tuple(old[a:b]))
        if d > c:
            yield Piece("added", tuple(new[c:d]))


def differs(pieces: tuple[Piece, ...]) -> bool:
    """Whether there is any change at all."""
    return any(piece.kind != "same" for piece in pieces)


def show(pieces: tuple[Piece, ...], paint: Paint, *, context: int | None = _CONTEXT) -> str:
    """The changes with `context` unchanged words on each side (None: all of them)."""
    last = len(pieces) - 1
    parts = [_shown(piece, paint, context, at == 0, at == last) for at, piece in enumerate(pieces)]
    text = " ".join(parts)
    return re.sub(r" *(\n+) *", r"\1", text).strip("\n")


def _shown(piece: Piece, paint: Paint, context: int | None, first: bool, last: bool) -> str:
    if piece.kind == "same":
        return _join(piece.words if context is None else _elided(piece.words, context, first, last))
    style = paint.added if piece.kind == "added" else paint.removed
    # Each paragraph is marked by itself, so that no mark spans an empty line.
    return "".join(
        part if _BREAK.search(part) else style(part) for part in re.split(r"(\n+)", _join(piece.words)) if part
    )


def _elided(words: tuple[str, ...], context: int, first: bool, last: bool) -> tuple[str, ...]:
    head, tail = (0 if first else context), (0 if last else context)
    if len(words) <= head + tail + 3:
        return words
    return (*words[:head], "...", *(words[-tail:] if tail else ()))


def _join(words: tuple[str, ...]) -> str:
    return re.sub(r" *(\n+) *", r"\1", harmless(" ".join(words)))
