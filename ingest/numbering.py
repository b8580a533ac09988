"""Section numbers as their authors wrote them: "4.2 Downgrades" is number "4.2", title "Downgrades"."""

from __future__ import annotations

import re
from typing import Final

from ingest.markdown.plain import plain

_ATTRIBUTES: Final = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w:.-]+|[\w-]+=\S+)(?:[ \t]+[^{}\n]*)?\}[ \t]*(?=#*[ \t]*$)")
_EXPLICIT: Final = re.compile(r"\{:?[^{}\n]*?#([\w:.-]+)[^{}\n]*\}[ \t]*#*[ \t]*$")
_HTML_ID: Final = re.compile(r"<h[1-6]\b[^>]*?\sid\s*=\s*[\"']([\w:.-]+)[\"']", re.IGNORECASE)
_ATX: Final = re.compile(r"^[ \t]*(?:\d{1,9}[.)][ \t]+)?#{1,6}(?=\s|$)|[ \t]#+[ \t]*$")
_SETEXT: Final = re.compile(r"\n[ \t]*(?:=+|-+)[ \t]*$")

_PAREN = r"(?:\([0-9A-Za-z]{1,4}\))"
_ROMAN = r"(?:(?=[IVXLC])(?:XC|XL|L?X{0,3}|C{1,3})(?:IX|IV|V?I{0,3}))"
_DOTTED = rf"\d{{1,4}}[A-Z]?(?:\.\d{{1,4}}[A-Za-z]?)+{_PAREN}*"
_CODE = rf"(?:[A-Z]{{1,2}}\d{{0,3}}(?:[.-]\d{{1,3}})+{_PAREN}*)"
_END = r"(?=[\s.:)–—-]|$)"
_BREAK = r"\s*(?:[.:)](?!\w)|[–—-](?=\s|$))?\s*(?:[–—-]+\s+)?"
_WORD: Final = re.compile(
    rf"(?:(?i:(?P<word>sub-?section|section|sec\.|article|art\.|chapter|clause|part|appendix|annexure|annex|schedule|exhibit|attachment"
    rf"|addendum|rule|title|division|paragraph))\s*|(?P<sign>§{{1,2}})\s*)"
    rf"(?P<number>{_DOTTED}|{_CODE}|\d{{1,4}}[A-Za-z]?(?:-\d{{1,3}})?{_PAREN}*|{_ROMAN}(?:\.[A-Z0-9]{{1,3}})*{_PAREN}*|[A-Z](?:\d{{1,3}})?{_PAREN}*){_END}{_BREAK}"
)
_PLAIN: Final = re.compile(rf"(?P<number>{_DOTTED}|{_CODE}){_END}{_BREAK}")
_MARKED: Final = re.compile(
    rf"(?P<number>\d{{1,3}}[A-Za-z]?|{_ROMAN}|[A-Za-z])(?:\s?[.:)](?=\s|$|[*\"“])|\s+[–—-](?=\s))\s*"
)
_BRACKETED: Final = re.compile(r"(?P<number>\((?:\d{1,3}|[A-Za-z]|[ivxl]{2,5}|[IVXL]{2,5})\)){1}\s+")
_SUFFIXED: Final = re.compile(rf"(?P<number>\d{{1,3}}{_PAREN}+){_END}{_BREAK}")
_BARE: Final = re.compile(r"(?P<number>\d{1,2})\s+(?=[A-Z“\"'])")
# "30 Days' Notice" counts days; "4 Seats" cannot be told from "4 Weeks" but by the unit. "5 Ways to Save" counts too,
# while "5 Rules" alone is a section's number and title.
_UNIT: Final = re.compile(
    r"\d+\s+(?:(?:business|calendar|working)\s+)?(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|percent|USD|EUR|GBP|U\.S\.C?\b|CFR"
    r"|(?:steps?|ways?|things?|reasons?|tips?|rules?|questions?|principles?)(?=\s+\S))\b",
    re.IGNORECASE,
)
# Plans named after sections of the tax code are no section of the handbook.
_PLAN: Final = re.compile(r"(?:401|403|457|501|529)\([a-z]\)", re.IGNORECASE)
# With two digits for the year only where a zero leads: no author writes section "2.03.11", but "2.3.11" is one.
_DATE: Final = re.compile(
    r"\d{1,2}\.\d{1,2}\.(?:19|20)\d{2}(?!\d)|(?:0\d\.\d{1,2}|\d{1,2}\.0\d)\.\d{2}(?!\d)|(?:19|20)\d{2}[.-]\d{1,2}"
)


def heading_text(raw: str) -> str:
    """A heading as displayed: without its marks, attributes, emphasis, tags and link targets."""
    return plain(_SETEXT.sub("", _ATX.sub("", _ATTRIBUTES.sub("", raw)))).strip()


def explicit_id(raw: str) -> str | None:
    """The id that the author gave: `## Downgrades {#seat-downgrades}` or `<h2 id="seat-downgrades">`."""
    match = _EXPLICIT.search(raw) or _HTML_ID.search(raw)
    return match[1] if match else None


def split_heading(raw: str) -> tuple[str | None, str]:
    """Number and title of a heading, marks of Markdown allowed.

    The number is as written, without its word or trailing dot, and None where there is none; a heading that
    is nothing but a number ("Appendix C") keeps its text as the title.
    """
    text = heading_text(raw)
    match = _number(text)
    if match is None:
        return None, _tidy(text)
    return match["number"].strip("()") if match.re is _BRACKETED else match["number"], _tidy(
        text[match.end() :]
    ) or _tidy(text)


def only_number(raw: str) -> bool:
    """Whether a heading is a number without a title: "Clause 8", "Article IV"."""
    text = heading_text(raw)
    match = _number(text)
    return match is not None and not _tidy(text[match.end() :])


def _number(text: str) -> re.Match[str] | None:
    if match := _WORD.match(text):
        return match if match["number"] else None
    if _DATE.match(text) or _UNIT.match(text) or _PLAN.match(text):
        return None
    for pattern in (_PLAIN, _MARKED, _BRACKETED, _SUFFIXED, _BARE):
        if (match := pattern.match(text)) and match["number"]:
            return match
    return None


def _tidy(title: str) -> str:
    title = title.strip()
    return title.rstrip(":").rstrip() if not title.endswith(".") or title.endswith("..") else title[:-1].rstrip()


def parts(number: str) -> tuple[str, ...]:
    """The steps of a number: "12.3(a)" is ("12", "3", "a")."""
    return tuple(part for part in re.split(r"[.()\-]+", number) if part)


def extends(outer: str | None, inner: str | None) -> bool:
    """Whether `inner` lies below `outer`: "4.2" below "4", "4.2(a)" below "4.2"."""
    if not outer or not inner:
        return False
    above, below = parts(outer), parts(inner)
    return len(below) > len(above) and below[: len(above)] == above
