"""A chapter's Markdown as a flat list of blocks, which each format writes in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one kind; `note` is the number of a footnote that is marked here, its text is empty then."""

    text: str
    bold: bool = False
    note: int | None = None


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A numbered heading, level 1 to 3."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; `ordinal` is the number of a list item that it opens."""

    runs: Runs
    ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the header first."""

    rows: tuple[tuple[Runs, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines that are set as they stand."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote."""

    number: int
    runs: Runs


Block = Heading | Paragraph | Table | Code | Note


def blocks(markdown: str) -> list[Block]:
    """The blocks of a chapter without its front matter, footnotes last."""
    parser = MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(front_matter_plugin)
    return list(_blocks(iter(parser.parse(markdown))))


def _blocks(tokens: Iterator[Token]) -> Iterator[Block]:
    ordinal, note = None, None
    for token in tokens:
        if token.type == "heading_open":
            yield Heading(int(token.tag[1]), "".join(run.text for run in _runs(next(tokens))))
        elif token.type == "table_open":
            yield Table(tuple(_rows(tokens)))
        elif token.type == "code_block":
            yield Code(tuple(token.content.splitlines()))
        elif token.type == "list_item_open":
            ordinal = int(token.info)
        elif token.type == "footnote_open":
            note = token.meta["id"] + 1
        elif token.type == "inline":
            runs = _runs(token)
            yield Paragraph(runs, ordinal) if note is None else Note(note, runs)
            ordinal, note = None, None


def _rows(tokens: Iterator[Token]) -> Iterator[tuple[Runs, ...]]:
    cells: list[Runs] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(_runs(token))
        elif token.type == "tr_close":
            yield tuple(cells)
            cells = []
        elif token.type == "table_close":
            return


def _runs(inline: Token) -> Runs:
    found: list[Run] = []
    bold = False
    for token in inline.children or []:
        if token.type in ("strong_open", "strong_close"):
            bold = token.type == "strong_open"
        elif token.type == "footnote_ref":
            found.append(Run("", note=token.meta["id"] + 1))
        elif token.type in ("text", "code_inline", "softbreak"):
            found.append(Run(token.content or " ", bold))
    return tuple(found)
