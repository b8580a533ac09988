"""Names and postal addresses, as far as they can be told by their surroundings; switched off by default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from eval.redaction.found import Found

_CAPITAL: Final = r"[^\W\d_a-zß-öø-ÿ][\w'’-]{0,30}+"
_NAME: Final = rf"{_CAPITAL}(?:[ ](?:(?:van|von|de|der|den|da|dos|di|la|le|bin|al|el)[ ]){{0,2}}{_CAPITAL}){{0,3}}"
_TITLE: Final = "(?:Mr|Mrs|Ms|Mx|Miss|Dr|Prof|Herr|Frau|Sr|Sra|Mme|M)"
_TITLED: Final = re.compile(rf"\b{_TITLE}\b\.?[ ]({_NAME})")
_SAID: Final = re.compile(
    r"(?i:\b(?:my name is|my name's|i am called|this is|i am|i'm"
    r"|dear|hi|hello|hey|regards,?|thanks,?|cheers,?|sincerely,?|yours,?"
    r"|signed,?|attn:?|contact:?|customer:?"
    rf"|(?:full|first|last|given|family|sur|user)?[ _]?name\"?[:=])[\"\s]{{1,3}})(?!{_TITLE}\b)({_NAME})"
)
_STREET: Final = re.compile(
    rf"\b\d{{1,6}}[A-Za-z]?[ ](?:(?:[NSEW]{{1,2}}|North|South|East|West)\.?[ ])?(?:{_CAPITAL}[ ]){{1,4}}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd"
    r"|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Highway|Hwy|Parkway|Pkwy|Close|Crescent)\b\.?"
    r"(?:,?[ ](?:Apt|Suite|Ste|Unit|Floor|Fl|#)\.?[ ]?\w{1,6})?"
    rf"(?:,[ ]{_CAPITAL}(?:[ ]{_CAPITAL}){{0,2}})?(?:,?[ ][A-Z]{{2}})?"
    rf"(?:,?[ ](?:\d{{5}}(?:-\d{{4}})?|[A-Z]{{1,2}}\d[A-Z\d]?[ ]?\d[A-Z]{{2}}))?"
)
_EUROPEAN: Final = re.compile(
    rf"\b{_CAPITAL}(?:straße|strasse|str\.|weg|platz|allee|gasse|straat|laan|plein)[ ]\d{{1,4}}[a-z]?"
    rf"(?:,?[ ]\d{{4,5}}(?:[ ]?[A-Z]{{2}})?[ ]{_CAPITAL})?"
    rf"|\b\d{{1,4}},?[ ](?:rue|avenue|boulevard|place|chemin)[ ](?:[\w'’-]{{1,20}}[ ]?){{1,4}}"
    rf"(?:,?[ ]\d{{5}}[ ]{_CAPITAL})?"
)
_BOX: Final = re.compile(r"(?i)\b(?:p\.?\s?o\.?\s?box|postfach|post office box)\s\d{1,8}")


def names(text: str) -> Iterator[Found]:
    """People's names behind a title, a greeting, or words that introduce one."""
    for pattern in (_TITLED, _SAID):
        for match in pattern.finditer(text):
            yield Found(*match.span(1), match[1])


def addresses(text: str) -> Iterator[Found]:
    """Streets with a house number, in English, German, Dutch and French forms, and post office boxes."""
    for pattern in (_STREET, _EUROPEAN, _BOX):
        for match in pattern.finditer(text):
            yield Found(*match.span(), match[0])
