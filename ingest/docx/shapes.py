"""What drawings and shapes say: text boxes, words drawn in shapes, diagrams; and whether they have a fill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ingest.docx.faces import is_white
from ingest.docx.names import CHART, DIAGRAM, DRAWN_PARAGRAPH, DRAWN_TEXT, TEXT_BOX, VML, WPS, A, Node, R

_FILLS: Final = tuple(A + name for name in ("solidFill", "gradFill", "blipFill", "pattFill"))
_VML_SHAPES: Final = tuple(VML + name for name in ("shape", "rect", "roundrect", "oval"))
_VML_WHITE: Final = ("white", "#fff", "#ffffff", "window")


def text_boxes(picture: Node) -> Iterator[Node]:
    """The text boxes of a drawing, except those inside of another's paragraphs."""
    yield from _own(picture, TEXT_BOX)


def drawn_lines(picture: Node) -> Iterator[str]:
    """Paragraphs of words in shapes that are no text boxes."""
    for paragraph in _own(picture, DRAWN_PARAGRAPH):
        yield "".join(text.text or "" for text in paragraph.iter(DRAWN_TEXT))


def diagrams(picture: Node) -> Iterator[str]:
    """Ids of the relations to the words of diagrams."""
    for node in _own(picture, DIAGRAM + "relIds"):
        yield node.get(R + "dm", "")


def has_chart(picture: Node) -> bool:
    """Whether it shows a chart, which is a part of its own."""
    return next(_own(picture, CHART + "chart"), None) is not None


def _own(picture: Node, tag: str) -> Iterator[Node]:
    """What is in a picture, but in no text box of it, whose paragraphs are read by themselves."""
    for node in picture.iter(tag):
        around = node.getparent()
        while around is not None and around is not picture and around.tag != TEXT_BOX:
            around = around.getparent()
        if around is picture:
            yield node


def is_filled(box: Node) -> bool:
    """Whether there is a colour behind the words of a text box."""
    for shape in box.iterancestors(WPS + "wsp", *_VML_SHAPES):
        return _drawing_filled(shape) if shape.tag == WPS + "wsp" else _vml_filled(shape)
    return False


def _drawing_filled(shape: Node) -> bool:
    properties = shape.find(WPS + "spPr")
    for child in properties if properties is not None else ():
        if child.tag == A + "noFill":
            return False
        if child.tag in _FILLS:
            return not _is_white_fill(child)
    reference = shape.find(f"{WPS}style/{A}fillRef")
    return reference is not None and reference.get("idx", "0") != "0"


def _is_white_fill(fill: Node) -> bool:
    plain, scheme = fill.find(A + "srgbClr"), fill.find(A + "schemeClr")
    if plain is not None:
        return is_white(plain.get("val"))
    return scheme is not None and scheme.get("val") in ("bg1", "lt1")


def _vml_filled(shape: Node) -> bool:
    color = shape.get("fillcolor", "white").partition(" ")[0].lower()
    return shape.get("filled") not in ("f", "false") and color not in _VML_WHITE
