"""From what a person calls a section to the one section it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ingest.dates import show_day
from ingest.errors import QueryError
from retrieve.asking import Asked
from retrieve.history import in_words, joined
from retrieve.trace import SectionKey
from retrieve.when import show_asked

if TYPE_CHECKING:
    from index.history.records import Row, Version


@dataclass(frozen=True, slots=True)
class Named:
    """A section that a name stands for."""

    key: SectionKey
    address: str


@dataclass(frozen=True, slots=True)
class Namesake:
    """Another section, and the last days on which it had a number."""

    number: str
    title: str
    address: str
    effective_from: str | None
    superseded_at: str | None
    later: bool
    """Whether those days come after the one that was asked about."""


def namesakes(asked: Asked, name: str) -> tuple[Namesake, ...]:
    """Sections that had the number `name` on other days than the one that `find_ever` chooses, by day.

    Raises:
        QueryError: as `find_ever`.
    """
    chosen, number = find_ever(asked, name), re.split(r"[\s#]", name.strip())[-1]
    others = [other for other in asked.snapshot.find_ever(name.strip()) if other != chosen]
    found = [_last_numbered(asked, other, number) for other in others]
    return tuple(sorted((one for one in found if one), key=lambda one: (one.effective_from or "", one.address)))


def _last_numbered(asked: Asked, section_id: str, number: str) -> Namesake | None:
    known = asked.moment.known_at
    rows = [
        (row, version)
        for row, version in asked.snapshot.history(section_id)
        if row.rec_from <= known < row.rec_to and version.number == number
    ]
    if not rows:
        return None
    row, version = rows[-1]
    later, since, until = row.valid_from > asked.moment.as_of, show_day(row.valid_from), show_day(row.valid_to)
    return Namesake(number, version.title, version.address, since, until, later)


def find_in_force(asked: Asked, name: str) -> Named | None:
    """The section in force called `name`; None where there is none.

    Raises:
        QueryError: several are called that.
    """
    found = [placed.version for placed in asked.library.view.find(name.strip())]
    if len(found) > 1:
        raise _ambiguous(name, [version.address for version in found])
    return Named(SectionKey(found[0].doc_id, found[0].section_id), found[0].address) if found else None


def must_be_in_force(asked: Asked, name: str) -> Named:
    """The section in force called `name`.

    Raises:
        QueryError: none is (the message says when one was), or several are.
    """
    found = find_in_force(asked, name)
    if found is not None:
        return found
    rows = asked.snapshot.history(find_ever(asked, name))
    spans = joined(
        (row.valid_from, row.valid_to) for row, _ in rows if row.rec_from <= asked.moment.known_at < row.rec_to
    )
    when = f"it is in force {in_words(spans)}" if spans else "it was not known then"
    raise QueryError(f"{_newest(rows).address} is not in force on {show_asked(asked.moment.as_of)}: {when}")


def find_ever(asked: Asked, name: str) -> str:
    """Id of the one section that was ever called `name`; one in force on the day goes first.

    Raises:
        QueryError: none was, or several were.
    """
    current = find_in_force(asked, name)
    if current is not None:
        return current.key.section_id
    ids = asked.snapshot.find_ever(name.strip())
    if not ids:
        raise _unknown(asked, name)
    if len(ids) > 1:
        raise _ambiguous(name, [_newest(asked.snapshot.history(section_id)).address for section_id in ids])
    return ids[0]


def last_address(asked: Asked, name: str) -> str:
    """The newest address of the section that was ever called `name`. Raises QueryError as `find_ever`."""
    return _newest(asked.snapshot.history(find_ever(asked, name))).address


def _newest(rows: list[tuple[Row, Version]]) -> Version:
    return rows[-1][1]


def _ambiguous(name: str, addresses: list[str]) -> QueryError:
    return QueryError(f'several sections are called "{name}"', allowed="; ".join(sorted(addresses)[:10]))


def _unknown(asked: Asked, name: str) -> QueryError:
    known = [node.version.address for doc in asked.library.documents for node in asked.library.tree(doc).nodes]
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    return QueryError(
        f'no section was ever called "{name}"',
        allowed='an address such as "04-seats.md#Seats > Downgrades", or a number while it is unique',
        fix=f"did you mean {' or '.join(near)}?" if near else None,
    )
