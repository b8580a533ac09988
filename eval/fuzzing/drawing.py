"""Rewrites of a query, drawn: the same seed gives the same ones, whatever other queries there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import numpy as np

from eval.fuzzing.query import Query
from eval.fuzzing.vocabulary import Vocabulary
from eval.fuzzing.ways import WAYS, Rewrite, Way
from eval.tickets import plain
from ingest.errors import QueryError

_TRIES: Final = 8
"""Draws after which a way has no other rewrite to give."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn."""

    ways: tuple[Way, ...] = tuple(Way)
    each: int = 1
    """Rewrites of one query in one way, at most."""
    seed: int = 0


def rewrites(name: str, text: str, words: Vocabulary, drawing: Drawing) -> Iterator[tuple[Way, int, Rewrite]]:
    """The rewrites of a query, each text once, none of them the query itself.

    Args:
        name: Of the query; with the seed it decides what is drawn.
        text: As it is asked.
        words: Of what is in force on its day.
        drawing: Which, how many, and the seed.

    Returns:
        Way, number within it from 1, rewrite.
    """
    query, seen = Query.of(text), {plain(text)}
    for way in drawing.ways:
        rng = np.random.default_rng([drawing.seed, crc32(f"{name}/{way}".encode())])
        for number, rewrite in enumerate(_fresh(query, words, way, rng, drawing.each, seen), 1):
            yield way, number, rewrite


def _fresh(
    query: Query, words: Vocabulary, way: Way, rng: np.random.Generator, wanted: int, seen: set[str]
) -> Iterator[Rewrite]:
    for _ in range(wanted):
        found = _another(query, words, way, rng, seen)
        if found is None:
            return
        seen.add(plain(found.text))
        yield found


def _another(query: Query, words: Vocabulary, way: Way, rng: np.random.Generator, seen: set[str]) -> Rewrite | None:
    for _ in range(_TRIES):
        found = WAYS[way](query, words, rng)
        if found is None or not plain(found.text):
            return None
        if plain(found.text) not in seen:
            return found
    return None


def chosen(names: Sequence[str]) -> tuple[Way, ...]:
    """Ways by name, in their order; all of them where none is named.

    Raises:
        QueryError: no such way.
    """
    for name in names:
        if name not in tuple(Way):
            raise QueryError(f'no way "{name}"', where="--way", allowed=", ".join(Way))
    return tuple(way for way in Way if not names or way in names)
