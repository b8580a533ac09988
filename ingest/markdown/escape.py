"""Words of other formats as Markdown, so that what reads it takes no character of them for markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from ingest.markdown.markup import anchors
from ingest.markdown.plain import blank, plain

_SPACE: Final = re.compile(r"\s+")
# Entities where a backslash would not do: tags, links and code are found before escapes are.
_ENTITIES: Final = {"<": "&lt;", ">": "&gt;", "[": "&#91;", "`": "&#96;", "{": "&#123;", "&": "&amp;", "~": "&#126;"}
_HREF: Final = re.compile(r"[^()\s<>]{1,2000}")
_MARK: Final = re.compile(r"\[\^[^\]\s^]{1,80}\]")
_SIGN: Final = re.compile(r"[<>\[`{&~\\*_]")


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one kind, as the file has them."""

    text: str
    bold: bool = False
    href: str | None = None
    """Where the words lead, as written; None, or a destination that Markdown cannot hold: no link."""
    note: str | None = None
    """Label of a footnote that is marked here; `text` is empty then."""
    made: bool = False
    """Whether the file does not hold the words at this place, as in `ingest.blocks.Block`."""


def inline(runs: Iterable[Run]) -> str:
    """Runs as inline Markdown: bold, links and footnote marks; neighbours of one kind are joined first."""
    parts = [_joined(kind, [run.text for run in group]) for kind, group in groupby(runs, key=_kind)]
    mild = "".join(_marked(run, escaped(run.text)) for run in parts)
    # Signs that are harmless alone may make markup together: "*" in one run, "a*" in the next.
    words = "".join("" if run.note else run.text for run in parts)
    if _same(plain(_MARK.sub("", mild)), words):
        return mild
    return "".join(_marked(run, _all_escaped(run.text)) for run in parts)


def _kind(run: Run) -> Run:
    return replace(run, text="", made=False)


def _joined(kind: Run, texts: list[str]) -> Run:
    return replace(kind, text="".join(texts))


def _marked(run: Run, words: str) -> str:
    if run.note:
        return f"[^{run.note}]"
    shown = words.strip()
    if not shown:
        return words
    before, after = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    shown = f"**{shown}**" if run.bold else shown
    shown = f"[{shown}]({run.href})" if run.href and _HREF.fullmatch(run.href) else shown
    return before + shown + after


def escaped(words: str) -> str:
    """`words` such that `plain` gives them back, white space normalised; unchanged wherever that holds already.

    Most text has no markup by chance, and verbatim quotes of it should be found as they stand.
    """
    return words if not _SIGN.search(words) or _harmless(words) else _all_escaped(words)


def _all_escaped(words: str) -> str:
    return _SIGN.sub(lambda sign: _ENTITIES.get(sign[0]) or f"\\{sign[0]}", words)


def _harmless(words: str) -> bool:
    return _same(plain(words), words) and blank(words) == words and not anchors(words) and not _MARK.search(words)


def _same(seen: str, words: str) -> bool:
    return seen == _SPACE.sub(" ", words).strip()
