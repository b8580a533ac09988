"""Sections that ended in one place and began in another with nearly the same words: likely moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from index.history.matching import Turn
from index.history.skeleton import Traits
from index.history.timeline import EditionKey
from ingest.document import Note

ALIKE: Final = 0.6
"""Share of word pairs in common from which on two texts are taken for one that moved."""
FEWEST_WORDS: Final = 12
"""Shorter texts are alike by chance."""

Words = Counter[tuple[str, str]]
TextOf = Callable[[str], str]
"""The text of a content digest, without its heading."""


MANY: Final = 2
"""Sections that moved from one document to a new one, from which on the document is taken to have moved."""


@dataclass(frozen=True, slots=True)
class Move:
    """A section that may be another one's continuation."""

    edition: str
    old: str
    """Address in the edition before."""
    new: str
    """Address in this edition."""
    likeness: float
    """0 to 1."""

    @property
    def documents(self) -> tuple[str, str, str]:
        """The edition, the old document and the new one."""
        return self.edition, self.old.partition("#")[0], self.new.partition("#")[0]


def move_notes(
    turns: Mapping[EditionKey, Turn], text_of: TextOf, declared: Collection[tuple[str, str, str]] = ()
) -> list[Note]:
    """The likely moves as findings, one for a document that moved with several sections.

    Args:
        declared: (edition, old document, new document) of each `moved_from` of a document: there only what
            did not follow it is left to say, section by section.
    """
    together: dict[tuple[str, str, str], list[Move]] = {}
    for move in likely_moves(turns, text_of):
        together.setdefault(move.documents, []).append(move)
    began = _first_editions(turns)
    notes = []
    for documents, moves in together.items():
        edition, old, new = documents
        is_whole = old != new and began.get(new) == edition and len(moves) >= MANY and documents not in declared
        notes += [_of_document(documents, len(moves))] if is_whole else [_of_section(move) for move in moves]
    return notes


def _of_document(documents: tuple[str, str, str], count: int) -> Note:
    edition, old, new = documents
    message = f"{count} sections likely continue those of {old}; if so, put `moved_from: {old}` into its front matter"
    return Note("likely-move", f"{edition}/{new}", message)


def _of_section(move: Move) -> Note:
    path = move.new.partition("#")[2]
    message = (
        f"likely the continuation of {move.old} ({move.likeness:.0%} alike); if so, put "
        f'`"{path}": "{move.old}"` below moved_from in the front matter'
    )
    return Note("likely-move", f"{move.edition}/{move.new}", message)


def _first_editions(turns: Mapping[EditionKey, Turn]) -> dict[str, str]:
    """The edition in which sections of each document began for the first time."""
    first: dict[str, str] = {}
    for key in sorted(turns):
        for doc_id, _ in turns[key].begun:
            first.setdefault(doc_id, key.name)
    return first


def likely_moves(turns: Mapping[EditionKey, Turn], text_of: TextOf) -> list[Move]:
    """For each edition, pairs of what ended and what began in it, most alike first, each section once.

    Identical texts are none of these: they were recognised already where they are unique.
    """
    return [move for key in sorted(turns) for move in _of_turn(key.name, turns[key], text_of)]


def _of_turn(edition: str, turn: Turn, text_of: TextOf) -> Iterator[Move]:
    old = {place: words for place in turn.ended if (words := _words(place[1], text_of))}
    new = {place: words for place in turn.begun if (words := _words(place[1], text_of))}
    pairs = [(_likeness(a, b), then, now) for now, b in new.items() for then, a in old.items() if _may_be(a, b)]
    taken: set[tuple[str, Traits]] = set()
    ordered = sorted((pair for pair in pairs if pair[0] >= ALIKE), key=lambda pair: (-pair[0], _address(pair[2])))
    for likeness, then, now in ordered:
        if then not in taken and now not in taken:
            taken |= {then, now}
            yield Move(edition, _address(then), _address(now), likeness)


def _address(place: tuple[str, Traits]) -> str:
    return f"{place[0]}#{place[1].address_path}"


def _words(traits: Traits, text_of: TextOf) -> Words | None:
    words = text_of(traits.content).lower().split()
    return Counter(pairwise(words)) if len(words) >= FEWEST_WORDS else None


def _may_be(a: Words, b: Words) -> bool:
    """Whether sizes alone allow the likeness: most pairs need no closer look."""
    small, large = sorted((a.total(), b.total()))
    return 2 * small >= ALIKE * (small + large)


def _likeness(a: Words, b: Words) -> float:
    """Sørensen-Dice coefficient of the word pairs."""
    return 2 * (a & b).total() / (a.total() + b.total())
