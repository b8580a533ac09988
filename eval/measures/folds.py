"""Families dealt to folds, so that no clause is on both sides of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b

from ingest.errors import SourceError


def deal(families: Mapping[str, str], kinds: Mapping[str, str], folds: int) -> dict[str, int]:
    """The fold of each family, from 0; within each kind in the order of their digests, to the emptiest fold.

    Args:
        families: Family by ticket.
        kinds: Kind by ticket; a family is of the kind of its first ticket.
        folds: How many; at least 2.

    Raises:
        SourceError: fewer families than folds.
    """
    sizes = Counter(families.values())
    if len(sizes) < folds:
        found = f"{len(sizes)} families that the measure scores"
        raise SourceError(found, where="tune side", allowed=f"at least {folds}, one for each fold", fix="write more")
    kind_of: dict[str, str] = {}
    for ticket, family in families.items():
        kind_of.setdefault(family, kinds[ticket])
    dealt: dict[str, int] = {}
    total: Counter[int] = Counter()
    for kind in sorted(set(kind_of.values())):
        here: Counter[int] = Counter()
        for family in sorted((name for name in kind_of if kind_of[name] == kind), key=_drawn):
            # A tie within the kind goes to the fold that is smallest in all, so that odd kinds do not add up.
            fold = min(range(folds), key=lambda one: (here[one], total[one], one))
            dealt[family] = fold
            here[fold] += sizes[family]
            total[fold] += sizes[family]
    return dealt


def _drawn(family: str) -> str:
    return blake2b(family.encode(), digest_size=16).hexdigest()
