"""How one section is recognised as another: by something that both have and that is unique on both sides."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final, TypeVar

from index.history.skeleton import Traits

Recognise = Callable[[Traits], Hashable | None]
"""What sections are paired by; None: not at all."""
Before = TypeVar("Before")
After = TypeVar("After")


def _explicit(traits: Traits) -> Hashable | None:
    return traits.explicit_id


def _number_and_title(traits: Traits) -> Hashable | None:
    return (traits.number, traits.title) if traits.number else None


def _path_and_text(traits: Traits) -> Hashable | None:
    return (traits.titles, traits.body) if traits.telling else None


def _path(traits: Traits) -> Hashable | None:
    return (traits.titles, traits.occurrence)


def _text(traits: Traits) -> Hashable | None:
    return (traits.title, traits.body) if traits.telling else None


def _body(traits: Traits) -> Hashable | None:
    return traits.body if traits.telling else None


# Where a title path is repeated, a section's text says more than its place among the repetitions.
IN_DOCUMENT: Final[tuple[Recognise, ...]] = (_explicit, _number_and_title, _path_and_text, _path)
ANYWHERE: Final[tuple[Recognise, ...]] = (_text, _body)


def unique_pairs(
    old: Mapping[Before, Traits], new: Mapping[After, Traits], recognise: Recognise
) -> list[tuple[After, Before]]:
    """Pairs of a new and an old section that share a key that no other section on either side has."""
    before, after = _by_key(old, recognise), _by_key(new, recognise)
    pairs = [(after[key], before[key]) for key in after if key in before]
    return [
        (now[0], then[0])
        for now, then in pairs
        if len(now) == len(then) == 1 and not _told_apart(old[then[0]], new[now[0]])
    ]


def _by_key(sections: Mapping[Before, Traits], recognise: Recognise) -> dict[Hashable, list[Before]]:
    found: dict[Hashable, list[Before]] = {}
    for name, traits in sections.items():
        key = recognise(traits)
        if key is not None:
            found.setdefault(key, []).append(name)
    return found


def _told_apart(old: Traits, new: Traits) -> bool:
    return old.explicit_id is not None and new.explicit_id is not None and old.explicit_id != new.explicit_id
