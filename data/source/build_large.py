"""Write a PDF and a Word file of many pages: the newest edition in force, then its chapters again, as often as needed.

    python data/source/build_large.py data/handbook OUT PDF_PAGES DOCX_PAGES

Later rounds count their chapters on from 101, 201, ..., so that no number comes twice. A Word file has no pages; its
length is that of the PDF of the same text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from build_formats import EDITION
from formats.blocks import Block, Heading, Note, Paragraph, Runs, Table, blocks
from formats.docx import docx
from formats.pdf import Setting, pdf

TITLE = "The whole handbook"


def of_pages(handbook: Path, pages: int) -> list[Block]:
    """Whole chapters that take at least `pages` pages together."""
    found: list[Block] = []
    setting = Setting(TITLE)
    for chapter in _chapters(handbook):
        renumbered = [_with_notes_from(block, len(setting.notes)) for block in chapter]
        found += renumbered
        setting.add_all(renumbered)
        if len(setting.pages) >= pages:
            break
    return found


def _chapters(handbook: Path) -> Iterator[list[Block]]:
    """All chapters and appendices, then the chapters again without end."""
    files = sorted((handbook / EDITION).glob("*.md"))
    read = [blocks(file.read_text(encoding="utf-8")) for file in files]
    yield from read
    numbered = [chapter for file, chapter in zip(files, read, strict=True) if file.name[0].isdigit()]
    for turn in count(1):
        for chapter in numbered:
            yield [_counted_on(block, 100 * turn) for block in chapter]


def _counted_on(block: Block, by: int) -> Block:
    if not isinstance(block, Heading):
        return block
    return replace(block, text=re.sub(r"^[0-9]+", lambda number: str(int(number[0]) + by), block.text))


def _with_notes_from(block: Block, by: int) -> Block:
    match block:
        case Note(number, runs):
            return Note(number + by, _runs(runs, by))
        case Paragraph(runs, ordinal):
            return Paragraph(_runs(runs, by), ordinal)
        case Table(rows):
            return Table(tuple(tuple(_runs(cell, by) for cell in row) for row in rows))
    return block


def _runs(runs: Runs, by: int) -> Runs:
    return tuple(replace(run, note=run.note + by) if run.note else run for run in runs)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(f"usage: {Path(sys.argv[0]).name} HANDBOOK OUT PDF_PAGES DOCX_PAGES")
    source, out = Path(sys.argv[1]), Path(sys.argv[2])
    (out / "large.pdf").write_bytes(pdf(TITLE, of_pages(source, int(sys.argv[3]))))
    (out / "large.docx").write_bytes(docx(TITLE, of_pages(source, int(sys.argv[4]))))
