"""From what editions say of their files to statements about sections, by the ids that sections have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from index.digests import digest, version_digest
from index.history.change import VersionKey
from index.history.matching import Identities
from index.history.records import Outline
from index.history.skeleton import Skeleton, Traits
from index.history.tellings import Said, Telling
from index.history.timeline import EditionKey, Statement


@dataclass(slots=True)
class Texts:
    """What the digests in statements stand for, without the texts themselves."""

    versions: dict[str, VersionKey] = field(default_factory=dict)
    outlines: dict[str, Outline] = field(default_factory=dict)
    traits: dict[str, Traits] = field(default_factory=dict)
    """By version digest."""


def with_sections(
    tellings: Iterable[Telling], identities: Identities, skeletons: Mapping[str, Skeleton], texts: Texts
) -> tuple[Telling, ...]:
    """The same tellings with the sections of each document; what they stand for is added to `texts`."""
    done: dict[tuple[str, tuple[str, ...]], tuple[str, tuple[tuple[str, str], ...]]] = {}

    def complete(key: EditionKey, said: Said) -> Said:
        ids = identities.ids[key, said.doc_id]
        if (said.skeleton, ids) not in done:
            done[said.skeleton, ids] = _sections(skeletons[said.skeleton], ids, texts)
        outline, sections = done[said.skeleton, ids]
        return replace(said, outline=outline, sections=sections)

    return tuple(
        replace(telling, said={doc_id: complete(telling.key, said) for doc_id, said in telling.said.items()})
        for telling in tellings
    )


def _sections(skeleton: Skeleton, ids: tuple[str, ...], texts: Texts) -> tuple[str, tuple[tuple[str, str], ...]]:
    sections, parents = [], []
    for section_id, traits in zip(ids, skeleton.sections, strict=True):
        parent_id = None if traits.parent is None else ids[traits.parent]
        version = version_digest(section_id, parent_id, skeleton.doc_id, traits.content)
        texts.versions[version] = VersionKey(section_id, parent_id, skeleton.doc_id, traits.content)
        texts.traits[version] = traits
        sections.append((section_id, version))
        parents.append((section_id, parent_id))
    outline = digest([skeleton.doc_id, skeleton.title, parents])
    texts.outlines[outline] = Outline(outline, skeleton.doc_id, skeleton.title, tuple(parents))
    return outline, tuple(sections)


def statements(tellings: Iterable[Telling]) -> Iterator[Statement]:
    """What the editions say of each document: its sections from its own day, or that it is absent."""
    tellings = tuple(tellings)
    doc_ids = sorted({doc_id for telling in tellings for doc_id in telling.said})
    for telling in tellings:
        recorded = telling.key.recorded
        for said in telling.said.values():
            yield Statement(telling.key, said.doc_id, said.valid_from, recorded, said.sections, said.outline)
        for doc_id in _absent(telling, doc_ids):
            yield Statement(telling.key, doc_id, telling.gone_from, recorded, None, None)


def _absent(telling: Telling, doc_ids: Iterable[str]) -> Iterable[str]:
    if not telling.full:
        return telling.gone
    return (doc_id for doc_id in doc_ids if doc_id not in telling.said and doc_id not in telling.silent)
