"""Ordinals of list items that Markdown itself does not know: "(a)", "iv.", "B.", "4.2".

A mark counts only in sequence: it is the first of its kind, or the one after the last. So "(b)" that a
line break happens to put first, or the initial in "A. Smith", starts no item.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

NEVER: Final = 1 << 62
FARTHEST: Final = 10_000
"""Characters between two items of a list; what is farther belongs to another list."""

_LABEL = r"(?:[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6}|[a-z]{2,3}|\d{1,3})"
_DECIMAL = r"§?\d{1,3}(?:\.\d{1,3})+(?:\([a-z0-9]{1,3}\))*\.?"
_MARK = rf"(?:(?P<bold>\*\*|__)\s?)?(?P<mark>\({_LABEL}\)|{_LABEL}[.)]|{_DECIMAL})(?:\*\*|__)?(?=\s)"
MARK: Final = re.compile(_MARK)
LINE_MARK: Final = re.compile(rf"^[ \t]*{_MARK}", re.MULTILINE)
"""A mark that is the first thing on its line."""
_DOTTED: Final = re.compile(r"§?((?:\d{1,3}\.)+)(\d{1,3})(?:\([a-z0-9]{1,3}\))*")
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50}
_ROMAN_FORM: Final = re.compile(r"(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as written, where it stands, and whether it is bold."""

    written: str
    place: int
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a label: "i" is the first Roman number and the ninth letter."""

    style: str
    value: int


def readings(mark: str) -> tuple[Reading, ...]:
    """The ways to read a mark such as "(iv)"; "4.2" is the second number below "4"."""
    label = mark.strip("().")
    if dotted := _DOTTED.fullmatch(label):
        return (Reading(f"dotted {dotted[1]}", int(dotted[2])),)
    shape = mark.replace(label, "", 1)
    if label.isdigit():
        return (Reading(f"1{shape}", int(label)),)
    case = "a" if label.islower() else "A"
    low = label.lower()
    found = []
    if len(set(low)) == 1:
        found.append(Reading(f"{case}{shape}", ord(low[0]) - 96 + 26 * (len(low) - 1)))
    if (value := _roman(low)) is not None:
        found.append(Reading(f"roman {case}{shape}", value))
    return tuple(found)


def _roman(low: str) -> int | None:
    if not low or not _ROMAN_FORM.fullmatch(low):
        return None
    digits = [_ROMAN[char] for char in low]
    return sum(
        -value if value < following else value for value, following in zip(digits, [*digits[1:], 0], strict=True)
    )


def joined(outer: str | None, label: str) -> str:
    """A full ordinal: "4.2" + "(a)" = "4.2(a)", "3" + "b." = "3.b"."""
    label = label if label.startswith("(") else label.strip(".)§")
    if not outer:
        return label
    return outer + label if label.startswith("(") else f"{outer}.{label}"


class Marks:
    """Where each mark stands at the start of a line; built once for a text."""

    def __init__(self, text: str) -> None:
        self._places: dict[Reading, list[int]] = defaultdict(list)
        for match in LINE_MARK.finditer(text):
            for reading in readings(match["mark"]):
                self._places[reading].append(match.start("mark"))

    def following(self, reading: Reading, place: int) -> int:
        """Offset of the nearest mark after `place` that is the next of its kind; NEVER without one."""
        places = self._places.get(Reading(reading.style, reading.value + 1), [])
        at = bisect_left(places, place + 1)
        return places[at] if at < len(places) and places[at] - place <= FARTHEST else NEVER


@dataclass(frozen=True, slots=True)
class _Rung:
    reading: Reading
    ordinal: str


@dataclass(slots=True)
class Ladder:
    """The ordinals that are open at one place, outermost first; `base` and `depth` are those of the item around."""

    base: str | None = None
    depth: int = 0
    rungs: list[_Rung] = field(default_factory=list)

    def step(self, mark: Mark, marks: Marks, nested: bool) -> tuple[str, int] | None:
        """Full ordinal and depth of the item that `mark` starts; None where it starts none.

        `nested`: the mark stands right below an item, so that a first mark opens a deeper list.
        """
        ways = tuple(sorted(readings(mark.written), key=lambda way: marks.following(way, mark.place)))
        if ways and ways[0].style.startswith("dotted"):
            return self._dotted(mark, ways[0], marks)
        return self._next(mark, ways) or self._first(mark, ways, marks, nested)

    def pieces(
        self, text: str, span: tuple[int, int], marks: Marks, *, nested: bool
    ) -> list[tuple[int, str | None, int]]:
        """A paragraph cut where one of its lines starts with an ordinal in sequence: (start, ordinal, depth) each.

        Only the first piece may have no ordinal. `nested`: the paragraph stands in an item or right below one.
        """
        start, end = span
        found: list[tuple[int, str | None, int]] = [(start, None, 0)]
        first = MARK.match(text, start, end)
        for match in chain((first,) if first else (), LINE_MARK.finditer(text, start + 1, end)):
            at = match.start() + len(match[0]) - len(match[0].lstrip(" \t"))
            # A dotted number that a line break puts first is a reference: "as stated in\n4.2 above".
            if at > start and match["mark"][0].isdigit() and "." in match["mark"][:-1]:
                continue
            mark = Mark(match["mark"], match.start("mark"), bool(match["bold"]))
            if step := self.step(mark, marks, nested or at > start):
                found = found if at > start else []
                found.append((at, *step))
        return found

    @property
    def top(self) -> tuple[str | None, int]:
        """Full ordinal and depth of the innermost open item."""
        return (self.rungs[-1].ordinal, self.depth + len(self.rungs)) if self.rungs else (self.base, self.depth)

    def _dotted(self, mark: Mark, way: Reading, marks: Marks) -> tuple[str, int] | None:
        """A dotted number is full by itself, and lies in the open ones that it extends; "2.5 million" is none."""
        ordinal = mark.written.strip("§").rstrip(".")
        follows = any(Reading(rung.reading.style, rung.reading.value + 1) == way for rung in self.rungs)
        if not (mark.bold or follows or marks.following(way, mark.place) < NEVER):
            return None
        kept = [rung for rung in self.rungs if ordinal.startswith(rung.ordinal + ".")]
        self.rungs = [*kept, _Rung(way, ordinal)]
        return ordinal, self.depth + len(self.rungs)

    def _next(self, mark: Mark, ways: tuple[Reading, ...]) -> tuple[str, int] | None:
        for height in range(len(self.rungs) - 1, -1, -1):
            last = self.rungs[height].reading
            if Reading(last.style, last.value + 1) in ways and not self._opens_roman(ways, height):
                return self._put(height, mark, Reading(last.style, last.value + 1))
        return None

    def _opens_roman(self, ways: tuple[Reading, ...], height: int) -> bool:
        """ "(i)" below "(h)": the first Roman number where "(ii)" comes before "(j)", as `ways` is sorted."""
        return len(ways) > 1 and ways[0].value == 1 and height == len(self.rungs) - 1

    def _first(self, mark: Mark, ways: tuple[Reading, ...], marks: Marks, nested: bool) -> tuple[str, int] | None:
        for way in ways:
            # A first alone may be an initial ("A. Smith") or the start of "(i) one, (ii) two" in one line.
            if way.value == 1 and marks.following(way, mark.place) < NEVER:
                styles = [rung.reading.style for rung in self.rungs]
                height = styles.index(way.style) if way.style in styles else len(styles)
                return self._put(height if nested else 0, mark, way)
        return None

    def _put(self, height: int, mark: Mark, reading: Reading) -> tuple[str, int]:
        outer = self.rungs[height - 1].ordinal if height else self.base
        self.rungs[height:] = [_Rung(reading, joined(outer, mark.written))]
        return self.rungs[-1].ordinal, self.depth + len(self.rungs)
