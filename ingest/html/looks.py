"""How text looks where it stands, as far as reading needs it: bold, large, raised, verbatim, or not to be seen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from ingest.colours import near
from ingest.html.colours import FAINT, Colour, colour, is_clear
from ingest.html.css import Style
from ingest.html.names import LISTS
from ingest.html.tree import Node

FONT: Final = 16.0
"""Pixels of a browser's text."""
SMALLEST: Final = 3.0
"""Pixels; smaller text cannot be read."""
SPECK: Final = 1.0
"""Pixels; a box of that size shows nothing."""
AWAY: Final = -900.0
"""Pixels to the left of, or above, the page at which text is put out of sight."""
BEYOND: Final = 5_000.0
"""Pixels to the right at which no page has text; below, pages that were printed to HTML have more."""
_SIZES: Final = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0,
    "xxx-large": 48.0,
}  # fmt: skip
_FONT_SIZES: Final = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)
"""Of `<font size="1">` to 7."""
_UNITS: Final = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "rem": FONT, "": 1.0}
_LENGTH: Final = re.compile(r"([+-]?\d*\.?\d+)\s*(px|pt|pc|in|cm|mm|rem|em|ex|%|vw|vh|)(?![\w.%])")
_IN_FONT: Final = re.compile(r"(?:^|\s)(\d*\.?\d+(?:px|pt|pc|in|cm|mm|rem|em|%))")
_BOLD: Final = re.compile(r"\b(?:bold|bolder|[6-9]00)\b")
_LIGHT: Final = re.compile(r"\b(?:normal|lighter|[1-5]00)\b")
_CLIPPED: Final = re.compile(
    r"rect\(\s*(?:0|1)(?:px|pt)?[\s,]+(?:0|1)(?:px|pt)?[\s,]+(?:0|1)(?:px|pt)?[\s,]+(?:0|1)(?:px|pt)?\s*\)"
)
_CUT: Final = re.compile(r"inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0\S*(?:\s|,|0)*\)")
_NOTHING: Final = re.compile(r"scale[xy3d]*\(\s*(?:0+|0*\.0(?:0[0-9]*|10*)?)\s*[,)]")
_MOVED: Final = re.compile(r"translate[xy3d]*\(([^()]*)\)")
_FAR: Final = re.compile(
    r"(?:^|[\s,])-(?:[0-9]{4,}(?:\.[0-9]*)?px|[0-9]{3,}(?:\.[0-9]*)?(?:vw|vh|rem|em)|(?:[2-9][0-9]{2}|[0-9]{4,})%)"
    r"|calc\(\s*0\w*\s*-\s*[0-9]{4,}px"
)
"""A length far to the left or up, also within `calc(0px - 9999px)`."""
_SHARE: Final = re.compile(r"([0-9]*\.?[0-9]+)(%?)")
IFRAME: Final = "<iframe>"
_UNSHOWN_TAGS: Final = frozenset(
    {"datalist", "noembed", "noframes", "iframe", "canvas", "video", "audio", "defs", "desc", "metadata"}
)
_SVG_TEXT: Final = frozenset({"text", "tspan"})
_BOLD_TAGS: Final = frozenset({"b", "strong"})
_VERBATIM_TAGS: Final = frozenset({"pre", "textarea", "listing", "xmp", "plaintext"})


@dataclass(frozen=True, slots=True)
class Look:
    """What text inherits from the elements around it."""

    bold: bool = False
    size: float = FONT
    """Pixels."""
    ink: Colour | None = (0, 0, 0)
    """None: transparent."""
    paper: Colour | None = (255, 255, 255)
    """None: an image, or something that a style sheet elsewhere may colour."""
    visible: bool = True
    verbatim: bool = False
    """Line ends in the source are line ends on the page."""
    raised: bool = False
    marker: str | None = None
    """`list-style-type`, where declared."""
    href: str | None = None

    @property
    def unseen(self) -> str | None:
        """Why nobody sees the text; None for text that can be read."""
        if not self.visible:
            return "visibility: hidden"
        if self.size < SMALLEST:
            return "font-size: 0"
        if self.ink is None:
            return "color: transparent"
        if self.paper is not None and near(self.ink, self.paper):
            return "the colour of its background"
        return None


def hidden(node: Node, style: Style) -> str | None:
    """Why nobody sees an element and all that is in it; None where it is shown. `<details>` can be opened."""
    if "hidden" in node.attributes:
        return "hidden"
    if style.get("display") == "none" or style.get("mso-hide") == "all":
        return "display: none"
    if _share(style.get("opacity", "1")) < FAINT:
        return "opacity: 0"
    if _is_unshown(node):
        return f"<{node.tag}>"
    if "popover" in node.attributes:
        return "popover"
    if node.tag in _SVG_TEXT and "none" in (node.get("fill"), style.get("fill")) and not _has_stroke(node, style):
        return "fill: none"
    return _out_of_sight(style) if style else None


def _is_unshown(node: Node) -> bool:
    """Whether an element is shown in no browser that runs no script, or has another thing shown in its place."""
    match node.tag:
        case "template":
            return node.get("shadowrootmode") not in ("open", "closed")
        case "dialog":
            return "open" not in node.attributes
        case "title":
            return True
        case "svg":
            return any(_pixels(node.get(name), FONT, FONT) <= 0 for name in ("width", "height"))
        case _:
            return node.tag in _UNSHOWN_TAGS


def _has_stroke(node: Node, style: Style) -> bool:
    return (node.get("stroke") or style.get("stroke") or "none") != "none"


def _share(value: str) -> float:
    """An opacity as a number from 0 to 1."""
    match = _SHARE.fullmatch(value)
    return float(match[1]) / (100 if match[2] else 1) if match else 1.0


def _out_of_sight(style: Style) -> str | None:
    placed = style.get("position") in ("absolute", "fixed")
    moved = placed or style.get("position") == "relative"
    if moved and any(_is_away(style.get(side, "")) for side in ("left", "top", "right", "bottom")):
        return "off the page"
    if moved and any(_pixels(style.get(side, ""), FONT, 0) >= BEYOND for side in ("left", "right")):
        return "off the page"
    if any(_is_away(style.get(name, "")) for name in ("text-indent", "margin-left", "margin-top", "translate")):
        return "off the page"
    if any(_is_away(shift) for shift in _MOVED.findall(style.get("transform", ""))):
        return "off the page"
    if style.get("content-visibility") == "hidden":
        return "content-visibility: hidden"
    if (placed and _CLIPPED.search(style.get("clip", ""))) or _CUT.search(style.get("clip-path", "")):
        return "clipped away"
    tiny = all(_pixels(style.get(name, ""), FONT, FONT) <= SPECK for name in ("width", "height"))
    sides = [
        _pixels(style[name], FONT, FONT) for name in ("height", "max-height", "width", "max-width") if name in style
    ]
    cut = any(style.get(name) in ("hidden", "clip") for name in ("overflow", "overflow-x", "overflow-y"))
    if ((tiny or any(side <= 0 for side in sides)) and cut) or _NOTHING.search(style.get("transform", "")):
        return "no size"
    return None


def _is_away(length: str) -> bool:
    return bool(length) and (_pixels(length, FONT, 0) <= AWAY or bool(_FAR.search(length)))


def look_of(node: Node, style: Style, above: Look, *, styled_elsewhere: bool) -> Look:
    """How text directly in `node` looks; `styled_elsewhere`: a style sheet that was not read may colour it."""
    changes: dict[str, object] = {}
    if node.tag in _BOLD_TAGS and not above.bold:
        changes["bold"] = True
    if node.tag in _VERBATIM_TAGS:
        changes["verbatim"] = True
    if node.tag in LISTS and above.marker:
        # Browsers give each list its own default.
        changes["marker"] = None
    if node.tag in ("sup", "sub"):
        changes["raised"] = node.tag == "sup"
    if node.tag in ("a", "area"):
        changes |= {"href": node.get("href").strip() or above.href}
    if node.tag == "font" or "bgcolor" in node.attributes or node.tag == "body":
        changes |= _old(node, above)
    if style:
        changes |= _styled(style, above)
    if styled_elsewhere and "paper" not in changes and node.parent and (node.get("class") or node.get("id")):
        changes["paper"] = None
    return replace(above, **changes) if changes else above  # type: ignore[arg-type]


def _old(node: Node, above: Look) -> Mapping[str, object]:
    """Attributes of HTML 3."""
    found: dict[str, object] = {}
    if node.tag == "font" and (match := re.fullmatch(r"([+-]?)(\d)", node.get("size").strip())):
        steps = {"+": 3 + int(match[2]), "-": 3 - int(match[2]), "": int(match[2])}[match[1]]
        found["size"] = _FONT_SIZES[min(max(steps, 1), 7) - 1]
    if ink := colour(node.get("text" if node.tag == "body" else "color")):
        found["ink"] = ink
    if paper := colour(node.get("bgcolor")):
        found["paper"] = paper
    return found


def _styled(style: Style, above: Look) -> Mapping[str, object]:
    found: dict[str, object] = {}
    weight = style.get("font-weight") or style.get("font", "")
    if _BOLD.search(weight) or _LIGHT.search(style.get("font-weight", "")):
        found["bold"] = bool(_BOLD.search(weight))
    in_font = _IN_FONT.search(style.get("font", ""))
    if size := style.get("font-size") or (in_font[1] if in_font else ""):
        found["size"] = _SIZES.get(size) or _pixels(size, above.size, above.size)
    if ink := style.get("-webkit-text-fill-color") or style.get("color"):
        found["ink"] = None if is_clear(ink) else colour(ink) or above.ink
    if back := style.get("background-color") or style.get("background"):
        found |= _paper(back)
    if visibility := style.get("visibility"):
        found["visible"] = visibility == "visible"
    if space := style.get("white-space"):
        found["verbatim"] = space.startswith("pre") or space == "break-spaces"
    if align := style.get("vertical-align"):
        found["raised"] = align == "super"
    if marker := style.get("list-style-type") or style.get("list-style"):
        found["marker"] = marker
    return found


def _paper(back: str) -> Mapping[str, object]:
    if found := colour(back):
        return {"paper": found}
    return {} if back in ("none", "transparent", "initial", "inherit", "unset") else {"paper": None}


def _pixels(length: str, em: float, default: float) -> float:
    match = _LENGTH.match(length)
    if match is None:
        return default
    value, unit = float(match[1]), match[2]
    if unit in ("em", "ex", "%"):
        return value * em / (100 if unit == "%" else 2 if unit == "ex" else 1)
    return value * _UNITS.get(unit, FONT)


def is_bordered(style: Style) -> bool:
    """Whether an element has a border by its style."""
    names = ("border", "border-style", "border-width", "border-top", "border-bottom")
    return any(name in style and not re.match(r"(?:none|0|hidden)\b", style[name]) for name in names)
