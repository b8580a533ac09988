from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Plus

from index.lexical.postings import Postings
from ingest.errors import StateDamaged

ROWS = [["seat", "credit", "credit"], ["notice", "30-day"], [], ["seat", "notice"], ["notice", "seat"]]
ALL = np.ones(len(ROWS), dtype=np.bool_)

_token = st.sampled_from(["seat", "credit", "notice", "30-day", "$5,000", "refund"])
_rows = st.lists(st.lists(_token, max_size=8), min_size=1, max_size=12)


@given(rows=_rows, query=st.lists(_token, max_size=8), data=st.data())
def test_scores_equal_rank_bm25_on_the_rows_in_the_mask(
    rows: list[list[str]], query: list[str], data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    mask = np.array(chosen, dtype=np.bool_)
    found, scores = Postings.build(rows).score(query, mask)
    expected = _rank_bm25([row for row, kept in zip(rows, chosen, strict=True) if kept], query)
    by_row = dict(zip(np.flatnonzero(mask).tolist(), expected, strict=True))
    assert found.tolist() == [row for row in by_row if set(rows[row]) & set(query)]
    np.testing.assert_allclose(scores, [by_row[row] for row in found.tolist()], rtol=1e-12)


def _rank_bm25(rows: list[list[str]], query: list[str]) -> list[float]:
    """Scores of the reference, which divides by zero where no row has a token."""
    if not any(rows):
        return [0.0] * len(rows)
    return [float(score) for score in BM25Plus(rows).get_scores(query)]


@given(rows=_rows, cut=st.integers(0, 12))
def test_extending_equals_building_at_once(rows: list[list[str]], cut: int) -> None:
    whole, grown = Postings.build(rows), Postings.build(rows[:cut]).extended(rows[cut:])
    mask = np.ones(len(rows), dtype=np.bool_)
    query = ["seat", "credit", "notice", "refund"]
    for expected, found in zip(whole.score(query, mask), grown.score(query, mask), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_saved_postings_score_the_same(tmp_path: Path) -> None:
    postings = Postings.build(ROWS)
    postings.save(tmp_path / "keywords.npz")
    loaded = Postings.load(tmp_path / "keywords.npz").extended([["seat"]])
    mask = np.append(ALL, False)
    assert len(loaded) == 6
    assert loaded.top(["seat", "notice"], mask, 9)[1].tolist() == postings.top(["seat", "notice"], ALL, 9)[1].tolist()


def test_equal_scores_come_in_row_order_at_every_n() -> None:
    postings = Postings.build([["seat"]] * 30 + [["seat", "seat"]])
    mask = np.ones(31, dtype=np.bool_)
    for n in (1, 2, 5, 31, 40):
        assert postings.top(["seat"], mask, n)[0].tolist() == [30, *range(30)][:n]


def test_top_returns_only_rows_within() -> None:
    within = np.array([True, False, False, False, True])
    rows, scores = Postings.build(ROWS).top(["seat", "notice"], ALL, 5, within)
    assert rows.tolist() == [4, 0]
    assert scores[0] > scores[1]


@pytest.mark.parametrize(
    ("rows", "query"),
    [
        ([], ["seat"]),
        ([[]], ["seat"]),
        ([["seat"]], []),
        ([["seat"]], ["unseen"]),
    ],
    ids=["no rows", "an empty row", "no query", "unseen word"],
)
def test_nothing_to_find(rows: list[list[str]], query: list[str]) -> None:
    found, scores = Postings.build(rows).top(query, np.ones(len(rows), dtype=np.bool_), 5)
    assert found.tolist() == scores.tolist() == []


def test_a_mask_of_no_rows_finds_nothing() -> None:
    assert Postings.build(ROWS).top(["seat"], ~ALL, 5)[0].tolist() == []


def test_a_mask_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"mask: bool \(4,\); allowed: bool \(5,\)"):
        Postings.build(ROWS).score(["seat"], ALL[:4])


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 cut short"], ids=["gone", "empty", "cut short"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "keywords.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StateDamaged, match=r"keywords\.npz: the keyword index cannot be read .* --full"):
        Postings.load(path)
