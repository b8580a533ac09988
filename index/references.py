"""How a person or another section names a section: by address, number or titles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from index.history.records import Label

_WORD = re.compile(
    r"^(?:sections?|sec\.?|§+|articles?|art\.?|clauses?|paragraphs?|appendix|chapter|schedule|annex|part)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class References:
    """Rows by what they are called, over all times; who asks keeps those in force."""

    numbers: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    titles: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By the last title of the path."""
    paths: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """(titles..., last one with " (2)" where the path is repeated), folded, by row."""

    @classmethod
    def of(cls, rows: Iterable[tuple[int, Label]]) -> References:
        """The references of rows."""
        found = cls()
        for row, label in rows:
            path = tuple(folded(name) for name in label.titles) or (folded(label.title),)
            if label.occurrence > 1:
                path = (*path[:-1], f"{path[-1]} ({label.occurrence})")
            found.paths[row] = path
            found.titles[path[-1]].append(row)
            if label.number:
                found.numbers[folded(label.number)].append(row)
        return found

    def candidates(self, name: str) -> Iterable[list[int]]:
        """Rows that `name` may mean, closest way of naming first: whole path, number, end of a path."""
        parts = tuple(folded(part) for part in name.split(" > "))
        ends = [row for row in self.titles.get(parts[-1], ()) if self.paths[row][-len(parts) :] == parts]
        yield [row for row in ends if self.paths[row] == parts]
        yield self.numbers.get(folded(_WORD.sub("", name.strip())), [])
        yield ends


def folded(text: str) -> str:
    """A name as it is compared: case and white space do not count, nor does a trailing dot."""
    return " ".join(text.split()).rstrip(".").casefold()
