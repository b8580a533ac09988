"""A desk on which a handbook is edited and indexed day by day, with everything but the folder in memory."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from index.history.assembly import Moment
from index.history.catalog import Catalog
from index.history.changes import SectionChange
from index.history.parsed import LoadedEdition, ParseCache, load
from index.history.plan import Plan, make_plan
from index.history.rollback import rollback
from index.settings import IndexSettings
from ingest.dates import parse_day
from ingest.handbook.editions import scan


def noon(day: str) -> int:
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp() + 43_200) * 1_000_000


class Desk:
    """`write` changes files, `plan` and `index` look at them at noon of a day, `texts` says what is in force."""

    def __init__(self, root: Path):
        self.root = root
        self.catalog, self.cache = Catalog.open(Path(":memory:")), ParseCache(Path(":memory:"))

    def write(self, files: dict[str, str | None]) -> Desk:
        """A text of None removes the file, or the folder."""
        for name, text in files.items():
            path = self.root / name
            if text is None:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return self

    def clear(self) -> Desk:
        """Remove every file of a folder without folders."""
        return self.write({path.name: None for path in self.root.iterdir()})

    def load(self, day: str) -> tuple[LoadedEdition, ...]:
        handbook = scan(self.root, timezone="UTC", now=noon(day), max_file_bytes=10**6)
        return load(handbook, self.cache)

    def plan(self, day: str, *, effective_from: str | None = None) -> Plan:
        since = parse_day(effective_from) if effective_from else None
        moment = Moment(noon(day), parse_day(day))
        return make_plan(self.catalog, self.load(day), moment, IndexSettings(), since)

    def index(self, day: str, *, effective_from: str | None = None) -> Plan:
        plan = self.plan(day, effective_from=effective_from)
        if not plan.is_empty:
            self.catalog.apply(plan.change)
        return plan

    def roll_back(self, seq: int, day: str) -> tuple[SectionChange, ...]:
        change, told = rollback(self.catalog, seq, noon(day))
        self.catalog.apply(change)
        return told

    def texts(self, as_of: str, known_at: str = "2029-01-01") -> dict[str, str]:
        """Last line of each section in force, by address."""
        day = parse_day(as_of)
        rows = [row for row in self.catalog.in_force(day, noon(known_at)) if row.kind == "section"]
        versions = self.catalog.versions([row.digest for row in rows]).values()
        return {version.address: version.text.strip().split("\n")[-1] for version in versions if version.titles}


@pytest.fixture
def make_desk(tmp_path: Path) -> Callable[[], Desk]:
    """A new desk at each call."""

    def make() -> Desk:
        folder = tmp_path / f"handbook{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        return Desk(folder)

    return make


@pytest.fixture
def desk(make_desk: Callable[[], Desk]) -> Desk:
    return make_desk()
