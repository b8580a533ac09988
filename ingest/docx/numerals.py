"""Numbers as Word writes them in lists and notes (ECMA-376, 17.18.59)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ingest.markdown.htmlblocks import roman

LARGEST: Final = 32_767
"""Word counts no farther."""
LONGEST_LETTERS: Final = 780
"""The last number that is letters, thirty of them."""
_UNITS: Final = dict(
    enumerate(
        re.findall(
            r"\w+",
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen",
        )
    )
)
_TENS: Final = dict(enumerate(re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety"), 2))
_ORDINALS: Final = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def numeral(value: int, form: str) -> str | None:
    """`value` in a format such as "lowerRoman" or "001" (custom); None for a format that is not known."""
    if form in ("none", "bullet"):
        return ""
    if form.isdigit():
        return str(value).zfill(len(form))
    write = _FORMS.get(form)
    if write is None:
        return None
    return write(value) if 0 < value <= LARGEST else str(value)


def _letters(value: int) -> str:
    """a to z, then aa, bb, ..., as Word counts on."""
    if value > LONGEST_LETTERS:
        return str(value)
    times, place = divmod(value - 1, 26)
    return chr(97 + place) * (times + 1)


def _ordinal(value: int) -> str:
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


def _cardinal(value: int) -> str:
    parts = []
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if value >= size:
            parts += [_cardinal(value // size).lower(), name]
            value %= size
    if value >= 20:
        parts.append(_TENS[value // 10] + (f"-{_UNITS[value % 10]}" if value % 10 else ""))
    elif value or not parts:
        parts.append(_UNITS[value])
    return " ".join(parts).capitalize()


def _ordinal_word(value: int) -> str:
    words = _cardinal(value)
    head, gap, last = words.rpartition("-") if "-" in words else words.rpartition(" ")
    last, case = last.lower(), last[:1].isupper()
    shown = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return head + gap + (shown.capitalize() if case else shown)


def _circled(value: int) -> str:
    return chr(0x2460 + value - 1) if value <= 20 else str(value)


_FORMS: Final[dict[str, Callable[[int], str]]] = {
    "decimal": str,
    "decimalHalfWidth": str,
    "decimalFullWidth": str,
    "numberInDash": lambda value: f"- {value} -",
    "decimalZero": lambda value: f"{value:02}",
    "lowerRoman": lambda value: roman(value).lower(),
    "upperRoman": roman,
    "lowerLetter": _letters,
    "upperLetter": lambda value: _letters(value).upper(),
    "ordinal": _ordinal,
    "cardinalText": _cardinal,
    "ordinalText": _ordinal_word,
    "hex": lambda value: f"{value:X}",
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedParen": lambda value: f"({value})",
    "decimalEnclosedFullstop": lambda value: f"{value}.",
}
