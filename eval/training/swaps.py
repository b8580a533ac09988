"""A right text made wrong: one qualifier that the query names too is swapped for another of its kind."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

_GROUPS: Final = (
    ("annual", "monthly", "quarterly", "weekly"),
    ("annually", "monthly", "quarterly", "weekly"),
    ("may", "must", "may not"),
    ("days", "months", "weeks", "hours", "years"),
    ("day", "month", "week", "hour", "year"),
    ("before", "after"),
    ("more", "less"),
    ("minimum", "maximum"),
    ("at least", "at most"),
    ("enterprise", "starter", "team", "business"),
    ("domestic", "foreign"),
    ("residential", "commercial"),
    ("landlord", "tenant"),
    ("employer", "employee"),
    ("buyer", "seller"),
    ("lender", "borrower"),
    ("owner", "tenant"),
    ("parent", "guardian", "child"),
    ("written", "oral"),
    ("public", "private"),
    ("full", "partial"),
    ("first", "second", "third"),
    ("federal", "district", "state"),
)
_OTHERS: Final = {word: [one for one in group if one != word] for group in reversed(_GROUPS) for word in group}
_WORD: Final = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, _OTHERS), key=len, reverse=True)) + r")\b", re.I)
_NUMBER: Final = re.compile(r"(?<![\w.$-])\$?\d{1,3}(?:,\d{3})*(?![\w.])")


def swapped(query: str, text: str, rng: np.random.Generator) -> str | None:
    """`text` with one qualifier changed everywhere that `query` names as well; None where there is none.

    A qualifier that the query does not name changes nothing for it: such a text would be no worse an answer.
    """
    asked = {match[0].lower() for match in _WORD.finditer(query)}
    numbers = set(_NUMBER.findall(query))
    found = sorted({match[0] for match in _WORD.finditer(text) if match[0].lower() in asked})
    found += sorted({number for number in _NUMBER.findall(text) if number in numbers})
    if not found:
        return None
    old = found[int(rng.integers(len(found)))]
    new = _other_number(old, rng) if old.strip("$")[0].isdigit() else _other_word(old, rng)
    return re.sub(rf"(?<![\w.$-]){re.escape(old)}(?![\w])", new.replace("\\", ""), text)


def _other_word(old: str, rng: np.random.Generator) -> str:
    others = _OTHERS[old.lower()]
    new = others[int(rng.integers(len(others)))]
    return new.capitalize() if old[0].isupper() else new


def _other_number(old: str, rng: np.random.Generator) -> str:
    value = int(old.strip("$").replace(",", ""))
    factor = (2, 3, 0.5)[int(rng.integers(3))]
    new = max(1, round(value * factor))
    new = new if new != value else value + 1
    return f"{'$' if old.startswith('$') else ''}{new:,}" if value >= 1000 else old.replace(str(value), str(new))
