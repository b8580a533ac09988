"""Colours of a Word file, to tell words that nobody can see from what lies behind them (ECMA-376, 17.3.2, 17.18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ingest.colours import near
from ingest.docx.names import VAL, A, Node, W

WHITE: Final = "FFFFFF"
UNKNOWN: Final = "?"
"""What lies behind words where it is a picture, a pattern, or the look of some cells of a table style."""
_HIGHLIGHTS: Final = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "darkBlue": "00008B", "darkCyan": "008B8B",
    "darkGray": "A9A9A9", "darkGreen": "006400", "darkMagenta": "800080", "darkRed": "8B0000", "darkYellow": "808000",
    "green": "00FF00", "lightGray": "D3D3D3", "magenta": "FF00FF", "red": "FF0000", "white": WHITE, "yellow": "FFFF00",
}  # fmt: skip
_OFFICE: Final = {
    "dk1": "000000", "lt1": WHITE, "dk2": "44546A", "lt2": "E7E6E6", "accent1": "4472C4", "accent2": "ED7D31",
    "accent3": "A5A5A5", "accent4": "FFC000", "accent5": "5B9BD5", "accent6": "70AD47", "hlink": "0563C1",
    "folHlink": "954F72",
}  # fmt: skip
"""Word's own theme, for a file without one."""
_NAMES: Final = {
    "background1": "lt1", "bg1": "lt1", "light1": "lt1", "text1": "dk1", "tx1": "dk1", "dark1": "dk1",
    "background2": "lt2", "bg2": "lt2", "light2": "lt2", "text2": "dk2", "tx2": "dk2", "dark2": "dk2",
    "hyperlink": "hlink", "followedHyperlink": "folHlink",
}  # fmt: skip
_THEMED: Final = ((W + "color", "val", "theme"), (W + "shd", "fill", "themeFill"))


def theme_colours(root: Node | None) -> Mapping[str, str]:
    """The colours of a theme part by name; Word's own where there is none."""
    found = dict(_OFFICE)
    scheme = next(root.iter(A + "clrScheme"), None) if root is not None else None
    for one in scheme if scheme is not None else ():
        said = next((child.get("lastClr") or child.get("val") for child in one), None)
        if said and _channels(said):
            found[one.tag.rpartition("}")[2]] = said.upper()
    return found


def themed(name: str, theme: Mapping[str, str]) -> str | None:
    """The colour that a theme gives to a name such as "background1"."""
    return theme.get(_NAMES.get(name, name))


def resolve_theme(root: Node, theme: Mapping[str, str]) -> None:
    """Write the colours that a part takes from the theme in the place of those that stand beside them, in place."""
    for tag, plain, prefix in _THEMED:
        name = f"{prefix}Color" if prefix == "theme" else prefix
        for node in root.iter(tag):
            said = node.get(W + name)
            if said is not None and (found := themed(said, theme)) is not None:
                tint, shade = node.get(f"{W}{prefix}Tint"), node.get(f"{W}{prefix}Shade")
                node.set(W + plain, _mixed(found, "000000", shade) if shade else _mixed(found, WHITE, tint))


def _mixed(colour: str, other: str, share: str | None) -> str:
    """A colour of which only `share` (hexadecimal, of 255) is left, the rest being another one."""
    try:
        part = int(share or "FF", 16) / 255
    except ValueError:
        return colour
    pairs = zip(bytes.fromhex(colour), bytes.fromhex(other), strict=True)
    return bytes(min(255, max(0, round(a * part + b * (1 - part)))) for a, b in pairs).hex().upper()


def shade(shading: Node | None) -> str | None:
    """The colour that a shading or highlight puts behind the words; None for none, `UNKNOWN` for a pattern."""
    if shading is None:
        return None
    value, fill = shading.get(VAL, ""), shading.get(W + "fill", "auto")
    if shading.tag == W + "highlight":
        return _HIGHLIGHTS.get(value)
    if value == "solid":
        front = shading.get(W + "color", "auto")
        return "000000" if front == "auto" else front
    if value not in ("clear", "nil", ""):
        return UNKNOWN
    return None if value == "nil" or fill == "auto" else fill


def is_lost_in(ink: str | None, paper: str) -> bool:
    """Whether words of a colour cannot be told from what lies behind them."""
    one, other = _channels(ink), _channels(paper)
    return bool(one and other) and near(one, other)


def _channels(colour: str | None) -> bytes:
    """Red, green and blue; empty for "auto" and what else is no colour."""
    try:
        return bytes.fromhex(colour) if colour and len(colour) == 6 else b""
    except ValueError:
        return b""
