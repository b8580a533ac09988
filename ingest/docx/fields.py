"""Fields: codes whose result is on the page, such as tables of contents, links and page numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ingest.docx.names import FIELD_CHAR, INSTRUCTION, Node, W

CODE: Final = "code"
"""An attribute of no namespace that the reader sets on the marks of fields that have both a start and an end: the
code on the first, "" on the others. A field that is never closed must not swallow the rest of the file."""
DEEPEST: Final = 50
"""Fields in fields; Word knows 20."""
_KIND: Final = W + "fldCharType"
_LISTINGS: Final = ("TOC", "TOA", "INDEX")
_COUNTERS: Final = ("LISTNUM", "AUTONUM", "AUTONUMLGL", "AUTONUMOUT")
_WORD: Final = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is open."""

    code: str
    kind: str = ""
    """First word of the code, in upper case."""
    href: str | None = None
    in_code: bool = True

    @property
    def is_listing(self) -> bool:
        """Whether its result lists what stands elsewhere: contents, figures, an index."""
        return self.kind in _LISTINGS

    @property
    def is_counter(self) -> bool:
        """Whether it shows a number that Word computes and the file does not hold."""
        return self.kind in _COUNTERS

    def result(self) -> Field:
        """The same field, past its code."""
        return Field(self.code, self.kind, self.href, in_code=False)


def field_of(code: str) -> Field:
    """The field of a code such as `HYPERLINK "https://example.com" \\l "fees"`."""
    words = [quoted or bare for quoted, bare in _WORD.findall(code)]
    kind = words[0].upper() if words else ""
    return Field(code, kind, _destination(words[1:]) if kind == "HYPERLINK" else None)


def _destination(words: list[str]) -> str | None:
    place = ""
    address = ""
    for before, word in zip(["", *words], words, strict=False):
        if before == "\\l":
            place = f"#{word}"
        elif not word.startswith("\\") and not before.startswith("\\"):
            address = address or word
    return address + place or None


@dataclass(slots=True)
class _Open:
    marks: list[Node]
    code: list[str] = field(default_factory=list)


def mark_fields(root: Node) -> None:
    """Note on the marks of every complete field below `root` its code."""
    fields: list[_Open] = []
    for node in root.iter(FIELD_CHAR, INSTRUCTION):
        kind = node.get(_KIND)
        if kind == "begin":
            fields.append(_Open([node]))
        elif fields and node.tag == INSTRUCTION:
            fields[-1].code += [node.text or ""] if len(fields[-1].marks) == 1 else []
        elif fields and kind in ("separate", "end"):
            fields[-1].marks.append(node)
            if kind == "end":
                _close(fields.pop(), len(fields))


def _close(one: _Open, depth: int) -> None:
    if depth > DEEPEST:
        return
    first, *others = one.marks
    first.set(CODE, "".join(one.code).strip() or "?")
    for node in others:
        node.set(CODE, "")


def linked_places(root: Node) -> set[str]:
    """Names of the bookmarks that links of the file itself lead to."""
    anchors = {node.get(W + "anchor") for node in root.iter(W + "hyperlink")}
    codes = [node.text or "" for node in root.iter(INSTRUCTION)]
    codes += [node.get(W + "instr", "") for node in root.iter(W + "fldSimple")]
    hrefs = [field_of(code).href for code in codes if "HYPERLINK" in code.upper()]
    return {name for name in anchors if name} | {href[1:] for href in hrefs if href and href.startswith("#")}
