"""A document as stored text and back, exactly."""

from __future__ import annotations

import json
from typing import Any

from index.digests import compact
from index.history.records import elements_from_json, elements_to_json, links_from_json, links_to_json
from ingest.document import DateEvidence, Document, Note, Section


def document_to_json(document: Document) -> str:
    """Everything of a document."""
    sections = [_section_to_json(section) for section in document.sections]
    notes = [[note.code, note.where, note.message] for note in document.notes]
    dates = [[date.rank, date.day, date.where] for date in document.dates]
    return compact([document.doc_id, document.title, document.text, document.moved_from, dates, notes, sections])


def document_from_json(text: str) -> Document:
    """The inverse of `document_to_json`."""
    doc_id, title, body, moved_from, dates, notes, sections = json.loads(text)
    return Document(
        doc_id,
        title,
        body,
        tuple(_section_from_json(section) for section in sections),
        tuple(DateEvidence(*date) for date in dates),
        tuple(Note(*note) for note in notes),
        moved_from,
    )


def _section_to_json(section: Section) -> list[Any]:
    return [
        section.number,
        section.title,
        section.path,
        section.titles,
        section.level,
        section.parent,
        section.start,
        section.end,
        section.text,
        elements_to_json(section.elements),
        links_to_json(section.links),
        section.occurrence,
        section.explicit_id,
        section.moved_from,
        section.page,
    ]


def _section_from_json(data: list[Any]) -> Section:
    number, title, path, titles, level, parent, start, end, text, elements, links, *rest = data
    occurrence, explicit_id, moved_from, page = rest
    return Section(
        number,
        title,
        tuple(path),
        tuple(titles),
        level,
        parent,
        start,
        end,
        text,
        elements_from_json(elements),
        links_from_json(links),
        occurrence,
        explicit_id,
        moved_from,
        page,
    )
