"""Blocks while their page is being read: lines of runs, before links are resolved and words become Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.elements import Kind
from ingest.html.looks import FONT
from ingest.html.tree import Node
from ingest.markdown.escape import Run
from ingest.markdown.ordinals import MARK

Line = list[Run]
_BLANKS: Final = re.compile(r"[^\S\n]+")
_UNSEEN: Final = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""Soft hyphens, places where a line may break, and marks of byte order."""
BULLET: Final = "• "
BETWEEN_CELLS: Final = "; "


@dataclass(slots=True)
class Draft:
    """A block; fields as in `ingest.blocks.Block` where not said otherwise."""

    kind: Kind
    lines: list[Line]
    line: int
    """In the file."""
    at: int = 0
    """Words of the page that stand before it."""
    level: int = 0
    mark: str | None = None
    counted: bool = False
    """Whether the page's lists or styles count its mark, which is not written in the file."""
    size: float = FONT
    """Pixels of its smallest words."""
    role: str = ""
    """What it is to the element around it: "term", "definition", "caption"; "title" of the whole page; "titled" by
    its class."""
    code: str = ""
    """CODE: its text."""
    cells: list[list[list[Line]]] = field(default_factory=list)
    header_rows: int = 0
    caption: list[Line] = field(default_factory=list)
    label: str = ""
    node: Node | None = None
    """HEADING: its element."""

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join("".join(run.text for run in line) for line in self.lines)

    @property
    def made(self) -> tuple[str, ...]:
        """Numbers and repeated cells, as in `ingest.blocks.Block`."""
        lines = [*self.caption, *self.lines, *(line for row in self.cells for cell in row for line in cell)]
        own = [f"[^{run.note}]" if run.note else run.text for line in lines for run in line if run.made]
        return (self.mark, *own) if self.counted and self.mark else tuple(own)

    @property
    def is_bold(self) -> bool:
        """Whether all its words are bold."""
        runs = [run for line in self.lines for run in line if run.text.strip()]
        return bool(runs) and all(run.bold for run in runs)


def paragraphs(runs: Iterable[Run]) -> Iterator[list[Line]]:
    """Runs as the lines of paragraphs, white space as a browser shows it; an empty line parts two paragraphs."""
    lines: list[Line] = []
    for line in _lines(runs):
        if any(run.text or run.note for run in line):
            lines.append(line)
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _lines(runs: Iterable[Run]) -> Iterator[Line]:
    line: Line = []
    blank = True
    for run in runs:
        if run.note:
            line.append(run)
            blank = False
            continue
        for place, part in enumerate(_BLANKS.sub(" ", _UNSEEN.sub("", run.text)).split("\n")):
            if place:
                yield _stripped(line)
                line, blank = [], True
            part = part.removeprefix(" ") if blank else part
            if part:
                line.append(Run(part, run.bold, run.href, made=run.made))
                blank = part.endswith(" ")
    yield _stripped(line)


def _stripped(line: Line) -> Line:
    while line and not line[-1].note and not line[-1].text.strip():
        line.pop()
    if line and not line[-1].note:
        line[-1] = replace(line[-1], text=line[-1].text.rstrip())
    return line


def bold(lines: list[Line], *, on: bool = True) -> list[Line]:
    """The same words, all bold or none."""
    return [[replace(run, bold=on) for run in line] for line in lines]


def cut(line: Line, count: int) -> Line:
    """A line without its first characters."""
    left: Line = []
    for run in line:
        left.append(replace(run, text=run.text[count:]))
        count = max(0, count - len(run.text))
    return left


def is_mark(text: str) -> bool:
    """Whether a text is an ordinal such as "(a)" or "4.2" and nothing else."""
    found = MARK.match(f"{text} ")
    return found is not None and found.end() == len(text)


def after_mark(mark: Line, lines: list[Line]) -> list[Line]:
    """Lines with an ordinal before the first; bold goes on between two bold words."""
    first, *rest = lines or [[]]
    both = all(run.bold for run in (*mark, *first[:1]))
    return [[*mark, Run(" ", bold=both), *first], *rest]


def with_marks_joined(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """An ordinal that a page puts beside its paragraph, in a box of its own, starts that paragraph."""
    mark: Draft | None = None
    for one in drafts:
        if mark and one.kind is Kind.PARAGRAPH and one.level == mark.level:
            mark.lines, one, mark = after_mark(mark.lines[0], one.lines), mark, None
        elif mark:
            yield mark
            mark = None
        if mark is None and one.kind is Kind.PARAGRAPH and len(one.lines) == 1 and is_mark(one.text):
            mark = one
            continue
        yield one
    if mark:
        yield mark


def one_line(lines: list[Line]) -> Line:
    """Lines joined with blanks."""
    joined: Line = []
    for line in lines:
        joined += [*([Run(" ")] if joined else []), *line]
    return joined


def without_notes(drafts: list[Draft]) -> tuple[list[Draft], list[Draft]]:
    """What is no footnote, and the footnotes."""
    return [one for one in drafts if one.kind is not Kind.FOOTNOTE], [
        one for one in drafts if one.kind is Kind.FOOTNOTE
    ]


def flat(drafts: Iterable[Draft]) -> list[Line]:
    """Blocks as lines of one text, for a cell or a footnote: marks of items stand in it, rows are lines."""
    lines: list[Line] = []
    for draft in drafts:
        lines += _flat(draft)
    return lines


def _flat(draft: Draft) -> list[Line]:
    match draft.kind:
        case Kind.ITEM:
            first, *rest = draft.lines or [[]]
            return [[_bullet(draft), *first], *rest]
        case Kind.TABLE:
            return [*draft.caption, *(_row(row) for row in draft.cells)]
        case Kind.CODE:
            return [[Run(" ".join(line.split()))] for line in draft.code.split("\n") if line.strip()]
        case _:
            return draft.lines


def _bullet(draft: Draft) -> Run:
    return Run(f"{draft.mark} ", made=draft.counted) if draft.mark else Run(BULLET)


def _row(row: list[list[Line]]) -> Line:
    joined: Line = []
    for cell in row:
        if line := one_line(cell):
            joined += [*([Run(BETWEEN_CELLS)] if joined else []), *line]
    return joined
