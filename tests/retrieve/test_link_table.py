"""The links of an index, resolved from its table of names, are those of all its sections looked at at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from index.generation.manifest import NAMES
from index.generation.names import NameTable
from index.history.records import Version
from index.snapshot import Snapshot, View
from index.state import State
from index.targets import Targets, first_name, names_meant, names_of
from ingest.dates import parse_day
from ingest.errors import StateDamaged
from retrieve.library import Library
from retrieve.links import LinkGraph, key_of
from retrieve.trace import SectionKey

SEATS = """# 4 Seats

## 4.2 Downgrades

Subject to Section 9.1(b), see [fees](09-order.md#late-fees) and [order](09-order.md).

## 4.3 Table

As in Section 7.1, and under Schedule C.
"""
ORDER = """# 9 Order

See [above](#late-fees).

## 9.1 Contracts

(a) a price

(b) a refund

## Late fees

Notwithstanding Section 4.2, see [seats](/2/04-seats) and [x](other.md).
"""
TERMS = """Before [them](../04-seats.md).

# Terms

## 1 A

See Section 2 and Section 4.2.

## 2 B

## 7 Retention

Under Section 7.2.

## Schedule C - Rates

Pursuant to Section 1.
"""
EARLIER = {
    "2026-01-01/04-seats.md": SEATS,
    "2026-01-01/09-order.md": ORDER,
    "2026-01-01/legal/terms.md": TERMS,
}
LATER = {name.replace("-01-01", "-07-01"): text.replace("4.2 Down", "4.5 Down") for name, text in EARLIER.items()}


class Everything(Targets):
    """All sections in force, each of which might be linked with each."""

    def __init__(self, view: View):
        placed = [one for doc_id in view.documents() for one in view.sections(doc_id)]
        super().__init__(one.version for one in placed)
        self.versions = [one.version for one in sorted(placed, key=lambda one: one.row_id)]

    def linked_with(self, key: SectionKey) -> Sequence[Version]:
        return self.versions


@pytest.fixture
def snapshot(desk: Any) -> Snapshot:
    desk.index(EARLIER)
    desk.index(LATER)
    return Snapshot.open(desk.state)


@pytest.mark.parametrize("day", ["2026-03-01", "2026-08-01"])
def test_edges_are_those_of_all_sections_in_force(snapshot: Snapshot, day: str) -> None:
    view = snapshot.view(parse_day(day))
    everything = Everything(view)
    expected, found = LinkGraph(everything), Library(view).links
    edges = {key: list(expected.followed(key)) for key in map(key_of, everything.versions)}

    assert {key: list(found.followed(key)) for key in edges} == edges
    assert sum(map(len, edges.values())) >= 12


def test_a_table_that_grows_is_the_table_built_at_once(make_version: Callable[..., Version]) -> None:
    versions = [None, *(make_version(f"{n}.md", 1, f"{n}.{n} X") for n in range(5)), None]
    grown = NameTable.empty().extended(versions[:3]).extended(versions[3:])
    whole = NameTable.empty().extended(versions)

    for field in ("name", "called", "meant", "linking", "count"):
        assert getattr(grown, field).tolist() == getattr(whole, field).tolist()
    assert len(grown) == len(versions)
    assert grown.rows_called("n:3.3").tolist() == [4]


def test_a_reference_is_looked_for_under_every_name_that_resolving_tries(snapshot: Snapshot) -> None:
    everything = Everything(snapshot.view(parse_day("2026-03-01")))
    for version in everything.versions:
        for link in version.links:
            for target in everything.resolve(link.target, version.doc_id):
                names = {*names_of(target), first_name(target.doc_id)}
                assert names & names_meant(link.target, version.doc_id), (version.address, link.target)


def test_a_damaged_table_says_what_to_run(snapshot: Snapshot, desk: Any) -> None:
    path = State(desk.state).generation(snapshot.generation) / NAMES
    path.write_bytes(b"x")
    with pytest.raises(StateDamaged, match=r"table of names cannot be read .* run `caveat index --full`"):
        NameTable.load(path)
