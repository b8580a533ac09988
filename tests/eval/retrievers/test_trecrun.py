"""A run file beside other retrievers."""

from pathlib import Path

import pytest

from eval.measures.judging import judge
from eval.retrievers.trecrun import run_file
from eval.suites.opening import open_questions
from ingest.errors import SourceError
from tests.eval.suites.beir_folder import write_beir


def test_what_is_on_record_is_answered_and_the_rest_counts_as_unanswered(tmp_path: Path) -> None:
    suite = open_questions(write_beir(tmp_path / "faq"))
    file = tmp_path / "old.run"
    file.write_text("q1 Q0 p3 1 3 old\nq1 Q0 p2 2 2 old\nq1 Q0 p1 3 1 old\n", encoding="utf-8")
    run = run_file(file, suite)
    assert run.name == "old.run"
    answered, unanswered = (judge(one, run.answer(one, 2)) for one in suite.questions)
    assert answered.sections == (2, None)
    assert (answered.unanswered, unanswered.unanswered) == (False, True)


def test_another_file_is_another_contender(tmp_path: Path) -> None:
    suite = open_questions(write_beir(tmp_path / "faq"))
    keys = []
    for score in ("1", "2"):
        (tmp_path / "a.run").write_text(f"q1 Q0 p3 1 {score} a\n", encoding="utf-8")
        keys.append(run_file(tmp_path / "a.run", suite).key)
    assert keys[0] != keys[1]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    suite = open_questions(write_beir(tmp_path / "faq"))
    with pytest.raises(SourceError, match=r"gone.run: no such file"):
        run_file(tmp_path / "gone.run", suite)
