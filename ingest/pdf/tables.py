"""Tables of a page: in grids of rules, between level rules, and where only the white between columns shows them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Final

import pdfplumber

from ingest.pdf.continuation import gutters_of, has_same_rules, room_of
from ingest.pdf.geometry import FoundTable, Word
from ingest.pdf.tabular.grid import Grid, grids
from ingest.pdf.tabular.ruled import grid_table, inside
from ingest.pdf.tabular.rules import Drawing, drawn
from ingest.pdf.tabular.runs import HEAD_LINES, Before, Surroundings, run_tables
from ingest.pdf.tabular.text import lines_of, without_leaders

DOUBLE: Final = 3.0
"""Points between two rules that are one double rule, at most; in small print, half of the font size."""


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
    between = gutters_of(above) if above else []
    before = Before(between, partial(room_of, above)) if above and between else None
    taken = max((table.box[3] for table in found), default=0.0)
    found += run_tables(lines_of(rest), Surroundings(drawing, float(page.height), tuple(leaders), before, taken))
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
