from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from index.history.catalog import Catalog
from index.history.change import Change, Retold, Step, VersionKey
from index.history.records import SECTION, Content, Outline, Row
from index.history.schema import SCHEMA_VERSION
from index.history.tellings import Said, Telling
from index.history.timeline import EditionKey
from ingest.dates import FOREVER, FOREVER_DAY
from ingest.document import Link, Relation
from ingest.elements import Element, Kind
from ingest.errors import StateDamaged, StateError, StateMissing

CONTENT = Content(
    "c1",
    "4.2",
    "Downgrades",
    ("4 Seats", "4.2 Downgrades"),
    ("Seats", "Downgrades"),
    2,
    1,
    "## 4.2 Downgrades\n\nSee 9.1.\n",
    (Element(Kind.HEADING, 0, 17, 1, 2), Element(Kind.TABLE, 19, 27, 3, rows=((19, 22),), header=(19, 21))),
    (Link(Relation.REFERENCE, "9.1", 19, 26),),
    7,
)
VERSION = VersionKey("s1", None, "seats.md", "c1")
ROW = Row(1, SECTION, "seats.md", "s1", "v1", 10, FOREVER_DAY, 1000)


def first_change() -> Change:
    key = EditionKey(10, 0, "first")
    said = Said("seats.md", "seats.md", 10, 10, "k1", "o1", (("s1", "v1"),))
    return Change(
        "index",
        0,
        (Step(1000, (ROW,)),),
        Retold((Telling(key, True, {}, (), ("broken.md",)),), ((key, said),)),
        {"v1": VERSION},
        {"o1": Outline("o1", "seats.md", "Seats", (("s1", None),))},
        contents=lambda _: [CONTENT],
        summary={"added": 1},
    )


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    catalog = Catalog.open(tmp_path / "history" / "catalog.sqlite")
    catalog.apply(first_change())
    return catalog


def test_a_version_comes_back_as_it_was_written(catalog: Catalog) -> None:
    version = catalog.version("v1")
    assert (version.section_id, version.doc_id, version.address) == ("s1", "seats.md", "seats.md#Seats > Downgrades")
    assert (version.text, version.elements, version.links) == (CONTENT.text, CONTENT.elements, CONTENT.links)
    assert (version.path, version.titles, version.page) == (CONTENT.path, CONTENT.titles, 7)
    assert version.tokens == 15
    assert catalog.same_text(version.text_digest) == ("v1",)


def test_what_the_editions_said_comes_back(catalog: Catalog) -> None:
    [telling] = catalog.tellings().values()
    assert telling.silent == ("broken.md",)
    assert telling.said["seats.md"].sections == (("s1", "v1"),)
    assert catalog.tellings(at_seq=0) == {}


def test_a_row_holds_in_its_days_and_while_it_is_believed(catalog: Catalog) -> None:
    catalog.apply(Change("index", 1, (Step(2000, closes=(1,)),)))
    assert [len(catalog.in_force(day, 1999)) for day in (9, 10, 11)] == [0, 1, 1]
    assert [len(catalog.in_force(10, known_at)) for known_at in (999, 1000, 1999, 2000)] == [0, 1, 1, 0]
    assert catalog.rows_closed(after=1) == [(1, 2000, 2)]
    assert catalog.rows_closed(after=2) == []
    assert (len(catalog.believed()), len(catalog.believed_at(1))) == (0, 1)


def test_the_log_tells_each_run(catalog: Catalog) -> None:
    assert [(run.seq, run.instant, run.kind, run.summary) for run in catalog.runs()] == [
        (1, 1000, "index", {"added": 1})
    ]
    for seq in (5, 0, 10**30):
        with pytest.raises(StateError, match=rf"no run {seq}; allowed: 1 to 1"):
            catalog.instant(seq)


def test_a_change_worked_out_before_another_run_is_refused(catalog: Catalog) -> None:
    with pytest.raises(StateError, match="sequence 1, and the change was worked out against 0"):
        catalog.apply(first_change())


def test_a_change_that_fails_leaves_nothing(catalog: Catalog) -> None:
    broken = Change("index", 1, (Step(2000, (replace(ROW, row_id=2),), (1,)), Step(2000)))
    with pytest.raises(StateDamaged, match="UNIQUE constraint"):
        catalog.apply(broken)
    assert (catalog.sequence, catalog.rows(), catalog.rows_closed()) == (1, [replace(ROW, seq_from=1)], [])


def test_a_copy_is_read_without_locks_and_refuses_writing(catalog: Catalog, tmp_path: Path) -> None:
    shutil.copyfile(catalog.path, tmp_path / "copy.sqlite")
    copy = Catalog.open_snapshot(tmp_path / "copy.sqlite")
    assert [row.rec_to for row in copy.in_force(10, 1000)] == [FOREVER]
    with pytest.raises(StateError, match="readonly"):
        copy.apply(Change("index", 1, (Step(2000),)))


def test_a_catalog_of_a_newer_schema_is_refused(catalog: Catalog) -> None:
    catalog.close()
    with sqlite3.connect(catalog.path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    for opens in (Catalog.open, Catalog.open_snapshot):
        with pytest.raises(StateError, match=r"newer Caveat; allowed: up to schema 1; fix: update"):
            opens(catalog.path)


@pytest.mark.parametrize("opens", [Catalog.open, Catalog.open_snapshot, Catalog.open_reading])
def test_a_file_that_is_no_catalog_is_refused(opens: type, tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    path.write_bytes(b"not a database, but long enough to be taken for one" * 40)
    with pytest.raises(StateDamaged, match="not a readable catalog"):
        opens(path)


def test_a_missing_catalog_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(StateMissing, match="run caveat index"):
        Catalog.open_snapshot(tmp_path / "catalog.sqlite")
