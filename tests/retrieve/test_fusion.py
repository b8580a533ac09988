from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from retrieve.fusion import blend, by_score, minmax, reduce_to_sections, rrf
from retrieve.trace import Ranked, SectionKey


def key(name: str) -> SectionKey:
    return SectionKey("a.md", name)


def hit(section: str, score: float) -> Any:
    return SimpleNamespace(doc_id="a.md", section_id=section, score=score)


def names(ranking: tuple[Ranked, ...]) -> list[str]:
    return [entry.key.section_id for entry in ranking]


def test_chunks_reduce_to_sections_by_their_best_child_before_fusion() -> None:
    ranking = reduce_to_sections([hit("x", 0.9), hit("x", 0.8), hit("y", 0.85), hit("x", 0.7)])

    assert ranking == (Ranked(key("x"), 1, 0.9), Ranked(key("y"), 2, 0.85))


def test_equal_scores_go_by_id_whatever_the_order_of_hits() -> None:
    hits = [hit("c", 0.5), hit("a", 0.5), hit("b", 0.5)]

    assert names(reduce_to_sections(hits)) == names(reduce_to_sections(hits[::-1])) == ["a", "b", "c"]


def test_ids_order_by_document_before_section() -> None:
    ranking = by_score({SectionKey("b.md", "1"): 1.0, SectionKey("a.md", "2"): 1.0})

    assert [entry.key.doc_id for entry in ranking] == ["a.md", "b.md"]


def test_rrf_adds_weighted_reciprocal_ranks() -> None:
    dense = by_score({key("x"): 0.9, key("y"): 0.8})
    bm25 = by_score({key("y"): 12.0, key("z"): 3.0})

    fused = {entry.key: entry.score for entry in rrf([(dense, 1.0), (bm25, 2.0)], k=60)}

    assert fused == pytest.approx({key("x"): 1 / 61, key("y"): 1 / 62 + 2 / 61, key("z"): 2 / 62})


def test_a_list_with_weight_zero_does_not_bring_sections() -> None:
    assert names(rrf([(by_score({key("x"): 1.0}), 1.0), (by_score({key("y"): 1.0}), 0.0)])) == ["x"]
    assert names(minmax([(by_score({key("x"): 1.0}), 1.0), (by_score({key("y"): 1.0}), 0.0)])) == ["x"]


def test_minmax_scales_each_list_and_counts_a_missing_section_as_zero() -> None:
    dense = by_score({key("x"): 0.9, key("y"): 0.7, key("z"): 0.5})
    bm25 = by_score({key("y"): 20.0, key("z"): 10.0})

    fused = {entry.key: entry.score for entry in minmax([(dense, 1.0), (bm25, 1.0)])}

    assert fused == pytest.approx({key("x"): 1.0, key("y"): 1.5, key("z"): 0.0})


def test_minmax_of_equal_scores_is_one_not_a_division_by_zero() -> None:
    assert [entry.score for entry in minmax([(by_score({key("x"): 4.0, key("y"): 4.0}), 1.0)])] == [1.0, 1.0]


def test_nothing_fuses_to_nothing() -> None:
    assert rrf([((), 1.0), ((), 1.0)]) == minmax([((), 1.0)]) == ()


@pytest.mark.parametrize(
    ("weights", "order"),
    [((1, 0), ["x", "y", "z"]), ((0, 1), ["z", "y", "x"]), ((1, 2), ["z", "y", "x"]), ((2, 1), ["x", "y", "z"])],
    ids=["the first alone", "the second alone", "more of the second", "more of the first"],
)
def test_blend_weighs_scaled_scores(weights: tuple[float, float], order: list[str]) -> None:
    first = by_score({key("x"): 0.031, key("y"): 0.0301, key("z"): 0.029})
    second = by_score({key("x"): -400.0, key("y"): 0.1, key("z"): 500.0})

    assert names(blend(zip((first, second), weights, strict=True))) == order


def test_blend_is_a_weighted_mean_from_0_to_1_whatever_the_weights_sum_to() -> None:
    lists = (
        by_score({key("x"): 3.0, key("y"): 1.0, key("z"): 2.0}),
        by_score({key("x"): 8.0, key("y"): 8.0, key("z"): 4.0}),
    )

    small, large = (blend(zip(lists, weights, strict=True)) for weights in ((0.1, 0.3), (1, 3)))

    assert {entry.key: entry.score for entry in small} == pytest.approx({key("x"): 1, key("y"): 0.75, key("z"): 0.125})
    assert [entry.score for entry in large] == pytest.approx([entry.score for entry in small])


def test_blend_without_any_weight_is_nothing() -> None:
    assert blend([(by_score({key("x"): 1.0}), 0.0)]) == ()
