"""A text as a reader understands it: no invisible characters, plain digits, dashes and spaces, escapes resolved.

Only what is looked for is folded: places in the folded text lead back to the text itself, which is left alone
outside of what is found. Resolved are JSON's escapes at any depth, percent-encoding and HTML's character
references; nothing else ("=40", rot13, base64).
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

_SPECIAL: Final = re.compile(
    r"""(?<!\\)\\++(?:u[dD][89abAB][0-9a-fA-F]{2}\\++u[dD][c-fC-F][0-9a-fA-F]{2}   # a surrogate pair
        | u[0-9a-fA-F]{4} | [nrt"'/])
    | %(?:25)*[0-7][0-9a-fA-F]
    | %[c-fC-F][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){1,3}
    | &(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|commat|period|colon|sol|lowbar|hyphen|dash|plus|nbsp|amp|quot);
    | \x1b\[[0-9;?]{0,20}[ -/]{0,3}[@-~]                                    # a terminal's colour
    | [\x00-\x08\x0b\x0c\x0e-\x1f\x7f]
    | [^\x00-\x7f]""",
    re.VERBOSE,
)
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""
_DOTS: Final = str.maketrans("\u3002\uff61\u2024\u00b7\u2022\u2219\u22c5", ".......")
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and where each of its characters comes from."""

    text: str
    starts: array[int] | None
    """Place in the original of each character; None where both are the same."""
    ends: array[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the folded text, not an empty one, stands in the original."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """The text as it reads; in time linear to its length."""
    pieces: list[str] = []
    starts, ends, at = array("q"), array("q"), 0
    for match in _SPECIAL.finditer(text):
        begin, end = match.span()
        if at < begin:
            pieces.append(text[at:begin])
            starts.extend(range(at, begin))
            ends.extend(range(at + 1, begin + 1))
        read = _read(match[0])
        pieces.append(read)
        starts.extend([begin] * len(read))
        ends.extend([end] * len(read))
        at = end
    if not at:
        return Folded(text, None, None)
    pieces.append(text[at:])
    starts.extend(range(at, len(text)))
    ends.extend(range(at + 1, len(text) + 1))
    return Folded("".join(pieces), starts, ends)


@lru_cache(maxsize=8192)
def _read(found: str) -> str:
    """What an escape or a character outside ASCII reads as; nothing for an invisible one."""
    if found[0] == "\\":
        return "".join(map(_plain, _unescaped(found.lstrip("\\"))))
    if found[0] == "%":
        # "%2540" is "@" encoded twice.
        return "".join(map(_plain, unquote(found if len(found) > 3 and found[3] == "%" else "%" + found[-2:])))
    if found[0] == "\x1b":
        return ""
    if found[0] == "&":
        return "".join(map(_plain, html.unescape(found)))
    return _plain(found)


def _unescaped(escape: str) -> str:
    """What stands behind the backslashes: "n", "u0040", or a pair with backslashes in between."""
    if escape[0] != "u":
        return _ESCAPED.get(escape, escape)
    high = int(escape[1:5], 16)
    if len(escape) == 5:
        return chr(high)
    return chr(0x10000 + ((high - 0xD800) << 10) + (int(escape[-4:], 16) - 0xDC00))


def _plain(char: str) -> str:
    """The plain form of one character, at most a few characters long; nothing for one that shows nothing."""
    if char < "\x80":
        return char if char.isprintable() or char in "\t\n\r" else ""
    category = unicodedata.category(char)
    if category in ("Cc", "Cf", "Mn", "Me") or char in _BLANK:
        return ""
    if category == "Nd":
        return str(unicodedata.digit(char))
    if category == "Pd" or char == "\u2212":
        return "-"
    if category == "Zs":
        return " "
    return unicodedata.normalize("NFKC", char).translate(_DOTS)
