"""Measures and blends of rerankers, on scores made by hand."""

import numpy as np
import pytest

from eval.reranking.contest import FIRST, Judged, Played
from eval.reranking.measures import ndcg, recall, reciprocal_rank
from eval.reranking.sets import Asked


@pytest.mark.parametrize(
    ("ranked", "gold", "expected"),
    [
        (["a", "b", "c"], {"a"}, (1.0, 1.0, 1.0)),
        (["b", "a", "c"], {"a"}, (1.0, 0.5, 1 / np.log2(3))),
        (["b", "c", "d"], {"a"}, (0.0, 0.0, 0.0)),
        (["a", "b", "c"], {"a", "c"}, (1.0, 1.0, 1.5 / (1 + 1 / np.log2(3)))),
        (["c", "b", "d", "e", "f", "a"], {"a", "c"}, (0.5, 1.0, (1 + 1 / np.log2(7)) / (1 + 1 / np.log2(3)))),
    ],
    ids=["first", "second", "missing", "two", "beyond five"],
)
def test_measures(ranked: list[str], gold: set[str], expected: tuple[float, float, float]) -> None:
    found = recall(ranked, gold, 5), reciprocal_rank(ranked, gold), ndcg(ranked, gold, 10)
    assert found == pytest.approx(expected)


def played() -> Played:
    asked = [Asked("1", "q", frozenset({"b"}), "f"), Asked("2", "q", frozenset({"a"}), "g")]
    scores = {FIRST: np.array([3.0, 2.0, 1.0]), "late": np.array([0.0, 10.0, 5.0])}
    return Played("set", [Judged(one, ("a", "b", "c"), scores) for one in asked])


@pytest.mark.parametrize(
    ("blend", "order"),
    [
        ({FIRST: 1.0}, "abc"),
        ({"late": 1.0}, "bca"),
        ({FIRST: 0.5, "late": 0.5}, "bac"),
        ({FIRST: 1.0, "late": 0.0}, "abc"),
    ],
    ids=["first stage", "late", "both", "zero weight"],
)
def test_blends_are_sums_of_scaled_scores(blend: dict[str, float], order: str) -> None:
    assert "".join(played().ranked(blend)["1"]) == order


def test_gains_are_paired() -> None:
    result = played()
    gain = result.gain(result.scores({"late": 1.0}, "MRR"), {FIRST: 1.0}, "MRR")
    assert gain is not None
    # One question goes from rank 2 to 1, the other from 1 to 3.
    assert gain.mean == pytest.approx((0.5 + (1 / 3 - 1)) / 2)
    assert gain.n == 2
