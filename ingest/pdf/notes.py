"""Footnotes: small type at the foot of a column or page, or at the end of the file, that a mark in the text bears."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.pdf.geometry import Word
from ingest.pdf.lines import Flow, Line, Placed
from ingest.pdf.measures import Measures

_LABEL: Final = re.compile(r"\(?\[?(\d{1,3}|[a-z]|[*†‡§¶#]{1,3})[\])]?\.?")
_BRACKETED: Final = re.compile(r"\[(\d{1,3}|[*†‡])\]")
_END_LINES: Final = 12
"""Lines of an endnote that are looked at."""
_LOOSE: Final = 2.2
"""Em between baselines, above which a line no longer belongs to the note above."""
_BACK: Final = re.compile("(?:[↩⤴⮌]\ufe0e?\ufe0f?)+$")
"""Arrows by which a note on a web page leads back to its mark."""


@dataclass(slots=True)
class FootNote:
    """A footnote's lines, its mark taken off."""

    shown: str
    page: int
    strips: list[tuple[int, Sequence[Word]]] = field(default_factory=list)
    """(page, words) of each line."""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Notes:
    """The footnotes of a file."""

    found: tuple[FootNote, ...]
    lines: frozenset[int]
    """Places in the flow that they take."""
    labels: Mapping[str, Mapping[int, str]]
    """By mark and page."""

    def label(self, page: int, shown: str) -> str | None:
        """The label of the note that a mark on a page bears: one on that page, or the only one of that mark."""
        own = self.labels.get(shown, {})
        return own.get(page) or (next(iter(own.values())) if len(own) == 1 else None)


def find_notes(flow: Sequence[Flow], measures: Measures) -> Notes:
    """The footnotes of a file and where they stand in its flow."""
    marks = _marks(flow, measures)
    raised = any(
        isinstance(one, Line) and measures.is_smaller(one) and _opens(one) and one.words[0].raised for one in flow
    )
    found: list[FootNote] = []
    taken: set[int] = set()
    for group in _small_groups(flow, measures):
        note: FootNote | None = None
        for at in group:
            line = flow[at]
            assert isinstance(line, Line)
            shown = _label(line, marks, note, raised)
            if shown is not None:
                note = FootNote(shown, line.page, [(line.page, line.words[1:])])
                found.append(note)
            elif note is None:
                note = _continued(found, flow, group, at)
                if note is None:
                    continue
                note.strips.append((line.page, line.words))
            else:
                note.strips.append((line.page, line.words))
            taken.add(at)
    ends = _endnotes(flow, marks - {note.shown for note in found}, taken, measures)
    found += [note for note, _ in ends]
    taken |= {at for _, places in ends for at in places}
    for note in found:
        _without_arrow(note)
    return Notes(tuple(found), frozenset(taken), _named(found))


def _without_arrow(note: FootNote) -> None:
    """Take the arrow back to the text from a note's end."""
    while note.strips and (words := note.strips[-1][1]) and _BACK.search(words[-1].text):
        page, last = note.strips.pop()[0], words[-1]
        rest = _BACK.sub("", last.text)
        kept = [*words[:-1], *([replace(last, text=rest)] if rest else [])]
        if kept:
            note.strips.append((page, kept))


def _marks(flow: Sequence[Flow], measures: Measures) -> set[str]:
    """What is marked in the file: by raised words of the text and tables, and "[1]"."""
    marks: set[str] = set()
    for one in flow:
        if isinstance(one, Placed):
            words = [word for row in one.table.rows for cell in row for word in cell]
        else:
            words = list(one.words[measures.is_smaller(one) :])
        for word in words:
            if word.raised and _LABEL.fullmatch(word.text):
                marks.add(word.text.strip("[]()"))
            marks.update(_BRACKETED.findall(word.text))
    return marks


def _small_groups(flow: Sequence[Flow], measures: Measures) -> Iterator[list[int]]:
    """Lines of small type that stand below each other."""
    group: list[int] = []
    for at, one in enumerate(flow):
        small = isinstance(one, Line) and measures.is_smaller(one)
        last = flow[group[-1]] if group else None
        if group and not (small and last is not None and _is_below(last, one)):
            yield group
            group = []
        if small:
            group.append(at)
    if group:
        yield group


def _is_below(above: Flow, one: Flow) -> bool:
    if not (isinstance(above, Line) and isinstance(one, Line)) or above.column != one.column:
        return False
    return abs(above.size - one.size) < 0.6 and 0 < one.bottom - above.bottom < _LOOSE * max(above.size, one.size)


def _opens(line: Line) -> re.Match[str] | None:
    """The mark with which a line starts."""
    return _LABEL.fullmatch(line.words[0].text) if len(line.words) > 1 else None


def _label(line: Line, marks: set[str], last: FootNote | None, raised: bool) -> str | None:
    """The mark that a note starts with: raised, or where none is, a number on its own that the text bears."""
    match, first = _opens(line), line.words[0]
    if match is None:
        return None
    shown = match[1]
    if raised:
        return shown if first.raised else None
    follows = last is None or not last.shown.isdigit() or not shown.isdigit() or int(shown) == int(last.shown) + 1
    apart = line.words[1].x0 - first.x1 > 0.2 * line.size
    return shown if shown in marks and follows and apart else None


def _continued(found: Sequence[FootNote], flow: Sequence[Flow], group: Sequence[int], at: int) -> FootNote | None:
    """The note that goes on at the foot of the next column or page, above the notes that start there."""
    line = flow[at]
    if not found or not found[-1].strips or not isinstance(line, Line):
        return None
    page, words = found[-1].strips[-1]
    open_end = words and not words[-1].text.endswith((".", "!", "?", ".”", '."'))
    at_foot = group[-1] + 1 >= len(flow) or flow[group[-1] + 1].column != line.column
    return found[-1] if open_end and at_foot and page in (line.page, line.page - 1) else None


def _endnotes(
    flow: Sequence[Flow], marks: set[str], taken: set[int], measures: Measures
) -> list[tuple[FootNote, list[int]]]:
    """The list that ends the file, where it has just the numbers that raised marks above bear and no footnote has."""
    wanted = {int(mark) for mark in marks if mark.isdigit()}
    if not wanted or wanted != set(range(1, len(wanted) + 1)):
        return []
    found: list[tuple[FootNote, list[int]]] = []
    number, places = len(wanted), []
    for at in range(len(flow) - 1, max(-1, len(flow) - 1 - _END_LINES * len(wanted)), -1):
        line = flow[at]
        # A numbered heading opens a section, and text that bears marks is none of the notes.
        if at in taken or not isinstance(line, Line) or line.bold or measures.is_larger(line) or _bears(line):
            break
        places.append(at)
        match = re.fullmatch(r"\[?(\d{1,3})[\].]?", line.words[0].text)
        if match is None or int(match[1]) != number or len(line.words) < 2:
            continue
        strips = [(one.page, one.words) for one in (flow[place] for place in places[::-1]) if isinstance(one, Line)]
        found.append((FootNote(match[1], line.page, [(line.page, line.words[1:]), *strips[1:]]), places))
        number, places = number - 1, []
        if number == 0:
            return found[::-1]
    return []


def _bears(line: Line) -> bool:
    """Whether a raised mark of a note stands in a line, after words."""
    return any(word.raised and _LABEL.fullmatch(word.text) for word in line.words[1:])


def _named(found: Sequence[FootNote]) -> dict[str, dict[int, str]]:
    """Give the notes labels that are unique: as shown, or with the page where a mark comes back."""
    counts = Counter(note.shown for note in found)
    labels: dict[str, dict[int, str]] = defaultdict(dict)
    for note in found:
        label = note.shown if counts[note.shown] == 1 else f"{note.shown}-p{note.page}"
        # Of two notes of one mark on one page the second cannot be marked, but it is kept.
        note.label = label if note.page not in labels[note.shown] else f"{label}-{len(labels[note.shown])}"
        labels[note.shown].setdefault(note.page, note.label)
    return labels
