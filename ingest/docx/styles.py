"""Styles: what a paragraph, run or table has from the style that it names and from those which that is based on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from ingest.docx.colours import UNKNOWN, shade
from ingest.docx.faces import PLAIN, Face, face_of
from ingest.docx.names import NUMPR, PPR, RPR, TYPE, Node, W, twips, val, whole

DEEPEST: Final = 50
"""Styles that are based on each other; Word's own are five."""
LOWEST: Final = 60
"""Twentieths of a point; nobody reads lower lines."""
BODY_TEXT: Final = 9
"""The outline level that is none."""
_HEADING: Final = re.compile(r"heading ([1-9])")
_ROLES: Final = (
    (re.compile(r"toc heading|contents heading|index heading|toa heading"), "listing title"),
    (re.compile(r"toc \d|contents \d|table of (figures|authorities)|index \d"), "listing"),
    (re.compile(r"caption"), "caption"),
    (re.compile(r"title"), "title"),
    (re.compile(r"list continue( \d)?"), "continuation"),
    (re.compile(r"html preformatted|preformatted text|source code|code( block)?"), "code"),
)
_INHERITED: Final = ("listing", "caption", "continuation", "code")
"""Roles that a style has from the one it is based on; a style based on Title is some other large line."""
_SHADING: Final = W + "shd"


@dataclass(frozen=True, slots=True)
class Indent:
    """Where lines start, in twentieths of a point from the margin; None where nothing is said."""

    left: int | None = None
    first: int | None = None
    """Of the first line from the others: below 0 where it hangs."""

    def over(self, base: Indent) -> Indent:
        """What is said here, and by `base` where nothing is said here."""
        left = self.left if self.left is not None else base.left
        return Indent(left, self.first if self.first is not None else base.first)


NO_INDENT: Final = Indent()


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """A style of paragraphs, with all that it is based on."""

    id: str = ""
    name: str = ""
    """In lower case, and in English for built-in styles whatever the language of Word."""
    role: str = ""
    outline: int | None = None
    """0 for level 1 to 8; 9 for body text."""
    num_id: str | None = None
    ilvl: int | None = None
    num_styles: tuple[str, ...] = ()
    """Ids from this style to the one that names the list, by which the list may name its level."""
    indent: Indent = NO_INDENT
    face: Face = PLAIN
    paper: str | None = None
    """The colour behind it."""
    flat: bool = False
    """Whether its lines are too low to be read."""


@dataclass(frozen=True, slots=True)
class TableStyle:
    """A style of tables, with all that it is based on."""

    paper: str | None
    """The colour behind its cells, UNKNOWN where some have one of their own."""
    face: Face
    marks_first_row: bool
    """Whether it has a look of its own for the first row."""


def indent_of(properties: Node | None) -> Indent:
    """What `w:pPr` says about indents; "start" is what newer files call "left"."""
    node = properties.find(W + "ind") if properties is not None else None
    if node is None:
        return NO_INDENT
    left = twips(node.get(W + "left") or node.get(W + "start"))
    hanging = twips(node.get(W + "hanging"))
    return Indent(left, -hanging if hanging is not None else twips(node.get(W + "firstLine")))


def is_flat(properties: Node | None) -> bool | None:
    """Whether the lines of a paragraph are made too low to be read; None where nothing is said."""
    spacing = properties.find(W + "spacing") if properties is not None else None
    height = twips(spacing.get(W + "line")) if spacing is not None else None
    if spacing is None or height is None:
        return None
    return spacing.get(W + "lineRule") == "exact" and abs(height) < LOWEST


class Styles:
    """The styles of one file."""

    def __init__(self, root: Node | None):
        """`root`: of the styles part, None where there is none."""
        nodes = list(root.iterchildren(W + "style")) if root is not None else []
        self._nodes = {node.get(W + "styleId", ""): node for node in nodes}
        kinds = {node.get(TYPE): node for node in nodes if node.get(W + "default") in ("1", "true", "on")}
        self._default_id = kinds["paragraph"].get(W + "styleId", "") if "paragraph" in kinds else ""
        default = root.find(f"{W}docDefaults/{W}rPrDefault/{RPR}") if root is not None else None
        self.default = face_of(default)
        self._paragraphs: dict[str, ParagraphStyle] = {}
        self._characters: dict[str, Face] = {}
        self._tables: dict[str, TableStyle] = {}

    def paragraph(self, style: str | None) -> ParagraphStyle:
        """A style of paragraphs; the default one where none is named or it is not there."""
        name = style if style is not None and style in self._nodes else self._default_id
        if name not in self._paragraphs:
            found = ParagraphStyle()
            for one in reversed(list(self._chain(name))):
                found = self._paragraphs.get(one) or _extended(found, one, self._nodes[one])
                self._paragraphs[one] = found
            self._paragraphs.setdefault(name, found)
        return self._paragraphs[name]

    def character(self, style: str | None) -> Face:
        """A style of runs."""
        if style is None or style not in self._nodes:
            return PLAIN
        if style not in self._characters:
            found = PLAIN
            for one in reversed(list(self._chain(style))):
                found = self._characters.get(one) or face_of(self._nodes[one].find(RPR)).over(found)
                self._characters[one] = found
        return self._characters[style]

    def list_of(self, style: str) -> str | None:
        """The list (numId) that a style of lists names."""
        node = self._nodes.get(style)
        return None if node is None else val(node.find(f"{PPR}/{NUMPR}"), W + "numId")

    def table(self, style: str | None) -> TableStyle:
        """A style of tables."""
        name = style or ""
        if name not in self._tables:
            nodes = [self._nodes[one] for one in self._chain(name)]
            shades = {found for node in nodes for one in node.iter(_SHADING) if (found := shade(one))}
            paper = None if not shades else shades.pop() if len(shades) == 1 else UNKNOWN
            face = PLAIN
            for node in reversed(nodes):
                face = face_of(node.find(RPR)).over(face)
            parts = [part for node in nodes for part in node.iterchildren(W + "tblStylePr")]
            marked = any(part.get(TYPE) == "firstRow" and len(part) for part in parts)
            # What only some cells have is not told apart.
            paper = UNKNOWN if paper and any(next(part.iter(_SHADING), None) is not None for part in parts) else paper
            self._tables[name] = TableStyle(paper, face, marked)
        return self._tables[name]

    def _chain(self, style: str) -> Iterator[str]:
        """The style and those it is based on; a style that is based on itself ends it."""
        seen: set[str] = set()
        while style in self._nodes and style not in seen and len(seen) < DEEPEST:
            seen.add(style)
            yield style
            style = val(self._nodes[style], W + "basedOn") or ""


def _extended(base: ParagraphStyle, style: str, node: Node) -> ParagraphStyle:
    name = " ".join((val(node, W + "name") or style).lower().split())
    properties = node.find(PPR)
    own = _numbered(base, style, properties)
    shading = properties.find(_SHADING) if properties is not None else None
    return replace(
        own,
        id=style,
        name=name,
        role=_role(name) or (base.role if base.role in _INHERITED else ""),
        outline=_outline(name, properties, base.outline),
        indent=indent_of(properties).over(base.indent),
        face=face_of(node.find(RPR)).over(base.face),
        paper=shade(shading) if shading is not None else base.paper,
        flat=base.flat if (squeezed := is_flat(properties)) is None else squeezed,
    )


def _numbered(base: ParagraphStyle, style: str, properties: Node | None) -> ParagraphStyle:
    numbering = properties.find(NUMPR) if properties is not None else None
    num_id, ilvl = val(numbering, W + "numId"), val(numbering, W + "ilvl")
    if num_id is not None:
        return ParagraphStyle(num_id=num_id, ilvl=None if ilvl is None else whole(ilvl), num_styles=(style,))
    styles = (style, *base.num_styles)
    return replace(base, num_styles=styles, ilvl=base.ilvl if ilvl is None else whole(ilvl))


def _role(name: str) -> str:
    return next((role for pattern, role in _ROLES if pattern.fullmatch(name)), "")


def _outline(name: str, properties: Node | None, base: int | None) -> int | None:
    said = val(properties, W + "outlineLvl")
    if said is not None:
        return whole(said, BODY_TEXT)
    match = _HEADING.fullmatch(name)
    return int(match[1]) - 1 if match else base
