"""Names of the elements and attributes of WordprocessingML (ECMA-376), as lxml spells them."""

from __future__ import annotations

from typing import Final, TypeAlias

from lxml import etree

Node: TypeAlias = etree._Element

_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W: Final = f"{{{_WORD}}}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
WPS: Final = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
CHART: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
VML: Final = "{urn:schemas-microsoft-com:vml}"
OFFICE: Final = "{urn:schemas-microsoft-com:office:office}"

# Blocks
DOCUMENT: Final = W + "document"
BODY: Final = W + "body"
P: Final = W + "p"
TBL: Final = W + "tbl"
TR: Final = W + "tr"
TC: Final = W + "tc"
SDT: Final = W + "sdt"
SDT_CONTENT: Final = W + "sdtContent"
ALT_CHUNK: Final = W + "altChunk"
TEXT_BOX: Final = W + "txbxContent"
FOOTNOTE: Final = W + "footnote"
ENDNOTE: Final = W + "endnote"
COMMENT: Final = W + "comment"

# Properties
PPR: Final = W + "pPr"
RPR: Final = W + "rPr"
TRPR: Final = W + "trPr"
TCPR: Final = W + "tcPr"
TBLPR: Final = W + "tblPr"
NUMPR: Final = W + "numPr"
VAL: Final = W + "val"
ID: Final = W + "id"
TYPE: Final = W + "type"

# Revisions
INS: Final = W + "ins"
DEL: Final = W + "del"
MOVE_FROM: Final = W + "moveFrom"
MOVE_TO: Final = W + "moveTo"

# Runs
RUN: Final = W + "r"
TEXT: Final = W + "t"
DELETED_TEXT: Final = W + "delText"
TAB: Final = W + "tab"
BREAK: Final = W + "br"
RETURN: Final = W + "cr"
HYPERLINK: Final = W + "hyperlink"
SIMPLE_FIELD: Final = W + "fldSimple"
FIELD_CHAR: Final = W + "fldChar"
INSTRUCTION: Final = W + "instrText"
BOOKMARK: Final = W + "bookmarkStart"
FOOTNOTE_MARK: Final = W + "footnoteReference"
ENDNOTE_MARK: Final = W + "endnoteReference"
MATH: Final = M + "oMath"
MATH_BLOCK: Final = M + "oMathPara"
MATH_TEXT: Final = M + "t"
DRAWN_TEXT: Final = A + "t"
DRAWN_PARAGRAPH: Final = A + "p"

PLACE: Final = "place"
"""An attribute of no namespace that the reader itself sets on paragraphs: where they stand in the file."""


def val(parent: Node | None, name: str) -> str | None:
    """The `w:val` of a child, where both are there."""
    if parent is None:
        return None
    child = parent.find(name)
    return None if child is None else child.get(VAL)


def is_on(child: Node | None) -> bool:
    """Whether an on/off property is there and on."""
    return child is not None and switched(child)


def switched(child: Node) -> bool:
    """What an on/off property that is there says."""
    return child.get(VAL, "true") not in ("0", "false", "off", "none")


def whole(text: str | None, default: int = 0) -> int:
    """A whole number as attributes hold it; `default` for what is none."""
    try:
        return int(text) if text is not None else default
    except ValueError:
        return default


_TWIPS: Final = {"pt": 20.0, "in": 1440.0, "cm": 566.929, "mm": 56.6929, "pc": 240.0, "pi": 240.0}


def twips(text: str | None) -> int | None:
    """A length in twentieths of a point; newer files may have a unit ("36pt")."""
    if text is None:
        return None
    unit = _TWIPS.get(text[-2:])
    try:
        return round(float(text[:-2]) * unit if unit else float(text))
    except (ValueError, OverflowError):
        return None
