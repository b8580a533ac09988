"""What only several questions together tell."""

import pytest

from eval.measures.definitions import Measure
from eval.measures.grouped import confidence_separation, date_accuracy, latencies, rewrite_robustness
from eval.measures.judged import Judged
from eval.suites.question import Question
from tests.eval.measures.cases import judged, question

RECALL = Measure("Recall", 5)


def dated(name: str, family: str, as_of: str, **changed: object) -> Question:
    return question(name, kind="dated", family=family, as_of=as_of, **changed)


def test_a_family_is_right_only_on_all_of_its_days() -> None:
    questions = [
        dated("a1", "a", "2025-01-01"),
        dated("a2", "a", "2026-01-01"),
        dated("b1", "b", "2025-01-01"),
        dated("b2", "b", "2026-01-01"),
        dated("alone", "c", "2026-01-01"),
        question("exc"),
    ]
    found = {one.id: judged(one.id, (None,) if one.id == "b2" else (1,)) for one in questions}
    accuracy = date_accuracy(questions, found)
    assert accuracy is not None
    assert (accuracy.mean, accuracy.n) == (0.5, 2)
    del found["a1"]
    missing = date_accuracy(questions, found)
    assert missing is not None
    assert missing.mean == 0
    assert date_accuracy(questions[4:], found) is None


def test_robustness_is_over_tickets_and_ambiguous_rewrites_stand_apart() -> None:
    def rewrite(ticket: str, style: str, asked: str = "rewrite") -> Question:
        return question(f"{ticket}/{style}", ticket=ticket, family=ticket, asked=asked)

    hits = {"a": 1, "a/x": 1, "a/y": 1, "a/z": None, "b": 1, "b/x": 1, "b/y": None}
    questions = [question("a"), question("b"), *(rewrite(*name.split("/")) for name in ("a/x", "a/y", "b/x", "b/y"))]
    questions.append(rewrite("a", "z", "ambiguous rewrite"))
    found = rewrite_robustness(questions, {name: judged(name, (rank,)) for name, rank in hits.items()}, RECALL)
    assert found is not None
    means = [one and one.mean for one in (found.messages, found.mean, found.worst, found.ambiguous)]
    assert means == [1, 0.75, 0.5, 0]
    assert rewrite_robustness(questions[:2], {}, RECALL) is None


def confident(values: dict[str, float | None], **changed: object) -> tuple[list[Question], dict[str, Judged]]:
    questions = [question(name, gold=int(name.startswith("a"))) for name in values]
    return questions, {
        one.id: judged(one.id, (1,) if one.gold else (), confidence=values[one.id], **changed) for one in questions
    }


@pytest.mark.parametrize(
    ("values", "auroc"),
    [
        ({"a1": 0.9, "a2": 0.8, "u1": 0.3, "u2": 0.2}, 1),
        ({"a1": 0.1, "u1": 0.3}, 0),
        ({"a1": 0.5, "a2": 0.5, "u1": 0.5}, 0.5),
        ({"a1": 0.9, "a2": 0.4, "u1": 0.5, "u2": 0.3}, 0.75),
    ],
    ids=["apart", "wrong way", "ties", "mixed"],
)
def test_confidence_separates(values: dict[str, float | None], auroc: float) -> None:
    found = confidence_separation(*confident(values))
    assert found is not None
    assert found.auroc == pytest.approx(auroc)
    assert found.low <= found.auroc <= found.high


@pytest.mark.parametrize(
    "values",
    [{"a1": 0.9, "a2": 0.8}, {"u1": 0.3}, {}, {"a1": 0.9, "u1": None}],
    ids=["all answerable", "none answerable", "no questions", "no confidence"],
)
def test_confidence_is_not_measured_without_both_classes(values: dict[str, float | None]) -> None:
    assert confidence_separation(*confident(values)) is None


def test_nothing_at_all_is_the_least_confidence() -> None:
    questions, found = confident({"a1": 0.1, "u1": 0.9}, low_confidence=True)
    found["u1"] = judged("u1", (), passages=0, confidence=None, low_confidence=True)
    separation = confidence_separation(questions, found)
    assert separation is not None
    assert (separation.auroc, separation.marked) == (1, (1, 1))


def test_families_are_drawn_whole() -> None:
    values = {f"a{at}": at / 20 for at in range(20)} | {f"u{at}": 0.4 + at / 50 for at in range(10)}
    questions, found = confident(values)  # type: ignore[arg-type]
    alone = confidence_separation(questions, found)
    pairs = [question(q.id, gold=len(q.gold), family=f"{q.id[0]}{int(q.id[1:]) // 5}") for q in questions]
    together = confidence_separation(pairs, found)
    assert alone is not None
    assert together is not None
    assert together.high - together.low > alone.high - alone.low


def test_time_is_by_stage_and_of_what_was_timed() -> None:
    times = [judged("a", milliseconds={"total": 10, "rerank": 4}), judged("b", milliseconds={"total": 30}), judged("c")]
    found = latencies(times)
    assert (found["total"].median, found["total"].n, found["rerank"].n) == (20, 2, 1)
    assert latencies([]) == {}
