"""A story (the body, a note, a cell, a text box) to drafts of blocks, in reading order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ingest.docx.colours import shade
from ingest.docx.drafts import LONGEST_TITLE, Draft
from ingest.docx.faces import PLAIN_LOOK, Around
from ingest.docx.names import (
    ALT_CHUNK,
    BOOKMARK,
    MATH,
    MATH_BLOCK,
    NUMPR,
    PPR,
    RPR,
    TBL,
    Node,
    P,
    W,
    is_on,
    twips,
    val,
    whole,
)
from ingest.docx.numbering import Numbered, Numbering
from ingest.docx.package import Package, Relation, target_of
from ingest.docx.report import TABLE_OF_CONTENTS, Report
from ingest.docx.runs import Piece, RunReader, Words
from ingest.docx.shapes import box_paper, diagrams, drawn_lines, has_chart, is_unseen, text_boxes
from ingest.docx.styles import BODY_TEXT, Indent, ParagraphStyle, Styles, indent_of, is_flat
from ingest.docx.tables import table_drafts
from ingest.elements import Kind

LONGEST_HEADING: Final = 200
"""Characters; what is longer is a clause that has the style of a heading for the sake of its number."""
OFF_PAGE: Final = 10_000
"""Twentieths of a point to the left of the text, or above it, that lie off every page: seven inches."""
WIDEST: Final = 31_680
"""Those of the largest page."""
_BARE: Final = Around()
_BOOKMARK: Final = re.compile(r"[\w:.-]{1,80}")
_WORD_MARK: Final = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class File:
    """What all stories of a file share."""

    package: Package
    relations: dict[str, Relation]
    styles: Styles
    numbering: Numbering
    report: Report
    linked: set[str]
    """Names of bookmarks that links of the file lead to."""
    theme: Mapping[str, str] = field(default_factory=dict)
    """Colours by name."""


@dataclass(slots=True)
class Story:
    """Reads the blocks of one story; lists count on from one to the next."""

    file: File
    runs: RunReader
    _bookmarks: list[str] = field(default_factory=list)
    """Those that stand before the next paragraph."""
    _initial: list[Piece] = field(default_factory=list)
    """A large first letter, which is a paragraph of its own before that which it begins."""

    def drafts(self, container: Node, around: Around = _BARE) -> list[Draft]:
        """The blocks of a body, note, cell or text box."""
        found: list[Draft] = []
        for child in container:
            tag = child.tag
            if tag == P:
                found += self._paragraph(child, around)
            elif tag == TBL:
                found += table_drafts(child, self, around)
            elif tag == BOOKMARK:
                self._bookmarks.append(child.get(W + "name", ""))
            elif tag in (MATH, MATH_BLOCK):
                words = self.runs.read(child, ParagraphStyle(), around)
                found += [] if words.empty else [Draft(Kind.PARAGRAPH, words.place, words.pieces)]
            elif tag == ALT_CHUNK:
                self._embedded(child)
        return found

    def _embedded(self, chunk: Node) -> None:
        name = target_of(self.file.relations, chunk)
        self.file.report.remark("embedded-part", "", f"the embedded file {name} is not read; paste its text instead")

    # Paragraphs

    def _paragraph(self, node: Node, around: Around) -> list[Draft]:
        properties = node.find(PPR)
        style = self.file.styles.paragraph(val(properties, W + "pStyle"))
        words = self.runs.read(node, style, _around(properties, style, around))
        words.bookmarks[:0], self._bookmarks = self._bookmarks, []
        words.pieces[:0], self._initial = self._initial, []
        frame = properties.find(W + "framePr") if properties is not None else None
        if frame is not None and frame.get(W + "dropCap", "none") != "none":
            self._initial = words.pieces
            return []
        return [*self._shaped(words, properties, style), *self._pictured(words, around)]

    def _shaped(self, words: Words, properties: Node | None, style: ParagraphStyle) -> list[Draft]:
        """A paragraph as what its style and list make of it."""
        if style.role == "listing" or (words.listed and words.empty):
            text = "".join(piece.text for piece in words.pieces)
            self.file.report.drop(TABLE_OF_CONTENTS, words.place, text)
            return [Draft(Kind.PARAGRAPH, words.place, role="listing")]
        if words.empty and words.hidden and _mark_is_hidden(properties, style):
            return []
        numbered = self._numbered(properties, style)
        outline = _outline(properties, style)
        if style.role == "code":
            return [Draft(Kind.CODE, words.place, words.pieces)]
        if style.role == "title" or outline < BODY_TEXT:
            return self._heading(words, outline, numbered, style)
        draft = self._plain(words, numbered, style)
        draft.left = _left(properties, style, numbered)
        return [] if words.empty else [draft]

    def _plain(self, words: Words, numbered: Numbered | None, style: ParagraphStyle) -> Draft:
        draft = Draft(Kind.PARAGRAPH, words.place, words.pieces, role=style.role)
        if style.role == "continuation":
            draft.continued = whole(style.name.rpartition(" ")[2], 1)
        if numbered and (numbered.mark or numbered.is_bullet):
            draft.kind, draft.mark = Kind.ITEM, numbered.mark or None
            draft.series, draft.ilvl, draft.joined = numbered.series, numbered.ilvl, numbered.joined
        return draft

    def _numbered(self, properties: Node | None, style: ParagraphStyle) -> Numbered | None:
        own = properties.find(NUMPR) if properties is not None else None
        num_id = val(own, W + "numId") or style.num_id
        if num_id is None or num_id == "0":
            return None
        level = val(own, W + "ilvl")
        if level is not None:
            ilvl = whole(level)
        elif val(own, W + "numId") in (None, style.num_id):
            ilvl = self.file.numbering.level_of_style(num_id, style)
        else:
            ilvl = 0
        return self.file.numbering.next(num_id, ilvl)

    # Headings

    def _heading(self, words: Words, outline: int, numbered: Numbered | None, style: ParagraphStyle) -> list[Draft]:
        mark = numbered.mark if numbered else ""
        # "Article IV" may stand alone, its title in the next paragraph; a bare "5" is a stray paragraph of that style.
        if words.empty and not _WORD_MARK.search(mark):
            return []
        title, rest = _split(words.pieces)
        draft = Draft(Kind.HEADING, words.place, _with_mark(mark, title, bool(numbered and numbered.joined)))
        draft.level = 0 if style.role == "title" else outline + 1
        draft.role = style.role
        draft.explicit_id = self._id_of(words)
        body = [Draft(Kind.PARAGRAPH, words.place, rest)] if rest else []
        return [draft, *body] if title or mark else body

    def _id_of(self, words: Words) -> str | None:
        """A bookmark that a link leads to, or that the author named."""
        names = [name for name in words.bookmarks if _BOOKMARK.fullmatch(name)]
        linked = [name for name in names if name in self.file.linked]
        # Word names its own "_Toc1", "_Ref1" and "OLE_LINK1".
        named = [name for name in names if not name.startswith(("_", "OLE_LINK"))]
        return next(iter([*linked, *named]), None)

    # Pictures

    def _pictured(self, words: Words, around: Around) -> list[Draft]:
        found: list[Draft] = []
        for picture in words.pictures:
            for box in text_boxes(picture):
                aside = Story(self.file, self.runs.aside())
                paper = box_paper(box, self.file.theme) or around.paper
                found += aside.drafts(box, Around(paper, hidden=around.hidden or is_unseen(box)))
            lines = [*drawn_lines(picture), *(line for one in diagrams(picture) for line in self._diagram(one))]
            found += [Draft(Kind.PARAGRAPH, words.place, [Piece(line, PLAIN_LOOK)]) for line in lines if line.strip()]
            if has_chart(picture):
                self.file.report.remark("embedded-part", words.place, "a chart is not read; put its figures in a table")
        return found

    def _diagram(self, relation: str) -> list[str]:
        target = self.file.relations.get(relation)
        root = self.file.package.find_xml(target.target) if target and not target.external else None
        return [] if root is None else list(drawn_lines(root))


def _around(properties: Node | None, style: ParagraphStyle, around: Around) -> Around:
    """What the words of a paragraph have from it and from what it stands in."""
    shading = properties.find(W + "shd") if properties is not None else None
    paper = style.paper if shading is None else shade(shading)
    squeezed = is_flat(properties)
    flat = style.flat if squeezed is None else squeezed
    unseen = flat or _is_off_page(properties, style.indent)
    if paper is None and not unseen:
        return around
    return around._replace(paper=paper or around.paper, hidden=around.hidden or unseen)


def _is_off_page(properties: Node | None, indent: Indent) -> bool:
    left = indent_of(properties).over(indent).left or 0
    frame = properties.find(W + "framePr") if properties is not None else None
    places = [twips(frame.get(W + side)) or 0 for side in ("x", "y")] if frame is not None else []
    return any(abs(place) >= OFF_PAGE and (place < 0 or place > WIDEST) for place in (left, *places))


def _outline(properties: Node | None, style: ParagraphStyle) -> int:
    said = val(properties, W + "outlineLvl")
    level = whole(said, BODY_TEXT) if said is not None else style.outline
    return level if level is not None and 0 <= level < BODY_TEXT else BODY_TEXT


def _left(properties: Node | None, style: ParagraphStyle, numbered: Numbered | None) -> int:
    own = indent_of(properties)
    direct = properties is not None and properties.find(NUMPR) is not None
    if numbered is None:
        found = own.over(style.indent)
    elif direct:
        # The list's own indent goes before that of the style, unless the style brought the list.
        found = own.over(numbered.indent).over(style.indent)
    else:
        found = own.over(style.indent).over(numbered.indent)
    return found.left or 0


def _mark_is_hidden(properties: Node | None, style: ParagraphStyle) -> bool:
    """Whether the paragraph itself is hidden, so that Word does not count it."""
    mark = properties.find(f"{RPR}/{W}vanish") if properties is not None else None
    return bool(style.face.hidden) if mark is None else is_on(mark)


def _with_mark(mark: str, pieces: list[Piece], joined: bool) -> list[Piece]:
    if not mark:
        return pieces
    text = "".join(piece.text for piece in pieces)
    # "Article 1" and ". Fees" belong together, "1." and "Fees" do not, even where Word leaves no blank.
    gap = "" if joined and text[:1] in (".", ":", ",", ")") else " "
    return [Piece(mark + gap, PLAIN_LOOK, made=True), *pieces]


def _split(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The title of a heading and the text that runs on from it, where the heading is a whole clause."""
    if sum(len(piece.text) for piece in pieces) <= LONGEST_HEADING:
        return pieces, []
    stress = next((piece.look.stress for piece in pieces if piece.text.strip()), None)
    lead = 0
    while lead < len(pieces) and (pieces[lead].look.stress == stress or not pieces[lead].text.strip()):
        lead += 1
    if lead == len(pieces) or sum(len(piece.text) for piece in pieces[:lead]) > LONGEST_TITLE:
        return [], pieces
    return pieces[:lead], pieces[lead:]
