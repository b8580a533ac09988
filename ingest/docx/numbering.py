"""Automatic numbers as Word displays them (ECMA-376, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from ingest.docx.names import MC, PPR, Node, W, is_on, val, whole
from ingest.docx.numerals import LARGEST, numeral
from ingest.docx.styles import NO_INDENT, Indent, ParagraphStyle, indent_of

LEVELS: Final = 9
LONGEST_FORM: Final = 255
"""Signs of a level's text; Word takes no more, and each item would repeat them."""
_PLACE: Final = re.compile(r"%([1-9])")
_BULLET: Final = "bullet"


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    """With "%1" where the number of level 1 stands."""
    joined: bool = False
    """No blank between number and text."""
    restart: int | None = None
    """0: never; 2: after a paragraph of level 1 or 2; None: after any higher level."""
    legal: bool = False
    """The numbers of all levels are decimal."""
    style: str | None = None
    """Id of the paragraph style that belongs to the level."""
    indent: Indent = NO_INDENT


@dataclass(frozen=True, slots=True)
class Numbered:
    """What is shown before a paragraph of a list."""

    mark: str
    """"" where nothing is shown, and for bullets."""
    is_bullet: bool
    joined: bool
    series: str
    """The list whose count it goes on with; two of one series may have different ids."""
    ilvl: int
    indent: Indent


@dataclass(frozen=True, slots=True)
class _List:
    series: str
    levels: tuple[Level, ...]
    starts: dict[int, int] = field(default_factory=dict)
    """Levels that start anew, and at what, where this list is used first."""


class Numbering:
    """The lists of one file and how far they have counted; ask in the order of the text."""

    def __init__(self, root: Node | None, list_of_style: Callable[[str], str | None]):
        """`root`: of the numbering part; `list_of_style`: the id of the list that a list style names."""
        abstracts = list(root.iterchildren(W + "abstractNum")) if root is not None else []
        nums = list(root.iterchildren(W + "num")) if root is not None else []
        self._abstracts = {node.get(W + "abstractNumId", ""): node for node in abstracts}
        self._nums = {node.get(W + "numId", ""): node for node in nums}
        self._list_of_style = list_of_style
        self._lists: dict[str, _List | None] = {}
        self._levels: dict[str, dict[int, Level]] = {}
        self._linked = self._lists_with_links()
        self._counts: dict[str, list[int | None]] = {}
        self._used: set[tuple[str, int]] = set()
        self.unknown_forms: set[str] = set()

    def level_of_style(self, num_id: str, style: ParagraphStyle) -> int:
        """The level that a list gives to a style, or that the style says."""
        if style.ilvl is not None:
            return style.ilvl
        found = self._list(num_id)
        levels = {level.style: place for place, level in enumerate(found.levels) if level.style} if found else {}
        return next((levels[one] for one in style.num_styles if one in levels), 0)

    def next(self, num_id: str, ilvl: int) -> Numbered | None:
        """Count on, and say what is shown; None for a list that is not there."""
        found = self._list(num_id)
        if found is None:
            return None
        ilvl = min(max(ilvl, 0), LEVELS - 1)
        level = found.levels[ilvl]
        counts = self._count(found, num_id, ilvl)
        mark = "" if level.form == _BULLET else self._shown(level, found, counts)
        is_bullet = level.form == _BULLET and bool(level.text.strip())
        return Numbered(mark, is_bullet, level.joined, found.series, ilvl, level.indent)

    def _count(self, one: _List, num_id: str, ilvl: int) -> list[int | None]:
        counts = self._counts.setdefault(one.series, [None] * LEVELS)
        for above in range(ilvl):
            # A level that was skipped counts as used: "1.1" at the start is followed by "2".
            if counts[above] is None:
                counts[above] = self._start(one, above)
        current = counts[ilvl]
        is_first = (num_id, ilvl) not in self._used
        self._used.add((num_id, ilvl))
        starts_anew = current is None or (is_first and ilvl in one.starts)
        counts[ilvl] = self._start(one, ilvl) if starts_anew or current is None else current + 1
        for below in range(ilvl + 1, LEVELS):
            restart = one.levels[below].restart
            if restart is None or ilvl < restart:
                counts[below] = None
        return counts

    def _start(self, one: _List, ilvl: int) -> int:
        return one.starts.get(ilvl, one.levels[ilvl].start)

    def _shown(self, level: Level, one: _List, counts: list[int | None]) -> str:
        def number(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            form = one.levels[place].form
            value = counts[place]
            value = self._start(one, place) if value is None else value
            shown = numeral(value, "decimal" if level.legal and form != "none" else form)
            if shown is None:
                self.unknown_forms.add(form)
            return str(value) if shown is None else shown

        return " ".join(_PLACE.sub(number, level.text).split())[:LONGEST_FORM]

    def _list(self, num_id: str) -> _List | None:
        if num_id not in self._lists:
            self._lists[num_id] = self._resolved(num_id)
        return self._lists[num_id]

    def _resolved(self, num_id: str) -> _List | None:
        num = self._nums.get(num_id)
        series = self._series(num_id)
        if num is None or series is None:
            return None
        levels = dict(self._levels_of(series))
        starts: dict[int, int] = {}
        for override in num.iterchildren(W + "lvlOverride"):
            ilvl = whole(override.get(W + "ilvl"))
            if (own := override.find(W + "lvl")) is not None:
                levels[ilvl] = _level(own)
            if (start := val(override, W + "startOverride")) is not None:
                starts[ilvl] = _bounded(whole(start))
        return _List(series, tuple(levels.get(ilvl, Level()) for ilvl in range(LEVELS)), starts)

    def _levels_of(self, series: str) -> dict[int, Level]:
        if series not in self._levels:
            nodes = self._abstracts[series].iterchildren(W + "lvl")
            levels = {whole(node.get(W + "ilvl")): _level(node) for node in nodes}
            self._levels[series] = {ilvl: level for ilvl, level in levels.items() if 0 <= ilvl < LEVELS}
        return self._levels[series]

    def _series(self, num_id: str) -> str | None:
        """The definition that a list stands on, through styles of lists where it names one."""
        seen: set[str] = set()
        while num_id not in seen:
            seen.add(num_id)
            num = self._nums.get(num_id)
            series = val(num, W + "abstractNumId") or ""
            abstract = self._abstracts.get(series)
            if abstract is None:
                return None
            style = val(abstract, W + "numStyleLink")
            if style is None or abstract.find(W + "lvl") is not None:
                return series
            num_id = self._list_of_style(style) or self._linked.get(style) or num_id
        return None

    def _lists_with_links(self) -> dict[str, str]:
        """Lists by the style that their definition says it is, for styles that do not name their list."""
        links = {series: val(node, W + "styleLink") for series, node in self._abstracts.items()}
        found: dict[str, str] = {}
        for num_id, node in self._nums.items():
            if style := links.get(val(node, W + "abstractNumId") or ""):
                found.setdefault(style, num_id)
        return found


def _level(node: Node) -> Level:
    restart = val(node, W + "lvlRestart")
    return Level(
        start=_bounded(whole(val(node, W + "start"))),
        form=_form(node),
        text=(val(node, W + "lvlText") or "")[:LONGEST_FORM],
        joined=val(node, W + "suff") == "nothing",
        restart=None if restart is None else whole(restart),
        legal=is_on(node.find(W + "isLgl")),
        style=val(node, W + "pStyle"),
        indent=indent_of(node.find(PPR)),
    )


def _form(node: Node) -> str:
    # Formats that Word 2007 does not know stand in an alternative beside one that it does.
    form = node.find(W + "numFmt")
    if form is None:
        form = node.find(f"{MC}AlternateContent/{MC}Choice/{W}numFmt")
    if form is None:
        return "decimal"
    pattern = form.get(W + "format", "").partition(",")[0].strip()
    return pattern if form.get(W + "val") == "custom" and pattern.isdigit() else form.get(W + "val", "decimal")


def _bounded(value: int) -> int:
    return min(max(value, 0), LARGEST)
