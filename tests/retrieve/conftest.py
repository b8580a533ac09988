"""Small handbooks as values: sections of a document without any index behind them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from index.history.records import Version
from index.run import IndexRequest, Report, index_run
from index.settings import EncoderSettings, Settings
from index.snapshot import Placed
from ingest.dates import FOREVER_DAY, UNKNOWN_DAY, parse_instant
from ingest.document import Link
from ingest.elements import Element, Kind
from retrieve.retriever import Retriever
from retrieve.settings import RetrieveSettings
from retrieve.tree import Tree

Line = tuple[int, str, str]
"""Level (0: preamble), heading as displayed, body; blank lines in the body part its paragraphs."""


def _elements(heading: str, body: str) -> tuple[Element, ...]:
    found = [Element(Kind.HEADING, 0, len(heading), 1, 1)] if heading else []
    at = len(heading) + 1 if heading else 0
    for block in body.split("\n\n"):
        kind = Kind.ITEM if block.startswith("- ") else Kind.TABLE if block.startswith("|") else Kind.PARAGRAPH
        found += [Element(kind, at, at + len(block), 1)] if block.strip() else []
        at += len(block) + 2
    return tuple(found)


def version_of(doc_id: str, parents: list[Version], line: Line, links: tuple[Link, ...] = ()) -> Version:
    level, heading, body = line
    first, _, rest = heading.partition(" ")
    number, title = (first, rest) if first[:1].isdigit() else (None, heading)
    marked = f"{'#' * level} {heading}" if level else ""
    text = f"{marked}\n{body}\n\n" if level else body
    digest = hashlib.sha256(text.encode()).hexdigest()
    above = [parent for parent in parents if parent.level]
    return Version(
        digest=digest + heading,
        section_id=f"{doc_id}/{heading or 'preamble'}",
        parent_id=parents[-1].section_id if parents else None,
        doc_id=doc_id,
        content=digest,
        text_digest=digest,
        number=number,
        title=title,
        path=(*(above[-1].path if above else ()), heading) if level else (),
        titles=(*(above[-1].titles if above else ()), title) if level else (),
        level=level,
        occurrence=1,
        text=text,
        elements=_elements(marked, body),
        links=links,
        page=None,
        tokens=len(text.split()),
    )


def placed(version: Version, valid_from: int = UNKNOWN_DAY, valid_to: int = FOREVER_DAY) -> Placed:
    return Placed(version, valid_from, valid_to, 1)


def tree_of(doc_id: str, *lines: Line) -> Tree:
    nodes: list[Version] = []
    parents: list[int | None] = []
    for line in lines:
        above = [i for i, node in enumerate(nodes) if node.level < line[0]]
        chain = [i for i in above if not any(i < j and nodes[j].level <= nodes[i].level for j in range(len(nodes)))]
        parents.append(chain[-1] if chain else None)
        nodes.append(version_of(doc_id, [nodes[i] for i in chain], line))
    return Tree(doc_id, tuple(placed(node) for node in nodes), tuple(parents))


@pytest.fixture
def make_tree() -> Callable[..., Tree]:
    return tree_of


@pytest.fixture
def make_version() -> Callable[..., Version]:
    """`make_version(doc_id, level, heading, body, links=(), under=())`."""

    def make(
        doc_id: str, level: int, heading: str, body: str = "", links: tuple[Link, ...] = (), under: Any = ()
    ) -> Version:
        return version_of(doc_id, list(under), (level, heading, body), links)

    return make


@pytest.fixture
def place() -> Callable[..., Any]:
    """`place(version, valid_from, valid_to)`: the version with its belief."""
    return placed


NOW = parse_instant("2026-09-01T12:00:00Z", "UTC", end_of_day=False)
HASH = Settings(encoder=EncoderSettings(model="hash-384"))
Files = Mapping[str, str]


@dataclass
class Desk:
    """A handbook folder with its state folder: write files, index, ask."""

    root: Path
    state: Path
    now: int = NOW
    runs: int = 0

    def write(self, files: Files) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def index(self, files: Files, **flags: Any) -> Report:
        """Writes the files and indexes, each time a little later in the second before `now`."""
        self.write(files)
        self.runs += 1
        at = self.now - 1_000_000 + self.runs
        return index_run(IndexRequest(self.root, self.state, at, HASH, allow_removals=True, **flags))

    def open(self, **settings: Any) -> Retriever:
        """The first stage alone, unless a reranker is named: it is what most tests are about."""
        chosen = RetrieveSettings(**{"reranker": "none"} | settings)
        return Retriever.open(self.state, chosen, clock=lambda: self.now)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "handbook", tmp_path / "state")


SEATS = """# 4 Seats

Seats are sold by the year.

Except for Enterprise plans:

## 4.1 Adding

Seats can be added at any time, and are invoiced for the rest of the year.

## 4.2 Downgrades

Seats can be taken off on the renewal date.

### 4.2.1 Formula

credit_usd = (prior_seats - new_seats) * annual_seat_price, subject to Section 9.1(b).

### 4.2.2 Notice

Written notice must arrive at least {days} calendar days before the renewal date.

## 4.3 Transfers

A seat can be handed to a colleague. Seat means a place for one person.
"""
ORDER = """# 9 Order of precedence

## 9.1 Contracts first

A signed contract goes before this handbook:

(a) where it names a price;

(b) where it forbids a refund.

## 9.2 Holidays

Notwithstanding Section 4.3, no colleague is replaced during holidays.
"""


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Two editions, 2025-07-01 and 2026-01-01; the notice period went from 10 to 30 days. Only to be read."""
    folder = tmp_path_factory.mktemp("office")
    desk = Desk(folder / "handbook", folder / "state")
    desk.index(
        {
            "2025-07-01/04-seats.md": SEATS.format(days=10),
            "2025-07-01/09-order.md": ORDER,
            "2026-01-01/04-seats.md": SEATS.format(days=30),
            "2026-01-01/09-order.md": ORDER,
        }
    )
    return desk


@pytest.fixture
def retriever(office: Desk) -> Iterator[Retriever]:
    with office.open() as opened:
        yield opened
