"""One file to one document: bytes, front matter, elements, sections, dates and what was noticed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from ingest.dates import effective_line
from ingest.document import DateEvidence, Document, Note
from ingest.elements import Element, Kind
from ingest.errors import DateError, SourceError
from ingest.handbook.frontmatter import Declared, declared, read_sidecar, split_front_matter
from ingest.handbook.sources import SIDECAR, Edition, SourceFile
from ingest.handbook.walk import read_bytes
from ingest.loss import lost_lines
from ingest.markdown.reader import read_markdown
from ingest.numbering import split_heading
from ingest.screen import language_note
from ingest.sections import build_document

LONGEST_LINE: Final = 1_000_000
"""Characters; a longer line is machine output, and would be one paragraph of thousands of pages."""

_FORMATS: Final = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP or Office file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"\x1f\x8b": "a gzip file",
}
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_LINE_END = re.compile(r"\r\n?")
_HEADING_MARKS = re.compile(r"^[ \t]*#+[ \t]*|[ \t]+#+[ \t]*$|\n[ \t]*[=-]+[ \t]*$|[*_`]|\{#[^{}]*\}")


def read_document(file: SourceFile, edition: Edition) -> Document:
    """Read one file of an edition.

    Raises:
        SourceError: empty, not UTF-8, binary, a line of more than a million characters, faulty front
            matter or sidecar, or changed since it was found.
        DateError: a date that cannot be read or contradicts another one.
    """
    where = edition.where(file.relative)
    raw = read_bytes(file.path, where)
    sidecar = _sidecar(file, raw, where)
    text = _LINE_END.sub("\n", _decoded(raw, where).removeprefix("\ufeff"))
    keys, body, first_line = split_front_matter(text, where=where)
    _refuse_shapeless(body, first_line, where)
    below, above = declared(keys, where=where), declared(sidecar, where=where + SIDECAR)
    elements = read_markdown(body, first_line=first_line)
    read = _built(file, body, elements, below, above)
    # Without front matter a first line of --- is a rule; the space keeps it from being taken for its start.
    noticed = [*read.notes, *lost_lines(read, text if first_line > 1 else f" {text}")]
    dates, undated = _dates(body, first_line, (above, below), edition, where)
    notes = [
        *(_placed(note, read.doc_id, where) for note in noticed),
        *below.notes,
        *_differing(above, below, where),
        *undated,
        *language_note(body, where=where),
    ]
    return replace(read, dates=dates, notes=tuple(notes))


def _sidecar(file: SourceFile, raw: bytes, where: str) -> dict[str, object]:
    path = Path(f"{file.path}{SIDECAR}")
    source = read_bytes(path, where + SIDECAR) if path.exists() else None
    digest = sha256(raw)
    if source is not None:
        digest.update(b"\0" + source)
    if digest.hexdigest() != file.digest:
        raise SourceError("changed while it was read", where=where, fix="run again")
    return read_sidecar(source, where=where + SIDECAR) if source is not None else {}


def _decoded(raw: bytes, where: str) -> str:
    if not raw.strip():
        raise SourceError("the file is empty", where=where, fix="remove it, or write its text")
    known = next((name for magic, name in _FORMATS.items() if raw.startswith(magic)), None)
    if known:
        raise SourceError(f"{known} under a Markdown name", where=where, allowed="text in UTF-8")
    if raw.startswith(_UTF16):
        raise SourceError("text in UTF-16", where=where, allowed="UTF-8", fix="save it as UTF-8")
    if (at := raw.find(b"\0")) >= 0:
        found = f"a NUL byte at offset {at} (line {_line(raw, at)}): binary, or text in UTF-16"
        raise SourceError(found, where=where, allowed="text in UTF-8")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} (line {_line(raw, error.start)})"
        raise SourceError(found, where=where, allowed="text in UTF-8", fix="save it as UTF-8") from None


def _line(raw: bytes, at: int) -> int:
    return raw.count(b"\n", 0, at) + 1


def _refuse_shapeless(body: str, first_line: int, where: str) -> None:
    if not body.strip():
        raise SourceError("no text after the front matter", where=where, fix="remove the file, or write its text")
    longest = max(len(line) for line in body.split("\n"))
    if longest > LONGEST_LINE:
        number = next(n for n, line in enumerate(body.split("\n"), start=first_line) if len(line) == longest)
        found = f"a line of {longest:,} characters"
        raise SourceError(
            found, where=f"{where}:{number}", allowed=f"up to {LONGEST_LINE:,}", fix="break it into lines"
        )


def _built(file: SourceFile, body: str, elements: list[Element], below: Declared, above: Declared) -> Document:
    doc_id = above.doc_id or below.doc_id or file.relative
    title = above.title or below.title or _first_heading(body, elements) or Path(file.relative).stem
    read = build_document(doc_id, title, body, elements, moved=below.moved_sections)
    return replace(read, moved_from=below.moved_from)


def _first_heading(body: str, elements: list[Element]) -> str | None:
    """The heading that a document without a declared title opens with, if it has no equal further down."""
    headings = [element for element in elements if element.kind is Kind.HEADING]
    if not headings or any(other.level <= headings[0].level for other in headings[1:]):
        return None
    return split_heading(_HEADING_MARKS.sub("", body[headings[0].start : headings[0].end]).strip())[1] or None


def _placed(note: Note, doc_id: str, where: str) -> Note:
    """The same note with the file's path in its edition in place of the document's id."""
    return replace(note, where=where + note.where.removeprefix(doc_id)) if note.where.startswith(doc_id) else note


def _differing(above: Declared, below: Declared, where: str) -> Iterator[Note]:
    for name, upper, lower in (("id", above.doc_id, below.doc_id), ("title", above.title, below.title)):
        if upper and lower and upper != lower:
            yield Note(
                f"{name}-differs", where, f'{name} "{lower}" in the front matter gives way to "{upper}" in the sidecar'
            )


def _dates(
    body: str, first_line: int, declarations: tuple[Declared, Declared], edition: Edition, where: str
) -> tuple[tuple[DateEvidence, ...], list[Note]]:
    ranks: tuple[Literal["sidecar", "front-matter"], ...] = ("sidecar", "front-matter")
    places = (where + SIDECAR, where)
    dates = [
        DateEvidence(rank, declaration.effective, place)
        for rank, declaration, place in zip(ranks, declarations, places, strict=True)
        if declaration.effective is not None
    ]
    try:
        stated = effective_line(body, first_line=first_line, where=where)
    except DateError as error:
        if not dates and edition.effective is None:
            raise
        # Another date decides, so this one is only worth a note.
        return tuple(dates), [Note("date-unreadable", error.where or where, str(error))]
    dates += [DateEvidence("text", day, f"{where}:{line}") for day, line in stated]
    return tuple(dates), []
