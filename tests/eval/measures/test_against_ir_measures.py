"""The rank measures equal those of ir_measures on drawn runs with ties, missing questions, duplicates and grades."""

from collections.abc import Iterator

import ir_measures
import numpy as np
import pytest

from eval.measures.definitions import Measure, parse_measure
from eval.measures.judged import Judged
from eval.measures.judging import judge
from eval.retrievers.answer import Answer, Given
from eval.suites.question import Gold, Question

PAIRS = {
    "Recall@5": "R@5",
    "Precision@5": "P@5",
    "Hit@3": "Success@3",
    "MRR": "RR",
    "MRR@10": "RR@10",
    "nDCG@10": "nDCG@10",
    "nDCG@2": "nDCG@2",
}
# The provider of RR@10 breaks ties by another rule than trec_eval.
TIED = {ours: their for ours, their in PAIRS.items() if ours != "MRR@10"}
Run = dict[str, list[tuple[str, float]]]


@pytest.fixture(params=range(5), ids="seed {}".format)
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(request.param)


def asked(rng: np.random.Generator) -> list[Question]:
    """Sixty questions, each with one to four gold sections of grade 1 to 3 among thirty."""
    found = []
    for at in range(60):
        ids = rng.choice(30, size=rng.integers(1, 5), replace=False)
        gold = tuple(Gold(f"d{one:02}", int(rng.integers(1, 4))) for one in ids)
        found.append(Question(f"q{at}", "?", gold, f"q{at}"))
    return found


def runs(questions: list[Question], rng: np.random.Generator) -> Run:
    """Up to twelve of thirty, with scores of which many are the same; every tenth question has no answer."""
    return {
        one.id: [
            (f"d{doc:02}", float(rng.integers(0, 6))) for doc in rng.choice(30, rng.integers(1, 13), replace=False)
        ]
        for at, one in enumerate(questions)
        if at % 10
    }


def judged_run(questions: list[Question], run: Run) -> dict[str, Judged]:
    return {one.id: judge(one, answer(run[one.id])) for one in questions if one.id in run}


def answer(scored: list[tuple[str, float]]) -> Answer:
    # Ties as trec_eval breaks them: the later id first.
    ranked = sorted(scored, key=lambda hit: (hit[1], hit[0]), reverse=True)
    return Answer(tuple(Given(name, covers=frozenset({name})) for name, _ in ranked))


def theirs(measure: str, questions: list[Question], run: Run) -> dict[str, float]:
    qrels = {one.id: {gold.id: gold.grade for gold in one.gold} for one in questions}
    scored = ir_measures.iter_calc(
        [ir_measures.parse_measure(measure)], qrels, {q: dict(hits) for q, hits in run.items()}
    )
    return {row.query_id: row.value for row in scored}


@pytest.mark.parametrize(("ours", "their"), TIED.items(), ids=TIED)
def test_scores_are_the_same(ours: str, their: str, rng: np.random.Generator) -> None:
    questions = asked(rng)
    run = runs(questions, rng)
    expected = theirs(their, questions, run)
    scores = parse_measure(ours).scores(questions, judged_run(questions, run))
    assert len(scores) == 60
    assert scores == pytest.approx({one.id: expected.get(one.id, 0.0) for one in questions})


def twice(run: Run) -> Iterator[tuple[str, list[tuple[str, float]], list[tuple[str, float]]]]:
    """Each ranking with its first hit again in third place, and with a stranger in place of that copy."""
    for name, hits in run.items():
        ranked = [(doc, 20.0 - at) for at, (doc, _) in enumerate(hits)]
        yield name, [*ranked, (ranked[0][0], 18.5)], [*ranked, ("stranger", 18.5)]


@pytest.mark.parametrize("name", ["Recall@5", "Hit@3", "MRR", "MRR@10", "nDCG@10"])
def test_a_duplicate_takes_a_place_and_gains_nothing(name: str, rng: np.random.Generator) -> None:
    questions = asked(rng)
    copies, strangers = {}, {}
    for question, with_copy, with_stranger in twice(runs(questions, rng)):
        copies[question], strangers[question] = with_copy, with_stranger
    measure = parse_measure(name)
    scores = measure.scores(questions, judged_run(questions, copies))
    assert scores == pytest.approx(measure.scores(questions, judged_run(questions, strangers)))
    expected = theirs(PAIRS[name], questions, strangers)
    assert scores == pytest.approx({one.id: expected.get(one.id, 0.0) for one in questions})


def test_mean_counts_missing_questions(rng: np.random.Generator) -> None:
    questions = asked(rng)
    qrels = {one.id: {gold.id: gold.grade for gold in one.gold} for one in questions}
    run = runs(questions, rng)
    their = ir_measures.parse_measure("R@5")
    expected = ir_measures.calc_aggregate([their], qrels, {name: dict(hits) for name, hits in run.items()})[their]
    scores = Measure("Recall", 5).scores(questions, judged_run(questions, run))
    assert sum(scores.values()) / len(scores) == pytest.approx(expected)
