"""What an element makes of the blocks inside it, once it ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.elements import Kind
from ingest.html.drafts import Draft, Line, after_mark, bold, cut, flat, is_mark, one_line, without_notes
from ingest.html.lists import OpenList
from ingest.html.office import is_title
from ingest.html.tables import Grid, is_list
from ingest.html.tree import Node
from ingest.markdown.escape import Run
from ingest.markdown.ordinals import MARK
from ingest.settings import IngestSettings

_LABEL_START: Final = re.compile(r"[\s^↑\[(]*(\w{1,4}(?=[\s.:)\]])|[*†‡§¶#]{1,4}|)[\s.:)\]]*")


@dataclass(slots=True)
class Frame:
    """An element that is being read and what it holds so far."""

    name: str
    node: Node
    level: int
    """Depth of the item that its blocks lie in; 0 outside of lists."""
    lists: list[OpenList]
    """The lists that are open here; a cell starts anew."""
    drafts: list[Draft] = field(default_factory=list)
    mark: str | None = None
    """Of an item; "" where it shows none."""
    counted: bool = False
    """Whether the mark is not written in the file."""
    label: str = ""
    grid: Grid | None = None
    """Of the table that it is or lies in."""
    part: str = ""
    """Of the table that a row lies in."""
    at: int = 0
    """Words of the page that stand before it."""
    heading: int = 0
    """Level of a heading."""


def item(frame: Frame) -> list[Draft]:
    """An item with its mark; a heading that it starts with takes the mark as its number."""
    drafts, depth = frame.drafts, frame.level
    if frame.mark == "":
        return [replace(one, level=max(0, one.level - 1)) if one.level >= depth else one for one in drafts]
    first = drafts[0] if drafts else None
    if first and first.kind is Kind.HEADING:
        number = [Run(f"{frame.mark} ", made=frame.counted)] if frame.mark else []
        # What the heading heads lies no longer in the list.
        below = [replace(one, level=max(0, one.level - depth)) for one in drafts[1:]]
        return [replace(first, lines=[[*number, *one_line(first.lines)]]), *below]
    if first and first.kind is Kind.PARAGRAPH and first.level == depth:
        return [replace(first, kind=Kind.ITEM, mark=frame.mark, counted=frame.counted), *drafts[1:]]
    alone = Draft(Kind.ITEM, [], frame.node.line, frame.at, depth, frame.mark, frame.counted)
    return [alone, *drafts] if drafts else []


def heading(frame: Frame) -> list[Draft]:
    """A heading on one line; its words need not be bold."""
    drafts, notes = without_notes(frame.drafts)
    line = one_line(bold(flat(drafts), on=False))
    if not any(run.text.strip() for run in line):
        return notes
    made = Draft(Kind.HEADING, [line], frame.node.line, frame.at, frame.heading, node=frame.node)
    made.role = "title" if is_title(frame.node) else ""
    return [made, *notes]


def quote(frame: Frame) -> list[Draft]:
    """Quoted paragraphs; where clauses are indented by it (with headings, or with typed ordinals), none are quotes."""
    if any(one.kind in (Kind.HEADING, Kind.TABLE) for one in frame.drafts):
        return frame.drafts
    return [
        replace(one, kind=Kind.QUOTE) if one.kind is Kind.PARAGRAPH and not MARK.match(one.text) else one
        for one in frame.drafts
    ]


def code(frame: Frame) -> list[Draft]:
    """Verbatim text, as one block."""
    parts = [one for one in frame.drafts if one.kind is Kind.CODE]
    others = [one for one in frame.drafts if one.kind is not Kind.CODE]
    if not parts:
        return others
    text = "\n".join(one.code.strip("\n") for one in parts)
    return [replace(parts[0], code=text), *others]


def term(frame: Frame) -> list[Draft]:
    """A term, unless it is a heading."""
    drafts, notes = without_notes(frame.drafts)
    if any(one.kind is Kind.HEADING for one in drafts):
        return frame.drafts
    lines = flat(drafts)
    made = [Draft(Kind.PARAGRAPH, lines, frame.node.line, frame.at, frame.level, role="term")] if lines else []
    return [*made, *notes]


def definition(frame: Frame) -> list[Draft]:
    """The paragraphs that a definition starts with; lists and tables in it stay blocks of their own."""
    drafts = frame.drafts
    count = next((place for place, one in enumerate(drafts) if one.kind is not Kind.PARAGRAPH), len(drafts))
    if not count:
        return drafts
    return [replace(drafts[0], lines=flat(drafts[:count]), role="definition"), *drafts[count:]]


def definitions(frame: Frame) -> list[Draft]:
    """Terms with what they mean: "Term", then ": definition", line by line."""
    made: list[Draft] = []
    open_: Draft | None = None
    for one in frame.drafts:
        if one.role == "term" and open_ and open_.kind is Kind.PARAGRAPH:
            open_.lines += one.lines
        elif one.role == "term":
            open_ = replace(one, role="", lines=list(one.lines))
            made.append(open_)
        elif one.role == "definition" and open_:
            first, *rest = one.lines
            open_.kind, open_.lines = Kind.DEFINITION, [*open_.lines, [Run(": "), *first], *rest]
        else:
            open_ = None
            made.append(replace(one, role=""))
    return made


def summary(frame: Frame) -> list[Draft]:
    """The line that opens a `<details>`: bold, so that it may head what is below."""
    return [replace(one, lines=bold(one.lines)) if one.kind is Kind.PARAGRAPH else one for one in frame.drafts]


def caption(frame: Frame) -> list[Draft]:
    """A caption, to be taken by the table or figure around."""
    drafts, notes = without_notes(frame.drafts)
    lines = flat(drafts)
    made = [Draft(Kind.PARAGRAPH, lines, frame.node.line, frame.at, frame.level, role="caption")] if lines else []
    return [*made, *notes]


def figure(frame: Frame) -> list[Draft]:
    """A figure; its caption is that of the only table in it, or else a paragraph."""
    tables = [one for one in frame.drafts if one.kind is Kind.TABLE]
    captions = [one for one in frame.drafts if one.role == "caption"]
    if len(tables) == 1 and len(captions) == 1 and not tables[0].caption:
        tables[0].caption = captions[0].lines
        return [one for one in frame.drafts if one is not captions[0]]
    return [replace(one, role="") for one in frame.drafts]


def note(frame: Frame) -> list[Draft]:
    """A footnote: all that is in it, as lines."""
    drafts, notes = without_notes(frame.drafts)
    lines = flat(drafts)
    stands = _LABEL_START.match("".join(run.text for run in lines[0])) if lines else None
    # "1. The row", "* The row", "^ The row"; any other number is the note's own text.
    if stands and (stands[1] == frame.label.partition("-")[0] or not stands[1].isalnum()):
        lines[0] = cut(lines[0], stands.end())
    return [Draft(Kind.FOOTNOTE, lines, frame.node.line, frame.at, label=frame.label), *notes]


def cell(frame: Frame) -> list[Draft]:
    """A cell goes to its table; only footnotes are left."""
    drafts, notes = without_notes(frame.drafts)
    if frame.grid:
        frame.grid.cell(frame.node, flat(drafts))
    return notes


def outside_cells(frame: Frame) -> list[Draft]:
    """What stands in a row, but in none of its cells."""
    return frame.drafts


def table(frame: Frame, settings: IngestSettings) -> list[Draft]:
    """A table, after what stands in it outside of cells, as a browser moves it."""
    captions: list[Line] = [line for one in frame.drafts if one.role == "caption" for line in one.lines]
    others, notes = without_notes([one for one in frame.drafts if one.role != "caption"])
    rows, header_rows = frame.grid.finished(settings) if frame.grid else ([], 0)
    if not rows:
        return [*others, *(replace(one, role="") for one in frame.drafts if one.role == "caption"), *notes]
    if not captions and is_list(rows):
        return [*others, *(_clause(frame, row) for row in rows), *notes]
    made = Draft(Kind.TABLE, [], frame.node.line, frame.at, frame.level, cells=rows, header_rows=header_rows)
    made.caption = captions
    return [*others, made, *notes]


def _clause(frame: Frame, row: list[list[Line]]) -> Draft:
    """A row of an ordinal or bullet and a text, which old pages use to indent clauses."""
    mark, text = one_line(row[0]), row[1]
    if any(run.text.isalnum() or is_mark(run.text.strip()) for run in mark):
        return Draft(Kind.PARAGRAPH, after_mark(mark, text), frame.node.line, frame.at, frame.level)
    return Draft(Kind.ITEM, text, frame.node.line, frame.at, frame.level + 1)


def word_item(frame: Frame) -> list[Draft]:
    """A paragraph that Word shows as an item."""
    if not frame.drafts or frame.drafts[0].kind is not Kind.PARAGRAPH:
        return frame.drafts
    first, *rest = frame.drafts
    return [replace(first, kind=Kind.ITEM, mark=frame.mark, level=frame.level), *rest]


FOLDS: Final[dict[str, Callable[[Frame], list[Draft]]]] = {
    "item": item,
    "heading": heading,
    "quote": quote,
    "code": code,
    "term": term,
    "definition": definition,
    "definitions": definitions,
    "summary": summary,
    "caption": caption,
    "figure": figure,
    "note": note,
    "cell": cell,
    "word item": word_item,
    "row": outside_cells,
    "part": outside_cells,
}
