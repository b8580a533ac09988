"""Intervals: seeded, wider where families stand together, and right on average."""

import numpy as np
import pytest

from eval.measures.bootstrap import average, bootstrap, paired_difference


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def singles(n: int) -> dict[str, str]:
    return {f"t{i}": f"t{i}" for i in range(n)}


def test_the_mean_is_over_tickets_and_the_interval_holds_it() -> None:
    scores = {f"t{i}": float(i < 60) for i in range(100)}
    found = bootstrap(scores, singles(100), rng())
    assert found is not None
    assert (found.mean, found.n, found.families) == (0.6, 100, 100)
    # The normal approximation: 1.96 * sqrt(0.6 * 0.4 / 100) = 0.096.
    assert found.low == pytest.approx(0.504, abs=0.015)
    assert found.high == pytest.approx(0.696, abs=0.015)


def test_the_same_seed_gives_the_same_interval_in_any_order() -> None:
    scores = {f"t{i}": i * i / 900 for i in range(30)}
    backwards = dict(reversed(scores.items()))
    assert bootstrap(scores, singles(30), rng()) == bootstrap(backwards, singles(30), rng())
    assert bootstrap(scores, singles(30), rng()) != bootstrap(scores, singles(30), np.random.default_rng(2))


def test_families_that_stand_or_fall_together_widen_the_interval() -> None:
    scores = {f"t{i}": float(i < 30) for i in range(60)}
    alone = bootstrap(scores, singles(60), rng())
    together = bootstrap(scores, {f"t{i}": f"f{i // 10}" for i in range(60)}, rng())
    assert alone is not None
    assert together is not None
    assert together.mean == alone.mean
    assert together.families == 6
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_a_family_of_many_weighs_as_many() -> None:
    found = bootstrap({"a": 1.0, "b": 1.0, "c": 0.0}, {"a": "f", "b": "f", "c": "g"}, rng())
    assert found is not None
    assert (found.mean, found.low, found.high) == (pytest.approx(2 / 3), 0.0, 1.0)


def test_a_paired_difference_is_narrower_than_the_difference_of_two() -> None:
    worse = {f"t{i}": float(i < 50) for i in range(100)}
    better = {f"t{i}": float(i < 60) for i in range(100)}
    found = paired_difference(better, worse, singles(100), rng())
    assert found is not None
    assert found.mean == pytest.approx(0.1)
    assert 0.03 < found.low < 0.06 < 0.14 < found.high < 0.17


def test_other_tickets_make_no_pairs() -> None:
    with pytest.raises(ValueError, match="the same tickets"):
        paired_difference({"a": 1.0}, {"b": 1.0}, {"a": "a", "b": "b"}, rng())


def test_without_scores_there_is_no_mean() -> None:
    assert bootstrap({}, {}, rng()) is None


def test_an_average_counts_every_set_once_whatever_its_size() -> None:
    large = {f"a{number}": 1.0 for number in range(90)}
    small = {f"b{number}": float(number % 2) for number in range(10)}
    sets = [(one, {name: name for name in one}) for one in (large, small)]
    found = average(sets, np.random.default_rng(1))
    assert (found.mean, found.n, found.families) == (0.75, 100, 100)
    # Only the small set varies: half of its own interval.
    alone = bootstrap(small, sets[1][1], np.random.default_rng(1))
    assert alone is not None
    assert found.high - found.low == pytest.approx((alone.high - alone.low) / 2, abs=0.06)
