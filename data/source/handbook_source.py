"""The source format of the demo handbook: editions, dated values, and the text of one edition.

A source file holds every edition of one chapter, newest text first. Four marks are removed while rendering:

    <!-- in 2026-01-01.. -->                 alone on a line: what follows, to `<!-- end -->`, belongs to these editions
    | row | row | <!-- in ..2025-12-31 -->   at the end of a line: this line (a table row, an item) belongs to them
    {{30 days || ..2025-12-31: 15 days}}     inside a line: the newest wording, then older ones with their last day
    {{=notice.cure_days}} {{=words notice.cure_days}}   a shared value, in digits or in words

Bounds are inclusive. A range starts with the name of an edition and ends with the last day of one; the one exception is
`..2026-07-01`, the text that the correction replaced.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RANGE = r"[0-9.@,\- ]+"
BLOCK = re.compile(rf"^<!-- in ({RANGE}) -->$")
TAIL = re.compile(rf"^(.*\S)\s*<!-- in ({RANGE}) -->$")
END = re.compile(r"^<!-- end -->$")
CHOICE = re.compile(r"\{\{(?!=)(.*?)\}\}")
VALUE = re.compile(r"\{\{=\s*(words\s+)?([a-z0-9_]+)\.([A-Za-z0-9_]+)\s*\}\}")
OLDER = re.compile(r"^\s*\.\.([0-9@-]+):\s?(.*)$", re.DOTALL)
LAST = "9999-12-31"

ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SCALES = ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))


class SourceFault(Exception):
    """A fault in a source file; the message says where, what was found and what is allowed."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition folder. Names compare as text: a correction sorts after its base and before the next day."""

    name: str
    recorded_at: str
    last_day: str
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a source file, for messages."""

    file: str
    line: int

    def fault(self, found: str, allowed: str) -> SourceFault:
        """An error that names this line."""
        return SourceFault(f"{self.file}:{self.line}: {found}; allowed: {allowed}")


def read_editions(path: Path) -> tuple[Edition, ...]:
    """The editions of editions.toml, oldest first."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["edition"]
    return tuple(Edition(**row) for row in rows)


class Values:
    """The shared values. A value is the newest one whose edition is not later than the edition asked for."""

    def __init__(self, tables: dict[str, dict[str, Any]]) -> None:
        self._tables = tables

    @classmethod
    def read(cls, path: Path) -> Values:
        """Load values.toml."""
        return cls(tomllib.loads(path.read_text(encoding="utf-8")))

    def get(self, table: str, key: str, edition: str) -> int | str:
        """The value in force in an edition. Raises KeyError when unknown, or not yet in force."""
        entry = self._tables[table][key]
        if not isinstance(entry, dict):
            return entry  # type: ignore[no-any-return]
        known = [name for name in entry if name <= edition]
        if not known:
            raise KeyError(f"{table}.{key} has no value in {edition}")
        return entry[max(known)]  # type: ignore[no-any-return]

    def has(self, table: str, key: str, edition: str) -> bool:
        """True when the value is in force in the edition."""
        try:
            self.get(table, key, edition)
        except KeyError:
            return False
        return True

    def show(self, table: str, key: str, edition: str) -> str:
        """The value as printed: integers with thousands separators."""
        value = self.get(table, key, edition)
        return f"{value:,}" if isinstance(value, int) else value


def in_words(number: int) -> str:
    """A whole number below a billion in English words: 45 is "forty-five"."""
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens] + (f"-{ONES[ones]}" if ones else "")
    unit, name = next(scale for scale in SCALES if number >= scale[0])
    high, low = divmod(number, unit)
    joint = " and " if low and low < 100 else " "
    return f"{in_words(high)} {name}" + (f"{joint}{in_words(low)}" if low else "")


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders source text for one edition."""

    editions: tuple[Edition, ...]
    values: Values

    def render(self, text: str, file: str, edition: str) -> str:
        """The text of one edition: marks resolved, no blank line twice, one newline at the end."""
        kept = [self._inline(line, place, edition) for line, place in self._lines(text, file, edition)]
        body = "\n".join(line.rstrip() for line in kept)
        return re.sub(r"\n{3,}", "\n\n", body).strip("\n") + "\n"

    def _lines(self, text: str, file: str, edition: str) -> Iterator[tuple[str, Place]]:
        opened: Place | None = None
        keep = True
        for number, line in enumerate(text.splitlines(), start=1):
            place = Place(file, number)
            if block := BLOCK.match(line):
                if opened:
                    raise place.fault(f"a block inside the block of line {opened.line}", "blocks one after the other")
                opened, keep = place, self._within(block[1], edition, place)
            elif END.match(line):
                if not opened:
                    raise place.fault("'<!-- end -->' without a block", "one end for each '<!-- in ... -->' line")
                opened, keep = None, True
            elif tail := TAIL.match(line):
                if keep & self._within(tail[2], edition, place):
                    yield tail[1], place
            elif "<!--" in line:
                raise place.fault(f"a comment {line.strip()!r}", "'in RANGE' and 'end' comments")
            elif keep:
                yield line, place
        if opened:
            raise opened.fault("a block that never ends", "'<!-- end -->' on a line of its own")

    def _within(self, ranges: str, edition: str, place: Place) -> bool:
        return True in {self._in_range(part.strip(), edition, place) for part in ranges.split(",")}

    def _in_range(self, part: str, edition: str, place: Place) -> bool:
        first, dots, last = part.partition("..")
        first = first or self.editions[0].name
        last = (last or LAST) if dots else next((e.last_day for e in self.editions if e.name == first), first)
        if first not in {e.name for e in self.editions}:
            raise place.fault(f"range {part!r} starts with {first!r}", ", ".join(e.name for e in self.editions))
        self._check_last(last, place)
        return first <= edition <= last

    def _check_last(self, last: str, place: Place) -> None:
        allowed = {e.last_day for e in self.editions} | {e.base for e in self.editions if e.base}
        if last not in allowed:
            raise place.fault(f"{last!r} as the last day of a text", ", ".join(sorted(allowed)))

    def _inline(self, line: str, place: Place, edition: str) -> str:
        line = VALUE.sub(lambda m: self._value(m, place, edition), line)
        line = CHOICE.sub(lambda m: self._choice(m[1], place, edition), line)
        if "{{" in line or "}}" in line:
            raise place.fault(f"a mark that was not understood in {line.strip()[:60]!r}", "{{new || ..DAY: old}}")
        return line

    def _value(self, match: re.Match[str], place: Place, edition: str) -> str:
        words, table, key = match[1], match[2], match[3]
        try:
            value = self.values.get(table, key, edition)
            return in_words(int(value)) if words else self.values.show(table, key, edition)
        except (KeyError, ValueError) as error:
            # A value that is not in force may stand in an older or newer wording of the same line, which is dropped.
            if self._dropped(match, edition, place):
                return ""
            raise place.fault(f"value {table}.{key} ({error})", "the keys of values.toml") from None

    def _dropped(self, match: re.Match[str], edition: str, place: Place) -> bool:
        if not self._known(match[2], match[3]):
            return False
        head = match.string[: match.start()]
        return head.rfind("{{") > head.rfind("}}")

    def _known(self, table: str, key: str) -> bool:
        """True when the key exists in any edition."""
        return any(self.values.has(table, key, e.name) for e in self.editions)

    def _choice(self, body: str, place: Place, edition: str) -> str:
        newest, *older = body.split("||")
        if not older:
            raise place.fault(f"'{{{{{body}}}}}' without an older wording", "{{new || ..DAY: old}}")
        chosen, seen = newest.strip(), LAST
        for part in older:
            match = OLDER.match(part)
            if not match or match[1] >= seen:
                raise place.fault(f"older wording {part.strip()!r}", "'..DAY: wording', newest first")
            seen = match[1]
            self._check_last(seen, place)
            chosen = match[2].strip() if edition <= seen else chosen
        return chosen
