"""Typed links among the sections in force, and the one hop from the passages found."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from index.history.records import Version
from ingest.document import Link, Relation
from retrieve.trace import SectionKey

HUB_LINKS: Final = 8
"""A section that this many others refer to for a definition or in passing is looked up, not read along."""
_GLOSSARY = re.compile(r"\b(?:definitions?|glossary|defined terms|interpretation)\b", re.IGNORECASE)
_FIRST: Final = (Relation.LIMITS, Relation.CONDITION, Relation.DEFINITION, Relation.REFERENCE)
"""What limits a rule comes before what only explains it."""
_BINDING: Final = frozenset({Relation.LIMITS, Relation.CONDITION})


@dataclass(frozen=True, slots=True)
class Edge:
    """One resolved link: `source` holds the phrase, `target` is what the phrase points at."""

    source: SectionKey
    target: SectionKey
    link: Link

    def far(self, near: SectionKey) -> SectionKey:
        """The end that is not `near`."""
        return self.target if near == self.source else self.source


class Neighbours(Protocol):
    """What is in force on one day, by who links to whom."""

    def linked_with(self, key: SectionKey) -> Sequence[Version]:
        """A section and all others that link to it, in one order whatever `key`; some that do not may be among them."""
        ...

    def resolve(self, target: str, doc_id: str) -> Sequence[Version]:
        """All sections that `target`, written in `doc_id`, can mean: one is the answer."""
        ...


class LinkGraph:
    """Links with both ends in force on one day; a target that is missing or ambiguous makes no edge.

    A section's edges are looked for when it is asked for: a query meets few sections, a handbook has thousands.
    """

    def __init__(self, neighbours: Neighbours):
        self._neighbours = neighbours
        self._edges: dict[SectionKey, tuple[Edge, ...]] = {}
        self._outgoing: dict[SectionKey, tuple[Edge, ...]] = {}
        self._titles: dict[SectionKey, str] = {}

    def followed(self, key: SectionKey) -> Iterator[Edge]:
        """Edges at `key` in both directions; those that merely look something up in a hub are left out."""
        for edge in self._at(key):
            if edge.link.relation in _BINDING or not (self._is_hub(edge.source) or self._is_hub(edge.target)):
                yield edge

    def _at(self, key: SectionKey) -> tuple[Edge, ...]:
        if key not in self._edges:
            near = self._neighbours.linked_with(key)
            self._edges[key] = tuple(edge for v in near for edge in self._from(v) if key in (edge.source, edge.target))
        return self._edges[key]

    def _from(self, version: Version) -> tuple[Edge, ...]:
        key = key_of(version)
        if key not in self._outgoing:
            self._titles[key] = version.title
            self._outgoing[key] = tuple(self._resolved(version))
        return self._outgoing[key]

    def _resolved(self, version: Version) -> Iterator[Edge]:
        for link in version.links:
            found = self._neighbours.resolve(link.target, version.doc_id)
            if len(found) == 1 and key_of(found[0]) != key_of(version):
                self._titles[key_of(found[0])] = found[0].title
                yield Edge(key_of(version), key_of(found[0]), link)

    def _is_hub(self, key: SectionKey) -> bool:
        if _GLOSSARY.search(self._titles[key]):
            return True
        referring = {e.source for e in self._at(key) if e.target == key and e.link.relation not in _BINDING}
        return len(referring) >= HUB_LINKS


def key_of(version: Version) -> SectionKey:
    """The identity of a version's section."""
    return SectionKey(version.doc_id, version.section_id)


def one_hop(
    graph: LinkGraph, passages: Sequence[Sequence[SectionKey]], fused: Mapping[SectionKey, int]
) -> list[tuple[Edge, SectionKey]]:
    """Edges from the passages' sections with the section at their far end, outside all passages, each once.

    `fused` holds the sections' ranks in the search. What limits or conditions comes first, then what hangs
    on a better passage, then what the search itself ranked higher.
    """
    inside = {key for passage in passages for key in passage}
    found = [
        ((_FIRST.index(edge.link.relation), rank, fused.get(far, math.inf), far, edge.link.start), edge)
        for rank, passage in enumerate(passages)
        for key in passage
        for edge in graph.followed(key)
        if (far := edge.far(key)) not in inside
    ]
    best: dict[SectionKey, Edge] = {}
    for (*_, far, _start), edge in sorted(found, key=lambda entry: entry[0]):
        best.setdefault(far, edge)
    return [(edge, far) for far, edge in best.items()]
