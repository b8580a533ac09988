"""A model's answer held against a ticket's gold and against the handbook, without a judge: quotes are looked up.

Case, white space, punctuation and mark-up of a quote do not count; its words, figures and signs do, in their order.
A quote with an ellipsis is as good as the worst of its parts. An anchor is recalled where the quotes together hold all
of its words, in the section that it is gold of: a rule quoted without its limit is half an answer. Whether the decision
itself is right is not scored: that takes a person, or a judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from eval.policy import Edition, Policy
from eval.suites.question import Gold, Question
from ingest.dates import parse_day

Standing = Literal["in force", "not in force", "nowhere"]
_WORST_FIRST: Final[tuple[Standing, ...]] = ("nowhere", "not in force", "in force")
_WORDS: Final = re.compile(r"[^\W_]+|[%$€£¥<=+/]")
_ELLIPSIS: Final = re.compile(r"\[?(?:\.\.\.+|…)\]?")
_FENCE: Final = re.compile(r"\s*```(?:json)?[ \t]*\n(.*)\n[ \t]*```\s*", re.S)


@dataclass(frozen=True, slots=True)
class Clause:
    """What a decision is said to rest on."""

    section: str
    """As the model names it."""
    quote: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A model's answer, read."""

    decision: str
    clauses: tuple[Clause, ...]
    confidence: float
    """0 to 1, the model's own word."""
    missing: str | None
    """What it says that it was not given."""


class Unreadable(ValueError):
    """An answer is not the object that was asked for; the text says why."""


def parse_decision(text: str) -> Decision:
    """Read an answer strictly: nothing is repaired, and nothing but a code fence around it is taken off.

    Raises:
        Unreadable: not one JSON object, or a key is missing, twice, or not of its kind.
    """
    fenced = _FENCE.fullmatch(text)
    try:
        value = json.loads(fenced[1] if fenced else text, parse_constant=_no_constant, object_pairs_hook=_once)
    except RecursionError:
        raise Unreadable("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg} at character {error.pos}" if text.strip() else "empty") from None
    except Unreadable:
        raise
    except ValueError:
        raise Unreadable("a number of more digits than can be read") from None
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Unreadable("half a character (a surrogate without its other half)") from None
    if not isinstance(value, dict):
        raise Unreadable(f"{type(value).__name__} instead of an object")
    clauses = _of(value, "clauses", list)
    confidence = _of(value, "confidence", (int, float))
    if isinstance(confidence, bool) or not 0 <= confidence <= 1:
        raise Unreadable(f"confidence {confidence!r} is not within 0 and 1")
    missing = _of(value, "missing", (str, type(None)))
    told = (missing or "").strip() or None
    return Decision(_text(value, "decision"), tuple(map(_clause, clauses)), float(confidence), told)


def _clause(value: Any) -> Clause:
    if not isinstance(value, dict):
        raise Unreadable(f"a clause is {type(value).__name__}")
    clause = Clause(_text(value, "section"), _text(value, "quote"))
    if not _words(clause.quote):
        raise Unreadable("a clause quotes no word")
    return clause


def _of(value: dict[str, Any], key: str, kinds: type | tuple[type, ...]) -> Any:
    if key not in value:
        raise Unreadable(f'without "{key}"')
    if not isinstance(value[key], kinds):
        raise Unreadable(f'"{key}" is {type(value[key]).__name__}')
    return value[key]


def _text(value: dict[str, Any], key: str) -> str:
    text = str(_of(value, key, str))
    if not text.strip():
        raise Unreadable(f'"{key}" is empty')
    return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Unreadable(f'"{twice}" twice')
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise Unreadable(f"{name} is no JSON number")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A clause, looked up."""

    clause: Clause
    standing: Standing
    """Whether some document in force on the ticket's day holds it, one of another day, or none at all."""
    located: bool
    """Whether it is in force and stands where the model says: in that section, below it, or in a lead-in above it."""


@dataclass(frozen=True, slots=True)
class Score:
    """One answer, scored; what does not apply is None."""

    anchors: tuple[float, ...]
    """Of each quote of the gold: the share of it that the answer's quotes hold."""
    quoted: tuple[Quoted, ...]
    exception: bool
    """Whether the ticket needs a rule and the clause that limits it."""
    answerable: bool

    @property
    def anchor_recall(self) -> float | None:
        """Share of the anchors that are quoted whole."""
        return _mean(float(share == 1) for share in self.anchors)

    @property
    def anchor_words(self) -> float | None:
        """Mean share of each anchor that is quoted."""
        return _mean(self.anchors)

    @property
    def exception_recall(self) -> float | None:
        """1 if all anchors of an exception ticket are quoted whole, else 0."""
        return float(self.anchor_recall == 1) if self.exception and self.anchors else None

    @property
    def invented(self) -> float | None:
        """1 if any quote exists nowhere in the handbook; None without a quote."""
        return float(any(one.standing == "nowhere" for one in self.quoted)) if self.quoted else None

    @property
    def stale(self) -> float | None:
        """1 if any quote is of the handbook but not in force on the ticket's day; None without a quote."""
        return float(any(one.standing == "not in force" for one in self.quoted)) if self.quoted else None

    @property
    def traceable(self) -> float | None:
        """1 if it quotes, and each clause is in force where it is said to stand; an answerable ticket wants one."""
        if not self.quoted:
            return 0.0 if self.answerable else None
        return float(all(one.located for one in self.quoted))


def score(question: Question, decision: Decision | None, policy: Policy) -> Score:
    """One answer's quotes, looked up as of the ticket's day; an unreadable answer (None) quotes nothing.

    Args:
        question: With its gold and day; without a day nothing can be looked up.
        decision: What the model answered.
        policy: What was in force when.
    """
    edition = policy.on(parse_day(question.as_of or ""))
    clauses = decision.clauses if decision else ()
    quotes = [part for clause in clauses for part in _parts(clause.quote)]
    anchors = [_recalled(anchor, gold, quotes, edition) for gold in question.gold for anchor in gold.quotes]
    quoted = tuple(_looked_up(clause, edition, policy) for clause in clauses)
    return Score(tuple(anchors), quoted, question.kind == "exception", bool(question.gold))


def _looked_up(clause: Clause, edition: Edition, policy: Policy) -> Quoted:
    parts = _parts(clause.quote)
    standings = [_standing(part, edition, policy) for part in parts]
    worst = min(standings, key=_WORST_FIRST.index)
    cited = " ".join(clause.section.strip().removeprefix("[").removesuffix("]").split())
    return Quoted(clause, worst, worst == "in force" and all(_stands_in(part, cited, edition) for part in parts))


def _standing(part: str, edition: Edition, policy: Policy) -> Standing:
    if any(part in text for text in _documents(edition)):
        return "in force"
    return "not in force" if any(part in text for text in _ever(policy)) else "nowhere"


def _stands_in(part: str, cited: str, edition: Edition) -> bool:
    """A passage goes by its outermost section, and brings lead-ins of those above it."""
    for address, text in _sections(edition).items():
        related = address == cited or address.startswith(f"{cited} > ") or cited.startswith(f"{address} > ")
        if related and part in text:
            return True
    # A heading and what follows it, or two sections one after another, are a quote of the section around them.
    return any(part in whole for whole in _whole(edition, cited))


def _recalled(anchor: str, gold: Gold, quotes: Sequence[str], edition: Edition) -> float:
    """The share of an anchor's words that the quotes hold, where it stands in its section or in an identical one."""
    wanted = _words(anchor)
    if any(wanted in quote for quote in quotes):
        return 1.0
    sections = _sections(edition)
    texts = [sections[name] for name in sorted({gold.id, *gold.twins}) if name in sections]
    return max((_covered(wanted, quotes, text) for text in texts), default=0.0)


def _covered(wanted: str, quotes: Iterable[str], text: str) -> float:
    held = bytearray(len(text))
    for quote in quotes:
        for at in _places(quote, text):
            held[at : at + len(quote)] = b"\1" * len(quote)
    shares = [_share(text, held, at, at + len(wanted)) for at in _places(wanted, text)]
    return max(shares, default=0.0)


def _share(text: str, held: bytearray, start: int, end: int) -> float:
    # Blanks between two quotes that follow each other belong to neither.
    words = [at for at in range(start, end) if text[at] != " "]
    return sum(held[at] for at in words) / len(words)


def _places(part: str, text: str) -> list[int]:
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def _parts(quote: str) -> tuple[str, ...]:
    """Around each ellipsis, as words between blanks, so that a part begins and ends with whole words."""
    return tuple(words for part in _ELLIPSIS.split(quote) if (words := _words(part)))


def _words(text: str) -> str:
    words = " ".join(_WORDS.findall(text.casefold()))
    return f" {words} " if words else ""


@lru_cache(maxsize=32)
def _documents(edition: Edition) -> tuple[str, ...]:
    return tuple(_words(document.text) for document in edition.documents)


@lru_cache(maxsize=32)
def _sections(edition: Edition) -> dict[str, str]:
    """Own texts by address, white space normalised."""
    return {" ".join(one.address.split()): _words(one.section.text) for one in edition.sections}


@lru_cache(maxsize=4096)
def _whole(edition: Edition, cited: str) -> tuple[str, ...]:
    """A section with all below it, in reading order; nothing where there is no such section."""
    below = [text for name, text in _sections(edition).items() if name == cited or name.startswith(f"{cited} > ")]
    return (f" {' '.join(' '.join(below).split())} ",) if below else ()


@lru_cache(maxsize=4)
def _ever(policy: Policy) -> tuple[str, ...]:
    return tuple(sorted({_words(document.text) for document in policy.documents}))


def _mean(values: Iterable[float]) -> float | None:
    held = list(values)
    return sum(held) / len(held) if held else None
