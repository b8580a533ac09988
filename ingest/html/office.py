"""What Word, LibreOffice and Google Docs say in their HTML beside HTML: lists, headings and parts of the page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ingest.elements import Kind
from ingest.html.css import Style
from ingest.html.drafts import Draft, cut
from ingest.html.names import HEADINGS
from ingest.html.tree import Node

_LEVEL: Final = re.compile(r"\bl\d+\s+level(\d)\b")
_HEADING: Final = re.compile(r"(?:mso-?)?heading[-_ ]?([1-6])", re.IGNORECASE)
_TITLED: Final = re.compile(r"(?:.*[-_a-z])?(?:[Hh]eading|[Tt]itle)")
_BULLET: Final = re.compile(r"[·•●○▪■◦§o\uf0a7\uf0b7\uf0d8–-]\s+(?=\S)")
_CONTENTS: Final = re.compile(r"MsoToc(?:\d|Heading)?|TOC\d", re.IGNORECASE)
_PARTS: Final = {
    "comment-list": "comment",
    "comment": "comment",
    "header": "header",
    "footer": "footer",
    "first-header": "header",
    "first-footer": "footer",
}


def word_part(node: Node) -> str | None:
    """The reason why a part of an exported page is no text of it; None for text."""
    if not node.attributes:
        return None
    if node.tag in ("p", "li") and any(_CONTENTS.fullmatch(name) for name in node.classes):
        return "table of contents"
    if match := re.search(r"mso-element:\s*([a-z-]+)", node.get("style")):
        return _PARTS.get(match[1])
    if node.tag == "div" and node.get("title").lower() in ("header", "footer"):
        return node.get("title").lower()
    return None


def is_title(node: Node) -> bool:
    """Whether a paragraph has Word's style for the title of the whole."""
    return node.tag == "p" and any(name.lower() == "msotitle" for name in node.classes)


def is_titled(node: Node) -> bool:
    """Whether a class calls an element a heading or title, of whatever level."""
    return bool(node.attributes) and any(_TITLED.fullmatch(name) for name in node.classes)


def heading_level(node: Node) -> int | None:
    """The level of a heading, 1 to 6; None for what is none."""
    if node.tag in HEADINGS:
        own = node.get("aria-level") if node.get("role") == "heading" else ""
        return int(own) if own in set("123456") else int(node.tag[1])
    if node.get("role").lower() == "heading":
        own = node.get("aria-level")
        return int(own) if own in set("123456") else 2
    if is_title(node):
        return 1
    if node.tag in ("p", "div") and node.attributes:
        for name in node.classes:
            if match := _HEADING.fullmatch(name):
                return int(match[1])
    return None


def list_level(style: Style) -> int | None:
    """The depth of a paragraph that Word shows as an item; its mark stands in a part that `is_mark` knows."""
    match = _LEVEL.search(style.get("mso-list", ""))
    return int(match[1]) if match else None


def is_mark(style: Style) -> bool:
    """Whether a part of a paragraph is the mark of Word's list, and the gap after it."""
    return style.get("mso-list", "").startswith("ignore")


def without_bullet(node: Node, draft: Draft) -> Draft:
    """A paragraph of Word's list class that starts with a typed bullet, as an item without it."""
    if not any(name.lower().startswith("msolist") for name in node.classes):
        return draft
    bullet = _BULLET.match("".join(run.text for run in draft.lines[0]))
    if bullet is None:
        return draft
    lines = [cut(draft.lines[0], bullet.end()), *draft.lines[1:]]
    return replace(draft, kind=Kind.ITEM, level=draft.level + 1, lines=lines)
