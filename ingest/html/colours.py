"""Colours of a page, to tell text that nobody can see from its background."""

from __future__ import annotations

import re
from typing import Final

Colour = tuple[int, int, int]
"""Red, green, blue, each from 0 to 255."""
NEAR: Final = 10
"""Difference, summed over red, green and blue, that nobody sees."""
_NAMES: Final[dict[str, Colour]] = {
    "white": (255, 255, 255),
    "window": (255, 255, 255),
    "black": (0, 0, 0),
    "windowtext": (0, 0, 0),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "navy": (0, 0, 128),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "darkblue": (0, 0, 139),
    "teal": (0, 128, 128),
}
_HEX: Final = re.compile(r"#?([0-9a-f]{6})(?:[0-9a-f]{2})?(?![0-9a-z])|#([0-9a-f]{3})[0-9a-f]?(?![0-9a-z])")
_RGB: Final = re.compile(r"rgba?\(\s*(\d{1,3})\s*[,\s]\s*(\d{1,3})\s*[,\s]\s*(\d{1,3})\s*(?:[,/]\s*([\d.]+)(%?)\s*)?\)")
_CLEAR: Final = re.compile(r"(?:rgb|hsl)a?\([^()]*[,/]\s*0*\.?0+%?\s*\)")
_WORD: Final = re.compile(r"[a-z]+")


def colour(value: str) -> Colour | None:
    """The colour that a declaration names; None where it names none, or one that is not opaque."""
    value = value.lower().strip()
    if not value or "url(" in value or "gradient" in value:
        return None
    if rgb := _RGB.search(value):
        opaque = rgb[4] is None or float(f"0{rgb[4]}".rstrip(".")) >= (100 if rgb[5] else 1)
        return (int(rgb[1]), int(rgb[2]), int(rgb[3])) if opaque else None
    if code := _HEX.search(value):
        digits = code[1] or "".join(digit * 2 for digit in code[2])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    return next((_NAMES[word] for word in _WORD.findall(value) if word in _NAMES), None)


def is_clear(value: str) -> bool:
    """Whether a colour lets all through."""
    return value.strip() == "transparent" or bool(_CLEAR.search(value))


def near(one: Colour, other: Colour) -> bool:
    """Whether nobody could tell the two apart."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) <= NEAR
