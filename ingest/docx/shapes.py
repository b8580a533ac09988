"""What drawings and shapes say: text boxes, words drawn in shapes, diagrams; their fill, and whether they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ingest.docx.colours import UNKNOWN, WHITE, themed
from ingest.docx.names import CHART, DIAGRAM, DRAWN_PARAGRAPH, DRAWN_TEXT, TEXT_BOX, VML, WPS, A, Node, R, whole

_FILLS: Final = tuple(A + name for name in ("solidFill", "gradFill", "blipFill", "pattFill"))
_VML_SHAPES: Final = tuple(VML + name for name in ("shape", "rect", "roundrect", "oval"))
_VML_WHITE: Final = ("white", "#fff", "window")
_VML_COLOUR: Final = re.compile(r"#([0-9a-f]{6})")
_VML_UNSEEN: Final = re.compile(
    r"(?:^|;)\s*(?:visibility\s*:\s*hidden|(?:width|height)\s*:\s*0(?:\.0*)?(?:pt|px|in|cm|mm)?\s*(?:;|$)"
    r"|(?:margin-)?(?:left|top)\s*:\s*-\d{4,}(?:\.\d*)?(?:pt|px)?)"
)
_SMALLEST: Final = 10_000
"""English Metric Units: less than a point."""
_DRAWING: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"


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


def is_unseen(box: Node) -> bool:
    """Whether a text box is hidden, has no size, or lies far off the page."""
    for shape in box.iterancestors(_DRAWING + "anchor", _DRAWING + "inline", *_VML_SHAPES):
        if shape.tag in _VML_SHAPES:
            return bool(_VML_UNSEEN.search(shape.get("style", "").lower()))
        named, extent = shape.find(_DRAWING + "docPr"), shape.find(_DRAWING + "extent")
        hidden = named is not None and named.get("hidden") in ("1", "true")
        sizes = [extent.get(name) for name in ("cx", "cy")] if extent is not None else []
        return hidden or any(size is not None and whole(size, _SMALLEST) < _SMALLEST for size in sizes)
    return False


def box_paper(box: Node, theme: Mapping[str, str]) -> str | None:
    """The colour behind the words of a text box; None for a box without a fill."""
    for shape in box.iterancestors(WPS + "wsp", *_VML_SHAPES):
        return _drawing_paper(shape, theme) if shape.tag == WPS + "wsp" else _vml_paper(shape)
    return None


def _drawing_paper(shape: Node, theme: Mapping[str, str]) -> str | None:
    properties = shape.find(WPS + "spPr")
    for child in properties if properties is not None else ():
        if child.tag == A + "noFill":
            return None
        if child.tag in _FILLS:
            return _fill(child, theme)
    reference = shape.find(f"{WPS}style/{A}fillRef")
    return UNKNOWN if reference is not None and reference.get("idx", "0") != "0" else None


def _fill(fill: Node, theme: Mapping[str, str]) -> str:
    plain, scheme = fill.find(A + "srgbClr"), fill.find(A + "schemeClr")
    if plain is not None:
        return plain.get("val", UNKNOWN)
    # With children, the colour is made lighter, darker or transparent.
    return (scheme is not None and not len(scheme) and themed(scheme.get("val", ""), theme)) or UNKNOWN


def _vml_paper(shape: Node) -> str | None:
    if shape.get("filled") in ("f", "false"):
        return None
    color = shape.get("fillcolor", "white").partition(" ")[0].lower()
    code = _VML_COLOUR.fullmatch(color)
    return WHITE if color in _VML_WHITE else code[1] if code else UNKNOWN
