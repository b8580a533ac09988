"""Documents, elements and links as plain JSON values and back, exactly."""

from __future__ import annotations

from typing import Any, Final

from ingest.document import DateEvidence, Document, Link, Note, Relation, Section
from ingest.elements import Element, Kind

_KINDS: Final = {kind.value: kind for kind in Kind}


def document_to_json(document: Document) -> list[Any]:
    """Everything of a document."""
    sections = [_section_to_json(section) for section in document.sections]
    notes = [[note.code, note.where, note.message] for note in document.notes]
    dates = [[date.rank, date.day, date.where] for date in document.dates]
    return [document.doc_id, document.title, document.text, document.moved_from, dates, notes, sections]


def document_from_json(data: list[Any]) -> Document:
    """The inverse of `document_to_json`."""
    doc_id, title, body, moved_from, dates, notes, sections = data
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


def elements_to_json(elements: tuple[Element, ...]) -> list[list[Any]]:
    """Elements as short lists, in the order of Element's fields."""
    return [[e.kind.value, e.start, e.end, e.line, e.level, e.ordinal, e.rows, e.header, e.page] for e in elements]


def elements_from_json(data: list[list[Any]]) -> tuple[Element, ...]:
    """The inverse of `elements_to_json`."""
    return tuple(
        # Every query reads thousands of elements, few of which are tables.
        Element(_KINDS[kind], start, end, line, level, ordinal, _spans(rows) if rows else (), _pair(header), page)
        for kind, start, end, line, level, ordinal, rows, header, page in data
    )


def _spans(rows: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in rows)


def _pair(span: list[int] | None) -> tuple[int, int] | None:
    return (span[0], span[1]) if span else None


def links_to_json(links: tuple[Link, ...]) -> list[list[Any]]:
    """Links as short lists, in the order of Link's fields."""
    return [[link.relation.value, link.target, link.start, link.end, link.limiter] for link in links]


def links_from_json(data: list[list[Any]]) -> tuple[Link, ...]:
    """The inverse of `links_to_json`."""
    return tuple(Link(Relation(relation), *rest) for relation, *rest in data)
