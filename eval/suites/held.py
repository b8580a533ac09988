"""What is searched in memory: all versions of a handbook's sections, or the passages of a corpus, with their days."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from eval.policy import Edition, InForce, Policy
from eval.suites.beir import Corpus
from eval.suites.passage import Passage
from ingest.dates import Day


@dataclass(frozen=True, slots=True)
class Version:
    """One text of one section."""

    passage: Passage
    """Its id is unique among all versions."""
    address: str
    """Its id in gold, which versions share."""


@dataclass(frozen=True, slots=True)
class Held:
    """Versions, and which of them are in force on a day."""

    versions: tuple[Version, ...]
    in_force: Callable[[Day], frozenset[str]]
    """Ids of the passages."""
    shared: bool
    """Whether versions share addresses, so that an address alone does not say which text came back."""


def held_of_corpus(corpus: Corpus) -> Held:
    """Every passage once; its id in gold is its own."""
    passages = tuple(corpus.passages.values())

    @cache
    def in_force(day: Day) -> frozenset[str]:
        return frozenset(passage.id for passage in passages if passage.in_force(day))

    return Held(tuple(Version(passage, passage.id) for passage in passages), in_force, shared=False)


def held_of_policy(policy: Policy) -> Held:
    """Every text that a section ever had, in whatever edition: what an index without dates holds, each text once."""
    found: dict[tuple[str, str], Version] = {}
    for day in policy.changes:
        for section in _searched(policy.on(day)):
            name = _name(section)
            if name not in found:
                found[name] = _version(section, len(found), day)
    ids = {name: version.passage.id for name, version in found.items()}

    @cache
    def in_edition(edition: Edition) -> frozenset[str]:
        return frozenset(ids[_name(section)] for section in _searched(edition))

    return Held(tuple(found.values()), lambda day: in_edition(policy.on(day)), shared=True)


def _searched(edition: Edition) -> Iterator[InForce]:
    """Sections that are searched: as in the index, not a bare heading over subsections."""
    for document in edition.documents:
        parents = {section.parent for section in document.sections}
        for place, section in enumerate(document.sections):
            one = InForce(document, section)
            if one.body or place not in parents:
                yield one


def _name(section: InForce) -> tuple[str, str]:
    return section.address, section.section.text


def _version(section: InForce, number: int, first: Day) -> Version:
    # The number settles ties between versions of one address: the older first, as any order that knows no dates might.
    title = " > ".join(section.section.titles)
    passage = Passage(
        f"{section.address} [{number}]", title, section.section.text, section.section, section.document.title, first
    )
    return Version(passage, section.address)


def all_texts(held: Held) -> Iterator[str]:
    """Addresses and texts, for a digest of what is searched."""
    for version in held.versions:
        yield version.passage.id
        yield version.passage.text
