"""Tables of a page: in grids of rules, between level rules, and where only the white between columns shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Final

import pdfplumber

from ingest.pdf.columns import Column, columns_of, row_of
from ingest.pdf.continuation import gutters_of, has_same_rules, moved_aside, room_of
from ingest.pdf.geometry import Box, FoundTable, Word
from ingest.pdf.tabular.apart import ruled_apart
from ingest.pdf.tabular.grid import Grid, grids
from ingest.pdf.tabular.ruled import grid_table, inside
from ingest.pdf.tabular.rules import Drawing, drawn
from ingest.pdf.tabular.runs import HEAD_LINES, Before, Surroundings, run_tables
from ingest.pdf.tabular.text import is_typed, lines_of, without_leaders

DOUBLE: Final = 3.0
"""Points between two rules that are one double rule, at most; in small print, half of the font size."""
_OUTSIDE: Final = 3
"""Lines above or below a table, in each of the columns that it would take lines of."""


def find_tables(page: pdfplumber.page.Page, words: Sequence[Word], above: FoundTable | None = None) -> list[FoundTable]:
    """The tables of a page from top to bottom; `words` are all of its level words.

    `above` is the last table of the page before, if little or nothing stands below it: rows at the top of this page
    that stand in its columns are found even where they would be no table by themselves.

    A word whose middle lies in a table's box is in exactly one cell (in more, if that spans rows), apart from the
    dots that lead from a name to its value: those are left out, and a word that holds some is replaced by its parts.
    Prose in columns, lists, contents and blocks to sign are no tables. What is only drawn, or in a picture, is not
    seen; nested tables come out as one.
    """
    rest, leaders = without_leaders(words)
    if len(rest) < 2:
        return []
    tolerance = min(DOUBLE, 0.5 * median(word.size for word in rest))
    drawing = drawn(page, tolerance)
    found, rest = _in_grids(drawing, rest, tolerance, above)
    taken = max((table.box[3] for table in found), default=0.0)
    typed = 2 * sum(map(is_typed, rest)) > len(rest)
    around = Surroundings(drawing, float(page.height), tuple(leaders), None, taken, typed)
    found += _in_runs(rest, around, above)
    return sorted(found, key=lambda table: table.box[1])


def _in_grids(
    drawing: Drawing, words: list[Word], tolerance: float, above: FoundTable | None
) -> tuple[list[FoundTable], list[Word]]:
    """Tables in grids, and the words outside of them; of a grid in another one, only the outer counts."""
    found = []
    for number, grid in enumerate(grids(drawing, tolerance)):
        goes_on = not number and above is not None and has_same_rules(above, grid.xs) and _is_first(grid, words)
        if table := grid_table(grid, words, drawing, goes_on=goes_on):
            held = {id(word) for word in inside(words, table.box)}
            words = [word for word in words if id(word) not in held]
            found.append(table)
    return found, words


def _is_first(grid: Grid, words: Sequence[Word]) -> bool:
    """Whether nothing but the head of the page stands above a grid."""
    return len(lines_of(word for word in words if word.middle[1] < grid.ys[0])) <= HEAD_LINES


def _in_runs(words: list[Word], page: Surroundings, above: FoundTable | None) -> list[FoundTable]:
    """Tables outside of grids: those of the whole page, then those of each of its columns."""
    lines = lines_of(words)
    found = list(run_tables(lines, replace(page, before=_before(above))))
    apart = ruled_apart(lines, page.drawing)
    columns = apart or (columns_of([row_of(line.words) for line in lines]) if lines else [])
    if len(columns) < 2:
        return found
    outside = 0 if apart else _OUTSIDE
    found = [table for table in found if not _is_across(table, columns, page.drawing, outside)]
    for column in columns:
        rest = [word for row in column.rows for word in row.words]
        for table in found:
            held = {id(word) for word in inside(rest, table.box)}
            rest = [word for word in rest if id(word) not in held]
        aside = moved_aside(above, column.left - _left_of(above, columns)) if above else None
        more = list(run_tables(lines_of(rest), replace(page, before=_before(aside))))
        if more or len(column.rows) > HEAD_LINES:
            # What ends a column may go on at the top of the next one.
            above = more[-1] if more and more[-1].box[3] >= max(row.box[3] for row in column.rows) - 1 else None
        found += more
    return found


def _before(above: FoundTable | None) -> Before | None:
    between = gutters_of(above) if above else []
    return Before(between, partial(room_of, above)) if above and between else None


def _left_of(table: FoundTable, columns: Sequence[Column]) -> float:
    """The left edge of the column of a page in which a table stands."""
    lefts = [column.left for column in columns]
    return max((left for left in lefts if left <= table.box[0] + 1), default=min(lefts))


def _is_across(table: FoundTable, columns: Sequence[Column], drawing: Drawing, outside: int) -> bool:
    """Whether a table takes lines of columns side by side with `outside` more each, and no rule of it goes across."""
    touched = [column for column in columns if any(_overlap(row.box, table.box) for row in column.rows)]
    beside = [one for one in touched if any(one.left >= other.right or one.right <= other.left for other in touched)]
    if len(beside) < 2 or any(sum(not _overlap(r.box, table.box) for r in one.rows) < outside for one in beside):
        return False
    rules = [rule for rule in drawing.level if table.box[1] <= rule.at <= table.box[3]]
    return bool(rules) and not any(
        rule.start < one.right <= other.left < rule.end for rule in rules for one in beside for other in beside
    )


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]
