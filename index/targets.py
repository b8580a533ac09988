"""What a reference names among the sections in force, looked up in its own document first, then in all.

    9.1(b)       Section 9.1(b), else 9.1 which holds the item     #late-fees, 05-refunds.md#4.2
    Schedule C   the heading of that name                          05-refunds.md   its first section
    Table 4.2    the section with that table                       Late fees, Refunds > Late fees
    D.4, B(5)    4 below D, 5 below B                              /policies/refunds, as a website calls the file

An agreement that counts its own sections (1, 2, 3, ...) means its own by a number; a chapter (9, 9.1, 9.2)
may mean another's. One match resolves a reference, none leaves it dangling, several make it ambiguous:
nothing is guessed.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final, Protocol, TypeVar
from urllib.parse import unquote

from index.history.records import Version
from ingest.elements import Kind
from ingest.formats import SUFFIXES
from ingest.numbering import explicit_id, split_heading

_LAST_ITEM = re.compile(r"\s*\([^()]*\)$")
_WORD = re.compile(r"^(?:sections?|articles?|clauses?|paragraphs?|chapters?|parts?|§+)\s*(?=[\w§])", re.IGNORECASE)
_NAMED = re.compile(r"^\W*(appendix|schedule|exhibit|annex|attachment|table)\s+([\w.()-]*[\w)])", re.IGNORECASE)
_ENDINGS = "|".join(map(re.escape, SUFFIXES))
_FILE_END = re.compile(rf"(?:{_ENDINGS})$", re.IGNORECASE)
_FILE = re.compile(rf"[^#\s](?:{_ENDINGS})$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:[0-9]{1,4}|[IVXLC]{1,7}|[A-Z])(?:[.(][\w.()]*)?")
_NOT_SLUG = re.compile(r"[^\w\- ]")
_PLACE: Final = "p:"
_NUMBER: Final = "n:"
_CHAIN: Final = "c:"
_TITLE: Final = "t:"
_SLUG: Final = "s:"
_ABOVE: Final = "a:"
"""Goes before a number that another number of the document goes on from with a dot."""
_FIRST_OF: Final = "f:"
"""Goes before the page of a document: its first section is meant."""
Section = TypeVar("Section", covariant=True)


class Named(Protocol[Section]):
    """The sections in force on one day, by everything a reference can call them (`names_of`)."""

    @property
    def documents(self) -> Collection[str]:
        """Documents with a section in force, sorted."""
        ...

    def called(self, name: str, doc_id: str | None = None) -> tuple[Section, ...]:
        """The sections of that name, in one document or in all."""
        ...

    def first(self, doc_id: str) -> tuple[Section, ...]:
        """A document's first section with a heading, or else its preamble; () for none."""
        ...

    def counts_alone(self, doc_id: str) -> bool:
        """Whether a document counts its own sections (1, 2, 3, ...), as an agreement does."""
        ...


def resolve(named: Named[Section], target: str, doc_id: str) -> tuple[Section, ...]:
    """All sections that `target`, written in `doc_id`, can mean: one is the answer."""
    file, mark, fragment = target.strip().partition("#")
    if mark or _is_file(file):
        return _in_file(named, unquote(file), unquote(fragment), doc_id)
    if found := _first_found(named, _alternatives(target), doc_id) or _holder(named, target, doc_id):
        return found
    if _NUMBERED.fullmatch(_bare(target)) and named.counts_alone(doc_id):
        return ()
    return _first_found(named, _alternatives(target))


def names_meant(target: str, doc_id: str) -> set[str]:
    """Names of which `resolve` looks at no others: a section without any of them is never what `target` means."""
    file, mark, fragment = target.strip().partition("#")
    if mark or _is_file(file):
        return set(_alternatives(unquote(fragment))) if fragment else set(_pages_meant(unquote(file), doc_id))
    above = _number_above(target)
    return {*_alternatives(target), *([_NUMBER + above, _CHAIN + above] if above is not None else [])}


def first_name(doc_id: str) -> str:
    """What the first section of a document is called beside `names_of`."""
    return _FIRST_OF + _page(doc_id)


class Targets:
    """The sections of given versions, named in memory; their texts are not kept."""

    def __init__(self, versions: Iterable[Version]):
        self._documents: dict[str, dict[str, list[Version]]] = defaultdict(lambda: defaultdict(list))
        self._all: dict[str, list[Version]] = defaultdict(list)
        self._first: dict[str, Version] = {}
        self._counts: dict[str, set[str]] = defaultdict(set)
        for version in versions:
            self._add(version)

    def _add(self, version: Version) -> None:
        named = replace(version, text="", elements=(), links=())
        first = self._first.setdefault(version.doc_id, named)
        if version.level and not first.level:
            self._first[version.doc_id] = named
        if version.number:
            self._counts[version.doc_id].add(first_count(version.number))
        own = self._documents[version.doc_id]
        for name in names_of(version):
            own[name].append(named)
            self._all[name].append(named)

    @property
    def documents(self) -> Collection[str]:
        """Documents with a section."""
        return self._documents

    def called(self, name: str, doc_id: str | None = None) -> tuple[Version, ...]:
        """The sections of that name, in one document or in all."""
        names = self._all if doc_id is None else self._documents.get(doc_id, {})
        return tuple(names.get(name, ()))

    def first(self, doc_id: str) -> tuple[Version, ...]:
        """A document's first section with a heading, or else its preamble; () for none."""
        return (self._first[doc_id],) if doc_id in self._first else ()

    def counts_alone(self, doc_id: str) -> bool:
        """Whether a document counts its own sections."""
        return len(self._counts.get(doc_id, ())) > 1

    def resolve(self, target: str, doc_id: str) -> tuple[Version, ...]:
        """All sections that `target`, written in `doc_id`, can mean: one is the answer."""
        return resolve(self, target, doc_id)


def _is_file(file: str) -> bool:
    return bool(_FILE.search(file)) or file.startswith("/")


def _in_file(named: Named[Section], file: str, fragment: str, doc_id: str) -> tuple[Section, ...]:
    document = _document(named.documents, file, doc_id)
    if document is None:
        return ()
    return _first_found(named, _alternatives(fragment), document) if fragment else named.first(document)


def _document(documents: Collection[str], file: str, doc_id: str) -> str | None:
    """The document that a link in `doc_id` calls `file`: beside it, from the root, or the one of that name."""
    if not file:
        return doc_id if doc_id in documents else None
    for candidate in _paths_meant(file, doc_id):
        if candidate in documents:
            return candidate
    same = [known for known in documents if posixpath.basename(known) == posixpath.basename(file)]
    same = same or [known for known in documents if _page(known) == _page(file.rstrip("/"))]
    return same[0] if len(same) == 1 else None


def _paths_meant(file: str, doc_id: str) -> tuple[str, str]:
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(doc_id), file))
    return beside, posixpath.normpath(file).lstrip("/")


def _pages_meant(file: str, doc_id: str) -> Iterator[str]:
    """Names of the first sections of all documents that `_document` may find."""
    yield from map(first_name, (*_paths_meant(file, doc_id), file, file.rstrip("/")) if file else (doc_id,))


def _page(file: str) -> str:
    """How websites call the page of a file: without its folder and ending."""
    return _FILE_END.sub("", posixpath.basename(file))


def slug(heading: str) -> str:
    """The anchor that Markdown renderers give a heading: "4.2 Late fees" is 42-late-fees."""
    return _NOT_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


def names_of(version: Version) -> frozenset[str]:
    """Everything that a reference can call a section, but for `first_name`."""
    return frozenset(_names(version))


def first_count(number: str) -> str:
    """The part of a section's number that its document counts by: 4 of "4.2(b)"."""
    return re.split(r"[.(]", _plain_number(number))[0]


def _names(version: Version) -> Iterator[str]:
    if version.number:
        number = _plain_number(version.number)
        yield _NUMBER + number
        yield _CHAIN + _chain(version.path)
        yield from (_ABOVE + number[:dot] for dot, sign in enumerate(number) if sign == ".")
    if not version.level:
        return
    heading = version.path[-1]
    yield _TITLE + _squeezed(version.title)
    yield _PLACE + _squeezed(version.address_path)
    yield _SLUG + slug(heading)
    yield _SLUG + slug(version.title)
    yield from _named(heading)
    head = version.elements[0] if version.elements else None
    if head and head.kind is Kind.HEADING and (given := explicit_id(version.text[head.start : head.end])):
        yield _SLUG + given.lower()
    for element in version.elements:
        if element.kind is Kind.TABLE and element.header:
            yield from _named(version.text[element.header[0] : element.header[1]])


def _chain(path: Iterable[str]) -> str:
    """The numbers of a path joined where they do not repeat each other: "D. Content" > "4. License" is d.4."""
    label = ""
    for heading in path:
        number = _plain_number(split_heading(heading)[0] or "")
        if number:
            label = number if not label or number.startswith((f"{label}.", f"{label}(")) else f"{label}.{number}"
    return label


def _holder(named: Named[Section], target: str, doc_id: str) -> tuple[Section, ...]:
    """Section 7 for "7.1", where 7.1 is a paragraph of it: no heading below 7 has a number of that kind."""
    above = _number_above(target)
    if above is None or named.called(_ABOVE + above, doc_id):
        return ()
    return named.called(_NUMBER + above, doc_id) or named.called(_CHAIN + above, doc_id)


def _number_above(target: str) -> str | None:
    above, dot, _ = _plain_number(_bare(target)).rpartition(".")
    return above if dot else None


def _bare(reference: str) -> str:
    return _WORD.sub("", " ".join(reference.split()))


def _named(text: str) -> Iterator[str]:
    if found := _NAMED.match(text):
        yield _TITLE + _squeezed(f"{found[1]} {found[2]}")


def _alternatives(reference: str) -> list[str]:
    """Names to try, most exact first: an item's number falls back to the section that holds it."""
    words = _squeezed(reference)
    names = [_PLACE + words, _TITLE + words]
    number = _plain_number(_WORD.sub("", words))
    while number:
        names += [_NUMBER + number, _CHAIN + re.sub(r"\((\w+)\)", r".\1", number)]
        shorter = _LAST_ITEM.sub("", number)
        number = shorter if shorter != number else ""
    return [*names, _SLUG + reference.strip().lower()]


def _first_found(named: Named[Section], names: list[str], doc_id: str | None = None) -> tuple[Section, ...]:
    return next((found for name in names if (found := named.called(name, doc_id))), ())


def _plain_number(number: str) -> str:
    return "".join(number.split()).strip(".§").lower()


def _squeezed(text: str) -> str:
    return " ".join(text.split()).lower()
