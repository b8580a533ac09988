"""Two retrievers on the same questions, against figures worked out elsewhere."""

import math

import pytest

from eval.measures.comparing import McNemar, compare, smallest_difference
from eval.measures.definitions import Measure
from tests.eval.measures.cases import judged, question

HIT, RECALL, TOKENS = Measure("Hit", 5), Measure("Recall", 5), Measure("Tokens", 5)


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [(0, 0, 1), (5, 5, 1), (6, 0, 0.03125), (5, 0, 0.0625), (10, 2, 0.03857421875), (2, 10, 0.03857421875)],
)
def test_mcnemar_is_the_exact_binomial(gained: int, lost: int, p: float) -> None:
    assert McNemar(gained, lost).p == pytest.approx(p)


def test_mcnemar_of_many_is_a_number_still() -> None:
    assert 0 < McNemar(1600, 1400).p < 0.001
    assert McNemar(3000, 0).p == 0


def sides(now: int, before: int, n: int = 100) -> tuple[dict[str, object], dict[str, object]]:
    return tuple(  # type: ignore[return-value]
        {f"q{at}": judged(f"q{at}", (1 if at < right else None,)) for at in range(n)} for right in (now, before)
    )


def test_a_gain_has_an_interval_a_test_and_what_n_could_show() -> None:
    questions = [question(f"q{at}") for at in range(100)]
    found = compare(questions, *sides(60, 50), HIT)  # type: ignore[arg-type]
    assert found is not None
    assert found.difference.mean == pytest.approx(0.1)
    assert found.better is True
    assert found.mcnemar == McNemar(10, 0)
    # Ten of a hundred differ: sd = sqrt(0.1 - 0.01) = 0.3, times 2.8, over 10.
    assert found.smallest == pytest.approx(2.8 * 0.3 / 10, rel=0.01)
    assert found.unpaired == 0


def test_lower_is_better_where_the_measure_says_so() -> None:
    questions = [question(f"q{at}") for at in range(20)]
    few = {one.id: judged(one.id, tokens=(10 + at,) * 5) for at, one in enumerate(questions)}
    many = {one.id: judged(one.id, tokens=(50,) * 5) for one in questions}
    found = compare(questions, few, many, TOKENS)
    assert found is not None
    assert found.difference.mean < 0
    assert found.better is True
    assert found.mcnemar is None


def test_what_only_one_side_has_scored_is_left_out_and_counted() -> None:
    questions = [question("a"), question("b")]
    unknown = judged("b", tokens=(0,) * 5)
    found = compare(questions, {"a": judged("a"), "b": judged("b")}, {"a": judged("a"), "b": unknown}, TOKENS)
    assert found is not None
    assert (found.difference.n, found.unpaired, found.better) == (1, 1, None)
    assert compare([], {}, {}, TOKENS) is None


def test_a_suite_on_which_nothing_differs_shows_six_changes_at_least() -> None:
    alike = {f"q{at}": 0.0 for at in range(60)}
    families = {name: name for name in alike}
    assert smallest_difference(alike, families, HIT) == pytest.approx(0.1)
    assert smallest_difference(alike, families, RECALL) is None
    assert smallest_difference({"q0": 0.0}, families, HIT) is None


def test_large_families_show_less() -> None:
    differences = {f"q{at}": float(at < 20) for at in range(100)}
    alone = smallest_difference(differences, {name: name for name in differences}, RECALL)
    together = smallest_difference(differences, {f"q{at}": f"f{at // 5}" for at in range(100)}, RECALL)
    assert alone is not None
    assert together is not None
    assert together == pytest.approx(alone * math.sqrt(5), rel=0.05)
