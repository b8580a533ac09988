"""Measures by their definitions, on answers small enough to count by hand."""

import time
from math import log2
from typing import Any

import numpy as np
import pytest

from eval.measures.definitions import Measure, parse_measure, standard
from eval.measures.judging import unanswered
from ingest.errors import QueryError
from tests.eval.measures.cases import drawn, judged, question

NAMES = [
    *map(str, standard(5)),
    "MRR@10",
    "MRR+links",
    "nDCG@3+links",
    "Precision@1+links",
    "Hit@2+links",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_read_back(name: str) -> None:
    measure = parse_measure(name)
    assert str(measure) == name
    assert parse_measure(str(measure)) == measure


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("AnchorRecal@3", r'no measure "AnchorRecal@3"; allowed: Recall@k, .*did you mean "AnchorRecall@5"'),
        ("Recall", 'no measure "Recall".*did you mean "Recall@5"'),
        ("Recall@0", 'no measure "Recall@0"'),
        ("Recall@5+linked", 'no measure "Recall@5.linked"'),
        ("ZeroResults@5", 'did you mean "ZeroResults"'),
        ("ZeroResults+links", "no measure"),
        ("", r'no measure ""; allowed: Recall@k'),
    ],
)
def test_another_name_is_an_error(name: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse_measure(name)


# Passages 1 to 4, linked 5 and 6; gold at 2, at 4, behind a link at 6, and nowhere.
FOUND = judged(sections=(2, 4, 6, None), passages=4, linked=2)


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("Recall@1", 0),
        ("Recall@3", 1 / 4),
        ("Recall@9", 2 / 4),
        ("Recall@3+links", 2 / 4),
        ("Recall@4+links", 3 / 4),
        ("Hit@1", 0),
        ("Hit@1+links", 1),
        ("Hit@2", 1),
        ("Precision@2", 1 / 2),
        ("Precision@5", 2 / 5),
        ("Precision@2+links", 2 / 4),
        ("MRR", 1 / 2),
        ("MRR@1", 0),
        ("MRR@1+links", 1 / 3),
        ("nDCG@2", (1 / log2(3)) / (1 + 1 / log2(3))),
        ("nDCG@1+links", (1 / log2(4)) / (1 + 1 / log2(3) + 1 / log2(4))),
        ("AnchorRecall@4", 2 / 4),
        ("PolicyExceptionRecall@4+links", 0),
        ("Tokens@3", 300),
        ("Tokens@3+links", 500),
        ("StaleRate@4", 0),
        ("ZeroResults", 0),
    ],
)
def test_scores_by_hand(name: str, score: float) -> None:
    assert parse_measure(name).of(FOUND) == pytest.approx(score)


def test_an_exception_counts_only_whole_and_only_where_there_is_one() -> None:
    both, late = judged(sections=(1, 2), linked=1), judged(sections=(1, 6), linked=1)
    measure, linked = Measure("PolicyExceptionRecall", 5), Measure("PolicyExceptionRecall", 5, links=True)
    assert (measure.of(both), measure.of(late), linked.of(late)) == (1, 0, 1)
    assert measure.score(question(gold=2, kind="plain"), both) is None


def test_a_passage_with_two_sections_gains_both_but_never_more_than_the_best() -> None:
    assert Measure("nDCG", 10).of(judged(sections=(1, 1))) == 1
    graded = judged(sections=(2, 1), grades=(3, 1))
    assert Measure("nDCG", 10).of(graded) == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


@pytest.mark.parametrize(
    ("stale", "score"),
    [((False, False, True), 0), ((True, None, None), 1), ((False, None, True), None), ((None, None, True), None)],
    ids=["beyond the cut", "one is enough", "one is not known", "none is known"],
)
def test_stale_text_is_counted_within_the_cut(stale: tuple[bool | None, ...], score: float | None) -> None:
    assert Measure("StaleRate", 2).of(judged(passages=3, stale=stale)) == score


def test_what_cannot_be_known_is_no_score() -> None:
    ids_only = judged(tokens=(0, 0, 0, 0, 0), stale=(None,) * 5)
    nothing = judged(sections=(None,), passages=0)
    assert Measure("Tokens", 5).of(ids_only) is None
    assert Measure("StaleRate", 5).of(ids_only) is None
    assert Measure("StaleRate", 5).of(nothing) is None
    assert (Measure("Tokens", 5).of(nothing), Measure("ZeroResults").of(nothing)) == (0, 1)


def test_a_missing_answer_scores_the_default_and_no_gold_scores_nothing() -> None:
    questions = [question("there"), question("lost"), question("off the record"), question("none", gold=0)]
    held = {"there": judged("there"), "none": judged("none", ()), "off the record": unanswered(questions[2])}
    assert Measure("Recall", 5).scores(questions, held) == {"there": 1.0, "lost": 0.0, "off the record": 0.0}
    assert Measure("ZeroResults").scores(questions, held) == {"there": 0, "lost": 1, "off the record": 1, "none": 0}
    assert Measure("StaleRate", 5).scores(questions, held) == {"there": 0, "none": 0}


def test_without_quotes_anchors_are_not_measured() -> None:
    plain = question(gold=0, kind="question")
    assert Measure("AnchorRecall", 5).score(plain, judged(quotes=())) is None


@pytest.mark.parametrize("measure", standard(), ids=str)
def test_scores_stay_within_bounds(measure: Measure, rng: Any) -> None:
    questions, found = drawn(200, 10, rng)
    scores = measure.scores(questions, found).values()
    assert scores
    assert min(scores) >= 0
    assert measure.name == "Tokens" or max(scores) <= 1


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(8841)


def test_a_hundred_thousand_hits_take_a_moment(rng: np.random.Generator) -> None:
    questions, found = drawn(10_000, 10, rng)
    start = time.process_time()
    for measure in standard():
        measure.scores(questions, found)
    assert time.process_time() - start < 5
