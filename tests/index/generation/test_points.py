from pathlib import Path

import numpy as np
import pytest

from index.generation.points import Points
from index.history.records import Row
from index.stores.store import Window, point_id
from ingest.dates import FOREVER, FOREVER_DAY
from ingest.errors import StateDamaged


def section(row_id: int, doc: str = "a.md", valid_from: int = 0, valid_to: int = FOREVER_DAY, rec_from: int = 1) -> Row:
    return Row(row_id, "section", doc, f"{row_id:016x}", f"{row_id:032x}", valid_from, valid_to, rec_from)


def document(row_id: int, doc: str) -> Row:
    return Row(row_id, "document", doc, doc, f"{row_id:032x}", 0, FOREVER_DAY, 1)


@pytest.fixture
def points() -> Points:
    rows = [
        section(1, valid_to=10),
        section(2, valid_from=10),
        document(3, "a.md"),
        section(4, "b.md"),
        document(5, "b.md"),
    ]
    chunks = [
        (point_id(1, 0), 0, 5, 0),
        (point_id(2, 0), 0, 4, 1),
        (point_id(2, 1), 4, 9, 2),
        (point_id(4, 0), 0, 3, 0),
    ]
    return Points.empty().extended(rows, chunks)


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Window(9, 1), [True, False, False, True]),
        (Window(10, 1), [False, True, True, True]),
        (Window(10, 0), [False] * 4),
        (Window(10, 1, ("b.md",)), [False, False, False, True]),
        (Window(10, 1, ("c.md",)), [False] * 4),
    ],
    ids=["before", "after", "unknown yet", "one document", "no document"],
)
def test_points_in_a_window(points: Points, window: Window, expected: list[bool]) -> None:
    assert points.points_in(window).tolist() == expected


def test_a_closed_row_stays_for_earlier_beliefs(points: Points) -> None:
    closed = points.closed({2: 50})
    assert closed.rows_in(10, 49).tolist() == points.rows_in(10, 49).tolist()
    assert closed.rows_in(10, 50).tolist() == [False, False, True, True, True]


def test_documents_are_those_with_a_row_of_their_own(points: Points) -> None:
    assert points.documents(points.rows_in(9, 1)) == ("a.md", "b.md")
    assert points.documents(np.zeros(5, dtype=bool)) == ()


def test_ids_of_rows(points: Points) -> None:
    assert points.ids_of_rows([2, 3]) == {2: [point_id(2, 0), point_id(2, 1)], 3: []}


def test_extending_twice_is_extending_once(points: Points) -> None:
    later, chunks = [section(6, "c.md"), document(7, "c.md")], [(point_id(6, 0), 0, 8, 3)]
    grown = points.extended(later, chunks)
    assert grown.doc_names == ("a.md", "b.md", "c.md")
    assert grown.points_in(Window(10, 1)).tolist() == [False, True, True, True, True]
    assert grown.row.tolist() == [0, 1, 1, 3, 5]
    assert grown.text.tolist() == [0, 1, 2, 0, 3]


def test_saving_keeps_everything(points: Points, tmp_path: Path) -> None:
    points.closed({2: FOREVER - 1}).save(tmp_path / "points.npz")
    loaded = Points.load(tmp_path / "points.npz")
    assert loaded.doc_names == points.doc_names
    assert loaded.rec_to.tolist() == [FOREVER, FOREVER - 1, FOREVER, FOREVER, FOREVER]
    for name in ("row_id", "is_section", "doc", "item", "digest", "id", "start", "end", "text", "row"):
        assert getattr(loaded, name).tolist() == getattr(points, name).tolist()


def test_no_rows_are_a_table_too(tmp_path: Path) -> None:
    Points.empty().save(tmp_path / "points.npz")
    assert Points.load(tmp_path / "points.npz").points_in(Window(1, 1)).tolist() == []


@pytest.mark.parametrize("keep", [None, 0, 100], ids=["gone", "empty", "cut short"])
def test_a_table_that_is_not_whole(points: Points, tmp_path: Path, keep: int | None) -> None:
    path = tmp_path / "points.npz"
    if keep is not None:
        points.save(path)
        path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(StateDamaged, match=r"points\.npz: the table of points cannot be read.*caveat index --full"):
        Points.load(path)


def test_rows_of_a_document_are_its_own_and_its_sections(points: Points) -> None:
    assert points.document_rows("a.md").tolist() == [0, 1, 2]
    assert points.document_rows("b.md").tolist() == [3, 4]
    assert points.document_rows("c.md").tolist() == []
