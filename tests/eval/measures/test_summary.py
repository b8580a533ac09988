"""Means by slice; messages, rewrites and ambiguous rewrites apart."""

import time

import numpy as np
import pytest

from eval.measures.bootstrap import bootstrap
from eval.measures.definitions import Measure, standard
from eval.measures.summary import SEED, slices, summarise
from tests.eval.measures.cases import drawn, judged, question

RECALL, EXCEPTION = Measure("Recall", 5), Measure("PolicyExceptionRecall", 5)
QUESTIONS = [
    question("a", slices={"chapter": "4 Seats"}),
    question("b", gold=2, slices={"chapter": "7 Refunds"}),
    question("c", kind="plain", slices={"chapter": "4 Seats"}),
    question("d", gold=0, kind="unanswerable"),
    question("a/keywords", asked="rewrite", ticket="a", family="a", slices={"style": "keywords", "chapter": "4 Seats"}),
    question("a/over-general", asked="ambiguous rewrite", ticket="a", family="a", slices={"style": "over-general"}),
]
JUDGED = {
    "a": judged("a"),
    "b": judged("b", (1, None)),
    "c": judged("c", (None,)),
    "d": judged("d", ()),
    "a/keywords": judged("a/keywords", (None,)),
    "a/over-general": judged("a/over-general"),
}


def test_slices_are_named_and_rewrites_come_last() -> None:
    assert {name: [one.id for one in held] for name, held in slices(QUESTIONS).items()} == {
        "all": ["a", "b", "c", "d"],
        "kind: exception": ["a", "b"],
        "sections: one": ["a", "c"],
        "chapter: 4 Seats": ["a", "c"],
        "sections: several": ["b"],
        "chapter: 7 Refunds": ["b"],
        "kind: plain": ["c"],
        "kind: unanswerable": ["d"],
        "rewrites": ["a/keywords"],
        "ambiguous rewrites": ["a/over-general"],
        "style: keywords": ["a/keywords"],
    }
    assert list(slices(QUESTIONS, sliced=False)) == ["all", "rewrites", "ambiguous rewrites"]


@pytest.mark.parametrize(
    ("name", "measure", "mean", "n"),
    [
        ("all", RECALL, 0.5, 3),
        ("all", EXCEPTION, 0.5, 2),
        ("sections: several", EXCEPTION, 0, 1),
        ("chapter: 4 Seats", RECALL, 0.5, 2),
        ("rewrites", RECALL, 0, 1),
        ("ambiguous rewrites", RECALL, 1, 1),
    ],
)
def test_means_have_their_n(name: str, measure: Measure, mean: float, n: int) -> None:
    found = {(one.slice, one.measure): one.estimate for one in summarise(QUESTIONS, JUDGED, [RECALL, EXCEPTION])}
    estimate = found[name, measure]
    assert estimate is not None
    assert (estimate.mean, estimate.n) == (pytest.approx(mean), n)


def test_what_nothing_was_scored_of_is_not_measured() -> None:
    found = {(one.slice, one.measure): one.estimate for one in summarise(QUESTIONS, JUDGED, [RECALL, EXCEPTION])}
    assert found["kind: plain", EXCEPTION] is None
    assert found["kind: unanswerable", RECALL] is None


def test_an_interval_is_the_same_as_of_the_measure_alone() -> None:
    questions, found = drawn(50, 10, np.random.default_rng(3))
    families = {one.id: one.family for one in questions}
    together = summarise(questions, found, standard(), sliced=False)
    for one in together:
        alone = bootstrap(one.measure.scores(questions, found), families, np.random.default_rng(SEED))
        assert alone is not None
        assert one.estimate is not None
        assert (alone.low, alone.high) == pytest.approx((one.estimate.low, one.estimate.high))


def test_two_hundred_tickets_are_summed_up_in_a_moment() -> None:
    questions, found = drawn(200, 10, np.random.default_rng(3))
    start = time.process_time()
    summarise(questions, found, standard())
    assert time.process_time() - start < 5
