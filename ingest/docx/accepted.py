"""A part as Word shows it with all changes accepted: the tree itself is changed, so that no later step knows of them.

Deletions go, insertions stay, of alternatives one stays, and wrappers without a look of their own (content controls,
smart tags) give way to what they hold. Order matters: what lies in a deletion is not counted as inserted.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from ingest.docx.names import (
    DEL,
    ENDNOTE_MARK,
    FOOTNOTE_MARK,
    ID,
    INS,
    MC,
    MOVE_FROM,
    MOVE_TO,
    NUMPR,
    PPR,
    RPR,
    SDT,
    SDT_CONTENT,
    TR,
    TRPR,
    Node,
    P,
    W,
    is_on,
    val,
)
from ingest.docx.report import DELETED, DUPLICATE, TABLE_OF_CONTENTS, Report

FARTHEST: Final = 100
"""Ends of bookmarks and comments between two paragraphs."""
_ALTERNATE: Final = MC + "AlternateContent"
_CHOICE: Final = MC + "Choice"
_FALLBACK: Final = MC + "Fallback"
_UNDERSTOOD: Final = re.compile(
    r"http://schemas\.microsoft\.com/office/(?:word/20[012]\d/(?:wordml(?:/(?:cid|cex|symex|sdtdatahash|sdtformatlock))?"
    r"|wordprocessing(?:Shape|Group|Ink|Canvas|Drawing))"
    r"|drawing/20[012]\d/(?:main|ink|model3d|chartex|chart|diagram|picture|sketchyshapes|decorative)"
    r"|drawing/2015/\d+/\d+/chartex|drawing/2016/SVG/main)"
    r"|http://schemas\.openxmlformats\.org/(?:wordprocessingml|drawingml|officeDocument)/2006/\w+"
    r"|urn:schemas-microsoft-com:(?:vml|office:office|office:word)"
)
"""Namespaces of additions that newer Words know: wps, wpg, wpi, wpc, wp14, w14 to w16, cx, aink, am3d, a14."""
_WRAPPERS: Final = (INS, MOVE_TO, SDT, W + "smartTag", W + "customXml", W + "dir", W + "bdo")
_MARKS: Final = (RPR, TRPR, NUMPR)
"""Parents in which a revision is a note about the paragraph mark, row or number, and holds nothing."""
_CONTROL: Final = W + "sdtPr"
_GALLERY: Final = f"{_CONTROL}/{W}docPartObj/{W}docPartGallery"
_PLACEHOLDER: Final = f"{_CONTROL}/{W}showingPlcHdr"
_PROPERTIES: Final = (_CONTROL, W + "sdtEndPr", W + "smartTagPr", W + "customXmlPr")


def accept(root: Node, report: Report) -> None:
    """Accept all changes below `root`, in place; what is left out is noted in `report`."""
    choose_alternatives(root, report)
    _count_insertions(root, report)
    _delete_content(root, report)
    _delete_rows_and_cells(root, report)
    _merge_paragraphs(root)
    _unwrap(root, report)


# Alternatives


def choose_alternatives(root: Node, report: Report) -> None:
    """Keep the first alternative that Word understands; the other words are noted as duplicates."""
    # Innermost first, so that no word is noted twice.
    for node in reversed(list(root.iter(_ALTERNATE))):
        branches = list(node)
        chosen = next((one for one in branches if _is_understood(one)), None)
        for one in branches:
            if one is not chosen:
                report.drop_all(DUPLICATE, one)
        _replace(node, [] if chosen is None else list(chosen))


def _is_understood(branch: Node) -> bool:
    if branch.tag == _FALLBACK:
        return True
    names = [branch.nsmap.get(prefix, "") for prefix in branch.get("Requires", "").split()]
    return branch.tag == _CHOICE and bool(names) and all(_UNDERSTOOD.fullmatch(str(name)) for name in names)


# Deletions and insertions


def _count_insertions(root: Node, report: Report) -> None:
    for node in root.iter(INS, MOVE_TO):
        if _tag_around(node) == RPR:
            report.insertions += _stands_for_itself(node, (INS, MOVE_TO))
        elif _tag_around(node) != NUMPR:
            report.insertions += next(node.iterancestors(DEL, MOVE_FROM), None) is None


def _delete_content(root: Node, report: Report) -> None:
    found = list(root.iter(DEL, MOVE_FROM))
    report.deletions += sum(_stands_for_itself(one, (DEL, MOVE_FROM)) for one in found if _tag_around(one) == RPR)
    for node in reversed(found):
        if _tag_around(node) not in _MARKS:
            report.deletions += 1
            _leave_out(node, report)


def _tag_around(node: Node) -> str:
    parent = node.getparent()
    return "" if parent is None else parent.tag


def _marked_paragraph(mark: Node) -> Node | None:
    """The paragraph whose mark a revision is about; equations have such revisions, too."""
    properties = next(mark.iterancestors(PPR), None)
    return None if properties is None else properties.getparent()


def _stands_for_itself(mark: Node, tags: tuple[str, ...]) -> bool:
    """Whether a revision of a paragraph mark is the only one of its paragraph, and so counts."""
    paragraph = _marked_paragraph(mark)
    return paragraph is not None and not any(child.tag in tags for child in paragraph)


def _leave_out(node: Node, report: Report) -> None:
    report.deleted_notes |= {f"{mark.tag} {mark.get(ID)}" for mark in node.iter(FOOTNOTE_MARK, ENDNOTE_MARK)}
    report.drop_all(DELETED, node)
    _remove(node)


def _delete_rows_and_cells(root: Node, report: Report) -> None:
    marks = [one for one in root.iter(DEL) if _tag_around(one) == TRPR]
    for mark in (*marks, *root.iter(W + "cellDel")):
        properties = mark.getparent()
        gone = properties.getparent() if properties is not None else None
        if gone is not None:
            report.deletions += gone.tag == TR
            _leave_out(gone, report)


def _merge_paragraphs(root: Node) -> None:
    """A paragraph whose mark is deleted goes on in the next one, whose look it takes."""
    marks = [one for one in root.iter(DEL, MOVE_FROM) if _tag_around(one) == RPR]
    # Found once: where there are none, all children are looked through.
    looks: dict[Node, Node | None] = {}
    # From the end, so that of many in a row each is moved once.
    for paragraph in reversed([one for mark in marks if (one := _marked_paragraph(mark)) is not None]):
        follower = _following(paragraph)
        if follower is not None and follower.tag == P:
            if follower not in looks:
                looks[follower] = follower.find(PPR)
            properties = looks[follower]
            first = next(iter(follower), None) if properties is None else properties.getnext()
            for child in [child for child in paragraph if child.tag != PPR]:
                # A place among the children would be counted each time.
                _put_before(first, child, follower)
            _remove(paragraph)


def _put_before(place: Node | None, node: Node, parent: Node) -> None:
    if place is None:
        parent.append(node)
    else:
        place.addprevious(node)


def _following(paragraph: Node) -> Node | None:
    """The next block, past ends of bookmarks and comments."""
    for node in islice(paragraph.itersiblings(), FARTHEST):
        if not node.tag.endswith(("Start", "End")):
            return node
    return None


# Wrappers


def _unwrap(root: Node, report: Report) -> None:
    for node in list(root.iter(*_WRAPPERS)):
        parent = node.getparent()
        if parent is None or parent.tag in _MARKS:
            continue
        if node.tag != SDT:
            _replace(node, [child for child in node if child.tag not in _PROPERTIES])
            continue
        report.placeholders += is_on(node.find(_PLACEHOLDER))
        if "Table of Contents" in (val(node, _GALLERY) or ""):
            report.drop_all(TABLE_OF_CONTENTS, node)
            _remove(node)
            continue
        content = node.find(SDT_CONTENT)
        _replace(node, [] if content is None else list(content))


def _replace(node: Node, by: list[Node]) -> None:
    for child in by:
        node.addprevious(child)
    _remove(node)


def _remove(node: Node) -> None:
    parent = node.getparent()
    if parent is not None:
        parent.remove(node)
