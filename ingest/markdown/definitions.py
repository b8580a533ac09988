"""Paragraphs that define a term, by how they start: a term in bold or in quotes and a verb of definition."""

from __future__ import annotations

import re
from typing import Final

_TERM = r"[“\"‘']?(?:\*\*|__)[“\"‘']?[^*_\n]{1,100}[”\"’']?(?:\*\*|__)[”\"’']?[ \t]*"
_QUOTED = r"[“\"][^“”\"*_\n]{1,100}[”\"][ \t]+"
_ASIDE = r"(?:\([^()\n]{1,80}\)[ \t]*)?"
_MEANS = (
    r"(?:collectively[ ,]+)?(?:means?|refers?[ \t]+to|shall[ \t]+(?:mean|have)|(?:has|have)[ \t]+the[ \t]+meaning"
    r"|is[ \t]+defined|includes?)\b"
)
_DEFINITION: Final = re.compile(
    rf"{_TERM}{_ASIDE}(?:(?:or|and)[ \t]+{_TERM})?(?:{_MEANS}|[:—–][ \t]+\S)"
    rf"|{_QUOTED}{_ASIDE}(?:(?:or|and)[ \t]+{_QUOTED})?{_MEANS}"
)
_ADMONITION: Final = re.compile(
    r"\W*(?:note|important|warning|tip|caution|example|attention|reminder|disclaimer)s?\b", re.IGNORECASE
)
_STARTS: Final = frozenset("*_“\"‘'")


def defines(text: str, start: int, end: int) -> bool:
    """Whether a paragraph defines a term: "**Seat** means ...", "“API” means ...", "**Seat**: ..."."""
    if text[start] not in _STARTS:
        return False
    return bool(_DEFINITION.match(text, start, end)) and not _ADMONITION.match(text, start, end)
