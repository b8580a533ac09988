"""Where somebody is reached: e-mail, phone, IP addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from eval.redaction.found import Found

_ATOM: Final = r"[\w.!#$%&'*+/=?^`{|}~-]"
_EMAIL: Final = re.compile(
    rf"(?:(?<!{_ATOM}){_ATOM}++|\"[^\"\n@]{{1,64}}\")@(?:[\w-]++(?:\.[\w-]++)++|\[[0-9a-fA-F:.]{{3,45}}\])"
)
_SPELLED: Final = re.compile(
    r"(?i)(?<![\w.+-])[\w.+-]++(?:\s?[\[({<]\s?(?:at|@)\s?[\])}>]\s?[\w-]++"
    r"(?:(?:\.|\s?[\[({<]\s?(?:dot|\.)\s?[\])}>]\s?| dot )[\w-]++)++"
    r"| at [\w-]++(?: dot [\w-]++)++| ?@ ?(?:[\w-]++\.)+[^\W\d_]{2,})"
)
_LABEL: Final = re.compile(r"(?:xn--[\w-]+|[^\W\d_]{2,63})")
_LED: Final = re.compile(r"[=&?/|{}`^#]")

_QUAD: Final = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w])(?!\.\d)")
_NUMBERED: Final = re.compile(
    r"(?i)(?:\b(?:sections?|sec\.|clauses?|chapters?|articles?|paragraphs?|tables?|appendix|annex|versions?|ver\.?|release"
    r"|v)|§|\n#{1,6}|^#{1,6})[\s:=v]{0,3}$"
)
_LONGEST_CUE: Final = 14
_SIX: Final = re.compile(r"(?i)(?<![\w:.])(?=[0-9a-f]{0,4}:)[0-9a-f:]{2,39}(?:\d{1,3}(?:\.\d{1,3}){3})?(?![\w:])")

_COLON_AFTER: Final = re.compile(r"[^:]:$")

_PHONE: Final = re.compile(
    r"""(?<![\w.,+$€£-])(?:
      (?:\+|\b00)[ ]?[1-9]\d{0,2}(?:[ ./-]{0,3}\(?\d{1,5}\)?){1,6}+       # +49 (0)30 1234-567
    | (?:1[ .-])?\(\d{2,5}\)[ .-]?\d{3,4}[ .-]?\d{3,5}                      # (555) 010-1234
    | (?:1[ .-])?\d{3}([ .-])\d{3}\1\d{4}                                  # 555-010-1234
    | \(0\d{1,5}\)[ ]?\d{2,8}(?:[ -]\d{2,6}){0,3}                         # (05339) 50959
    | 0\d{1,5}[ /-]{1,3}\d{2,8}(?:[ -]\d{2,6}){0,4} | 0\d{9,10}             # 020 7946 0958, 0123456789
    | \d{2}[ ]9?(?!(?:19|20)\d\d-(?:19|20))\d{4}-\d{4}                     # 11 91234-5678
    )(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?(?![\w])(?!\.\d)(?!-\d)""",
    re.VERBOSE,
)
_CALLED: Final = re.compile(
    r"(?i)\b(?:tele?phones?|phones?|tel|mobile|cell(?:phone)?|fax|whats?app|sms|call(?:ed|back|[ _]back)?"
    r"|dial(?:led)?|text(?:ed)?|ring|reach(?:ed)?)"
    r"(?:[ _]?(?:me|us|him|her|them|number|numbers|num|no\.?|nr\.?|at|on|is|under|to)){0,3}[\"'.:=#\s]{1,5}"
    r"(\+?\(?\d[\d ().-]{5,20}\d)(?!\w)"
)
_AMOUNT: Final = re.compile(r"\+\d{1,3}(?: \d{3}){1,2}")
_COUNTED: Final = re.compile(
    r"(?i)\b(?:invoices?|orders?|accounts?|acct|customers?|tickets?|cases?|contracts?|documents?|memos?|refs?|references?|id|po)"
    r"(?:[ _](?:id|no\.?|nr\.?|number))?[\s:#.\"'=-]{0,3}$"
)
_DATE: Final = re.compile(r"(?:19|20)\d\d[ ./-]\d\d?[ ./-]\d\d?(?!\d)")


def emails(text: str) -> Iterator[Found]:
    """E-mail addresses, also with a tag, quoted, in other scripts, or spelled "jane [at] example [dot] com"."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            start, end = _local_start(text, match.start(), match.end()), match.end()
            domain = match[0].rpartition("@")[2]
            if start < end and (domain[0] == "[" or _LABEL.fullmatch(domain.rpartition(".")[2])):
                yield Found(start, end, text[start:end].lower())
    low = text.lower()
    for match in _SPELLED.finditer(text) if "@" in low or "at" in low else ():
        yield Found(*match.span(), "".join(match[0].lower().split()))


def _local_start(text: str, start: int, end: int) -> int:
    """Where an address begins, behind a name such as "email=" or "?to=" that stands before it."""
    at = text.rfind("@", start, end)
    local = text[start:at]
    led = [
        match.end() for match in _LED.finditer(local) if "+" not in local[: match.start()] and match.end() < len(local)
    ]
    start += max(led, default=0)
    while start < at and text[start] in ".'*":
        start += 1
    return start


def addresses_of_hosts(text: str) -> Iterator[Found]:
    """IP addresses, version 4 and 6; not "section 4.2.2.1", not "version 1.2.3.4"."""
    for match in _QUAD.finditer(text):
        if _is_quad(match[0]) and not _NUMBERED.search(text[max(0, match.start() - _LONGEST_CUE) : match.start()]):
            yield Found(*match.span(), match[0])
    for match in _SIX.finditer(text):
        address = match[0][:-1] if _COLON_AFTER.search(match[0]) else match[0]
        if address.count(":") > 1 and any(map(str.isdigit, address)) and _is_six(address):
            yield Found(match.start(), match.start() + len(address), address.lower())


def _is_quad(text: str) -> bool:
    return all(int(part) < 256 for part in text.split("."))


def _is_six(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def phones(text: str) -> Iterator[Found]:
    """Phone numbers in the shapes in which they are written, or seven digits and more after a word such as "call"."""
    for match in _PHONE.finditer(text):
        digits = _digits(match[0])
        if 7 <= len(digits) <= 21 and not _is_other(match, text):
            yield Found(*match.span(), digits)
    for match in _CALLED.finditer(text):
        digits = _digits(match[1])
        if 7 <= len(digits) <= 15 and not _DATE.match(match[1]):
            yield Found(*match.span(1), digits)


def _is_other(match: re.Match[str], text: str) -> bool:
    """Whether digits in the shape of a phone number are a date, an amount or the number of an invoice."""
    if _DATE.match(match[0]) or _AMOUNT.fullmatch(match[0]):
        return True
    return match[0].isdigit() and _COUNTED.search(text[max(0, match.start() - 24) : match.start()]) is not None


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
