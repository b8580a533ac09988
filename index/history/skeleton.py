"""A document without its texts: what sections are recognised and compared by.

An index run looks at the skeleton of every document of every edition and at the texts of none but the
new ones, so a skeleton holds digests where the document holds text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from index.digests import compact, digest, text_digest
from index.history.records import Content, Version
from ingest.document import Document, Section, address_path
from ingest.elements import Element, Kind
from ingest.stored import elements_to_json, links_to_json

TELLING_WORDS: Final = 8
"""A body with fewer words ("Reserved.", "See above.") says too little to recognise a section by."""


class Traits(NamedTuple):
    """What one section is recognised by."""

    content: str
    """Digest of its content."""
    body: str
    """Digest of its text without the heading, white space normalised."""
    telling: bool
    """Whether the body says enough to recognise the section by."""
    number: str | None
    title: str
    titles: tuple[str, ...]
    occurrence: int
    parent: int | None
    """Index of the parent in the document."""
    explicit_id: str | None
    moved_from: str | None

    @property
    def address_path(self) -> str:
        """The part of the address after `#`."""
        return address_path(self.titles, self.occurrence)


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A document's sections as traits, in document order, the preamble first."""

    digest: str
    doc_id: str
    title: str
    moved_from: str | None
    sections: tuple[Traits, ...]

    def to_json(self) -> str:
        """Its stored form, without the digest."""
        return compact([self.doc_id, self.title, self.moved_from, self.sections])

    @staticmethod
    def from_json(digest: str, text: str) -> Skeleton:
        """The inverse of `to_json`."""
        doc_id, title, moved_from, sections = json.loads(text)
        return Skeleton(digest, doc_id, title, moved_from, tuple(_traits(fields) for fields in sections))


def _traits(fields: list[Any]) -> Traits:
    fields[5] = tuple(fields[5])
    return Traits._make(fields)


def skeleton_of(document: Document) -> Skeleton:
    """The skeleton of a document as read."""
    contents = contents_of(document)
    sections = tuple(_recognise(s, c.digest) for s, c in zip(document.sections, contents, strict=True))
    unnamed = Skeleton("", document.doc_id, document.title, document.moved_from, sections)
    return replace(unnamed, digest=text_digest(unnamed.to_json()))


def _recognise(section: Section, content: str) -> Traits:
    body = body_words(section.text, section.elements)
    return Traits(
        content,
        text_digest(" ".join(body)),
        len(body) >= TELLING_WORDS,
        section.number,
        section.title,
        section.titles,
        section.occurrence,
        section.parent,
        section.explicit_id,
        section.moved_from,
    )


def traits_of(version: Version) -> Traits:
    """What a stored version is compared by; its place in the document and the human's hints are not known."""
    body = body_words(version.text, version.elements)
    return Traits(
        version.content,
        text_digest(" ".join(body)),
        len(body) >= TELLING_WORDS,
        version.number,
        version.title,
        version.titles,
        version.occurrence,
        None,
        None,
        None,
    )


def body_words(text: str, elements: Sequence[Element]) -> list[str]:
    """The words of a section's text after its heading."""
    heading = next((element.end for element in elements[:1] if element.kind is Kind.HEADING), 0)
    return text[heading:].split()


def contents_of(document: Document) -> tuple[Content, ...]:
    """The contents of a document's sections, in document order."""
    return tuple(_content(section) for section in document.sections)


def _content(section: Section) -> Content:
    unnamed = Content(
        "",
        section.number,
        section.title,
        section.path,
        section.titles,
        section.level,
        section.occurrence,
        section.text,
        tuple(_from_own_line(section)),
        section.links,
        section.page,
    )
    return replace(unnamed, digest=content_digest(unnamed))


def _from_own_line(section: Section) -> Iterator[Element]:
    # Lines of the file would make every version below an inserted line a new one.
    line, seen = 1, 0
    for element in section.elements:
        line += section.text.count("\n", seen, element.start)
        seen = element.start
        yield replace(element, line=line)


def content_digest(content: Content) -> str:
    """What the digest of a content covers: everything but itself."""
    return digest(
        [
            content.number,
            content.title,
            content.path,
            content.titles,
            content.level,
            content.occurrence,
            content.text,
            elements_to_json(content.elements),
            links_to_json(content.links),
            content.page,
        ]
    )
