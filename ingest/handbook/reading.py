"""Bytes to a document: front matter, elements, sections, dates, and what was lost or noticed.

A pure function of its request, so that it can run in a process of its own; it opens no file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Final, Literal

from ingest.blocks import Parsed, Remark
from ingest.dates import effective_line
from ingest.document import DateEvidence, Document, Note
from ingest.elements import Element, Kind
from ingest.errors import DateError, SourceError
from ingest.formats import MARKDOWN, Format, disguise, format_of
from ingest.handbook.frontmatter import Declared, declared, read_sidecar, split_front_matter
from ingest.handbook.sources import SIDECAR
from ingest.loss import Loss, kept_texts, lost_notes, markdown_lines, measure
from ingest.markdown.reader import read_markdown
from ingest.numbering import split_heading
from ingest.places import at, located
from ingest.screen import language_note
from ingest.sections import build_document
from ingest.settings import IngestSettings
from ingest.writing import write

LONGEST_LINE: Final = 1_000_000
"""Characters; a longer line is machine output, and would be one paragraph of thousands of pages."""
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_LINE_END = re.compile(r"\r\n?")
_HEADING_MARKS = re.compile(r"^[ \t]*#+[ \t]*|[ \t]+#+[ \t]*$|\n[ \t]*[=-]+[ \t]*$|[*_`]|\{#[^{}]*\}")


@dataclass(frozen=True, slots=True)
class FileRequest:
    """One file to be read."""

    relative: str
    """Path below its edition; names the format, and the document where nothing else does."""
    where: str
    """What messages call the file."""
    raw: bytes
    sidecar: bytes | None = None
    dated: bool = False
    """Whether the edition has a date of its own, so that an unreadable one in the text only deserves a note."""
    settings: IngestSettings = field(default_factory=IngestSettings)


@dataclass(frozen=True, slots=True)
class FileReading:
    """What a file gave."""

    document: Document
    loss: Loss
    format: str
    pages: int | None = None


@dataclass(frozen=True, slots=True)
class _Text:
    """A file as Markdown text with elements, before sections."""

    body: str
    elements: list[Element]
    keys: dict[str, object]
    first_line: int
    """Of the file (Markdown) or of the text (else): that of the body's first line."""
    parsed: Parsed | None = None
    raw: str = ""


def read_file(request: FileRequest) -> FileReading:
    """Read one file.

    Raises:
        SourceError: not what its name says, empty, damaged, encrypted, beyond a limit, or with faulty front
            matter or sidecar.
        DateError: a date that cannot be read or contradicts another one.
    """
    where = request.where
    form = format_of(request.relative) or MARKDOWN
    sidecar = read_sidecar(request.sidecar, where=where + SIDECAR) if request.sidecar is not None else {}
    text = _markdown(request) if form is MARKDOWN else _rendered(request, form)
    below, above = declared(text.keys, where=where), declared(sidecar, where=where + SIDECAR)
    read = _built(request.relative, text, below, above)
    loss = _loss(text, read)
    dates, undated = _dates(text, (above, below), request)
    notes = [
        *(_placed(note, read.doc_id, where) for note in read.notes),
        *lost_notes(loss, where),
        *(Note(one.code, located(where, one.where), one.message) for one in _remarks(text)),
        *below.notes,
        *above.notes,
        *_differing(above, below, where),
        *undated,
        *language_note(text.body, where=where),
    ]
    pages = text.parsed.pages if text.parsed else None
    return FileReading(replace(read, dates=dates, notes=tuple(notes)), loss, form.name, pages)


# Markdown


def _markdown(request: FileRequest) -> _Text:
    where = request.where
    text = _LINE_END.sub("\n", _decoded(request.raw, where).removeprefix("\ufeff"))
    keys, body, first_line = split_front_matter(text, where=where)
    _refuse_shapeless(body, first_line, where)
    # Without front matter a first line of --- is a rule; the space keeps it from being taken for its start.
    raw = text if first_line > 1 else f" {text}"
    return _Text(body, read_markdown(body, first_line=first_line), keys, first_line, raw=raw)


def _decoded(raw: bytes, where: str) -> str:
    if not raw.strip():
        raise SourceError("the file is empty", where=where, fix="remove it, or write its text")
    if known := disguise(raw):
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


# Other formats


def _rendered(request: FileRequest, form: Format) -> _Text:
    if not request.raw.strip():
        raise SourceError("the file is empty", where=request.where, fix="remove it, or write its text")
    parsed = form.load()(request.raw, request.settings, request.where)
    body, elements = write(parsed.blocks)
    if not body.strip():
        raise SourceError(f"no text in this {form.name}", where=request.where, fix="remove the file, or write its text")
    return _Text(body, elements, {}, 1, parsed)


def _remarks(text: _Text) -> tuple[Remark, ...]:
    return text.parsed.remarks if text.parsed else ()


def _loss(text: _Text, read: Document) -> Loss:
    if text.parsed is None:
        return measure(markdown_lines(text.raw), kept_texts(read, rendered=False))
    return measure(text.parsed.source, kept_texts(read, rendered=True), text.parsed.dropped)


# All


def _built(relative: str, text: _Text, below: Declared, above: Declared) -> Document:
    doc_id = above.doc_id or below.doc_id or relative
    title = above.title or below.title or _first_heading(text.body, text.elements)
    title = title or (text.parsed.title if text.parsed else None) or PurePosixPath(relative).stem
    moved = {**below.moved_sections, **above.moved_sections}
    read = build_document(doc_id, title, text.body, text.elements, moved=moved)
    return replace(read, moved_from=above.moved_from or below.moved_from)


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


def _line_at(text: _Text, where: str, line: int) -> str:
    above = bisect_right(text.elements, line, key=lambda element: element.line)
    return at(where, line, text.elements[above - 1] if above else None)


def _dates(
    text: _Text, declarations: tuple[Declared, Declared], request: FileRequest
) -> tuple[tuple[DateEvidence, ...], list[Note]]:
    ranks: tuple[Literal["sidecar", "front-matter"], ...] = ("sidecar", "front-matter")
    places = (request.where + SIDECAR, request.where)
    place = partial(_line_at, text, request.where)
    dates = [
        DateEvidence(rank, declaration.effective, place)
        for rank, declaration, place in zip(ranks, declarations, places, strict=True)
        if declaration.effective is not None
    ]
    try:
        stated = effective_line(text.body, first_line=text.first_line, where=place)
    except DateError as error:
        if not dates and not request.dated:
            raise
        # Another date decides, so this one is only worth a note.
        return tuple(dates), [Note("date-unreadable", error.where or request.where, str(error))]
    dates += [DateEvidence("text", day, place(line)) for day, line in stated]
    return tuple(dates), []
