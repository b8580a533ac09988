"""Signs of symbol fonts as Unicode: a file holds only their places in the font."""

from __future__ import annotations

import re
from typing import Final

PRIVATE: Final = re.compile("[\uf020-\uf0ff]")
"""Where Word puts such signs in plain text."""
_GREEK: Final = dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)) | dict(
    zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)
)
# Adobe's Symbol encoding, from 0xA1.
_SIGNS: Final = dict(
    zip(range(0xA1, 0xD7), "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√", strict=True)
) | dict(zip(range(0xD7, 0xE0), "⋅¬∧∨⇔⇐⇑⇒⇓", strict=True))
_OTHERS: Final = {0x22: "∀", 0x24: "∃", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0xE5: "∑", 0xF2: "∫"}
_ASCII: Final = {code: chr(code) for code in range(0x20, 0x40)}
_FONTS: Final[dict[str, dict[int, str]]] = {
    "symbol": _ASCII | _GREEK | _SIGNS | _OTHERS,
    "wingdings": {
        0x28: "☎",
        0x2A: "✉",
        0x46: "☞",
        0x4A: "☺",
        0x6C: "●",
        0x6E: "■",
        0x6F: "☐",
        0x71: "❑",
        0x75: "◆",
        0x76: "❖",
        0x77: "◆",
        0x9F: "•",
        0xA7: "▪",
        0xA8: "☐",
        0xD8: "➢",
        0xDF: "←",
        0xE0: "→",
        0xE1: "↑",
        0xE2: "↓",
        0xF0: "⇨",
        0xFB: "✘",
        0xFC: "✔",
        0xFD: "☒",
        0xFE: "☑",
    },
    "wingdings 2": {0x4F: "✘", 0x50: "✔", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐"},
    "webdings": {0x61: "✔", 0x63: "☐", 0x72: "✘"},
}


def sign(font: str, code: int) -> str | None:
    """The sign at `code` of a font; None where no table has it."""
    table = _FONTS.get(font.lower())
    if table is None:
        # An ordinary font, in which the code is Unicode's.
        return chr(code) if 0x20 <= code < 0xD800 else None
    return table.get(code & 0xFF if code >= 0xF000 else code)


def is_symbolic(font: str | None) -> bool:
    """Whether the letters of a font are signs."""
    return font is not None and font.lower() in _FONTS
