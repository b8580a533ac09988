"""Files that open, that are locked, damaged or beyond a limit."""

import zlib
from collections.abc import Callable

import pytest

from ingest.errors import SourceError
from ingest.pdf.inflate import StreamTooLarge, limited
from ingest.pdf.opening import bookmarks, opened
from ingest.pdf.reader import read_pdf
from ingest.settings import IngestSettings

SETTINGS = IngestSettings()
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> %b >> /Contents %b >>"
SAYS = b"BT /F 12 Tf 72 700 Td (Fees are due at once.) Tj ET"


def file_of(*objects: bytes) -> bytes:
    """Objects 1, 2, ... as they stand; the first is the catalogue."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out) + b"trailer\n<< /Size 9 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start


def stream(data: bytes, keys: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(data), keys, data)


def one_page(content: bytes, resources: bytes = b"", *further: bytes, catalog: bytes = b"") -> bytes:
    tree = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return file_of(
        b"<< /Type /Catalog /Pages 2 0 R %b >>" % catalog, tree, PAGE % (resources, b"4 0 R"), content, FONT, *further
    )


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (one_page(stream(zlib.compress(b" " * 5_000_000), b"/Filter /FlateDecode")), "page 1: a stream that unzips"),
        (one_page(stream(zlib.compress(SAYS * 99)[:-60], b"/Filter /FlateDecode")), "page 1: a damaged stream: part"),
        (one_page(stream(SAYS)).replace(b"/Kids [3 0 R] /Count 1", b"/Kids [3 0 R] /Count 7"), "damaged: 1 of its 7"),
        (file_of(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"), "no pages"),
        (one_page(stream(SAYS)).replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]"), "page 1: damaged"),
        (file_of(b"<< /Type /Catalog /Pages 1 0 R >>"), "no pages|damaged"),
        (b"%PDF-1.7\nstartxref\n0\n%%EOF\n", "damaged"),
    ],
    ids=["bomb", "torn stream", "missing pages", "no pages", "circular pages", "circular catalogue", "empty"],
)
def test_damaged_files_are_refused_with_the_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=f"^terms.pdf(, |: )({reason})"):
        read_pdf(raw, IngestSettings(max_unzipped_bytes=1_000_000), "terms.pdf")


def test_a_wrong_checksum_is_no_damage() -> None:
    packed = zlib.compress(SAYS)[:-4] + b"\0\0\0\0"
    parsed = read_pdf(one_page(stream(packed, b"/Filter /FlateDecode")), SETTINGS, "terms.pdf")
    assert [block.text for block in parsed.blocks] == ["Fees are due at once."]


def test_a_form_that_draws_itself_is_refused() -> None:
    keys = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>"
    raw = one_page(stream(SAYS + b" /X Do"), b"/XObject << /X 6 0 R >>", stream(b"/X Do", keys))
    with pytest.raises(SourceError, match="page 1: objects that contain themselves, or nest without end"):
        read_pdf(raw, SETTINGS, "terms.pdf")


def test_forms_that_draw_forms_a_million_times_are_refused() -> None:
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>"
    forms = [stream(b"/X Do " * 10, form % number) for number in range(7, 12)]
    raw = one_page(stream(b"/X Do"), b"/XObject << /X 6 0 R >>", *forms, stream(b"", form % 99))
    with pytest.raises(SourceError, match="page 1: objects that contain themselves, or nest without end"):
        read_pdf(raw, SETTINGS, "terms.pdf")


def test_bookmarks_that_follow_themselves_end(pdf_of: Callable[..., bytes], sheet, bookmark) -> None:
    raw = pdf_of(sheet().text(72, 90, "1 Fees", 18), bookmarks=[bookmark("1 Fees", 1, 80), bookmark("2 Seats", 1)])
    with opened(raw.replace(b"/Prev", b"/Next"), SETTINGS, "terms.pdf") as file:
        assert [mark.title for mark in bookmarks(file, 100)][:2] == ["1 Fees", "2 Seats"]


def test_bookmarks_have_levels_pages_and_heights(pdf_of: Callable[..., bytes], sheet, bookmark) -> None:
    marks = [bookmark("1 Fees", 1, 80), bookmark("1.1 Late fees", 2, 200, level=2), bookmark("2 Säts", 2)]
    with opened(pdf_of(sheet(), sheet(), bookmarks=marks), SETTINGS, "terms.pdf") as file:
        found = [(mark.title, mark.level, mark.page, mark.height) for mark in bookmarks(file, 100)]
    assert found == [("1 Fees", 1, 1, 762), ("1.1 Late fees", 2, 2, 642), ("2 Säts", 1, 2, 842)]


def test_more_bookmarks_than_elements_are_refused(pdf_of: Callable[..., bytes], sheet, bookmark) -> None:
    raw = pdf_of(sheet(), bookmarks=[bookmark(f"{number}", 1) for number in range(9)])
    with pytest.raises(SourceError, match="more than 5 bookmarks"):
        read_pdf(raw, IngestSettings(max_elements=5), "terms.pdf")


def test_a_password_is_asked_for_by_nobody(pdf_of: Callable[..., bytes], sheet) -> None:
    with pytest.raises(SourceError, match=r"terms.pdf: encrypted with a password; .*fix: save it without a password"):
        read_pdf(pdf_of(sheet().text(72, 90, "Secret"), password="seats"), SETTINGS, "terms.pdf")


def test_restrictions_that_let_everyone_read_are_remarked(read, sheet) -> None:
    parsed = read(sheet().text(72, 90, "Fees are due at once."), title="Fees are due at once", password="")
    assert [block.text for block in parsed.blocks] == ["Fees are due at once."]
    assert [(remark.code, remark.where) for remark in parsed.remarks] == [("restricted", "")]
    assert parsed.title == "Fees are due at once"


def test_more_pages_than_allowed_are_refused(pdf_of: Callable[..., bytes], sheet) -> None:
    with pytest.raises(SourceError, match=r"more than 2 pages; allowed: 2 \(max_pages\); fix: split it"):
        read_pdf(pdf_of(sheet(), sheet(), sheet()), IngestSettings(max_pages=2), "terms.pdf")


def test_streams_are_unlimited_where_nobody_set_a_limit() -> None:
    from pdfminer.pdftypes import PDFStream
    from pdfminer.psparser import LIT

    packed = zlib.compress(b" " * 5_000_000)
    assert len(PDFStream({"Filter": LIT("FlateDecode")}, packed).get_data()) == 5_000_000
    with limited(1_000) as state, pytest.raises(StreamTooLarge):
        PDFStream({"Filter": LIT("FlateDecode")}, packed).get_data()
    assert state.exceeded


def test_lzw_streams_are_limited_too() -> None:
    from pdfminer.pdftypes import PDFStream
    from pdfminer.psparser import LIT

    # Clear, then "A" again and again: codes of nine bits, which grow like a triangle.
    codes = [256, 65, *range(258, 510)]
    bits = "".join(f"{code:09b}" for code in codes)
    packed = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    with limited(1_000), pytest.raises(StreamTooLarge):
        PDFStream({"Filter": LIT("LZWDecode")}, packed).get_data()


@pytest.mark.parametrize(
    "keys",
    ["/MediaBox [595 842 0 0]", "/CropBox [595 842 0 0]", "/Rotate (x)", "/Rotate 45", "/Rotate 720", "/Rotate -360"],
)
def test_boxes_and_turns_are_taken_as_viewers_take_them(read, sheet, texts, prose: str, keys: str) -> None:
    page = sheet(keys=keys)
    page.paragraph(72, 100, prose)
    parsed = read(page)
    assert (texts(parsed), parsed.remarks) == ([prose], ())


def test_a_refusal_speaks_of_the_file_and_not_of_a_library(read, sheet) -> None:
    with pytest.raises(
        SourceError, match=r"terms.pdf, page 1: damaged: the size of a page is not four numbers"
    ) as said:
        read(sheet(keys="/MediaBox [0 0 (a) 842]").text(72, 100, "Fees"))
    assert "Exception" not in str(said.value)
