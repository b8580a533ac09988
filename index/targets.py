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
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from index.history.records import Version
from ingest.elements import Kind
from ingest.numbering import split_heading

_LAST_ITEM = re.compile(r"\s*\([^()]*\)$")
_WORD = re.compile(r"^(?:sections?|articles?|clauses?|paragraphs?|chapters?|parts?|§+)\s*(?=[\w§])", re.IGNORECASE)
_NAMED = re.compile(r"^\W*(appendix|schedule|exhibit|annex|attachment|table)\s+([\w.()-]*[\w)])", re.IGNORECASE)
_FILE_END = re.compile(r"\.(?:mdx?|markdown)$", re.IGNORECASE)
_FILE = re.compile(r"[^#\s]\.(?:mdx?|markdown)$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:[0-9]{1,4}|[IVXLC]{1,7}|[A-Z])(?:[.(][\w.()]*)?")
_NOT_SLUG = re.compile(r"[^\w\- ]")
_PLACE: Final = "p:"
_NUMBER: Final = "n:"
_CHAIN: Final = "c:"
_TITLE: Final = "t:"
_SLUG: Final = "s:"

Names = dict[str, list[Version]]


class Targets:
    """The sections in force on one day, by everything a reference can call them; their texts are not kept."""

    def __init__(self, versions: Iterable[Version]):
        self._documents: dict[str, Names] = defaultdict(lambda: defaultdict(list))
        self._all: Names = defaultdict(list)
        self._first: dict[str, Version] = {}
        for version in versions:
            self._add(version)

    def _add(self, version: Version) -> None:
        named = replace(version, text="", elements=(), links=())
        first = self._first.setdefault(version.doc_id, named)
        if version.level and not first.level:
            self._first[version.doc_id] = named
        own = self._documents[version.doc_id]
        for name in set(_names(version)):
            own[name].append(named)
            self._all[name].append(named)

    def resolve(self, target: str, doc_id: str) -> tuple[Version, ...]:
        """All sections that `target`, written in `doc_id`, can mean: one is the answer."""
        file, mark, fragment = target.strip().partition("#")
        if mark or _FILE.search(file) or file.startswith("/"):
            return self._in_file(file, unquote(fragment), doc_id)
        own = self._documents.get(doc_id, {})
        if found := _first_found(own, _alternatives(target)) or _holder(own, target):
            return found
        if _NUMBERED.fullmatch(_bare(target)) and _counts_alone(own):
            return ()
        return _first_found(self._all, _alternatives(target))

    def _in_file(self, file: str, fragment: str, doc_id: str) -> tuple[Version, ...]:
        document = self._document(unquote(file), doc_id)
        if document is None:
            return ()
        if not fragment:
            return (self._first[document],)
        return _first_found(self._documents[document], _alternatives(fragment))

    def _document(self, file: str, doc_id: str) -> str | None:
        """The document that a link in `doc_id` calls `file`: beside it, from the root, or the one of that name."""
        if not file:
            return doc_id if doc_id in self._documents else None
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(doc_id), file))
        for candidate in (beside, posixpath.normpath(file).lstrip("/")):
            if candidate in self._documents:
                return candidate
        same = [known for known in self._documents if posixpath.basename(known) == posixpath.basename(file)]
        same = same or [known for known in self._documents if _page(known) == _page(file.rstrip("/"))]
        return same[0] if len(same) == 1 else None


def _page(file: str) -> str:
    """How websites call the page of a file: without its folder and ending."""
    return _FILE_END.sub("", posixpath.basename(file))


def slug(heading: str) -> str:
    """The anchor that Markdown renderers give a heading: "4.2 Late fees" is 42-late-fees."""
    return _NOT_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


def _names(version: Version) -> Iterator[str]:
    if version.number:
        yield _NUMBER + _plain_number(version.number)
        yield _CHAIN + _chain(version.path)
    if not version.level:
        return
    heading = version.path[-1]
    yield _TITLE + _squeezed(version.title)
    yield _PLACE + _squeezed(version.address_path)
    yield _SLUG + slug(heading)
    yield _SLUG + slug(version.title)
    yield from _named(heading)
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


def _counts_alone(own: Names | dict[str, list[Version]]) -> bool:
    firsts = {re.split(r"[.(]", name.removeprefix(_NUMBER))[0] for name in own if name.startswith(_NUMBER)}
    return len(firsts) > 1


def _holder(own: Names | dict[str, list[Version]], target: str) -> tuple[Version, ...]:
    """Section 7 for "7.1", where 7.1 is a paragraph of it: no heading below 7 has a number of that kind."""
    above, dot, _ = _plain_number(_bare(target)).rpartition(".")
    if not dot or any(name.startswith(f"{_NUMBER}{above}.") for name in own):
        return ()
    return tuple(own.get(_NUMBER + above, own.get(_CHAIN + above, ())))


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


def _first_found(names: Names | dict[str, list[Version]], alternatives: list[str]) -> tuple[Version, ...]:
    return next((tuple(names[name]) for name in alternatives if name in names), ())


def _plain_number(number: str) -> str:
    return "".join(number.split()).strip(".§").lower()


def _squeezed(text: str) -> str:
    return " ".join(text.split()).lower()
