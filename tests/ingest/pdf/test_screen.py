"""Files that are refused before any parser sees them."""

import io
import zipfile

import pytest

from ingest.errors import SourceError
from ingest.pdf.screen import refuse_strangers

BODY = b"%PDF-1.7\n1 0 obj\n<< >>\nendobj\nxref\n0 1\ntrailer\n<< >>\nstartxref\n9\n%%EOF\n"


def archive() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("a.txt", "words")
    return target.getvalue()


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"\xff\xd8\xff\xe0JFIF", 'a JPEG image under a PDF name; allowed: a file that starts with "%PDF-"'),
        (archive(), "a ZIP or Office file under a PDF name"),
        (b"<!DOCTYPE html><html></html>", "a web page under a PDF name"),
        (b"just words", "no PDF under a PDF name"),
        (b"GIF89a;" + BODY, "a GIF image in the 7 bytes before the PDF header; allowed: a PDF and nothing else"),
        (b"x" * 2000 + BODY, "no PDF under a PDF name"),
        (BODY + archive(), "a ZIP archive in the same file"),
        (BODY + b"<script>steal()</script>", "a web page or script after its end"),
        (BODY.replace(b"1 0 obj", b"%<html><body>\n1 0 obj", 1), "a web page or script before its first object"),
        (BODY + b"\x89PNG\r\n", "a PNG image after its end"),
        (BODY[:40], "no cross-reference table: the end of the file is missing"),
        (BODY + b"2 0 obj\n<< /Type", "objects after its last end mark"),
        (BODY.replace(b"<< >>", b"<< /Linearized 1 /L 900 >>", 1), r"\d+ of its 900 bytes: the end of the file"),
    ],
    ids=[
        "jpeg", "zip", "html", "text", "gif first", "late header", "zip after", "script after", "html inside",
        "png after", "cut", "cut update", "cut linear",
    ],
)  # fmt: skip
def test_strangers_are_refused_by_name(raw: bytes, reason: str) -> None:
    with pytest.raises(SourceError, match=f"^terms.pdf: {reason}"):
        refuse_strangers(raw, "terms.pdf")


@pytest.mark.parametrize(
    "raw",
    [
        BODY,
        b"\xef\xbb\xbf\n" + BODY,
        BODY + b"\r\n\0\0",
        BODY.replace(b"endobj", b"stream\n" + archive() + b"\nendstream\nendobj", 1) + b" " * 90,
        BODY.replace(b"<< >>", b"<< /S (a <script> tag) >>", 1),
    ],
    ids=["plain", "byte order mark", "zeros after", "archive attached", "tag in a string"],
)
def test_a_pdf_is_let_through(raw: bytes) -> None:
    refuse_strangers(raw, "terms.pdf")
