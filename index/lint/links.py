"""References that name no section, or more than one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from index.history.records import Version
from index.targets import Targets
from ingest.document import Document, Link, Note, Section

if TYPE_CHECKING:
    from index.lint.findings import Placed

MOST_NAMED: Final = 3
"""Sections that a message about an ambiguous reference names."""

_OTHER_FILE = re.compile(r"[^#]*\.(?!mdx?(?:#|$)|markdown(?:#|$))[A-Za-z][A-Za-z0-9]{1,4}(?:#|$)")


def loose_links(placed: Sequence[Placed]) -> Iterator[Note]:
    """Links of the documents that do not lead to exactly one section among all of them.

    A path on the handbook's website and a file beside Markdown that are no document's are not looked at.
    """
    targets = Targets(version for one in placed for version in versions_of(one.document))
    for one in placed:
        for section in one.document.sections:
            for link in section.links:
                if found := _looseness(targets, link, one.document.doc_id):
                    code, message = found
                    yield Note(code, one.where(section, link.start), message)


def _looseness(targets: Targets, link: Link, doc_id: str) -> tuple[str, str] | None:
    found = targets.resolve(link.target, doc_id)
    if len(found) == 1 or _is_elsewhere(targets, link.target, doc_id):
        return None
    if not found:
        message = f'"{link.target}" names no section in force with this one; correct it, or add the section'
        return "dangling-link", message
    names = ", ".join(version.address for version in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return "ambiguous-link", f'"{link.target}" can mean {names}{more}; write a link to the one that is meant'


def _is_elsewhere(targets: Targets, target: str, doc_id: str) -> bool:
    if _OTHER_FILE.match(target) or target.startswith("/"):
        return not targets.resolve(target.partition("#")[0], doc_id)
    return False


def versions_of(document: Document) -> Iterable[Version]:
    """A document's sections as references see them, for `Targets`."""
    return (_version(document, section) for section in document.sections)


def _version(document: Document, section: Section) -> Version:
    """A section as references see it; identities and digests play no part in it."""
    return Version(
        digest="",
        section_id="",
        parent_id=None,
        doc_id=document.doc_id,
        content="",
        text_digest="",
        number=section.number,
        title=section.title,
        path=section.path,
        titles=section.titles,
        level=section.level,
        occurrence=section.occurrence,
        text=section.text,
        elements=section.elements,
        links=section.links,
        page=section.page,
        tokens=0,
    )
