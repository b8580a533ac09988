"""Numbers that prove themselves: payment cards (Luhn), IBAN (ISO 13616, remainder 1 by 97), US social security."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from eval.redaction.found import Found

_RUN: Final = re.compile(r"(?<![\d._])\d++(?:[ \t\n._/-]{1,3}\d++)*+")
"""Groups of digits that may be one number, or several in a row."""
_WORD_BEFORE: Final = re.compile(r"\w+$")
_LONGEST_NAME: Final = 12
_GROUP: Final = re.compile(r"\d+")
_CARD: Final = re.compile(
    r"""4\d{12}(?:\d{3}){0,2} | (?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d+ | 3[47]\d{13}
    | 3(?:0[0-5]|095|[689])\d{11,16} | (?:6011|64[4-9]|65|62|60|81|82)\d{10,17} | 35\d{14,17} | (?:2131|1800)\d{11}
    | (?:50|5[6-9]|6[0-9])\d{10,17}""",
    re.VERBOSE,
)
"""First digits and lengths of the networks' numbers (ISO/IEC 7812)."""
_CARD_BEGINS: Final = re.compile(r"[2-6]|1(?!\d)|18(?!\d)|180(?!\d)|1800|8[12]|8(?!\d)")
_MOST_GROUPS: Final = 19
_SSN: Final = re.compile(r"(?<![\d.-])(\d{3})([- .])(\d{2})\2(\d{4})(?![\d-])(?!\.\d)")
_SSN_BARE: Final = re.compile(
    r"(?i)(?:\bssn|social[ _-]?security(?:[ _-]?(?:number|no\.?|num))?|\bitin|\btin)\W{1,5}(?:is\W{1,3})?"
    r"(\d{3})\W?(\d{2})\W?(\d{4})(?!\w)"
)
_IBAN: Final = re.compile(r"(?i)(?:(?<![a-z0-9])|(?<=iban))[a-z]{2}\d{2}(?:[ -]{0,2}[a-z0-9]){11,30}+")
_LENGTHS: Final = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE BI", 18: "DK FK FO FI GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV", 22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HN HU LB NI PL SV", 29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
"""Characters of a country's IBAN, by the registry of ISO 13616."""


def cards(text: str) -> Iterator[Found]:
    """Payment card numbers, whole, in groups, or digit by digit."""
    for run in _RUN.finditer(text):
        if _within_code(text, *run.span()):
            continue
        groups = [(match.start(), match.end()) for match in _GROUP.finditer(text, *run.span())]
        at = 0
        while at < len(groups):
            last = _card_from(text, groups, at)
            if last is not None:
                start, end = groups[at][0], groups[last][1]
                yield Found(start, end, _digits(text[start:end]))
                at = last
            at += 1


def _within_code(text: str, start: int, end: int) -> bool:
    """Whether digits are part of something longer, such as a digest; "card4111..." is not."""
    if text[end : end + 1].isalnum():
        return True
    before = _WORD_BEFORE.search(text[max(0, start - 64) : start])
    return before is not None and not (before[0].isalpha() and len(before[0]) <= _LONGEST_NAME)


def _card_from(text: str, groups: list[tuple[int, int]], first: int) -> int | None:
    """The group that ends the longest card number beginning with group `first`; None without one."""
    digits, best = "", None
    if text[groups[first][0]] in "079":
        return None
    single = groups[first][1] - groups[first][0] == 1
    for at in range(first, min(first + _MOST_GROUPS, len(groups))):
        start, end = groups[at]
        if single != (end - start == 1) and end - start < 3 and len(digits) < 12:
            break
        digits += text[start:end]
        if len(digits) > _MOST_GROUPS or not _CARD_BEGINS.match(digits):
            break
        if len(digits) >= 12 and _CARD.fullmatch(digits) and luhn(digits):
            best = at
    return best


def luhn(digits: str) -> bool:
    """Whether digits end in their check digit (ISO/IEC 7812-1, annex B)."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0


def social_security(text: str) -> Iterator[Found]:
    """US social security and taxpayer numbers: 3-2-4 digits, or nine after words that say so."""
    for match in _SSN.finditer(text):
        if match[2] == "-" or _issued(match[1], match[3], match[4]):
            yield Found(*match.span(), match[1] + match[3] + match[4])
    for match in _SSN_BARE.finditer(text):
        yield Found(match.start(1), match.end(), match[1] + match[2] + match[3])


def _issued(area: str, group: str, serial: str) -> bool:
    return area not in ("000", "666") and group != "00" and serial != "0000"


def ibans(text: str) -> Iterator[Found]:
    """International bank account numbers whose check digits are right."""
    for match in _IBAN.finditer(text):
        length = _LENGTHS.get(match[0][:2].upper())
        places = [at for at in range(*match.span()) if text[at].isalnum()]
        for end in [length] if length else range(len(places), 14, -1):
            if end <= len(places):
                value = "".join(text[at] for at in places[:end]).upper()
                if remainder_97(value) == 1:
                    yield Found(places[0], places[end - 1] + 1, value)
                    break


def remainder_97(value: str) -> int:
    """The remainder that an IBAN's check digits make 1 (ISO 7064, MOD 97-10)."""
    return int("".join(str(int(char, 36)) for char in value[4:] + value[:4])) % 97


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
