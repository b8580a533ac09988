"""What opens doors: keys of known vendors, bearer tokens, JSON web tokens, private keys, passwords, named secrets."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from eval.redaction.found import Found

_VENDORS: Final = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}
    | gh[pousr]_[A-Za-z0-9]{30,}+ | github_pat_\w{20,}+ | gl(?:pat|dt|rt|ft|soat|cbt|ptt|oas|agent)-[\w.-]{16,}+
    | xox[abceoprs](?:\.xox[bp])?-[\w-]{10,}+ | xapp-[\w-]{10,}+
    | (?:sk|pk|rk)_(?:live|test)_\w{10,}+ | whsec_[\w+/=]{16,}+
    | sk-[\w-]{16,}+ | AIza[\w-]{35} | GOCSPX-[\w-]{20,}+ | ya29\.[\w.-]{20,}+ | 1//0[\w-]{20,}+
    | SG\.[\w-]{16,}+\.[\w-]{16,}+ | SK[0-9a-f]{32} | key-[0-9a-f]{32}
    | npm_[A-Za-z0-9]{30,}+ | pypi-[\w-]{30,}+ | hf_[A-Za-z0-9]{20,}+ | do[opr]_v1_[0-9a-f]{40,}+
    | rubygems_[0-9a-f]{40,}+
    | shp(?:at|ca|pa|ss)_[0-9a-fA-F]{20,}+ | sq0[a-z]{3}-[\w-]{20,}+ | EAAA[\w-]{50,}+ | \d{8,10}:AA[\w-]{30,}+
    | dapi[0-9a-f]{32} | dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}+ | hv[sbr]\.[\w-]{20,}+
    | lin_(?:api|oauth)_\w{20,}+
    | (?:ntn|secret)_[A-Za-z0-9]{30,}+ | PMAK-[\w-]{20,}+ | NRA[KL]-[A-Z0-9]{20,}+ | ATATT3[\w=-]{20,}+
    | AGE-SECRET-KEY-1[A-Z0-9]{50,}+ | gsk_[A-Za-z0-9]{20,}+ | xai-[A-Za-z0-9]{20,}+ | r8_[A-Za-z0-9]{20,}+
    | pcsk_\w{20,}+
    | gl(?:sa|c)_[\w=+/]{20,}+ | sntry[su]_[\w=+/]{20,}+ | sbp_[0-9a-f]{30,}+ | pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}+
    | figd_[\w-]{20,}+ | dckr_(?:pat|oat)_[\w-]{20,}+ | [A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}+ | pplx-[A-Za-z0-9]{30,}+
    | pscale_(?:tkn|pw|oauth)_[\w.-]{20,}+ | nfp_[A-Za-z0-9]{20,}+ | pat-(?:na|eu)\d-[0-9a-f-]{30,}+
    | access_token\$(?:production|sandbox)\$[0-9a-z$]{20,}+ | HRKU-[\w-]{30,}+ | vcp_\w{20,}+ | rnd_[A-Za-z0-9]{20,}+
    | (?:https://)?hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,}+
    | (?:https://)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}+
    | [MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}+
    )""",
    re.VERBOSE,
)
"""Beginnings (and lengths at least) that vendors document for their own keys."""
_JWT: Final = re.compile(r"(?<![\w-])e(?:y[JAI]|w[o0k])[\w-]{4,}+(?:\.[\w-]*+){1,4}")
_BEARER: Final = re.compile(
    r"(?i)(?:\bauthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:bearer|basic|token|negotiate|apikey|bot|digest|ssws)\s{1,3})?+|\b(?:bearer|basic)\s{1,3})"
    r"([\w.~+/=:-]{6,}+)"
)
_URL: Final = re.compile(
    r"(?i)(?<![a-z0-9])[a-z][a-z0-9+.-]{0,20}+://[^\s/?#@:\"'<>]*+:"
    r"([^\s/?#\"'<>\x00]{1,200}|[^\s\"'<>\x00]{1,200}?)@(?=[\w\[%-])"
)
_URL_TOKEN: Final = re.compile(r"(?i)(?<![a-z0-9])[a-z][a-z0-9+.-]{0,20}+://([^\s/?#@:\"'<>\x00]{16,})@")

_PASSWORDS: Final = r"(?:pass[ _-]?(?:word|wd|phrase|code)s?|passwd|pwd|pswd|secrets?|credentials?)"
_NOT_LED: Final = "".join(
    f"(?<!{word}[ _.-])"
    for word in ("sort", "cache", "primary", "foreign", "public", "partition", "group", "row", "unique")
)
_KEYS: Final = (
    r"(?:(?:api|access|secret|private|auth|account|shared|master|service|subscription|consumer|client|encryption|signing)"
    rf"[ _.-]?(?:access[ _.-]?)?keys?|{_NOT_LED}(?<![a-z])keys?|tokens?|signature|\bsig|cookie|auth)"
)
_NAMED: Final = re.compile(
    rf"(?i)(?:(?P<password>{_PASSWORDS})|(?P<key>{_KEYS}))"
    r"(?:[ _-]?(?:value|string|base64|hash))?[\"'`\]]{0,2}\s{0,3}(?P<sign>=>|:=|={1,3}|:|\bis\b)\s{0,3}"
    r"(?:(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n\x00]){1,500})|(?P<plain>[^\s\"'`<>,;&\x00]{3,500}))"
)
_WORDS: Final = {
    "password": ("pass", "pwd", "pswd", "secret", "credential"),
    "key": ("key", "token", "sig", "cookie", "auth"),
}
"""Without one of them a text need not be read more slowly."""
_SENTENCE_END: Final = ".,;:!?)]}"
_CHANGE: Final = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_LEAST_KEY: Final = 12
_LEAST_BITS: Final = 2.8
"""Shannon entropy of a key's characters, in bits each; words of a language stay below, random hexadecimals above."""

_BEGIN: Final = re.compile(
    r"-{3,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{3,5}|PuTTY-User-Key-File-\d:"
    r"|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"
)
_END: Final = re.compile(
    r"-{3,5} ?END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{0,5}|Private-MAC: ?[0-9a-f]*"
    r"|---- END SSH2 ENCRYPTED PRIVATE KEY ----"
)
_BODY: Final = re.compile(
    r"(?:\s*+(?:(?:[A-Z][\w-]{2,20}: [^\n]{0,200})|[A-Za-z0-9+/=]{12,}+))*+(?:\s*+[A-Za-z0-9+/=]{1,}+)?"
)
_TAIL: Final = re.compile(r"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/=]{12,}+\s*+)+(?:[A-Za-z0-9+/=]{1,76}\s*+)?$")
_LOOSE: Final = re.compile(
    r"(?<![A-Za-z0-9+/=])(?:(?:MI(?:I[A-Za-z0-9]|G[A-Za-z0-9]|HcAgEB|HeAgEB)|MC4CAQAwBQYDK2Vw|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/=]{24,}+(?:\s{1,4}[A-Za-z0-9+/=]{16,}+)*+"
    r"|[A-Za-z0-9+/]{64}(?:\r?\n[A-Za-z0-9+/]{64})+(?:\r?\n[A-Za-z0-9+/=]{1,64})?)"
)
_LONGEST_TAIL: Final = 20_000


def private_keys(text: str) -> Iterator[Found]:
    """Blocks of private keys in PEM, OpenSSH, PGP and PuTTY form, also without their end, their beginning or both."""
    at = 0
    ends = [match.span() for match in _END.finditer(text)]
    begins = [match.span() for match in _BEGIN.finditer(text)]
    ends.reverse()
    for place, (start, head) in enumerate(begins):
        if start < at:
            continue
        while ends and ends[-1][0] < head:
            yield from _tail(text, at, *ends.pop())
        following = begins[place + 1][0] if place + 1 < len(begins) else len(text)
        if ends and ends[-1][0] <= following:
            at = ends.pop()[1]
        else:
            body = _BODY.match(text, head, following)
            at = body.end() if body else head
        yield Found(start, at, text[start:at])
    for end in reversed(ends):
        yield from _tail(text, at, *end)
        at = end[1]
    for match in _LOOSE.finditer(text):
        yield Found(*match.span(), match[0])


def _tail(text: str, least: int, start: int, end: int) -> Iterator[Found]:
    """The rest of a key whose beginning is cut off."""
    least = max(least, start - _LONGEST_TAIL)
    body = _TAIL.search(text[least:start])
    begin = least + body.start() if body else start
    yield Found(begin, end, text[begin:end])


def web_tokens(text: str) -> Iterator[Found]:
    """JSON web tokens, signed, encrypted, unsigned or cut after their first part."""
    for match in _JWT.finditer(text):
        yield Found(*match.span(), match[0])


def url_passwords(text: str) -> Iterator[Found]:
    """Passwords, and tokens that stand in their place, before the host of a URL."""
    if "@" not in text or "://" not in text:
        return
    for match in _URL.finditer(text):
        if not re.match(r"\d{1,5}/", match[1]):
            yield Found(*match.span(1), match[1])
    for match in _URL_TOKEN.finditer(text):
        yield Found(*match.span(1), match[1])


def bearers(text: str) -> Iterator[Found]:
    """Tokens after "Bearer", "Basic" or "Authorization:"."""
    for match in _BEARER.finditer(text):
        told = match[0].lower().startswith("authorization")
        if told or (len(match[1]) >= 8 and not _is_word(match[1])):
            yield Found(*match.span(1), match[1])


def _is_word(text: str) -> bool:
    """Whether what follows "basic" or "bearer" may be a word or a number of a sentence."""
    return text.isdigit() or (
        len(text) < 20
        and all(part == part.lower() or part.istitle() for part in text.split("-"))
        and not any(map(str.isdigit, text))
    )


def vendor_keys(text: str) -> Iterator[Found]:
    """Keys that begin as their vendor says."""
    for match in _VENDORS.finditer(text):
        yield Found(*match.span(), match[0])


def named_passwords(text: str) -> Iterator[Found]:
    """What follows "password=" and the like."""
    yield from _named(text, "password")


def named_keys(text: str) -> Iterator[Found]:
    """What follows "key=", "token:" and the like, where it looks random."""
    yield from _named(text, "key")


def _named(text: str, wanted: str) -> Iterator[Found]:
    low = text.lower()
    if not any(word in low for word in _WORDS[wanted]):
        return
    for match in _NAMED.finditer(text):
        group = "quoted" if match["quoted"] else "plain"
        value = match[group].rstrip(_SENTENCE_END) if group == "plain" else match[group]
        if match[wanted] and value and (_password(value, match, text) if wanted == "password" else looks_random(value)):
            start = match.start(group)
            yield Found(start, start + len(value), value)


def _password(value: str, match: re.Match[str], text: str) -> bool:
    """Whether a value is meant as a password and not as a word of a sentence."""
    if match["quoted"] or match["sign"] in ("=", "==", ":=", "=>"):
        return match["sign"] != "is" or len(value) >= 3
    alone = match["sign"] != "is" and text[match.end() : match.end() + 2].strip(" ")[:1] in ("", "\n", "\r")
    return alone or not value.isalpha()


def looks_random(value: str) -> bool:
    """Whether a value is long, of digits among letters or of mixed case, and without a language's repetitions."""
    if len(value) < _LEAST_KEY or " " in value:
        return False
    changes = len(_CHANGE.findall(value))
    cased = len(value) >= 20 and not (value.islower() or value.isupper() or value.istitle())
    return (changes >= 2 or cased) and _bits(value) >= _LEAST_BITS


def _bits(value: str) -> float:
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
