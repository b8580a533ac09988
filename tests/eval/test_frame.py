"""The frame of judged questions: a row each, nothing that was not measured as a number, no secret in a query."""

import math
from typing import Any

import pytest

from eval.frame import flips, frame
from eval.measures.definitions import parse_measure, standard
from eval.retrievers.answer import Answer, Given
from ingest.errors import QueryError
from tests.eval.measures.cases import judged, question

RECALL = "PolicyExceptionRecall@5+links"


def table(**lost: Any) -> Any:
    """Of three questions; `lost` names the stage of those whose only section did not come back."""
    questions = [question("a", slices={"chapter": "4 Seats"}), question("b"), question("none", 0, kind="unanswerable")]
    found = {
        one.id: judged(
            one.id, (None if one.id in lost else 1,) * len(one.gold), lost={"s": lost[one.id]} if one.id in lost else {}
        )
        for one in questions
    }
    answers = {one.id: Answer((Given("x"), Given(None)), (Given("y"),)) for one in questions}
    return frame(questions, found, answers)


def test_one_row_a_question_with_every_measure() -> None:
    found = table(b="lost in rerank")
    assert list(found.index) == ["a", "b", "none"]
    assert {str(measure) for measure in standard()} <= set(found.columns)
    assert found[RECALL].to_dict() == {"a": 1.0, "b": 0.0, "none": pytest.approx(math.nan, nan_ok=True)}
    assert found.loc["a", "chapter"] == "4 Seats"
    assert found.loc["b", "came"] == ("x", "a text without id")
    assert found.loc["b", "linked"] == ("y",)
    assert found.explode("lost")["lost"].value_counts().to_dict() == {"lost in rerank": 1}


def test_what_is_not_measured_is_no_number() -> None:
    found = table()
    assert math.isnan(found.loc["a", "confidence"])
    assert found[RECALL].mean() == 1.0
    assert found[RECALL].count() == 2


def test_a_question_without_an_answer_scores_the_default() -> None:
    found = frame([question("a")], {}, {})
    assert found.loc["a", "Recall@5"] == 0.0
    assert math.isnan(found.loc["a", "StaleRate@5"])
    assert found.loc["a", "came"] == ()


def test_no_questions_make_an_empty_frame_with_all_columns() -> None:
    empty = frame([], {}, {}, [parse_measure("Recall@5")])
    assert (len(empty), list(empty.columns)[-1]) == (0, "Recall@5")
    assert str(empty["Recall@5"].dtype) == "float64"


def test_queries_are_redacted() -> None:
    asked = question("a", query="we are jane@example.com and pay with 4111 1111 1111 1111")
    found = frame([asked], {}, {})
    assert found.loc["a", "query"] == "we are <EMAIL_1> and pay with <CARD_1>"


def test_flips_are_what_changed_worst_first() -> None:
    found = flips(table(a="beyond k"), table(b="lost in rerank"), RECALL)
    assert found["change"].to_dict() == {"b": -1.0, "a": 1.0}
    assert found.loc["b", "lost"] == ("lost in rerank",)
    assert flips(table(), table(), RECALL).empty


def test_a_measure_that_no_frame_has_is_named() -> None:
    with pytest.raises(QueryError, match='no column "Recall@9" in a frame; fix: frame'):
        flips(table(), table(), "Recall@9")
