"""What is refused before a word is read, by name and reason."""

import io
import re
import zipfile

import pytest

from ingest.docx.reader import read_docx
from ingest.errors import SourceError
from ingest.settings import IngestSettings
from tests.ingest.docx.conftest import MAIN, PACKAGE, W, docx, p, parts, r, read, relations, said, tbl, zipped

GOOD = docx(p("Fees are due."))
MARK = "<w:p><w:r><w:t>Fees</w:t></w:r></w:p>"


def refused(raw: bytes, **limits: int) -> str:
    with pytest.raises(SourceError, match=r"^a\.docx") as caught:
        read_docx(raw, IngestSettings(**limits), "a.docx")
    return str(caught.value)


def with_part(name: str, content: str | bytes) -> bytes:
    return zipped({**parts(p("Fees are due.")), name: content})


def of_kind(root: str, content_type: str) -> bytes:
    """A package whose main part is of another program."""
    override = f'<Override PartName="/xl/main.xml" ContentType="{content_type}"/>'
    types = f'<Types xmlns="{PACKAGE}/content-types">{override}</Types>'
    main = relations(("r1", "officeDocument", "xl/main.xml"))
    return zipped({"[Content_Types].xml": types, "_rels/.rels": main, "xl/main.xml": root})


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted or an old .doc; .*without a password"),
        (b"%PDF-1.7\n" + bytes(600), "a PDF;"),
        (b"{\\rtf1 words}", "an RTF file;"),
        (b"<html><body>Fees</body></html>", 'not a ZIP file: it starts with "<html><body>Fees</body><"'),
        (GOOD[:-30], "a truncated ZIP file: its end is missing"),
        (GOOD[:400], "a truncated ZIP file: its end is missing"),
        (zipped({"a.txt": "words"}), "a ZIP file without a Word document in it"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "an OpenDocument file"),
        (zipped({}), "an empty ZIP file"),
        (b"%PDF-1.7\nhalf a page\n" + GOOD, "joined with something else: 21 bytes before the first part"),
        (b"<html><script>" + GOOD, "joined with something else"),
        (GOOD + b"<html>", "joined with something else: 6 bytes after its end"),
        (GOOD + GOOD, "joined with something else"),
        (
            of_kind("<workbook/>", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
            "an Excel",
        ),
        (of_kind("<deck/>", "application/vnd.openxmlformats-officedocument.presentationml.main+xml"), "a PowerPoint"),
        (of_kind('<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>', ""), "an Excel"),
        (of_kind("<svg/>", MAIN), "xl/main.xml is no Word document but <svg>"),
    ],
    ids=[
        "ole",
        "pdf",
        "rtf",
        "html",
        "cut",
        "cut early",
        "other zip",
        "odt",
        "empty zip",
        "pdf before",
        "html before",
        "after",
        "two",
        "xlsx",
        "pptx",
        "xlsx by root",
        "other root",
    ],
)
def test_what_is_no_word_file_is_named(raw: bytes, reason: str) -> None:
    assert re.search(reason, refused(raw))


def test_a_pdf_inside_of_the_first_part_is_a_polyglot() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("note.txt", "%PDF-1.4 half a page")
        for name, content in parts(p("Fees")).items():
            archive.writestr(name, content)
    assert "a PDF starts in its first part" in refused(target.getvalue())


def test_a_comment_at_the_end_is_no_polyglot() -> None:
    target = io.BytesIO(GOOD)
    with zipfile.ZipFile(target, "a") as archive:
        archive.comment = b"made by a scanner"
    assert said(read_docx(target.getvalue(), IngestSettings(), "a.docx").blocks) == ["Fees are due."]


def test_the_main_part_is_found_by_its_relation() -> None:
    files = parts(p("Fees are due."))
    files["other/main.xml"] = files.pop("word/document.xml")
    files["_rels/.rels"] = relations(("r1", "officeDocument", "/other/main.xml"))
    assert said(read_docx(zipped(files), IngestSettings(), "a.docx").blocks) == ["Fees are due."]


def test_a_part_that_is_there_twice_is_refused() -> None:
    target = io.BytesIO(GOOD)
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr("WORD/Document.xml", "<other/>")
    assert 'the part "word/document.xml" is there twice' in refused(target.getvalue())


def test_an_encrypted_part_is_refused() -> None:
    raw = bytearray(GOOD)
    raw[GOOD.index(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted" in refused(bytes(raw))


def test_methods_that_inflate_without_a_limit_are_refused() -> None:
    target = io.BytesIO(GOOD)
    with zipfile.ZipFile(target, "a", zipfile.ZIP_LZMA) as archive:
        archive.writestr("word/media/a.bin", bytes(100))
    assert "compressed by method 14" in refused(target.getvalue())


def test_a_damaged_part_is_refused_by_name() -> None:
    raw = bytearray(docx(p("Fees " * 2000)))
    at = raw.index(b"word/document.xml") + 40
    raw[at : at + 8] = bytes(8)
    assert refused(bytes(raw)).startswith("a.docx, word/document.xml: a damaged ZIP file")


def test_claimed_sizes_beyond_the_limit_are_refused_before_anything_is_inflated() -> None:
    found = refused(with_part("word/media/a.bin", bytes(2_000_000)), max_unzipped_bytes=1_000_000)
    assert "allowed: up to 1,000,000 (max_unzipped_bytes)" in found


def test_bytes_are_counted_while_inflating_whatever_the_header_claims() -> None:
    big = docx(p("Fees" + " " * 2_000_000))
    assert "2,0" in refused(big, max_unzipped_bytes=1_000_000)
    assert refused(lying(big)).startswith("a.docx, word/document.xml: a damaged ZIP file")


def lying(raw: bytes) -> bytes:
    """The same file, whose directory claims a small document."""
    changed = bytearray(raw)
    entry = changed.rindex(b"word/document.xml") - 46
    changed[entry + 24 : entry + 28] = (1000).to_bytes(4, "little")
    return bytes(changed)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (f'<!DOCTYPE w:document [<!ENTITY a "b">]><w:document xmlns:w="{W}"/>', "a document type declaration"),
        (f'<w:document xmlns:w="{W}"><w:body>\n<w:p></w:body></w:document>', r"line 2: XML that is not well formed"),
        (f'<w:document xmlns:w="{W}"><w:body>&nbsp;</w:body></w:document>', "Entity 'nbsp' not defined"),
        ("", "line 1: XML that is not well formed"),
        (f'<w:document xmlns:w="{W}"/>', "a Word document without a body"),
    ],
    ids=["dtd", "cut", "entity", "empty", "no body"],
)
def test_bad_xml_names_its_part_and_line(document: str, reason: str) -> None:
    assert re.search(reason, refused(with_part("word/document.xml", document)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_dtd_is_found_in_any_encoding_and_part(encoding: str) -> None:
    styles = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'.encode(encoding)
    files: dict[str, str | bytes] = {**parts(p("Fees"), styles=""), "word/styles.xml": styles}
    assert "a.docx, word/styles.xml: a document type declaration" in refused(zipped(files))


@pytest.mark.parametrize(
    ("body", "limits", "reason"),
    [
        (p("Fees") * 11, {"max_elements": 10}, "11 paragraphs and rows; allowed: up to 10"),
        (tbl(*[["Fees"]] * 6), {"max_elements": 10}, "12 paragraphs and rows; allowed: up to 10"),
        ("<w:p>" + "<w:r/>" * 500 + "</w:p>", {"max_elements": 10}, "tags and attributes; allowed: up to 400"),
        ("<w:tbl><w:tr><w:tc>" * 20 + "</w:tc></w:tr></w:tbl>" * 20, {"max_nesting": 50}, "deeper than 50 levels"),
        ("<w:tbl><w:tr><w:tc>" * 999 + "</w:tc></w:tr></w:tbl>" * 999, {}, "deeper than 200 levels"),
    ],
    ids=["paragraphs", "rows", "tags", "nesting", "deep nesting"],
)
def test_limits(body: str, limits: dict[str, int], reason: str) -> None:
    assert reason in refused(docx(body), **limits)


def test_macros_are_ignored_and_said() -> None:
    parsed = read_docx(with_part("word/vbaProject.bin", b"code"), IngestSettings(), "a.docx")
    assert [(one.code, one.message) for one in parsed.remarks] == [("macros", "macros ignored: they are never run")]


def test_strict_names_are_read_like_others() -> None:
    old, new = "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"
    strict = {f"{old}{area}/2006/": f"{new}{area}/" for area in ("wordprocessingml", "officeDocument")}
    files = parts(p(r("4.2 Fees", "<w:b/>"), props='<w:outlineLvl w:val="1"/>') + p("Words."), styles="")
    for name, content in files.items():
        for transitional, other in strict.items():
            content = content.replace(transitional, other)
        files[name] = content
    assert said(read_docx(zipped(files), IngestSettings(), "a.docx").blocks) == ["## 4.2 Fees", "Words."]


def test_a_part_that_is_named_but_missing_is_noted() -> None:
    files = parts(p("Fees"), numbering="")
    del files["word/numbering.xml"]
    (remark,) = read_docx(zipped(files), IngestSettings(), "a.docx").remarks
    assert (remark.code, remark.message.split(" (")[0]) == ("missing-part", "word/numbering.xml")


def test_the_title_is_that_of_the_properties() -> None:
    core = '<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> Seat\n policy </dc:title></c>'
    main = relations(("r1", "officeDocument", "word/document.xml"), ("r2", "core-properties", "docProps/core.xml"))
    files = {**parts(p("Fees")), "docProps/core.xml": core, "_rels/.rels": main}
    assert read_docx(zipped(files), IngestSettings(), "a.docx").title == "Seat policy"
    assert read(p("Fees")).title is None
