"""The words of one edition, with what they are for: which qualify, which are figures' units, which are common."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from eval.fuzzing import phrases
from eval.fuzzing.phrases import Stems, Table
from eval.policy import Edition

EVIDENCE: Final = 2
"""Of tables, titles, defined terms and names, so many must say that a word qualifies."""
_TIMES: Final = 3
"""So often a word must be capitalised within a sentence to be part of a name, or follow a figure to be its unit."""
_NAMED: Final = 0.15
_COUNTED: Final = 0.05
"""And in such a share of the places where it stands: "may" is a month now and then."""
_EVERYWHERE: Final = 0.5
"""A word in more of the sections tells none from another."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All of it as stems, but for what is put into a query."""

    qualifiers: Stems
    """Words of plans, regions, terms and whatever else makes one rule differ from its neighbour."""
    subjects: Stems
    """Words of titles, of what heads tables, and of defined terms; qualifiers too."""
    numbers: frozenset[str]
    """Numbers in letters, lower case."""
    units: Stems
    sections: Mapping[str, int]
    """How many sections hold a word."""
    count: int
    """Sections."""
    tables: tuple[Table, ...]
    """By what heads them."""
    neighbours: Mapping[tuple[str, ...], tuple[str, ...]]
    """Of each defined term, as `spelled`: the terms that are defined beside it, as written."""

    @classmethod
    def of(cls, edition: Edition) -> Vocabulary:
        """From an edition's own text."""
        groups = phrases.terms(edition)
        said = Counter(stem for section in edition.sections for stem in phrases.worded(section.text))
        held = Counter(stem for section in edition.sections for stem in set(phrases.worded(section.text)))
        common = {stem for stem, times in held.items() if times > _EVERYWHERE * len(edition.sections)}
        qualifiers, heads = _qualifiers(edition, groups, said) - common, phrases.tables(edition)
        return cls(
            qualifiers,
            qualifiers | _subjects(edition, groups, heads),
            phrases.number_words(edition),
            _often(phrases.units(edition), said, _COUNTED),
            held,
            len(edition.sections),
            heads,
            _neighbours(groups),
        )

    def knows(self, stem: str) -> bool:
        """Whether the edition has the word at all."""
        return stem in self.sections

    def rarity(self, stem: str) -> float:
        """Inverse document frequency over sections, above 0."""
        return math.log(1 + self.count / (1 + self.sections.get(stem, 0)))


@lru_cache(maxsize=64)
def vocabulary(edition: Edition) -> Vocabulary:
    """The vocabulary of what is in force; made once."""
    return Vocabulary.of(edition)


def _qualifiers(edition: Edition, groups: tuple[tuple[str, ...], ...], said: Counter[str]) -> Stems:
    named = _often(phrases.names(edition), said, _NAMED)
    sources = phrases.labels(edition), phrases.titles(edition), phrases.modifiers(groups), named
    seen = Counter(stem for source in sources for stem in source)
    return frozenset(stem for stem, times in seen.items() if times >= EVIDENCE) - phrases.heads_of_terms(groups)


def _subjects(edition: Edition, groups: tuple[tuple[str, ...], ...], heads: tuple[Table, ...]) -> Stems:
    titled = (stem for section in edition.sections for stem in phrases.worded(section.section.title))
    defined = (stem for group in groups for term in group for stem in phrases.worded(term))
    return frozenset(titled) | frozenset(defined) | frozenset(stem for table in heads for stem in table.stems)


def _often(found: Counter[str], said: Counter[str], share: float) -> Stems:
    return frozenset(stem for stem, times in found.items() if times >= max(_TIMES, share * said[stem]))


def _neighbours(groups: tuple[tuple[str, ...], ...]) -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for group in groups:
        for term in group:
            name = phrases.spelled(term)
            others = [other for other in group if phrases.spelled(other) != name]
            if name and others:
                found.setdefault(name, {}).update(dict.fromkeys(others))
    return {name: tuple(others) for name, others in found.items()}
