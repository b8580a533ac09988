"""Policy text as BM25 tokens: numbers, amounts and section references survive, words are stemmed.

    "30-day", "30 days"  30-day 30 day          "$5,000.00"         $5,000 5000
    "4.2(b)(ii)"         4.2(b)(ii) 4.2(b) 4.2  "10 %", "10 percent" 10% 10
    "non-refundable"     non-refund non refund  "credit_usd"        credit_usd credit usd

A compound comes first, then its parts, so that either spelling finds the other. Words that carry no
condition ("the", "of") are left out; the ones that do ("not", "unless", "only", "before") stay.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

_LIGHT = """
    a an and are as at be been being by can could d did do does doing eg etc for from had has have having he her here
    hers him his how i ie in into is it its itself ll m me my of on or our ours re s she so some such t that the their
    theirs them then there these they this those to ve was we were what which who whom whose why will with would you
    your yours
"""
_STOP_WORDS = frozenset(_LIGHT.split())

_SPELLING = str.maketrans(
    {**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("‘’ʼ", "'"), **dict.fromkeys("\u00ad\u200b\u200c\u200d\ufeff")}
)

_AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_RAW = re.compile(
    rf"""
      [$€£¥]\ ?(?:{_AMOUNT})                                          # $5,000
    | (?:{_AMOUNT})\ ?(?:%|percent\b|per\ cent\b)                     # 10 %
    | \d+(?:\.\d+)*[a-z]?(?:\([a-z0-9]{{1,5}}\))+                     # 4.2(b)(ii)
    | \d+(?:\.\d+)+                                                   # 4.2.1
    | \d{{1,3}}(?:,\d{{3}})+                                          # 5,000
    | \d+[ -](?:minute|hour|day|week|month|quarter|year)s?\b          # 30 days
    | (?:[a-z]\.){{2,}}                                               # u.s.
    | [^\W_]+(?:['_-][^\W_]+)*                                        # word, credit_usd, non-refundable, customer's
    """,
    re.VERBOSE,
)
_PARENTHESIS = re.compile(r"\([a-z0-9]{1,5}\)$")


def tokens(text: str) -> list[str]:
    """BM25 tokens of `text` in order; empty where it has none, or only words without weight."""
    return [token for raw in _RAW.findall(_normal(text)) for token in _expand(raw)]


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Snowball's English stem of one lower-case word."""
    # A stemmer keeps its word while it works: one shared by threads would mix two words up, and the cache keep the mix.
    return str(snowballstemmer.stemmer("english").stemWord(word))


def _normal(text: str) -> str:
    """Lower case without accents, with one kind of dash and apostrophe and no invisible characters."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.translate(_SPELLING)).casefold()
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@lru_cache(maxsize=200_000)
def _expand(raw: str) -> tuple[str, ...]:
    """The tokens that one match of `_RAW` stands for."""
    if raw[0] in "$€£¥":
        return _money(raw[0], raw[1:].strip())
    if raw[0].isdigit():
        return _numeric(raw)
    if raw.endswith("."):
        return _word(raw.replace(".", ""))
    return _compound(raw) if "-" in raw or "_" in raw else _word(raw)


def _word(word: str) -> tuple[str, ...]:
    if word in _STOP_WORDS:
        return ()
    return (stem(word.removesuffix("'s")),)


def _money(sign: str, amount: str) -> tuple[str, ...]:
    plain = _plain(amount)
    whole, dot, cents = plain.partition(".")
    return (f"{sign}{int(whole):,}{dot}{cents}", plain)


def _plain(amount: str) -> str:
    """An amount without thousands separators and empty cents: "5,000.00" is 5000."""
    return re.sub(r"\.0+$", "", amount.replace(",", ""))


def _numeric(raw: str) -> tuple[str, ...]:
    amount = re.match(_AMOUNT, raw)
    if raw.endswith(("%", "percent", "per cent")) and amount:
        return (f"{_plain(amount[0])}%", _plain(amount[0]))
    if raw.endswith(")"):
        return _reference(raw)
    if "," in raw:
        return (_plain(raw),)
    return _compound(raw.replace(" ", "-"))


def _reference(raw: str) -> tuple[str, ...]:
    """ "4.2(b)(ii)" also stands for the items and the section that hold it."""
    shorter = _PARENTHESIS.sub("", raw)
    return (raw,) if shorter == raw else (raw, *_reference(shorter))


def _compound(raw: str) -> tuple[str, ...]:
    """The compound with its last part stemmed, then each part of weight on its own."""
    parts = re.split(r"[-_]", raw)
    if len(parts) == 1:
        return _word(raw)
    last = stem(parts[-1].removesuffix("'s"))
    return (raw[: len(raw) - len(parts[-1])] + last, *(token for part in parts for token in _word(part)))
