"""Equations as one line of text, in the order in which they are read."""

from __future__ import annotations

from typing import Final

from ingest.docx.names import MATH_TEXT, TEXT, M, Node

_PARTS: Final = {
    M + "f": ("{}/{}", ("num", "den")),
    M + "sSup": ("{}^{}", ("e", "sup")),
    M + "sSub": ("{}_{}", ("e", "sub")),
    M + "sSubSup": ("{}_{}^{}", ("e", "sub", "sup")),
    M + "rad": ("{}√{}", ("deg", "e")),
}
_ROWS: Final = (M + "mr", M + "eqArr")
_SIMPLE: Final = 1


def equation(node: Node) -> str:
    """Its text: a fraction as "a/b", parts of more than a letter in brackets. Tags nest to max_nesting only."""
    if node.tag in (MATH_TEXT, TEXT):
        return node.text or ""
    if node.tag in _PARTS:
        form, names = _PARTS[node.tag]
        return form.format(*(_bracketed(node.find(M + name)) for name in names))
    if node.tag == M + "d":
        return f"({', '.join(equation(child) for child in node.iterchildren(M + 'e'))})"
    gap = "; " if node.tag in _ROWS else ""
    return gap.join(filter(None, map(equation, node)))


def _bracketed(part: Node | None) -> str:
    text = "" if part is None else "".join(map(equation, part))
    bare = len(text) <= _SIMPLE or text.replace(".", "").isalnum()
    return text if bare else f"({text})"
