"""Section numbers at the start of lines, as far as they are in sequence: "4.2.1", and "2. 3. 11." as some type it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ingest.pdf.geometry import Word

Parts = tuple[int, ...]
_NUMBER: Final = re.compile(r"§?(?:(?P<letter>[A-Z])\.)?(?P<digits>\d{1,3}(?:\.\d{1,3})*)(?P<dot>\.?)")
_NEAR: Final = 0.8
"""Of the em, between the parts of one number."""
_WIDE: Final = 1.0
"""Of the em, between a number and its text where they stand like columns."""
_LETTER: Final = 1_000
"""Added to a letter's place, so that "A.1" is no "1.1"."""
_BACK: Final = 80
"""Numbers that are looked back at for the one that comes before."""
_JUMP: Final = 3.0
"""What a number costs that does not follow the last: three in a row must follow it to pay."""
_LEAST: Final = 3
"""Numbers in sequence; fewer may be references that a line happens to start with."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number at the start of a line."""

    parts: Parts
    shown: str
    """Without spaces and its last dot."""
    words: int
    """That it takes."""
    spaced: bool
    """Typed with spaces after its dots."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number that may be a section's."""

    line: int
    number: Number
    likely: bool
    """Looks like a heading: bold, large, or capitals."""


def number_at(words: Sequence[Word], *, loose: bool = False) -> Number | None:
    """The number that a line starts with; `loose`: in a file that spaces its numbers "4. 2 Seats".

    Not "1." of "1. 3 seats", unless a gap or a dot shows that the 3 belongs to it.
    """
    split = _is_split(words) if loose else 0
    match = _NUMBER.fullmatch("".join(word.text for word in words[: split + 1]))
    if match is None:
        return None
    parts = [_LETTER + ord(match["letter"])] if match["letter"] else []
    digits = [match["digits"]]
    taken, open_ = split + 1, bool(match["dot"])
    while open_ and taken < len(words):
        further = _NUMBER.fullmatch(words[taken].text)
        if further is None or further["letter"] or _apart(words, taken) > _NEAR:
            break
        if not (further["dot"] or loose or _apart(words, taken + 1) > _WIDE):
            break
        digits.append(further["digits"])
        taken, open_ = taken + 1, bool(further["dot"])
    shown = ".".join([match["letter"], *digits] if match["letter"] else digits)
    parts += [int(part) for part in ".".join(digits).split(".")]
    return Number(tuple(parts), shown, taken, taken > 1)


def _is_split(words: Sequence[Word]) -> bool:
    """Whether the first number is typed "1 5."."""
    if len(words) < 3 or not re.fullmatch(r"\d", words[0].text) or not re.fullmatch(r"\d\.", words[1].text):
        return False
    return _apart(words, 1) < 0.5 * _NEAR


def _apart(words: Sequence[Word], at: int) -> float:
    """The gap before a word, in em; wide at the end of the line."""
    return (words[at].x0 - words[at - 1].x1) / words[at].size if at < len(words) else 2 * _WIDE


def in_sequence(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of the longest run of numbers that follow each other; it may start again in an annex.

    A dynamic programme over pairs: each number earns one point, and a step costs what is odd about it.
    """
    plausible = [
        one
        for place, one in enumerate(candidates)
        if len(one.number.parts) > 1 or one.likely or _opens(candidates, place)
    ]
    best: list[tuple[float, int]] = []
    for place, one in enumerate(plausible):
        found = (_start(one), -1)
        for before in range(max(0, place - _BACK), place):
            score = best[before][0] + 1 - _cost(plausible[before].number.parts, one.number.parts, one.likely)
            found = max(found, (score, before))
        best.append(found)
    if not best:
        return []
    place = max(range(len(best)), key=lambda at: best[at][0])
    run = []
    while place >= 0:
        run.append(plausible[place])
        place = best[place][1]
    return run[::-1] if len(run) >= _LEAST else []


def _opens(candidates: Sequence[Candidate], place: int) -> bool:
    """Whether "4" comes right before "4.1"."""
    parts = candidates[place].number.parts
    following = [one.number.parts for one in candidates[place + 1 : place + 3]]
    return any(one[: len(parts)] == parts and set(one[len(parts) :]) == {1} for one in following)


def _start(one: Candidate) -> float:
    return 1.0 if one.number.parts[-1] == 1 or one.likely else 0.5


def _cost(before: Parts, after: Parts, likely: bool) -> float:
    """What is odd about a number after another: 0 for "4.2" after "4.1" or "4.1.7"."""
    ones = set(after) == {1}
    # An annex starts again.
    odd = _JUMP if not ones else 1.2 if likely else 2.0
    if len(after) > len(before) and after[: len(before)] == before:
        rest = after[len(before) :]
        return (
            0.0 if rest in {(1,), (0,)} else 0.2 if set(rest) == {1} else 0.7 if len(rest) == 1 <= rest[0] <= 3 else odd
        )
    shared = next((at for at, (x, y) in enumerate(zip(before, after, strict=False)) if x != y), None)
    if shared is None:
        return odd
    step, rest = after[shared] - before[shared], after[shared + 1 :]
    if not rest:
        return 0.0 if step == 1 else 0.7 if 1 < step <= 3 else odd
    # "5.1" after "4.7", where "5" itself is not seen as a number.
    return 0.2 if step == 1 and set(rest) == {1} else odd
