"""The words of an element."""

from __future__ import annotations

from ingest.html.names import INLINE
from ingest.html.tree import Node


def words(node: Node) -> str:
    """All text of an element, without white space at the ends."""
    return "".join(one for one in node.walk() if isinstance(one, str)).strip()


def text_of(node: Node) -> str:
    """All words of an element, with a blank where one part ends and the next starts."""
    return " ".join(" ".join(lines_of(node)).split())


def lines_of(node: Node) -> list[str]:
    """The words of an element by lines of the file, and by elements that part words."""
    lines = [""]
    for one in node.walk():
        if isinstance(one, str):
            first, *rest = one.split("\n")
            lines[-1] += first
            lines += rest
        elif one.tag not in INLINE:
            lines += [spoken(one), ""]
    return [line for line in lines if line.strip()]


def spoken(node: Node) -> str:
    """The words of an element that stand in its attributes: an image's text, what a form field holds."""
    kind = node.get("type").lower()
    if node.tag == "img" or (node.tag == "input" and kind == "image"):
        return node.get("alt")
    if node.tag == "input" and kind not in ("hidden", "checkbox", "radio", "password"):
        return node.get("value")
    return ""
