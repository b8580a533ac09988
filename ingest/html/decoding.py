"""Bytes to the text of an HTML page, or the reason why they are none.

A byte order mark decides, then `<meta charset>` or the XML declaration, then UTF-8, then windows-1252 with a
remark. What is declared is taken at its word: where the bytes do not fit it, the file is refused.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from ingest.blocks import Remark
from ingest.errors import SourceError
from ingest.formats import disguise
from ingest.html.names import names_in

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
HEAD: Final = 4_096
"""Bytes in which a declaration is looked for; browsers stop at 1,024, and Word's come later."""
_DECLARED: Final = re.compile(
    rb"<\?xml[^>]{0,200}?\sencoding\s*=\s*[\"']([\w.:-]{2,40})|<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})",
    re.IGNORECASE,
)
_COMMENT: Final = re.compile(rb"<!--.*?-->", re.DOTALL)
# The encodings of the WHATWG standard by Python's names; others, such as utf-7, can smuggle markup.
_KNOWN: Final = names_in(
    "utf-8 cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13"
    " iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256"
    " cp1257 cp1258 gbk gb2312 gb18030 big5 euc_jp iso2022_jp shift_jis euc_kr tis-620"
)
# What these labels mean on the web, whatever their standards say.
_MEANT: Final = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "utf-16": "utf-8"}
_PDF: Final = re.compile(rb"%PDF-\d\.\d")
_ZIP_END: Final = b"PK\x05\x06"
_ARCHIVE: Final = re.compile(
    rb"\s*(?:MIME-Version:|From:[ \t]+<?Saved by|Content-Type:[ \t]*multipart/)", re.IGNORECASE
)
_CONTROL: Final = re.compile(r"[\x01-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_LINE_END: Final = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, line ends all "\\n", and what was noticed."""

    text: str
    remarks: tuple[Remark, ...] = ()


def decoded(raw: bytes, where: str) -> Decoded:
    """The text of an HTML file; control characters become blanks.

    Raises:
        SourceError: another format, two formats in one file, binary, or bytes that do not fit what is declared.
    """
    _refuse_others(raw, where)
    bom, encoding = next(((mark, name) for mark, name in _MARKS if raw.startswith(mark)), (b"", None))
    remarks: tuple[Remark, ...] = ()
    if encoding is None:
        _refuse_nul(raw, where)
        encoding = _declared(raw, where)
    if encoding is None:
        encoding, remarks = _guessed(raw)
    text = _text(raw[len(bom) :], encoding, where)
    if (at := text.find("\0")) >= 0:
        raise _binary(at, text.count("\n", 0, at) + 1, where)
    return Decoded(_CONTROL.sub(" ", _LINE_END.sub("\n", text)), remarks)


def _refuse_others(raw: bytes, where: str) -> None:
    if known := disguise(raw):
        raise SourceError(f"{known} under an HTML name", where=where, fix="give it the ending of its format")
    if _ARCHIVE.match(raw):
        raise SourceError("a web archive (MHTML)", where=where, fix='save the page as "HTML only"')
    if _PDF.search(raw, 0, 1_024):
        raise SourceError("a PDF header inside: two formats in one file", where=where, fix="keep one of them")
    if _ZIP_END in raw:
        raise SourceError("a ZIP archive inside: two formats in one file", where=where, fix="keep the page alone")


def _refuse_nul(raw: bytes, where: str) -> None:
    if (at := raw.find(b"\0")) >= 0:
        raise _binary(at, raw.count(b"\n", 0, at) + 1, where)


def _binary(at: int, line: int, where: str) -> SourceError:
    found = f"a NUL byte at offset {at} (line {line}): binary, or text in UTF-16 without its mark"
    return SourceError(found, where=where, allowed="HTML text", fix="save it as UTF-8")


def _declared(raw: bytes, where: str) -> str | None:
    """The Python name of the encoding that the page declares; None where it declares none."""
    match = _DECLARED.search(_COMMENT.sub(b"", raw[:HEAD]))
    if match is None:
        return None
    label = (match[1] or match[2]).decode("ascii")
    try:
        name = codecs.lookup(label).name
    except LookupError:
        name = label.lower()
    name = _MEANT.get(name, name)
    if name not in _KNOWN:
        raise SourceError(f'the encoding "{label}" is declared', where=where, allowed="UTF-8", fix="save it as UTF-8")
    return name


def _guessed(raw: bytes) -> tuple[str, tuple[Remark, ...]]:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = (
            f"no encoding is declared, and byte 0x{raw[error.start]:02x} is not UTF-8; read as windows-1252,"
            " so look at its quotes and accents"
        )
        return "cp1252", (Remark("encoding-guessed", f"line {line}", message),)
    return "utf-8", ()


def _text(raw: bytes, encoding: str, where: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        found = f"not {encoding}: byte 0x{raw[error.start]:02x} at offset {error.start} (line {line})"
        raise SourceError(found, where=where, allowed="what the page declares", fix="save it as UTF-8") from None
