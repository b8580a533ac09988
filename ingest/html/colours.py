"""Colours of a page, to tell text that nobody can see from its background."""

from __future__ import annotations

import colorsys
import re
from typing import Final

Colour = tuple[int, int, int]
"""Red, green, blue, each from 0 to 255."""
FAINT: Final = 0.05
"""Opacity below which nobody sees anything."""
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
_HEX: Final = re.compile(r"#?([0-9a-f]{6})([0-9a-f]{2})?(?![0-9a-z])|#([0-9a-f]{3})([0-9a-f])?(?![0-9a-z])")
_FUNCTION: Final = re.compile(r"(rgb|hsl)a?\(([^()]{1,100})\)")
_NUMBER: Final = re.compile(r"([+-]?[0-9]*\.?[0-9]+)(%?)")
_WORD: Final = re.compile(r"[a-z]+")


def colour(value: str) -> Colour | None:
    """The colour that a declaration names; None where it names none, or one that is not opaque."""
    value = value.lower().strip()
    if not value or "url(" in value or "gradient" in value:
        return None
    if found := _coded(value):
        shade, opacity = found
        return shade if opacity >= 1 else None
    return next((_NAMES[word] for word in _WORD.findall(value) if word in _NAMES), None)


def is_clear(value: str) -> bool:
    """Whether a colour lets (nearly) all through."""
    found = _coded(value.lower())
    return value.strip() == "transparent" or (found is not None and found[1] < FAINT)


def _coded(value: str) -> tuple[Colour, float] | None:
    """The colour and opacity of "#rrggbbaa" or a function such as "hsl(0, 0%, 100%)"."""
    if call := _FUNCTION.search(value):
        numbers = [(float(number), bool(percent)) for number, percent in _NUMBER.findall(call[2])]
        return _called(call[1], numbers) if len(numbers) in (3, 4) else None
    code = _HEX.search(value)
    if code is None:
        return None
    digits = code[1] or "".join(digit * 2 for digit in code[3])
    opacity = code[2] or (code[4] or "f") * 2
    return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)), int(opacity, 16) / 255


def _called(name: str, numbers: list[tuple[float, bool]]) -> tuple[Colour, float]:
    opacity = numbers[3][0] / (100 if numbers[3][1] else 1) if len(numbers) == 4 else 1.0
    if name == "rgb":
        shares = [number / (100 if percent else 255) for number, percent in numbers[:3]]
    else:
        hue, saturation, light = (number for number, _ in numbers[:3])
        shares = list(colorsys.hls_to_rgb(hue / 360 % 1, _share(light / 100), _share(saturation / 100)))
    red, green, blue = (round(_share(share) * 255) for share in shares)
    return (red, green, blue), opacity


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))
