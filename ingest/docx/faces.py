"""How runs look: bold, hidden, white, by what the run says itself and by its styles (ECMA-376, 17.7.2 and 17.7.3)."""

from __future__ import annotations

from typing import Final, NamedTuple

from ingest.docx.names import VAL, Node, W, switched

_SWITCHES: Final = {
    W + "b": "bold",
    W + "i": "italic",
    W + "caps": "caps",
    W + "vanish": "hidden",
}
_FILLS: Final = (W + "shd", W + "highlight")
_FONTS: Final = tuple(W + name for name in ("ascii", "hAnsi", "cs"))
_FILL: Final = W + "fill"
_WHITE: Final = 0xF5
"""Least red, green and blue of what nobody reads on white paper."""


class Face(NamedTuple):
    """What run properties say; None where they say nothing."""

    bold: bool | None = None
    italic: bool | None = None
    lined: bool | None = None
    caps: bool | None = None
    hidden: bool | None = None
    color: str | None = None
    filled: bool | None = None
    font: str | None = None
    style: str | None = None
    """Id of a character style."""

    def over(self, base: Face) -> Face:
        """What is said here, and by `base` where nothing is said here."""
        return Face._make(mine if mine is not None else other for mine, other in zip(self, base, strict=True))


PLAIN: Final = Face()


class Look(NamedTuple):
    """How a run is shown."""

    bold: bool
    caps: bool
    hidden: bool
    """Not shown, or white on white."""
    stress: tuple[bool, bool, bool]
    """Bold, italic, underlined: what tells a title from the sentence after it."""
    font: str | None


PLAIN_LOOK: Final = Look(False, False, False, (False, False, False), None)
"""That of words which no run holds, such as numbers."""


def face_of(properties: Node | None) -> Face:
    """What `w:rPr` says."""
    if properties is None or not len(properties):
        return PLAIN
    said: dict[str, bool | str | None] = {}
    for child in properties:
        tag = child.tag
        if name := _SWITCHES.get(tag):
            said[name] = switched(child)
        elif tag == W + "color":
            said["color"] = child.get(VAL)
        elif tag in _FILLS:
            said["filled"] = said.get("filled") or fills(child)
        elif tag == W + "u":
            said["lined"] = child.get(VAL) != "none"
        elif tag == W + "rStyle":
            said["style"] = child.get(VAL)
        elif tag == W + "rFonts":
            said["font"] = next((font for name in _FONTS if (font := child.get(name))), None)
    return Face(**said) if said else PLAIN  # type: ignore[arg-type]


def fills(shading: Node) -> bool:
    """Whether a shading or highlight puts a colour behind the words."""
    value, fill = shading.get(VAL, ""), shading.get(_FILL)
    if shading.tag == W + "highlight":
        return value not in ("none", "white")
    if value not in ("clear", "nil", ""):
        return True
    return value != "nil" and fill not in (None, "auto") and not is_white(fill)


def is_white(color: str | None) -> bool:
    """Whether a colour such as "FFFFFF" cannot be told from paper."""
    if color is None or len(color) != 6:
        return False
    try:
        return min(bytes.fromhex(color)) >= _WHITE
    except ValueError:
        return False


def look_of(run: Face, character: Face, paragraph: Face, default: Face, *, on_color: bool) -> Look:
    """How a run is shown that has properties of its own, a character style, and the style of its paragraph.

    `on_color`: a colour lies behind it, of the paragraph, cell, box or page.
    """
    color = run.over(character.over(paragraph.over(default))).color
    filled = on_color or bool(run.filled or character.filled or paragraph.filled)
    bold = _toggled(run.bold, character.bold, paragraph.bold, default.bold)
    caps = _toggled(run.caps, character.caps, paragraph.caps, default.caps)
    hidden = _toggled(run.hidden, character.hidden, paragraph.hidden, default.hidden)
    italic = _toggled(run.italic, character.italic, paragraph.italic, default.italic)
    lined = bool(run.over(character.over(paragraph)).lined)
    font = run.over(character.over(paragraph)).font
    return Look(bold, caps, hidden or (is_white(color) and not filled), (bold, italic, lined), font)


def _toggled(run: bool | None, character: bool | None, paragraph: bool | None, default: bool | None) -> bool:
    """A style of characters that is bold, in a paragraph whose style is bold, is not (17.7.3)."""
    if run is not None:
        return run
    return bool(default) or bool(character) != bool(paragraph)
