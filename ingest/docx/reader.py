"""DOCX files to blocks.

Everything comes from the XML parts themselves, since the libraries that read Word files drop tracked insertions and
content controls and keep hidden text. Nothing is run, resolved or fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from ingest.blocks import Block, Dropped, Parsed, SourceLine
from ingest.docx.accepted import accept
from ingest.docx.colours import WHITE, resolve_theme, theme_colours
from ingest.docx.drafts import joined_lines
from ingest.docx.faces import Around
from ingest.docx.fields import linked_places, mark_fields
from ingest.docx.lines import source_lines
from ingest.docx.listing import blocks
from ingest.docx.names import ALT_CHUNK, BODY, ENDNOTE_MARK, FOOTNOTE_MARK, TR, Node, P, W
from ingest.docx.notes import Notes
from ingest.docx.numbering import Numbering
from ingest.docx.package import Package, target_of
from ingest.docx.parts import Parts
from ingest.docx.report import DELETED, Report
from ingest.docx.runs import RunReader
from ingest.docx.story import File, Story
from ingest.docx.styles import Styles
from ingest.elements import Kind
from ingest.errors import SourceError
from ingest.settings import IngestSettings

_NOTES: Final = (("footnotes", FOOTNOTE_MARK), ("endnotes", ENDNOTE_MARK))
_LEFT_OUT: Final = (("header", "header"), ("footer", "footer"), ("comments", "comment"))
"""Kinds of parts that are no text of the document, and the reason."""
_TITLE: Final = ".//{http://purl.org/dc/elements/1.1/}title"


def read_docx(raw: bytes, settings: IngestSettings, where: str) -> Parsed:
    """The blocks of a Word file, all changes accepted; all its words; what was left out.

    It computes no fields, draws no charts and does not know on which page anything stands.

    Raises:
        SourceError: no Word file, or one that is encrypted, truncated, damaged, joined with another file, has a DTD,
            or is beyond a limit of `settings`.
    """
    package = Package(raw, settings, where)
    report = Report()
    parts = Parts(package, report)
    _refuse_size(parts, settings, where)
    # All words are listed before anything is changed.
    source = [*_text_lines(parts), *_left_out(parts, report), *_unread(parts)]
    for root in (package.document, *(root for kind, _ in _NOTES for root in parts.roots(kind))):
        accept(root, report)
        mark_fields(root)
    file = _file(parts, report)
    found = _blocks(file, parts, where)
    _remark(file)
    dropped = _in_order(report, source)
    return Parsed(tuple(found), tuple(source), dropped, report.remarks, _title(package))


def _refuse_size(parts: Parts, settings: IngestSettings, where: str) -> None:
    roots = chain([parts.package.document], *(parts.roots(kind) for kind, _ in (*_NOTES, *_LEFT_OUT)))
    count = sum(1 for root in roots for _ in root.iter(P, TR))
    if count > settings.max_elements:
        found = f"{count:,} paragraphs and rows"
        allowed = f"up to {settings.max_elements:,} (max_elements)"
        raise SourceError(found, where=where, allowed=allowed, fix="split it, or raise the limit")


# Words


def _in_order(report: Report, source: list[SourceLine]) -> tuple[Dropped, ...]:
    """What was dropped in the order of the file, in which loss looks for it, not in that of the steps."""
    place = {line.where: number for number, line in enumerate(reversed(source))}
    return tuple(sorted(report.dropped, key=lambda one: -place.get(one.where, 0)))


def _text_lines(parts: Parts) -> Iterator[SourceLine]:
    yield from source_lines(parts.package.document)
    for kind, _ in _NOTES:
        for root in parts.roots(kind):
            yield from source_lines(root)
    for number, root in enumerate(parts.roots("diagramData"), 1):
        yield from source_lines(root, f"diagram {number}")


def _left_out(parts: Parts, report: Report) -> Iterator[SourceLine]:
    """The lines of headers, footers and comments, which are dropped."""
    for kind, reason in _LEFT_OUT:
        for number, root in enumerate(parts.roots(kind), 1):
            for line in source_lines(root, f"{reason} {number}"):
                report.drop(reason, line.where, line.text)
                yield line


def _unread(parts: Parts) -> Iterator[SourceLine]:
    """A line that is certain to be lost for each file that is embedded as text."""
    for number, chunk in enumerate(parts.package.document.iter(ALT_CHUNK), 1):
        yield SourceLine(f"embedded part {number}", f"embedded file {target_of(parts.relations, chunk)}")


# Blocks


def _file(parts: Parts, report: Report) -> File:
    theme = theme_colours(parts.root("theme"))
    noted = [root for kind, _ in _NOTES for root in parts.roots(kind)]
    for root in (parts.package.document, *noted, *parts.roots("styles")):
        resolve_theme(root, theme)
    styles = Styles(parts.root("styles"))
    numbering = Numbering(parts.root("numbering"), styles.list_of)
    linked = linked_places(parts.package.document)
    return File(parts.package, parts.relations, styles, numbering, report, linked, theme)


def _blocks(file: File, parts: Parts, where: str) -> list[Block]:
    body = parts.package.document.find(BODY)
    if body is None:
        raise SourceError("a Word document without a body", where=where, fix="save it in Word again")
    roots = {mark: root for kind, mark in _NOTES for root in parts.roots(kind)}
    notes = Notes(roots, parts.root("settings"), parts.package.document)
    story = Story(file, RunReader(file.styles, notes, file.relations, file.report))
    found = blocks(story.drafts(body, Around(_page_colour(parts.package.document))), file.report)
    relations = {mark: parts.relations_of(kind) for kind, mark in _NOTES}
    for label, mark, note in notes.labelled(file.report.deleted_notes):
        own = replace(file, relations=relations[mark])
        story = Story(own, RunReader(file.styles, notes, own.relations, file.report))
        drafts = story.drafts(note)
        made = (f"[^{label}]", *(words for one in drafts for words in one.made))
        found.append(Block(Kind.FOOTNOTE, joined_lines(drafts), label=label, made=made))
    for note in notes.deleted(file.report.deleted_notes):
        file.report.drop_all(DELETED, note)
    return found


def _page_colour(document: Node) -> str:
    background = document.find(W + "background")
    color = background.get(W + "color", "auto") if background is not None else "auto"
    return WHITE if color == "auto" else color


def _remark(file: File) -> None:
    for form in sorted(file.numbering.unknown_forms):
        file.report.remark("number-format", "", f'numbers of the format "{form}" are read as 1, 2, 3')
    if file.package.has_macros:
        file.report.remark("macros", "", "macros ignored: they are never run")


def _title(package: Package) -> str | None:
    names = [one.target for one in package.relations("").values() if one.kind == "core-properties"]
    roots = [root for name in names if (root := package.find_xml(name)) is not None]
    title = roots[0].findtext(_TITLE) if roots else None
    return " ".join((title or "").split()) or None
