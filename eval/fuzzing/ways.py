"""Rewriting a query as sampled models do. Each way is a function of the query, the handbook's words and a generator.

    dropped-qualifier   one word of a plan, region, term, or one amount, is gone
    keywords            three to seven words that the handbook uses in titles, tables and terms, and no sentence
    table-speak         three of them, and the words over a table that they fit
    over-general        three or four common ones, and nothing that narrows them
    glossary-synonym    a defined term becomes one that is defined beside it
    typo                two letters of one word swapped, one left out or doubled
    truncated           the end is missing

They know the handbook's words and no others: what a customer says in own words is no qualifier to them, and whether
a rewrite leaves the question ambiguous for any reader they cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

import numpy as np

from eval.fuzzing.query import Query, Word
from eval.fuzzing.vocabulary import Vocabulary

FEWEST: Final = 3
"""Words of the shortest query that can still be told from another."""
MOST: Final = 7
_FEW: Final = 4
_TABLES: Final = 3
"""Best-fitting tables of which one is taken."""
_CAPTION: Final = 2
_SHORTEST_TYPO: Final = 5
"""Letters of the shortest word that is misspelt."""
_KEPT: Final = (0.4, 0.75)
"""Share of the words that are left of a truncated query."""

One = TypeVar("One")


class Way(StrEnum):
    """How a query is rewritten."""

    DROPPED = "dropped-qualifier"
    KEYWORDS = "keywords"
    TABLE = "table-speak"
    GENERAL = "over-general"
    SYNONYM = "glossary-synonym"
    TYPO = "typo"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What became of a query."""

    text: str
    change: str
    """In a few words: what was dropped, put in, misspelt."""


Rewriting = Callable[[Query, Vocabulary, np.random.Generator], Rewrite | None]
"""None where a query has nothing to be rewritten in this way."""


def dropped_qualifier(query: Query, words: Vocabulary, rng: np.random.Generator) -> Rewrite | None:
    """Without one qualifier wherever it stands, or without one amount and its unit."""
    choices: dict[str, list[int]] = {}
    for place, word in enumerate(query.words):
        if word.is_figure or word.text.lower() in words.numbers:
            choices[f"{place}"] = _amount(query, place, words)
        elif word.stem in words.qualifiers:
            choices.setdefault(word.stem, []).append(place)
    if not choices:
        return None
    places = _one(list(choices.values()), rng)
    return Rewrite(query.without(places), f'without "{_said(query, places)}"')


def keywords(query: Query, words: Vocabulary, rng: np.random.Generator) -> Rewrite | None:
    """Subjects of the handbook, rare ones rather than common ones."""
    known = query.content(words, FEWEST)
    if len(known) < FEWEST:
        return None
    count = int(rng.integers(FEWEST, min(MOST, len(known)) + 1))
    kept = _sample(known, [words.rarity(word.stem) for word in known], count, rng)
    return Rewrite(_joined(kept), f"{count} keywords")


def table_speak(query: Query, words: Vocabulary, rng: np.random.Generator) -> Rewrite | None:
    """Keywords and what stands over a table that fits the query."""
    known = query.content(words, FEWEST)
    stems = {word.stem for word in known}
    fits = {at: sum(words.rarity(stem) for stem in table.stems & stems) for at, table in enumerate(words.tables)}
    best = sorted((at for at in fits if fits[at] > 0), key=lambda at: (-fits[at], at))[:_TABLES]
    if len(known) < FEWEST or not best:
        return None
    caption = [one.text.lower() for one in Query.of(" ".join(words.tables[_one(best, rng)].caption)).words if one.stem]
    kind, rest = caption[:1], caption[1:]
    kept = _sample(known, [words.rarity(word.stem) for word in known], FEWEST, rng)
    fresh = [one for one in rest if one not in {word.text.lower() for word in kept}][:_CAPTION]
    return Rewrite(" ".join([_joined(kept), *fresh, *kind]), f'"{" ".join([*fresh, *kind])}" put in')


def over_general(query: Query, words: Vocabulary, rng: np.random.Generator) -> Rewrite | None:
    """Only what is common in the handbook and qualifies nothing."""
    known = [word for word in query.content(words, FEWEST) if word.stem not in words.qualifiers]
    if len(known) < FEWEST:
        return None
    count = int(rng.integers(FEWEST, min(_FEW, len(known)) + 1))
    kept = _sample(known, [1 / words.rarity(word.stem) ** 2 for word in known], count, rng)
    return Rewrite(_joined(kept), f"{count} common words")


def glossary_synonym(query: Query, words: Vocabulary, rng: np.random.Generator) -> Rewrite | None:
    """One defined term as a neighbour of it; the longest term that stands at a place is meant."""
    spots: dict[int, tuple[str, ...]] = {}
    said = [word.text.lower().removesuffix("s") for word in query.words]
    for term in words.neighbours:
        for place in range(len(said) - len(term) + 1):
            if tuple(said[place : place + len(term)]) == term and len(term) > len(spots.get(place, ())):
                spots[place] = term
    if not spots:
        return None
    place = _one(sorted(spots), rng)
    others, rest = words.neighbours[spots[place]], range(place + 1, place + len(spots[place]))
    other = _one(others, rng).lower()
    change = f'"{_said(query, [place, *rest])}" as "{other}"'
    return Rewrite(query.replaced({place: other, **dict.fromkeys(rest, "")}), change)


def typo(query: Query, words: Vocabulary, rng: np.random.Generator) -> Rewrite | None:
    """One word misspelt, of the handbook's where there is one; its first letter stays."""
    long = query.spots(lambda word: len(word.text) >= _SHORTEST_TYPO and word.text.isalpha())
    known = [place for place in long if words.knows(query.words[place].stem)]
    if not long:
        return None
    place = _one(known or long, rng)
    word = query.words[place].text
    wrong = _misspelt(word, rng)
    return Rewrite(query.replaced({place: wrong}), f'"{word}" as "{wrong}"')


def truncated(query: Query, _: Vocabulary, rng: np.random.Generator) -> Rewrite | None:
    """The first words, at least three."""
    count = max(FEWEST, round(rng.uniform(*_KEPT) * len(query.words)))
    if count >= len(query.words):
        return None
    return Rewrite(query.text[: query.words[count - 1].end], f"the last {len(query.words) - count} words are gone")


WAYS: Final[Mapping[Way, Rewriting]] = {
    Way.DROPPED: dropped_qualifier,
    Way.KEYWORDS: keywords,
    Way.TABLE: table_speak,
    Way.GENERAL: over_general,
    Way.SYNONYM: glossary_synonym,
    Way.TYPO: typo,
    Way.TRUNCATED: truncated,
}


def _amount(query: Query, place: int, words: Vocabulary) -> list[int]:
    """A figure and the units behind it: "30 calendar days"."""
    places = [place]
    while places[-1] + 1 < len(query.words) and query.words[places[-1] + 1].stem in words.units:
        places.append(places[-1] + 1)
    return places


def _said(query: Query, places: Sequence[int]) -> str:
    return " ".join(dict.fromkeys(query.words[place].text for place in places))


def _one(choices: Sequence[One], rng: np.random.Generator) -> One:
    return choices[int(rng.integers(len(choices)))]


def _sample(words: Sequence[Word], weights: Sequence[float], count: int, rng: np.random.Generator) -> list[Word]:
    """So many of the words, heavier ones rather; in their order."""
    shares = np.asarray(weights) / sum(weights)
    return [words[place] for place in sorted(rng.choice(len(words), count, replace=False, p=shares).tolist())]


def _joined(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _misspelt(word: str, rng: np.random.Generator) -> str:
    place = int(rng.integers(1, len(word) - 1))
    swapped = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    gone = word[:place] + word[place + 1 :]
    doubled = word[: place + 1] + word[place:]
    return _one([wrong for wrong in (swapped, gone, doubled) if wrong != word], rng)
