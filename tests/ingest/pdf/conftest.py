"""A small PDF writer (ISO 32000-1), so that each test shows the page it reads; y counts downward from the top."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pdfminer.fontmetrics import FONT_METRICS

from ingest.blocks import Block, Parsed
from ingest.elements import Kind
from ingest.pdf.reader import read_pdf
from ingest.settings import IngestSettings

FONTS = {
    "Helvetica": "R",
    "Helvetica-Bold": "B",
    "Times-Roman": "T",
    "Times-Bold": "U",
    "Times-Italic": "J",
    "Courier": "C",
    "Symbol": "S",
    "Unmapped": "X",
}
"""Names of resources by font; "Unmapped" is a composite font that does not say which character a glyph is."""
Colour = tuple[float, float, float]
BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def width_of(text: str, size: float = 10, font: str = "Helvetica") -> float:
    """Points that `text` takes."""
    widths = FONT_METRICS[font][1]
    return sum(float(widths.get(char, 556)) for char in text) * size / 1000


@dataclass
class Sheet:
    """One page to be written."""

    width: float = 595
    height: float = 842
    rotate: int = 0
    crop: tuple[float, float, float, float] | None = None
    """(x0, top, x1, bottom)."""
    operators: list[str] = field(default_factory=list)
    images: list[bytes] = field(default_factory=list)
    """Grey pictures, deflated, of 8 x 8 points."""
    links: list[tuple[tuple[float, float, float, float], str]] = field(default_factory=list)
    fields: list[tuple[tuple[float, float, float, float], str, int]] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    """Entries of further annotations."""
    resources: str = ""
    """Further entries of the page's resources."""
    keys: str = ""
    """Further entries of the page, after the others, which they replace."""

    def draw(self, operators: str) -> Sheet:
        """Operators of a content stream as they are; y counts upward."""
        self.operators.append(operators)
        return self

    def text(
        self, x: float, y: float, words: str, size: float = 10, font: str = "Helvetica", colour: Colour = BLACK,
        *, rise: float = 0, mode: int = 0, turn: bool = False,
    ) -> Sheet:  # fmt: skip
        """Words whose baseline starts at (x, y); `turn`: written upward; `mode` 3 is invisible."""
        shown = words.encode("utf-16-be") if font == "Unmapped" else words.encode("cp1252")
        matrix = "0 1 -1 0" if turn else "1 0 0 1"
        self.operators.append(
            f"BT {_numbers(colour)} rg /{FONTS[font]} {size:g} Tf {mode} Tr {rise:g} Ts "
            f"{matrix} {x:g} {self.height - y:g} Tm <{shown.hex()}> Tj ET"
        )
        return self

    def lines(
        self, x: float, y: float, lines: Sequence[str], size: float = 10, font: str = "Helvetica", leading: float = 1.2
    ) -> float:
        """Lines one below the other; returns the baseline of the next one."""
        for line in lines:
            self.text(x, y, line, size, font)
            y += size * leading
        return y

    def paragraph(
        self, x: float, y: float, words: str, width: float = 440, size: float = 10, font: str = "Helvetica"
    ) -> float:
        """Words wrapped to `width` points; returns the baseline of the next line."""
        return self.lines(x, y, wrapped(words, width, size, font), size, font)

    def rect(self, x0: float, top: float, x1: float, bottom: float, fill: Colour | None = None) -> Sheet:
        """A rectangle, filled or stroked."""
        box = f"{x0:g} {self.height - bottom:g} {x1 - x0:g} {bottom - top:g} re"
        self.operators.append(f"{_numbers(fill)} rg {box} f" if fill else f"{box} S")
        return self

    def line(self, x0: float, top: float, x1: float, bottom: float) -> Sheet:
        """A thin line."""
        self.operators.append(f"{x0:g} {self.height - top:g} m {x1:g} {self.height - bottom:g} l S")
        return self

    def image(self, x0: float, top: float, x1: float, bottom: float, grey: int = 128) -> Sheet:
        """A picture that fills a box."""
        place = f"{x1 - x0:g} 0 0 {bottom - top:g} {x0:g} {self.height - bottom:g} cm"
        self.operators.append(f"q {place} /I{len(self.images)} Do Q")
        self.images.append(zlib.compress(bytes([grey]) * 64))
        return self

    def link(self, x0: float, top: float, x1: float, bottom: float, uri: str) -> Sheet:
        """A link to an address."""
        self.links.append(((x0, top, x1, bottom), uri))
        return self

    def form(self, x0: float, top: float, x1: float, bottom: float, value: str, flags: int = 4) -> Sheet:
        """A text field with a value; flag 2 hides it."""
        self.fields.append(((x0, top, x1, bottom), value, flags))
        return self


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


def wrapped(words: str, width: float, size: float = 10, font: str = "Helvetica") -> list[str]:
    """Lines of at most `width` points."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        lines[-1:] = [longer] if not lines or width_of(longer, size, font) <= width else [lines[-1], word]
    return lines


@dataclass(frozen=True)
class Bookmark:
    """An entry of the outline; `page` from 1."""

    title: str
    page: int
    y: float = 0
    level: int = 1


@dataclass
class _Objects:
    """The objects of one file, numbered from 1; strings and streams are encrypted with the key, if there is one."""

    password: str | None = None
    bodies: list[bytes] = field(default_factory=list)

    def add(self, body: str | bytes = b"") -> int:
        self.bodies.append(body.encode("latin-1") if isinstance(body, str) else body)
        return len(self.bodies)

    def set(self, number: int, body: str) -> None:
        self.bodies[number - 1] = body.encode("latin-1")

    def stream(self, data: bytes, keys: str = "") -> int:
        number = self.add()
        data = self._hidden(number, data)
        head = f"<< {keys} /Length {len(data)} >>\nstream\n".encode()
        self.bodies[number - 1] = head + data + b"\nendstream"
        return number

    def string(self, number: int, text: str) -> str:
        """`text` as a string in object `number`."""
        marked = text.encode() if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")
        return f"<{self._hidden(number, marked).hex()}>"

    @property
    def owner(self) -> bytes:
        """The /O entry (7.6.3.4, revision 2), with one password for owner and user."""
        padded = _padded(self.password or "")
        return _rc4(hashlib.md5(padded).digest()[:5], padded)

    @property
    def key(self) -> bytes:
        """The 40-bit file key (7.6.3.3)."""
        return hashlib.md5(_padded(self.password or "") + self.owner + struct.pack("<i", -4) + b"fileid").digest()[:5]

    def _hidden(self, number: int, data: bytes) -> bytes:
        if self.password is None:
            return data
        salted = hashlib.md5(self.key + struct.pack("<I", number)[:3] + b"\0\0").digest()
        return _rc4(salted[:10], data)

    def file(self, root: int, info: int) -> bytes:
        out = bytearray(b"%PDF-1.7\n")
        places = []
        for number, body in enumerate(self.bodies, start=1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
        lock = "" if self.password is None else self._lock()
        trailer = f"<< /Size {len(places) + 1} /Root {root} 0 R /Info {info} 0 R {lock} >>"
        return bytes(out) + f"trailer\n{trailer}\nstartxref\n{start}\n%%EOF\n".encode()

    def _lock(self) -> str:
        user, identity = _rc4(self.key, _PADDING).hex(), b"fileid".hex()
        entries = f"/Filter /Standard /V 1 /R 2 /P -4 /O <{self.owner.hex()}> /U <{user}>"
        return f"/ID [<{identity}> <{identity}>] /Encrypt << {entries} >>"


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + _PADDING)[:32]


def _rc4(key: bytes, data: bytes) -> bytes:
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def write_pdf(
    *sheets: Sheet,
    bookmarks: Sequence[Bookmark] = (),
    title: str | None = None,
    password: str | None = None,
    catalog: str = "",
    further: Sequence[str] = (),
) -> bytes:
    """A file of the sheets; `password` encrypts it (RC4, 40 bits), "" so that anyone may read it.

    `catalog` has further entries of the catalog, `further` objects that get the numbers from 4.
    """
    objects = _Objects(password)
    root, pages, info = objects.add(), objects.add(), objects.add()
    for body in further:
        objects.add(body)
    fonts = objects.add("<< " + " ".join(f"/{name} {_font(objects, font)} 0 R" for font, name in FONTS.items()) + " >>")
    kids = [_page(objects, sheet, pages, fonts) for sheet in sheets]
    objects.set(pages, f"<< /Type /Pages /Kids [{_references(kids)}] /Count {len(kids)} >>")
    outline = f"/Outlines {_outline(objects, bookmarks, kids, sheets)} 0 R" if bookmarks else ""
    objects.set(root, f"<< /Type /Catalog /Pages {pages} 0 R {outline} {catalog} >>")
    objects.set(info, f"<< /Title {objects.string(info, title)} >>" if title else "<< >>")
    return objects.file(root, info)


def _references(numbers: Sequence[int]) -> str:
    return " ".join(f"{number} 0 R" for number in numbers)


def _font(objects: _Objects, font: str) -> int:
    if font != "Unmapped":
        encoding = "" if font == "Symbol" else "/Encoding /WinAnsiEncoding"
        return objects.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} {encoding} >>")
    system = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    look = objects.add("<< /Type /FontDescriptor /FontName /Unmapped /Flags 4 /FontBBox [0 -200 1000 800] >>")
    names = f"/Type /Font /Subtype /CIDFontType2 /BaseFont /Unmapped /FontDescriptor {look} 0 R"
    below = objects.add(f"<< {names} {system} /DW 500 >>")
    keys = f"/Encoding /Identity-H /DescendantFonts [{below} 0 R]"
    return objects.add(f"<< /Type /Font /Subtype /Type0 /BaseFont /Unmapped {keys} >>")


def _page(objects: _Objects, sheet: Sheet, parent: int, fonts: int) -> int:
    content = objects.stream(zlib.compress("\n".join(sheet.operators).encode()), "/Filter /FlateDecode")
    keys = "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8"
    images = [objects.stream(image, f"{keys} /Filter /FlateDecode") for image in sheet.images]
    pictures = " ".join(f"/I{place} {number} 0 R" for place, number in enumerate(images))
    links = [_link(objects, sheet, *link) for link in sheet.links]
    links += [_field(objects, sheet, *one) for one in sheet.fields]
    links += [objects.add(f"<< /Type /Annot {entries} >>") for entries in sheet.annotations]
    return objects.add(
        f"<< /Type /Page /Parent {parent} 0 R /MediaBox [0 0 {sheet.width:g} {sheet.height:g}] "
        + (f"/CropBox [{_box(sheet, sheet.crop)}] " if sheet.crop else "")
        + (f"/Rotate {sheet.rotate} " if sheet.rotate else "")
        + f"/Resources << /Font {fonts} 0 R /XObject << {pictures} >> {sheet.resources} >> /Contents {content} 0 R "
        + f"/Annots [{_references(links)}] {sheet.keys} >>"
    )


def _box(sheet: Sheet, box: tuple[float, float, float, float]) -> str:
    return _numbers((box[0], sheet.height - box[3], box[2], sheet.height - box[1]))


def _link(objects: _Objects, sheet: Sheet, box: tuple[float, float, float, float], uri: str) -> int:
    number = objects.add()
    action = f"/A << /S /URI /URI {objects.string(number, uri)} >>"
    objects.set(number, f"<< /Type /Annot /Subtype /Link /Rect [{_box(sheet, box)}] {action} >>")
    return number


def _field(objects: _Objects, sheet: Sheet, box: tuple[float, float, float, float], value: str, flags: int) -> int:
    number = objects.add()
    keys = f"/Type /Annot /Subtype /Widget /FT /Tx /F {flags} /DA (/Helv 10 Tf 0 g) /V {objects.string(number, value)}"
    objects.set(number, f"<< {keys} /Rect [{_box(sheet, box)}] >>")
    return number


def _outline(objects: _Objects, bookmarks: Sequence[Bookmark], kids: Sequence[int], sheets: Sequence[Sheet]) -> int:
    """The outline's tree (12.3.3) from a flat list with levels."""
    root = objects.add()
    numbers = [objects.add() for _ in bookmarks]
    below: dict[int, list[int]] = {root: []}
    above: list[tuple[int, int]] = [(0, root)]
    parents = []
    for mark, number in zip(bookmarks, numbers, strict=True):
        while above[-1][0] >= mark.level:
            above.pop()
        parents.append(above[-1][1])
        below.setdefault(above[-1][1], []).append(number)
        above.append((mark.level, number))
    for mark, number, parent in zip(bookmarks, numbers, parents, strict=True):
        row = below[parent]
        at = row.index(number)
        keys = f"/Prev {row[at - 1]} 0 R " if at else ""
        keys += f"/Next {row[at + 1]} 0 R " if at + 1 < len(row) else ""
        keys += _ends(below.get(number, []))
        goal = f"/Dest [{kids[mark.page - 1]} 0 R /XYZ 0 {sheets[mark.page - 1].height - mark.y:g} 0]"
        objects.set(number, f"<< /Title {objects.string(number, mark.title)} /Parent {parent} 0 R {goal} {keys} >>")
    objects.set(root, f"<< /Type /Outlines {_ends(below[root])} >>")
    return root


def _ends(kids: list[int]) -> str:
    return f"/First {kids[0]} 0 R /Last {kids[-1]} 0 R /Count {len(kids)} " if kids else ""


PROSE = (
    "A credit is computed on the day on which the request is received and is never paid out in cash. A customer that "
    "has unpaid invoices older than forty-five days may not request one. Where the order form departs from this "
    "chapter the order form prevails for the term that it covers and for no longer. "
)


@pytest.fixture
def prose() -> str:
    """Three sentences, each ends in a full stop."""
    return PROSE.strip()


@pytest.fixture
def read() -> Callable[..., Parsed]:
    """`read(sheet, ..., bookmarks=(), title=None, password=None, settings=None)` is what is read of a file."""

    def reading(*sheets: Sheet, settings: IngestSettings | None = None, **how: Any) -> Parsed:
        return read_pdf(write_pdf(*sheets, **how), settings or IngestSettings(), "terms.pdf")

    return reading


@pytest.fixture
def texts() -> Callable[[Parsed], list[str]]:
    """The texts of all blocks, marks of headings before them: "# 1 Fees", "- item", "[^1]: note"."""

    def shown(parsed: Parsed) -> list[str]:
        return [_shown(block) for block in parsed.blocks]

    return shown


def _shown(block: Block) -> str:
    match block.kind:
        case Kind.HEADING:
            return f"{'#' * block.level} {block.text}"
        case Kind.ITEM:
            return f"{'  ' * (block.level - 1)}- {block.text}"
        case Kind.FOOTNOTE:
            return f"[^{block.label}]: {block.text}"
        case Kind.TABLE:
            return " / ".join(" | ".join(row) for row in block.cells)
        case _:
            return block.text


@pytest.fixture
def sheet() -> type[Sheet]:
    """The class of pages: `sheet().text(72, 100, "Words")`, `.paragraph(...)`, `.rect(...)`, `.image(...)`."""
    return Sheet


@pytest.fixture
def bookmark() -> type[Bookmark]:
    """`bookmark("4 Seats", page=1, y=80, level=1)`."""
    return Bookmark


@pytest.fixture
def pdf_of() -> Callable[..., bytes]:
    """`pdf_of(sheet, ..., bookmarks=(), title=None, password=None)` is a file's bytes."""
    return write_pdf
