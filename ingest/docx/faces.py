"""How runs look: bold, hidden, white, by what the run says itself and by its styles (ECMA-376, 17.7.2 and 17.7.3)."""

from __future__ import annotations

from typing import Final, NamedTuple

from ingest.docx.colours import WHITE, is_lost_in, shade
from ingest.docx.names import VAL, Node, W, switched, whole

_SWITCHES: Final = {
    W + "b": "bold",
    W + "i": "italic",
    W + "caps": "caps",
    W + "vanish": "hidden",
    W + "specVanish": "hidden",
}
_NUMBERS: Final = {W + "sz": "size", W + "w": "scale", W + "position": "raised"}
_W14: Final = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_TEXT_FILL: Final = _W14 + "textFill"
_CLEAR: Final = "clear"
"""In the place of a colour: the letters have no fill."""
_FONTS: Final = tuple(W + name for name in ("ascii", "hAnsi", "cs"))
SMALLEST: Final = 6
"""Half points; nobody reads smaller letters."""
NARROWEST: Final = 5
"""Percent of their width."""
FARTHEST: Final = 1_000
"""Half points by which letters are raised or lowered: off the line, and off most pages."""


class Face(NamedTuple):
    """What run properties say; None where they say nothing."""

    bold: bool | None = None
    italic: bool | None = None
    lined: bool | None = None
    caps: bool | None = None
    hidden: bool | None = None
    color: str | None = None
    paper: str | None = None
    """The colour behind it."""
    size: int | None = None
    """Half points."""
    scale: int | None = None
    """Percent of the width of its letters."""
    raised: int | None = None
    """Half points."""
    font: str | None = None
    style: str | None = None
    """Id of a character style."""

    def over(self, base: Face) -> Face:
        """What is said here, and by `base` where nothing is said here."""
        return Face._make(mine if mine is not None else other for mine, other in zip(self, base, strict=True))


PLAIN: Final = Face()
_USUAL: Final = 22
"""In the place of a number that is none."""


class Around(NamedTuple):
    """What words have from the table, cell, box or page that they stand in."""

    paper: str = WHITE
    """The colour behind them."""
    face: Face = PLAIN
    """Of a table's style."""
    hidden: bool = False
    """Whether none of it is shown."""


class Look(NamedTuple):
    """How a run is shown."""

    bold: bool
    caps: bool
    hidden: bool
    """Not shown, too small to read, or of the colour of its background."""
    stress: tuple[bool, bool, bool]
    """Bold, italic, underlined: what tells a title from the sentence after it."""
    font: str | None


PLAIN_LOOK: Final = Look(False, False, False, (False, False, False), None)
"""That of words which no run holds, such as numbers."""


def face_of(properties: Node | None) -> Face:
    """What `w:rPr` says."""
    if properties is None or not len(properties):
        return PLAIN
    said: dict[str, bool | str | int | None] = {}
    for child in properties:
        tag = child.tag
        if name := _SWITCHES.get(tag):
            said[name] = switched(child)
        elif tag == W + "color":
            said["color"] = said.get("color") or child.get(VAL)
        elif tag == _TEXT_FILL:
            said["color"] = _filled(child, properties) or said.get("color")
        elif name := _NUMBERS.get(tag):
            said[name] = whole(child.get(VAL, "").rstrip("%"), _USUAL)
        elif tag == W + "highlight":
            said["paper"] = shade(child) or said.get("paper")
        elif tag == W + "shd":
            said["paper"] = said.get("paper") or shade(child)
        elif tag == W + "u":
            said["lined"] = child.get(VAL) != "none"
        elif tag == W + "rStyle":
            said["style"] = child.get(VAL)
        elif tag == W + "rFonts":
            said["font"] = next((font for name in _FONTS if (font := child.get(name))), None)
    return Face(**said) if said else PLAIN  # type: ignore[arg-type]


def _filled(fill: Node, properties: Node) -> str | None:
    """The colour that the effects of newer Words give to letters, `_CLEAR` for none."""
    if fill.find(_W14 + "noFill") is None:
        plain = fill.find(f"{_W14}solidFill/{_W14}srgbClr")
        return plain.get(_W14 + "val") if plain is not None else None
    outline = properties.find(_W14 + "textOutline")
    outlined = outline is not None and outline.find(_W14 + "noFill") is None
    return None if outlined else _CLEAR


def look_of(run: Face, character: Face, paragraph: Face, default: Face, around: Around) -> Look:
    """How a run is shown that has properties of its own, a character style, and the style of its paragraph."""
    default = around.face.over(default)
    shown = run.over(character.over(paragraph.over(default)))
    bold = _toggled(run.bold, character.bold, paragraph.bold, default.bold)
    caps = _toggled(run.caps, character.caps, paragraph.caps, default.caps)
    hidden = _toggled(run.hidden, character.hidden, paragraph.hidden, default.hidden)
    italic = _toggled(run.italic, character.italic, paragraph.italic, default.italic)
    lined = bool(run.over(character.over(paragraph)).lined)
    font = run.over(character.over(paragraph)).font
    hidden = hidden or around.hidden or _is_unseen(shown, shown.paper or around.paper)
    return Look(bold, caps, hidden, (bold, italic, lined), font)


def _is_unseen(face: Face, paper: str) -> bool:
    return (
        face.color == _CLEAR
        or is_lost_in(face.color, paper)
        or (face.size is not None and face.size < SMALLEST)
        or (face.scale is not None and face.scale < NARROWEST)
        or (face.raised is not None and abs(face.raised) >= FARTHEST)
    )


def _toggled(run: bool | None, character: bool | None, paragraph: bool | None, default: bool | None) -> bool:
    """A style of characters that is bold, in a paragraph whose style is bold, is not (17.7.3)."""
    if run is not None:
        return run
    return bool(default) or bool(character) != bool(paragraph)
