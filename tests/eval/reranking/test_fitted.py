"""Weights that are chosen on some families and measured on others, and the table that shows them."""

import numpy as np
import pytest

from eval.reranking.contest import FIRST, Judged, Played
from eval.reranking.fitted import FOLDS, fitted, shares
from eval.reranking.sets import Asked
from eval.reranking.table import CROSS, LATE, Table
from ingest.errors import SourceError

NAMES = [FIRST, LATE, CROSS]


def played(scores: dict[str, list[float]], families: int = 10, is_seen: bool = False) -> Played:
    """Questions whose gold is "b", all with the same scores of a, b and c."""
    judged = {name: np.array(values) for name, values in scores.items()}
    asked = [Asked(f"q{number}", "q", frozenset({"b"}), f"f{number}") for number in range(families)]
    milliseconds = {LATE: [1.0], CROSS: [9.0]}
    return Played("a set", [Judged(one, ("a", "b", "c"), judged) for one in asked], milliseconds, is_seen)


USELESS_CROSS = {FIRST: [3.0, 2.0, 1.0], LATE: [0.0, 10.0, 5.0], CROSS: [3.0, 2.0, 1.0]}


@pytest.mark.parametrize(("count", "ways"), [(1, 1), (2, 11), (3, 66)])
def test_shares_are_all_ways_and_sum_to_one(count: int, ways: int) -> None:
    found = list(shares(count))
    assert len(set(found)) == ways
    assert all(sum(weights) == pytest.approx(1) for weights in found)


def test_what_brings_nothing_gets_no_weight() -> None:
    found = fitted(played(USELESS_CROSS), NAMES)
    assert found.mean[CROSS] == 0
    # The least that puts "b" on top: among equals the first stage keeps the most.
    assert found.mean[LATE] == pytest.approx(0.4)
    assert set(found.scores(played(USELESS_CROSS), "MRR").values()) == {1.0}


def test_a_question_is_scored_by_weights_that_did_not_look_at_it() -> None:
    # Of five families one needs the cross-encoder; the others are spoiled by it.
    spoiled = played({FIRST: [1.0, 2.0, 0.0], LATE: [1.0, 2.0, 0.0], CROSS: [2.0, 0.0, 1.0]}, families=FOLDS)
    odd = {FIRST: np.array([2.0, 0.0, 1.0]), LATE: np.array([2.0, 0.0, 1.0]), CROSS: np.array([0.0, 2.0, 1.0])}
    spoiled.questions[0] = Judged(spoiled.questions[0].asked, ("a", "b", "c"), odd)
    found = fitted(spoiled, NAMES)
    assert found.scores(spoiled, "MRR") == {"q0": pytest.approx(1 / 3), "q1": 1, "q2": 1, "q3": 1, "q4": 1}


def test_too_few_families_to_hold_any_back_are_an_error() -> None:
    with pytest.raises(SourceError, match="4 families"):
        fitted(played(USELESS_CROSS, families=4), NAMES)


def test_the_table_has_a_row_for_each_blend_and_leaves_seen_text_out_of_the_average() -> None:
    table = Table([LATE, CROSS])
    lines = [*table.of_set(played(USELESS_CROSS)), *table.of_set(played(USELESS_CROSS, is_seen=True))]
    assert "| first stage | 1.000 | 0.500 | 0.631 |  |" in lines
    assert "| late | 1.000 (+0.000 [+0.000, +0.000]) | 1.000 (+0.500 [+0.500, +0.500])" in "\n".join(lines)
    assert any(line.startswith("cross-fitted: first stage") and "cross 0.00" in line for line in lines)
    average = list(table.of_average())
    assert average[0] == "average of 1 sets: a set"
    assert "| cross-fitted | +0.000 [+0.000, +0.000] | +0.500 [+0.500, +0.500]" in "\n".join(average)
