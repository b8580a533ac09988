"""Character references of HTML as browsers read them, whatever their length."""

from __future__ import annotations

import html
import re
from typing import Final

_LONG: Final = re.compile(r"&#(?:0*[1-9][0-9]{7,}|[xX]0*[1-9a-fA-F][0-9a-fA-F]{6,});?")
"""Numbers beyond Unicode; those of thousands of digits are refused by `int`."""
_ZEROS: Final = re.compile(r"(&#[xX]?)0{8,}(?=[0-9a-fA-F])")


def unescaped(text: str) -> str:
    """`text` with its character references replaced; a number that is no character is U+FFFD."""
    if "&#" in text:
        text = _ZEROS.sub(r"\1", _LONG.sub("\ufffd", text))
    return html.unescape(text) if "&" in text else text
