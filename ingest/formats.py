"""Which formats are read, by the ending of the name, and what the first bytes of a file say that it is.

format_of("04-seats.PDF").name == "PDF"
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath
from typing import Final, cast

from ingest.blocks import Reader


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its name in messages, its endings, and where its reader lives."""

    name: str
    suffixes: tuple[str, ...]
    reader: str | None = None
    """"module:function", imported when the first such file is read; None for Markdown, which is read as it stands."""

    def load(self) -> Reader:
        """The reader of this format; not for Markdown."""
        module, _, function = (self.reader or "").partition(":")
        return cast(Reader, getattr(import_module(module), function))


MARKDOWN: Final = Format("Markdown", (".md", ".markdown", ".mdx"))
FORMATS: Final = (
    MARKDOWN,
    Format("HTML", (".html", ".htm", ".xhtml"), "ingest.html.reader:read_html"),
    Format("DOCX", (".docx",), "ingest.docx.reader:read_docx"),
    Format("PDF", (".pdf",), "ingest.pdf.reader:read_pdf"),
)
SUFFIXES: Final = tuple(suffix for one in FORMATS for suffix in one.suffixes)
ALLOWED: Final = ", ".join(f"{one.name} ({', '.join(one.suffixes)})" for one in FORMATS)
"""For messages: "Markdown (.md, .markdown, .mdx), HTML (.html, ...), ..."."""
_ADVICE: Final = {
    "save it as .docx": ".doc .docm .dot .dotm .dotx .fodt .odt .ott .pages .rtf .wpd .wps",
    "save it as .pdf": ".key .odp .ppt .pptm .pptx .pps .ppsx .xps",
    "save it as .pdf, or copy its tables into a .docx": ".numbers .ods .xls .xlsb .xlsm .xlsx",
    "save it as .html": ".epub .mht .mhtml .mobi",
    "save the message as .html or .pdf": ".eml .msg",
    "save it as .md": ".adoc .asciidoc .org .rst .tex .textile .txt",
    "unpack it": ".7z .gz .rar .tar .tgz .zip",
}
_ADVICE_BY_SUFFIX: Final = {suffix: advice for advice, suffixes in _ADVICE.items() for suffix in suffixes.split()}
_BY_SUFFIX: Final = {suffix: one for one in FORMATS for suffix in one.suffixes}
_MAGIC: Final = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP or Office file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\xd0\xcf\x11\xe0": "an old or encrypted Office file",
    b"\x1f\x8b": "a gzip file",
    b"7z\xbc\xaf": "a 7z archive",
    b"{\\rtf": "an RTF file",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
}


def format_of(name: str) -> Format | None:
    """The format that a file's name promises; None where it is none that is read."""
    return _BY_SUFFIX.get(PurePosixPath(name).suffix.lower())


def advice_for(name: str) -> str | None:
    """What to do with a file that may hold policy text in a format that is not read; None for all others."""
    return _ADVICE_BY_SUFFIX.get(PurePosixPath(name).suffix.lower())


def disguise(raw: bytes) -> str | None:
    """What the first bytes say that a file is, in words; None for text and for what nobody knows."""
    return next((name for magic, name in _MAGIC.items() if raw.startswith(magic)), None)
