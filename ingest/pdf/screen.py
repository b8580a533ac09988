"""Files that are refused before any parser sees them: other formats, polyglots, torn ones."""

from __future__ import annotations

import re
import struct
from typing import Final

from ingest.errors import SourceError
from ingest.formats import disguise

HEADER: Final = b"%PDF-"
_NEAR: Final = 1024
"""Bytes in which readers look for the header (ISO 32000-1, annex H)."""
_MARKUP: Final = re.compile(rb"<(?:!doctype\s+html|html|script|svg|body|\?php)\b", re.IGNORECASE)
_OBJECT: Final = re.compile(rb"\d\s+\d+\s+obj\b")
_LINEAR: Final = re.compile(rb"/Linearized\b[^>]{0,200}?/L\s*(\d{1,12})")
_ZIP_END: Final = b"PK\x05\x06"
_ALLOWED: Final = "a PDF and nothing else"
_RENEW: Final = "open it in a PDF viewer and print it to a new PDF"


def refuse_strangers(raw: bytes, where: str) -> None:
    """Look at the frame of a file: its header, its end, and what follows.

    Raises:
        SourceError: no PDF, a second format in the same bytes, or an end that is missing.
    """
    _refuse_no_header(raw, where)
    _refuse_second_format(raw, where)
    _refuse_torn(raw, where)


def _refuse_no_header(raw: bytes, where: str) -> None:
    at = raw.find(HEADER, 0, _NEAR)
    before = raw[: max(at, 0)].strip(b"\xef\xbb\xbf\x00 \t\r\n\x0c")
    if at >= 0 and not before:
        return
    known = disguise(raw) or ("a web page" if _MARKUP.search(raw[:_NEAR]) else None)
    if at >= 0:
        found = f"{known or 'something else'} in the {at} bytes before the PDF header"
        raise SourceError(found, where=where, allowed=_ALLOWED, fix=_RENEW)
    found = f"{known or 'no PDF'} under a PDF name"
    raise SourceError(found, where=where, allowed='a file that starts with "%PDF-"', fix="give it its own ending")


def _refuse_second_format(raw: bytes, where: str) -> None:
    first = _OBJECT.search(raw, 0, 4 * _NEAR)
    head = raw[: first.start()] if first else raw[:_NEAR]
    tail = _tail(raw)
    if _is_zip(raw):
        raise SourceError("a ZIP archive in the same file", where=where, allowed=_ALLOWED, fix=_RENEW)
    for part, place in ((head, "before its first object"), (tail, "after its end")):
        if _MARKUP.search(part):
            raise SourceError(f"a web page or script {place}", where=where, allowed=_ALLOWED, fix=_RENEW)
    if tail and (known := disguise(tail)):
        raise SourceError(f"{known} after its end", where=where, allowed=_ALLOWED, fix=_RENEW)


def _tail(raw: bytes) -> bytes:
    """What stands after the last end mark."""
    end = raw.rfind(b"%%EOF")
    return raw[end + 5 :].strip(b"\x00 \t\r\n\x0c\x1a") if end >= 0 else b""


def _is_zip(raw: bytes) -> bool:
    """Whether an archive ends this file: after the last end mark, or with a comment that reaches the last byte.

    An end record elsewhere belongs to an attachment.
    """
    at = raw.rfind(_ZIP_END, max(0, len(raw) - (1 << 16) - 22))
    if at < 0 or at + 22 > len(raw):
        return False
    (comment,) = struct.unpack_from("<H", raw, at + 20)
    return at > raw.rfind(b"%%EOF") or abs(at + 22 + comment - len(raw)) <= 2


def _refuse_torn(raw: bytes, where: str) -> None:
    found = None
    linear = _LINEAR.search(raw, 0, _NEAR)
    if b"startxref" not in raw:
        found = "no cross-reference table: the end of the file is missing"
    elif linear and int(linear[1]) > len(raw):
        found = f"{len(raw):,} of its {int(linear[1]):,} bytes: the end of the file is missing"
    elif _OBJECT.search(_tail(raw)):
        found = "objects after its last end mark: the end of the file is missing"
    if found:
        raise SourceError(found, where=where, allowed="a whole file", fix="copy or download it again")
