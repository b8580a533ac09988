"""Typed links among the sections in force, and the one hop from the passages found."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from index.history.records import Version
from index.targets import Targets
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


class LinkGraph:
    """All links with both ends in force on one day; a target that is missing or ambiguous makes no edge."""

    def __init__(self, linking: Iterable[Version], targets: Targets):
        self._edges: dict[SectionKey, list[Edge]] = defaultdict(list)
        referring: dict[SectionKey, set[SectionKey]] = defaultdict(set)
        self._hubs: set[SectionKey] = set()
        for source, target, link in _resolved(linking, targets):
            edge = Edge(key_of(source), key_of(target), link)
            self._edges[edge.source].append(edge)
            self._edges[edge.target].append(edge)
            self._hubs |= {key_of(end) for end in (source, target) if _GLOSSARY.search(end.title)}
            if link.relation not in _BINDING:
                referring[edge.target].add(edge.source)
        self._hubs |= {key for key, sources in referring.items() if len(sources) >= HUB_LINKS}

    def followed(self, key: SectionKey) -> Iterator[Edge]:
        """Edges at `key` in both directions; those that merely look something up in a hub are left out."""
        for edge in self._edges.get(key, ()):
            if edge.link.relation in _BINDING or not self._hubs & {edge.source, edge.target}:
                yield edge


def key_of(version: Version) -> SectionKey:
    """The identity of a version's section."""
    return SectionKey(version.doc_id, version.section_id)


def _resolved(linking: Iterable[Version], targets: Targets) -> Iterator[tuple[Version, Version, Link]]:
    for version in linking:
        for link in version.links:
            found = targets.resolve(link.target, version.doc_id)
            if len(found) == 1 and key_of(found[0]) != key_of(version):
                yield version, found[0], link


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
