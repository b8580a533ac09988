"""Bytes to text: what a page declares holds, and what is no page is refused by its name."""

import codecs

import pytest

from ingest.errors import SourceError


@pytest.mark.parametrize(
    "raw",
    [
        "<p>§ 5 – café".encode(),
        codecs.BOM_UTF8 + "<p>§ 5 – café".encode(),
        codecs.BOM_UTF16_LE + "<p>§ 5 – café".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "<p>§ 5 – café".encode("utf-16-be"),
        "<meta charset=windows-1252><p>§ 5 – café".encode("cp1252"),
        '<meta http-equiv="content-type" content="text/html; charset=ISO-8859-1"><p>§ 5 – café'.encode("cp1252"),
        '<?xml version="1.0" encoding="iso-8859-15"?><p>§ 5 € café'.encode("iso8859-15"),
        '<meta charset="utf-16"><p>§ 5 – café'.encode(),
        "<!-- <meta charset=koi8-r> --><p>§ 5 – café".encode(),
    ],
    ids=["utf-8", "mark", "utf-16", "utf-16 big", "meta", "latin means 1252", "xml", "utf-16 means utf-8", "comment"],
)
def test_declared_encodings_are_read(page, raw: bytes) -> None:
    read = page(raw)
    assert read.blocks[0].text.startswith("§ 5 ")
    assert read.blocks[0].text.endswith("café")
    assert read.remarks == ()


def test_a_guess_is_told_with_its_place(page) -> None:
    read = page("<p>one\n<p>the “seat”".encode("cp1252"))
    assert read.blocks[1].text == "the “seat”"
    assert [(one.code, one.where) for one in read.remarks] == [("encoding-guessed", "line 2")]
    assert "byte 0x93 is not UTF-8; read as windows-1252" in read.remarks[0].message


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"%PDF-1.7 <p>x", "seats.html: a PDF under an HTML name"),
        (b"PK\x03\x04<p>x", "a ZIP or Office file under an HTML name"),
        (b"\xff\xd8\xff\xe0<p>x", "a JPEG image under an HTML name"),
        (b"<!-- \n%PDF-1.7 --><p>x", "a PDF header inside: two formats in one file"),
        (b"<p>x</p>PK\x05\x06" + b"x" * 18, "a ZIP archive inside: two formats in one file"),
        (b"MIME-Version: 1.0\nContent-Type: multipart/related\n\n<p>x", r"a web archive \(MHTML\)"),
        (b"<p>one\n\0</p>", r"a NUL byte at offset 7 \(line 2\)"),
        ("<p>one".encode("utf-16-le"), r"a NUL byte at offset 1 .*text in UTF-16 without its mark"),
        (b'<meta charset="utf-8"><p>caf\xe9 au lait', r"not utf-8: byte 0xe9 at offset 28 \(line 1\)"),
        (b"<p>\x81\x8d", "not cp1252: byte 0x81"),
        (b'<meta charset="utf-7"><p>x', 'the encoding "utf-7" is declared'),
        (b'<meta charset="x-made-up"><p>x', 'the encoding "x-made-up" is declared'),
        (b"Seats may be reduced.\n\n5 < 6\n", "no tag in it: plain text under an HTML name"),
        (b'<?xml version="1.0"?><rss><channel>x</channel></rss>', "XML that is no HTML: its root is <rss>"),
        (b"<w:document>x</w:document>", "XML that is no HTML: its root is <w:document>"),
        (b'<!DOCTYPE lolz [<!ENTITY lol "lol">]><p>&lol;', "a DOCTYPE with declarations of its own in line 1"),
        (b'<p>x\n<!ENTITY a SYSTEM "file:///etc/passwd"><p>&a;', "a DOCTYPE with declarations of its own in line 2"),
        (b'<frameset><frame src="a.html"></frameset>', "a set of frames: its text is in other files"),
        (b"<p>one</p>\n<script>var a", "<script> that starts in line 2 is never closed"),
        (b"<p>one</p>\n<!-- two", "a comment that starts in line 2 is never closed"),
        (b"<p>one</p><p title='two>three", "the tag <p> that starts in line 1 is never closed"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value[:30],
)
def test_what_is_no_page_is_refused(page, raw: bytes, found: str) -> None:
    with pytest.raises(SourceError, match=found) as caught:
        page(raw)
    assert str(caught.value).startswith("seats.html: ")


def test_control_characters_part_words(page) -> None:
    assert page(b"<p>30\x0bdays\x1f</p>").blocks[0].text == "30 days"
