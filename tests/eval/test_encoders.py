from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.encoders import compare, main, ndcg, read_set, recall
from index.encoding.hashing import HashEncoder

CORPUS = [("d1", "Downgrades", "A seat downgrade needs notice."), ("d2", "Invoices", "Invoices are sent monthly.")]
QUERIES = [("q1", "when is a seat downgrade allowed"), ("q2", "a question without gold")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A question set of two texts and one question with gold."""
    corpus = [{"_id": text_id, "title": title, "text": text} for text_id, title, text in CORPUS]
    queries = [{"_id": query_id, "text": text} for query_id, text in QUERIES]
    for name, entries in {"corpus": corpus, "queries": queries}.items():
        (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(entry) for entry in entries))
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n")
    return tmp_path


def test_a_set_keeps_the_questions_that_have_gold(folder: Path) -> None:
    questions = read_set(folder)
    assert (questions.questions, questions.gold) == (("when is a seat downgrade allowed",), (frozenset({0}),))


def test_each_encoder_gives_one_line_held_against_the_first(folder: Path) -> None:
    lines = list(compare(read_set(folder), {"fp32": HashEncoder(), "int8": HashEncoder()}))
    assert [line.split(" | ")[1:5] for line in lines] == [
        ["fp32", "1.0000", "1.0000", "1.0000 / 1.0000"],
        ["int8", "1.0000", "1.0000", "1.0000 / 1.0000"],
    ]


def test_a_folder_without_a_set_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "corpus.jsonl: no such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("ranked", "gold", "expected"),
    [
        ([3, 1], {3}, (1.0, 1.0)),
        ([1, 3], {3}, (0.6309, 1.0)),
        ([1, 2], {3}, (0.0, 0.0)),
        ([3, 1], {3, 9}, (0.6131, 0.5)),
    ],
    ids=["first", "second", "missed", "one of two"],
)
def test_measures(ranked: list[int], gold: set[int], expected: tuple[float, float]) -> None:
    assert (ndcg(ranked, frozenset(gold)), recall(ranked, frozenset(gold))) == pytest.approx(expected, abs=1e-4)
