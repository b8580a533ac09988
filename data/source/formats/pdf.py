"""A chapter as a PDF (ISO 32000-1): set in Helvetica, with bookmarks, a running title and page numbers.

Nothing is compressed and nothing dated, so that the same chapter gives the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from formats.blocks import Block, Heading, Note, Paragraph, Run, Runs, Table

WIDTH, HEIGHT, MARGIN = 595, 842, 64
SIZES = {1: 18.0, 2: 13.0, 3: 11.0}
BODY, SMALL, GAP = 10.0, 8.0, 6.0
# Widths of ASCII 32 to 126 in thousandths of the size, from Adobe's metrics of the two fonts that every reader has.
PLAIN = """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584
584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667
611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500
722 500 500 500 334 260 334 584
"""
BOLD = """
278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584
584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667
611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556
778 556 556 500 389 280 389 584
"""
METRICS = {bold: [int(one) for one in text.split()] for bold, text in ((False, PLAIN), (True, BOLD))}

Word = tuple[str, bool]
"""A word, and whether it is bold."""


def pdf(title: str, blocks: list[Block]) -> bytes:
    """One file, A4."""
    setting = _Setting(title)
    for block in blocks:
        setting.add(block)
    return _file(title, setting)


@dataclass
class _Setting:
    title: str
    pages: list[list[str]] = field(default_factory=list)
    marks: list[tuple[str, int, float]] = field(default_factory=list)
    """Title, page and height of each bookmark."""
    y: float = 0.0

    def add(self, block: Block) -> None:
        if isinstance(block, Table):
            self._table(block)
        elif isinstance(block, Heading):
            size = SIZES[block.level]
            self._room(4 * size)
            self.marks.append((block.text, len(self.pages) - 1, self.y))
            self._lines(_wrapped((Run(block.text, bold=True),), size, WIDTH - 2 * MARGIN), MARGIN, size)
        else:
            self._text(block)
        self.y -= GAP

    def _text(self, block: Paragraph | Note) -> None:
        size = SMALL if isinstance(block, Note) else BODY
        number = block.number if isinstance(block, Note) else block.ordinal
        mark = "" if number is None else str(number) if isinstance(block, Note) else f"{number}."
        left = MARGIN + (18 if mark else 0)
        lines = _wrapped(block.runs, size, WIDTH - MARGIN - left)
        self._room(size * 1.3)
        if mark:
            self._put([(mark, False)], MARGIN, self.y - size, size)
        self._lines(lines, left, size)

    def _table(self, table: Table) -> None:
        width = (WIDTH - 2 * MARGIN) / len(table.rows[0])
        for number, row in enumerate(table.rows):
            bold = tuple(tuple(Run(run.text, number == 0 or run.bold, run.note) for run in cell) for cell in row)
            cells = [_wrapped(cell, BODY, width - GAP) for cell in bold]
            self._room(max(map(len, cells)) * BODY * 1.3 + GAP)
            top = self.y
            for column, lines in enumerate(cells):
                self.y = top
                self._lines(lines, MARGIN + column * width, BODY)
            self.y = top - max(map(len, cells)) * BODY * 1.3 - GAP / 2
            self.pages[-1].append(f"{MARGIN} {self.y:.1f} m {WIDTH - MARGIN} {self.y:.1f} l S")

    def _lines(self, lines: Iterable[list[Word]], left: float, size: float) -> None:
        for line in lines:
            self._room(size * 1.3)
            self._put(line, left, self.y - size, size)
            self.y -= size * 1.3

    def _room(self, height: float) -> None:
        if self.pages and self.y - height >= MARGIN:
            return
        self.pages.append([])
        self.y = HEIGHT - MARGIN
        self._put([(self.title, False)], MARGIN, HEIGHT - MARGIN / 2, SMALL)
        self._put([(f"Page {len(self.pages)}", False)], WIDTH / 2, MARGIN / 2, SMALL)

    def _put(self, words: list[Word], x: float, y: float, size: float) -> None:
        shown = []
        for i, (word, bold) in enumerate(words):
            space = " " if i < len(words) - 1 else ""
            shown.append(f"/{'B' if bold else 'R'} {size:g} Tf ({_escaped(word + space)}) Tj")
        self.pages[-1].append(f"BT {x:.1f} {y:.1f} Td {' '.join(shown)} ET")


def _wrapped(runs: Runs, size: float, width: float) -> list[list[Word]]:
    lines: list[list[Word]] = [[]]
    left = width
    for word in _words(runs):
        needed = _width(word, size)
        if lines[-1] and needed > left:
            lines.append([])
            left = width
        lines[-1].append(word)
        left -= needed + _width((" ", word[1]), size)
    return lines


def _words(runs: Runs) -> list[Word]:
    """Words of all runs; a piece that no blank parts from the word before it belongs to that word."""
    words: list[Word] = []
    glued = False
    for run in runs:
        text = f"[{run.note}]" if run.note else run.text
        pieces = text.split()
        if glued and pieces and not text[0].isspace():
            words[-1] = (words[-1][0] + pieces.pop(0), words[-1][1])
        words += [(piece, run.bold) for piece in pieces]
        glued = bool(words) and not text[-1:].isspace()
    return words


def _width(word: Word, size: float) -> float:
    table = METRICS[word[1]]
    return sum(table[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in word[0]) * size / 1000


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _file(title: str, setting: _Setting) -> bytes:
    """Objects: catalogue, page tree, two fonts, information, outline, bookmarks, then a page and its text each."""
    marks, first = setting.marks, 7 + len(setting.marks)
    pages = [first + 2 * i for i in range(len(setting.pages))]
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica{} /Encoding /WinAnsiEncoding >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R /Lang (en) >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{page} 0 R' for page in pages)}] /Count {len(pages)} >>",
        font.format(""),
        font.format("-Bold"),
        f"<< /Title ({_escaped(title)}) >>",
        f"<< /Type /Outlines /First 7 0 R /Last {first - 1} 0 R /Count {len(marks)} >>",
    ]
    for i, (text, page, y) in enumerate(marks):
        beside = (f"/Prev {6 + i} 0 R " if i else "") + (f"/Next {8 + i} 0 R " if i < len(marks) - 1 else "")
        goal = f"[{pages[page]} 0 R /XYZ {MARGIN} {y:.1f} 0]"
        objects.append(f"<< /Title ({_escaped(text)}) /Parent 6 0 R {beside}/Dest {goal} >>")
    for i, page in enumerate(pages):
        stream = "\n".join(setting.pages[i])
        resources = "/Resources << /Font << /R 3 0 R /B 4 0 R >> >>"
        box = f"/MediaBox [0 0 {WIDTH} {HEIGHT}]"
        objects.append(f"<< /Type /Page /Parent 2 0 R {box} {resources} /Contents {page + 1} 0 R >>")
        objects.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
    return _written(objects)


def _written(objects: list[str]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, text in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R /Info 5 0 R >>\n"
    return bytes(out) + f"{tail}startxref\n{len(out)}\n%%EOF\n".encode()
