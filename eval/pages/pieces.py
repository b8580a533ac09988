"""The smallest pieces of a report: text that can do no harm, and numbers as they are read."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Final

NOT_MEASURED: Final = "not measured"
MINUS: Final = "\N{MINUS SIGN}"
# Control characters, marks that reorder or hide what a person reads (UAX 9; "Trojan Source", CVE-2021-42574), halves
# of surrogate pairs, and characters that XML 1.0 does not have.
_TREACHEROUS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\uffff\ud800-\udfff]"
)


def shown(text: str) -> str:
    """Foreign text on one line, in which whatever could act on a screen is seen instead: "[U+001B]", "[U+202E]"."""
    spaced = " ".join(re.split(r"[ \t\r\n]+", text))
    return _TREACHEROUS.sub(lambda found: f"[U+{ord(found[0]):04X}]", spaced)


def clipped(text: str, most: int) -> str:
    """The first `most` characters, and how many more there are."""
    more = len(text) - most
    return text if more <= 0 else f"{text[:most].rstrip()} … ({more:,} more characters)"


def share(value: float | None) -> str:
    """A share as the tables of this project print it, "0.943"; "not measured" without one."""
    return NOT_MEASURED if value is None else f"{value:.3f}"


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign, "−0.032"; without one where nothing is left after rounding."""
    text = f"{abs(value):.{digits}f}"
    if not float(text):
        return text
    return f"{'+' if value > 0 else MINUS}{text}"


def between(low: float | None, high: float | None) -> str:
    """An interval, "[0.905, 0.972]"; nothing where there is none."""
    return "" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"


def milliseconds(value: float | None) -> str:
    """A time as it is read, "84 ms", "2.1 s"; "not measured" without one."""
    if value is None:
        return NOT_MEASURED
    return f"{value / 1000:.1f} s" if value >= 1000 else f"{value:.0f} ms"


def duration(seconds: float) -> str:
    """How long a run took, "3 min 12 s"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def number(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun, "1 ticket", "1,204 tickets"."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def day(iso: str) -> str:
    """An ISO day or instant as a short day, "1 Dec"; as it stands where it is none."""
    try:
        found = datetime.date.fromisoformat(iso[:10])
    except ValueError:
        return iso
    return f"{found.day} {found:%b}"


def moment(iso: str) -> str:
    """An ISO instant to the minute, "2026-12-01 04:00 UTC"; as it stands where it is none."""
    try:
        found = datetime.datetime.fromisoformat(iso)
    except ValueError:
        return iso
    return f"{found.astimezone(datetime.UTC):%Y-%m-%d %H:%M} UTC"


def listed(counts: Mapping[str, int]) -> str:
    """Counts by name, the largest first: "3 lost in rerank, 1 not a candidate"."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count:,} {name}" for name, count in ordered)
