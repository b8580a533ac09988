"""Which section of one edition is which section of the next.

In order: an explicit id; same document, number and title; same document and title path; identical text
that is unique on both sides. Otherwise one section ended and another began. A number alone never decides.
A human's `moved_from` goes before all of it, as long as the section is not where it moved to yet.

Identities depend on what the editions say and on their order, not on their names, nor on when which of
them became known, nor on the order of files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from index.digests import first_section_id
from index.history.pairing import ANYWHERE, IN_DOCUMENT, unique_pairs
from index.history.skeleton import Skeleton, Traits
from index.history.tellings import Telling
from index.history.timeline import EditionKey

Sections = dict[str, Traits]
"""Sections by section id."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What ended and what began with one edition, against the editions before it."""

    before: int
    """Number of sections in the editions before."""
    ended: tuple[tuple[str, Traits], ...] = ()
    """(doc_id, traits) of sections that are in no document any more."""
    begun: tuple[tuple[str, Traits], ...] = ()
    """(doc_id, traits) of sections that were in no document before."""


@dataclass(frozen=True, slots=True)
class Identities:
    """Which section is which in all editions."""

    ids: Mapping[tuple[EditionKey, str], tuple[str, ...]]
    """By (edition, doc_id): a section id for each section in document order, 16 hexadecimal digits."""
    turns: Mapping[EditionKey, Turn]


def identify(tellings: Sequence[Telling], skeletons: Mapping[str, Skeleton]) -> Identities:
    """Give every section of every edition its id, with `skeletons` by digest.

    A section that comes back after an absence gets the id that it had; no two sections of what an edition
    leaves in force share one.
    """
    register = _Register()
    ids: dict[tuple[EditionKey, str], tuple[str, ...]] = {}
    turns: dict[EditionKey, Turn] = {}
    for telling in sorted(tellings, key=lambda telling: telling.key):
        turns[telling.key] = register.advance(telling, skeletons)
        ids.update({(telling.key, doc_id): register.current[doc_id].ids for doc_id in telling.said})
    return Identities(ids, turns)


@dataclass(frozen=True, slots=True)
class _Known:
    """A document as the last edition left it."""

    skeleton: Skeleton
    ids: tuple[str, ...]

    def sections(self) -> Sections:
        return dict(zip(self.ids, self.skeleton.sections, strict=True))


@dataclass(slots=True)
class _Draft:
    """A document that the edition at hand changes: what is not recognised yet, and what is."""

    skeleton: Skeleton
    was_there: frozenset[str]
    """Addresses' paths of the document before."""
    new: dict[int, Traits]
    ids: dict[int, str] = field(default_factory=dict)

    def recognise(self, old: Sections) -> None:
        """Pair within a document; what is found leaves `old`."""
        for key in IN_DOCUMENT:
            if old and self.new:
                for index, section_id in unique_pairs(old, self.new, key):
                    self.claim(index, section_id, old)

    def claim(self, index: int, section_id: str, old: Sections) -> None:
        """Take the section `section_id` of `old` for the one at `index`."""
        del old[section_id], self.new[index]
        self.ids[index] = section_id


class _Register:
    """All sections there have been, edition by edition."""

    def __init__(self) -> None:
        self.current: dict[str, _Known] = {}
        self._ended: dict[str, Sections] = {}
        self._begun_at: dict[str, int] = {}

    def advance(self, telling: Telling, skeletons: Mapping[str, Skeleton]) -> Turn:
        """Take in one edition."""
        before = sum(len(known.ids) for known in self.current.values())
        drafts = {
            doc_id: self._draft(doc_id, skeletons[said.skeleton])
            for doc_id, said in sorted(telling.said.items())
            if doc_id not in self.current or self.current[doc_id].skeleton.digest != said.skeleton
        }
        ending = {
            doc_id: self.current[doc_id].sections()
            for doc_id in (*drafts, *self._absent(telling))
            if doc_id in self.current
        }
        self._recognise_all(drafts, ending)
        begun = self._begin(drafts)
        self._settle(drafts, ending)
        ended = ((doc_id, traits) for doc_id, sections in ending.items() for traits in sections.values())
        return Turn(before, tuple(ended), tuple(begun))

    def _draft(self, doc_id: str, skeleton: Skeleton) -> _Draft:
        known = self.current.get(doc_id)
        was_there = frozenset(t.address_path for t in known.skeleton.sections) if known else frozenset()
        return _Draft(skeleton, was_there, dict(enumerate(skeleton.sections)))

    def _absent(self, telling: Telling) -> list[str]:
        if not telling.full:
            return list(telling.gone)
        return [doc_id for doc_id in self.current if doc_id not in telling.said and doc_id not in telling.silent]

    def _recognise_all(self, drafts: Mapping[str, _Draft], ending: dict[str, Sections]) -> None:
        for doc_id, draft in drafts.items():
            self._follow_moved_sections(doc_id, draft, ending)
        for doc_id, draft in drafts.items():
            draft.recognise(ending.get(doc_id, {}))
        for doc_id, draft in drafts.items():
            if doc_id not in self.current and draft.skeleton.moved_from:
                draft.recognise(ending.get(draft.skeleton.moved_from, {}))
                draft.recognise(self._ended.get(draft.skeleton.moved_from, {}))
            draft.recognise(self._ended.get(doc_id, {}))
        _recognise_texts(drafts, ending)
        _recognise_texts(drafts, self._ended)

    def _follow_moved_sections(self, doc_id: str, draft: _Draft, ending: dict[str, Sections]) -> None:
        for index, traits in list(draft.new.items()):
            if not traits.moved_from or traits.address_path in draft.was_there:
                continue
            old_doc, _, path = traits.moved_from.rpartition("#")
            for places in (ending, self._ended):
                sections = places.get(old_doc or doc_id, {})
                found = [section_id for section_id, old in sections.items() if old.address_path == path]
                if found:
                    draft.claim(index, found[-1], sections)
                    break

    def _begin(self, drafts: Mapping[str, _Draft]) -> list[tuple[str, Traits]]:
        begun = []
        for doc_id, draft in drafts.items():
            for index, traits in draft.new.items():
                address = f"{doc_id}#{traits.address_path}"
                ordinal = self._begun_at[address] = self._begun_at.get(address, 0) + 1
                draft.ids[index] = first_section_id(address, ordinal)
                begun.append((doc_id, traits))
        return begun

    def _settle(self, drafts: Mapping[str, _Draft], ending: Mapping[str, Sections]) -> None:
        for doc_id, sections in ending.items():
            self._ended.setdefault(doc_id, {}).update(sections)
            del self.current[doc_id]
        for doc_id, draft in drafts.items():
            ids = tuple(draft.ids[index] for index in range(len(draft.skeleton.sections)))
            self.current[doc_id] = _Known(draft.skeleton, ids)


def _recognise_texts(drafts: Mapping[str, _Draft], places: Mapping[str, Sections]) -> None:
    for key in ANYWHERE:
        new = {(d, i): traits for d, draft in drafts.items() for i, traits in draft.new.items() if key(traits)}
        old = {(d, s): traits for d, sections in places.items() for s, traits in sections.items()}
        if not new or not old:
            return
        for (doc_id, index), (old_doc, section_id) in unique_pairs(old, new, key):
            drafts[doc_id].claim(index, section_id, places[old_doc])
