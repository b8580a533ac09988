"""Words of pages that are pictures: what Tesseract's table becomes, pages that lie on their side, what is missing."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pdfplumber
import pytest

from ingest.errors import SourceError
from ingest.pdf import ocr

SCANNED = Path(__file__).parents[4] / "shared" / "docs" / "scanned_no_text_4p.pdf"
NAMES = ("level", "block_num", "par_num", "line_num", "left", "top", "width", "height", "conf", "text")


class Missing(OSError):
    """As pytesseract.TesseractNotFoundError."""


def table(*lines: tuple[float, str], turned: bool = False):
    """Tesseract's table for lines of (confidence, words), each 60 dots below the one above, in one paragraph."""
    rows = []
    for number, (sureness, text) in enumerate(lines, start=1):
        top, x = 100 + 60 * number, 300
        rows.append((4, 1, 1, number, x, top, 900, 46, -1, ""))
        for word in text.split():
            size = (40, 20 * len(word)) if turned else (20 * len(word), 40)
            rows.append((5, 1, 1, number, x, top + 3, *size, sureness, word))
            x += 20 * len(word) + 15
    return {name: [row[place] for row in rows] for place, name in enumerate(NAMES)}


@dataclass
class Fake:
    """A module that answers each reading in turn, or raises."""

    answers: list
    sizes: list = field(default_factory=list)
    Output = SimpleNamespace(DICT="dict")
    TesseractNotFoundError = Missing

    def image_to_data(self, picture, output_type, timeout):
        assert (output_type, timeout > 0) == ("dict", True)
        self.sizes.append(picture.size)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def read(monkeypatch, sheet, pdf_of):
    """Read a page of a picture with the given answers of Tesseract."""

    def run(*answers, width=595, height=842):
        fake = Fake(list(answers))
        monkeypatch.setitem(sys.modules, "pytesseract", fake)
        raw = pdf_of(sheet(width=width, height=height).image(0, 0, 595, 842))
        with pdfplumber.open(BytesIO(raw)) as pdf:
            return ocr.read_image(pdf.pages[0], "seats.pdf, page 3"), fake.sizes

    return run


def test_words_are_placed_in_points_and_as_high_as_their_line(read) -> None:
    text, sizes = read(table((96, "Seats may be"), (95, "added")))
    first, *_, last = text.words
    assert [word.text for word in text.words] == ["Seats", "may", "be", "added"]
    assert (first.x0, first.top, first.bottom) == pytest.approx((72, 38.4, 49.44))
    assert (last.x0, last.top) == pytest.approx((72, 52.8))
    assert {word.size for word in text.words} == {12.0}
    assert sizes == [(2480, 3509)]


def test_the_confidence_is_the_mean_over_letters(read) -> None:
    text, _ = read(table((90, "aaaa"), (80, "bbbbbbbbbbbb")))
    assert text.confidence == pytest.approx(82.5)


def test_stains_are_left_out_and_named(read) -> None:
    text, _ = read(table((96, "The limit is 500 USD"), (12, "~|,")))
    assert ([word.text for word in text.words][-1], text.left_out) == ("USD", ("~|,",))


@pytest.mark.parametrize(
    ("answers", "count"),
    [
        ([table((40, "dn opisdn nrut")), table((95, "turned upside down")), table((5, "x")), table((5, "x"))], 4),
        ([table((95, "turned upside down"), turned=True), table((95, "turned upside down")), table((30, "dn"))], 3),
    ],
    ids=["upside down", "on its side"],
)
def test_a_page_is_turned_until_it_is_understood(answers, count, read) -> None:
    text, sizes = read(*answers)
    assert [word.text for word in text.words] == ["turned", "upside", "down"]
    assert all(word.x1 - word.x0 > word.bottom - word.top for word in text.words[:1])
    assert len(sizes) == count


def test_an_empty_page_is_read_once(read) -> None:
    text, sizes = read(table())
    assert (text.words, len(sizes)) == ((), 1)


def test_a_large_page_is_drawn_with_fewer_dots(read) -> None:
    _, ((width, height),) = read(table((95, "A plan of the office")), width=3370, height=4768)
    assert width * height <= 1.01 * ocr.MOST_DOTS


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (Missing("tesseract is not in your PATH"), r"page 3: .*program tesseract.*apt-get install tesseract-ocr.*brew"),
        (
            RuntimeError("Tesseract process timeout"),
            r"page 3: tesseract cannot read this page \(Tesseract process timeout",
        ),
        (OSError("no space left"), r"cannot read this page \(no space left\)"),
    ],
    ids=["no program", "timeout", "disk"],
)
def test_a_program_that_fails_is_said_with_the_page(error, found, read) -> None:
    with pytest.raises(SourceError, match=found):
        read(error)


def test_a_missing_package_is_said_with_its_install_line(monkeypatch, sheet, pdf_of) -> None:
    monkeypatch.setitem(sys.modules, "pytesseract", None)
    with (
        pdfplumber.open(BytesIO(pdf_of(sheet().image(0, 0, 595, 842)))) as pdf,
        pytest.raises(SourceError, match=r'seats.pdf, page 1: .*pytesseract.*fix: pip install -e "\.\[ocr\]"'),
    ):
        ocr.read_image(pdf.pages[0], "seats.pdf, page 1")


@pytest.mark.skipif(not SCANNED.is_file(), reason="the shared documents are not beside the project")
@pytest.mark.skipif(
    not (find_spec("pytesseract") and shutil.which("tesseract")), reason="pytesseract or tesseract is not installed"
)
def test_a_real_scan_is_read_whichever_way_it_lies() -> None:
    expected = "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
    with pdfplumber.open(SCANNED) as pdf:
        for page in pdf.pages:
            assert " ".join(word.text for word in ocr.read_image(page, "scan").words) == expected
