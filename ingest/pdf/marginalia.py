"""Notes in the margin: small type beside the text, which is read before the paragraph that it stands beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ingest.pdf.columns import Column, Row, row_of
from ingest.pdf.geometry import Word

_SMALLER: Final = 0.88
"""Times the size of the text."""
_APART: Final = 1.8
"""Em between the baselines of two notes."""
_LEAST: Final = 3
"""Letters of a note; a number beside a line is no note."""


@dataclass(frozen=True, slots=True)
class MarginNote:
    """Lines in the margin."""

    rows: tuple[Row, ...]
    is_left: bool


def without_notes(rows: Sequence[Row]) -> tuple[list[Row], list[MarginNote]]:
    """Rows without the words in the margins, and these: small ones that stand wholly beside the text."""
    words = [word for row in rows for word in row.words]
    size = _usual(words)
    text = [word for word in words if word.size > _SMALLER * size and not word.raised]
    if not text:
        return list(rows), []
    left, right = min(word.x0 for word in text), max(word.x1 for word in text)
    beside = {id(word) for word in words if word.size <= _SMALLER * size and (word.x1 < left or word.x0 > right)}
    notes = [
        note
        for is_left in (True, False)
        for note in _notes([word for word in words if id(word) in beside and (word.x1 < left) is is_left], is_left)
    ]
    held = {id(word) for note in notes for row in note.rows for word in row.words}
    kept = []
    for row in rows:
        rest = [word for word in row.words if id(word) not in held]
        kept += [row] if row.table or len(rest) == len(row.words) else [row_of(rest)] if rest else []
    return kept, notes


def _usual(words: Sequence[Word]) -> float:
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[round(2 * word.size) / 2] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _notes(words: Sequence[Word], is_left: bool) -> list[MarginNote]:
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda one: (one.bottom, one.x0)):
        if lines and word.bottom - lines[-1][0].bottom < 0.4 * word.size:
            lines[-1].append(word)
        else:
            lines.append([word])
    groups: list[list[Row]] = []
    for line in lines:
        row = row_of(sorted(line, key=lambda one: one.x0))
        if groups and row.box[3] - groups[-1][-1].box[3] < _APART * line[0].size:
            groups[-1].append(row)
        else:
            groups.append([row])
    return [MarginNote(tuple(group), is_left) for group in groups if _letters(group) >= _LEAST]


def _letters(rows: Sequence[Row]) -> int:
    return sum(char.isalpha() for row in rows for word in row.words for char in word.text)


def with_notes(columns: Sequence[Column], notes: Sequence[MarginNote]) -> list[Column]:
    """The columns, cut where a note stands beside them, with the notes between."""
    found: list[tuple[Column, bool]] = [(column, False) for column in columns]
    left, right = min((one.left for one in columns), default=0.0), max((one.right for one in columns), default=0.0)
    for note in sorted(notes, key=lambda one: one.rows[0].box[3], reverse=True):
        outer = [
            place
            for place, (column, is_note) in enumerate(found)
            if not is_note and (column.left == left if note.is_left else column.right == right)
        ]
        place, cut = _beside([found[at][0] for at in outer], note)
        column = found[outer[place]][0]
        box = min(row.box[0] for row in note.rows), max(row.box[2] for row in note.rows)
        parts = [(replace(column, rows=column.rows[:cut]), False), (Column(note.rows, *box), True)]
        parts.append((replace(column, rows=column.rows[cut:]), False))
        found[outer[place] : outer[place] + 1] = [part for part in parts if part[0].rows]
    return [column for column, _ in found]


def _beside(columns: Sequence[Column], note: MarginNote) -> tuple[int, int]:
    """Which column a note stands beside, and its first row that is no higher."""
    low = note.rows[0].box[3] - note.rows[0].words[0].size / 2
    for place, column in enumerate(columns):
        for at, row in enumerate(column.rows):
            if row.box[3] >= low:
                return place, at
    return len(columns) - 1, len(columns[-1].rows)
