"""low_confidence on made-up confidences."""

import numpy as np
import pytest

from eval.tuning.threshold import Mark, threshold


def made(answerable: list[float], unanswerable: list[float]) -> list[Mark]:
    sides = ((True, answerable), (False, unanswerable))
    return [Mark(f"{side}{n}", f"{side}{n}", side, sure) for side, all_ in sides for n, sure in enumerate(all_)]


def test_sides_that_lie_apart_are_parted_between_them() -> None:
    found = threshold(made(list(np.linspace(0.6, 0.9, 60)), list(np.linspace(0.1, 0.4, 20))), 0.05)
    assert found is not None
    assert found.value == pytest.approx(0.5)
    assert (found.unseen.caught, found.unseen.alarms) == (1.0, 0.0)
    assert (found.present.j, found.gain[0]) == (0.0, 1.0)
    assert found.beyond_noise


def test_sides_that_lie_together_choose_nothing() -> None:
    rng = np.random.default_rng(1)
    found = threshold(made(rng.uniform(0.4, 0.8, 90).tolist(), rng.uniform(0.4, 0.8, 10).tolist()), 0.3)
    assert found is not None
    assert not found.beyond_noise


def test_the_threshold_in_force_is_kept_where_it_is_as_good() -> None:
    found = threshold(made(list(np.linspace(0.6, 0.9, 60)), list(np.linspace(0.1, 0.4, 20))), 0.5)
    assert found is not None
    assert found.gain == (0.0, 0.0, 0.0)
    assert not found.beyond_noise


def test_too_few_families_choose_nothing() -> None:
    assert threshold(made([0.8] * 50, [0.1] * 4), 0.3) is None
    assert threshold([], 0.3) is None


def test_confidences_that_are_the_same_are_not_parted() -> None:
    found = threshold(made([0.5] * 20, [0.5] * 20), 0.3)
    assert found is not None
    assert not found.beyond_noise
    assert found.unseen.j == 0.0


def test_the_order_of_questions_does_not_matter() -> None:
    rng = np.random.default_rng(4)
    marks = made(rng.normal(0.7, 0.1, 50).tolist(), rng.normal(0.5, 0.1, 12).tolist())
    assert threshold(marks, 0.3) == threshold(marks[::-1], 0.3)
