"""References to clauses as some type them: "clause 2. 3. 11" is clause 2.3.11."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ingest.pdf.geometry import Word

_WORD: Final = re.compile(r"\(?(?:sub-?)?(?:clause|section|paragraph|article)s?", re.IGNORECASE)
_OPEN: Final = re.compile(r"(?:\d{1,3}\.)+")
"""A number that may go on."""
_PART: Final = re.compile(r"\d{1,3}(?:\.\d{1,3})*\W*")
_BETWEEN: Final = frozenset(("and", "or", "to", "&"))
_NEAR: Final = 0.8
"""Of the em, between the parts of one number."""


def closed(words: Sequence[Word]) -> list[Word]:
    """Words of a line, where the parts of a number after "clause" are one word."""
    found: list[Word] = []
    refers = False
    for word in words:
        is_part = bool(_PART.fullmatch(word.text))
        if refers and is_part and _OPEN.fullmatch(found[-1].text) and word.x0 - found[-1].x1 < _NEAR * word.size:
            found[-1] = replace(found[-1], text=found[-1].text + word.text, x1=word.x1)
            continue
        refers = bool(_WORD.fullmatch(word.text)) or (refers and (is_part or word.text in _BETWEEN))
        found.append(word)
    return found
