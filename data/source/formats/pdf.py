"""A chapter as a PDF (ISO 32000-1): set in Helvetica, with bookmarks, a running title, page numbers and footnotes.

Nothing is compressed and nothing dated, so that the same chapter gives the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from formats.blocks import Block, Code, Heading, Note, Paragraph, Run, Runs, Table

WIDTH, HEIGHT, MARGIN = 595, 842, 64
SIZES = {1: 18.0, 2: 13.0, 3: 11.0}
BODY, SMALL, GAP = 10.0, 8.0, 6.0
LEADING = 1.3
"""Height of a line, in sizes of its type."""
RAISED = 0.6
"""Size of a footnote's mark, in sizes of the line."""
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
COURIER = 0.6
"""Width of each of its characters."""
METRICS = {bold: [int(one) for one in text.split()] for bold, text in ((False, PLAIN), (True, BOLD))}


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, or a part of one that is set in its own way."""

    text: str
    font: str = "R"
    note: int | None = None
    """Number of the footnote of which this is the mark."""


Word = tuple[Piece, ...]
"""Pieces without a blank between them."""
Line = list[Word]


def pdf(title: str, blocks: list[Block]) -> bytes:
    """One file, A4."""
    setting = Setting(title)
    setting.add_all(blocks)
    setting.end_page()
    return _file(title, setting)


@dataclass
class Setting:
    """Pages that are being filled."""

    title: str
    notes: dict[int, Note] = field(default_factory=dict)
    pages: list[list[str]] = field(default_factory=list)
    marks: list[tuple[str, int, float]] = field(default_factory=list)
    """Title, page and height of each bookmark."""
    y: float = 0.0
    foot: list[Note] = field(default_factory=list)
    """Footnotes of this page."""

    def add_all(self, blocks: list[Block]) -> None:
        """Set blocks that hold all the footnotes which they mark."""
        self.notes |= {block.number: block for block in blocks if isinstance(block, Note)}
        for block in blocks:
            self._add(block)

    def _add(self, block: Block) -> None:
        if isinstance(block, Note):
            return
        if isinstance(block, Table):
            self._table(block)
        elif isinstance(block, Heading):
            size = SIZES[block.level]
            self._room(4 * size)
            self.marks.append((block.text, len(self.pages) - 1, self.y))
            self._lines(_wrapped((Run(block.text, bold=True),), size, WIDTH - 2 * MARGIN), MARGIN, size)
        elif isinstance(block, Code):
            lines = [line.strip() for line in block.lines]
            size = min(BODY, (WIDTH - 2 * MARGIN - 18) / (COURIER * max(map(len, lines))))
            self._lines([[(Piece(line, "C"),)] for line in lines], MARGIN + 18, size)
        else:
            self._text(block)
        self.y -= GAP

    def _text(self, block: Paragraph) -> None:
        left = MARGIN + (18 if block.ordinal is not None else 0)
        lines = _wrapped(block.runs, BODY, WIDTH - MARGIN - left)
        self._room(BODY * LEADING)
        if block.ordinal is not None:
            self._put([(Piece(f"{block.ordinal}."),)], MARGIN, self.y - BODY, BODY)
        self._lines(lines, left, BODY)

    def _table(self, table: Table) -> None:
        width = (WIDTH - 2 * MARGIN) / len(table.rows[0])
        cells = _with_bold_head(table)
        widest = max(_width(piece, BODY) for row in cells for cell in row for word in _words(cell) for piece in word)
        size = BODY * min(1.0, (width - GAP) / widest)
        head, *rows = [[_wrapped(cell, size, width - GAP) for cell in row] for row in cells]
        self._row(head, width, size)
        for row in rows:
            page = len(self.pages)
            self._room(_height(row, size), _marked(row))
            # As Word does it: the header stands again at the top of the next page.
            if len(self.pages) > page:
                self._row(head, width, size)
            self._row(row, width, size)

    def _row(self, cells: list[list[Line]], width: float, size: float) -> None:
        self._room(_height(cells, size), _marked(cells))
        top = self.y
        for column, lines in enumerate(cells):
            self.y = top
            self._lines(lines, MARGIN + column * width, size)
        self.y = top - _height(cells, size) + GAP / 2
        self.pages[-1].append(f"{MARGIN} {self.y:.1f} m {WIDTH - MARGIN} {self.y:.1f} l S")

    def _lines(self, lines: Iterable[Line], left: float, size: float) -> None:
        for line in lines:
            self._room(size * LEADING, _marked([[line]]))
            self._put(line, left, self.y - size, size)
            self.y -= size * LEADING

    def _room(self, height: float, marked: Sequence[int] = ()) -> None:
        """Go on to the next page where the rest of this one is too small for `height` and its footnotes."""
        new = [self.notes[number] for number in marked if self.notes[number] not in self.foot]
        if not self.pages or self.y - height < MARGIN + _foot_height([*self.foot, *new]):
            self.end_page()
            self._new_page()
        self.foot += new

    def _new_page(self) -> None:
        self.pages.append([])
        self.y = HEIGHT - MARGIN
        self._put([(Piece(self.title),)], MARGIN, HEIGHT - MARGIN / 2, SMALL)
        self._put([(Piece(f"Page {len(self.pages)}"),)], WIDTH / 2, MARGIN / 2, SMALL)

    def end_page(self) -> None:
        """Set the page's footnotes below a short rule."""
        if not self.foot:
            return
        y = MARGIN + _foot_height(self.foot) - GAP
        self.pages[-1].append(f"{MARGIN} {y:.1f} m {MARGIN + 144} {y:.1f} l S")
        for note in self.foot:
            mark: Line = [(Piece(str(note.number), note=note.number),)]
            self._put(mark, MARGIN, y - SMALL, SMALL)
            for line in _note_lines(note):
                self._put(line, MARGIN + GAP, y - SMALL, SMALL)
                y -= SMALL * LEADING
        self.foot = []

    def _put(self, words: Line, x: float, y: float, size: float) -> None:
        shown = []
        for i, word in enumerate(words):
            for j, piece in enumerate(word):
                space = " " if j == len(word) - 1 and i < len(words) - 1 else ""
                text = f"({_escaped(piece.text + space)}) Tj"
                raised = f"{size * 0.35:.2f} Ts /R {size * RAISED:g} Tf {text} 0 Ts"
                shown.append(raised if piece.note else f"/{piece.font} {size:g} Tf {text}")
        self.pages[-1].append(f"BT {x:.1f} {y:.1f} Td {' '.join(shown)} ET")


def _with_bold_head(table: Table) -> list[list[Runs]]:
    head, *rows = table.rows
    bold = [tuple(Run(run.text, True, run.note) for run in cell) for cell in head]
    return [bold, *(list(row) for row in rows)]


def _height(cells: list[list[Line]], size: float) -> float:
    return max(map(len, cells)) * size * LEADING + GAP


def _marked(cells: list[list[Line]]) -> list[int]:
    """The footnotes that a row of cells marks."""
    return [piece.note for cell in cells for line in cell for word in line for piece in word if piece.note]


def _note_lines(note: Note) -> list[Line]:
    return _wrapped(note.runs, SMALL, WIDTH - 2 * MARGIN - GAP)


def _foot_height(notes: Sequence[Note]) -> float:
    return sum(len(_note_lines(note)) for note in notes) * SMALL * LEADING + GAP if notes else 0.0


def _wrapped(runs: Runs, size: float, width: float) -> list[Line]:
    lines: list[Line] = [[]]
    left = width
    for word in _words(runs):
        needed = sum(_width(piece, size) for piece in word)
        if lines[-1] and needed > left:
            lines.append([])
            left = width
        lines[-1].append(word)
        left -= needed + _width(Piece(" ", word[-1].font), size)
    return lines


def _words(runs: Runs) -> list[Word]:
    """Words of all runs; a piece that no blank parts from the word before it belongs to that word."""
    words: list[Word] = []
    glued = False
    for run in runs:
        text = str(run.note) if run.note else run.text
        pieces = [Piece(piece, "B" if run.bold else "R", run.note) for piece in text.split()]
        if glued and pieces and not text[0].isspace():
            words[-1] = (*words[-1], pieces.pop(0))
        words += [(piece,) for piece in pieces]
        glued = bool(words) and not text[-1:].isspace()
    return words


def _width(piece: Piece, size: float) -> float:
    table = METRICS[piece.font == "B"]
    scale = size * RAISED if piece.note else size
    return sum(table[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in piece.text) * scale / 1000


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _file(title: str, setting: Setting) -> bytes:
    """Objects: catalogue, page tree, three fonts, information, outline, bookmarks, then a page and its text each."""
    marks, first = setting.marks, 8 + len(setting.marks)
    pages = [first + 2 * i for i in range(len(setting.pages))]
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R /Lang (en) >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{page} 0 R' for page in pages)}] /Count {len(pages)} >>",
        font.format("Helvetica"),
        font.format("Helvetica-Bold"),
        font.format("Courier"),
        f"<< /Title ({_escaped(title)}) >>",
        f"<< /Type /Outlines /First 8 0 R /Last {first - 1} 0 R /Count {len(marks)} >>",
    ]
    for i, (text, page, y) in enumerate(marks):
        beside = (f"/Prev {7 + i} 0 R " if i else "") + (f"/Next {9 + i} 0 R " if i < len(marks) - 1 else "")
        goal = f"[{pages[page]} 0 R /XYZ {MARGIN} {y:.1f} 0]"
        objects.append(f"<< /Title ({_escaped(text)}) /Parent 7 0 R {beside}/Dest {goal} >>")
    for i, page in enumerate(pages):
        stream = "\n".join(setting.pages[i])
        resources = "/Resources << /Font << /R 3 0 R /B 4 0 R /C 5 0 R >> >>"
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
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R /Info 6 0 R >>\n"
    return bytes(out) + f"{tail}startxref\n{len(out)}\n%%EOF\n".encode()
