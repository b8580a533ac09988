"""Folders in BEIR's layout: graded gold, days in metadata, and every fault by file and line."""

import json
from pathlib import Path

import pytest

from eval.suites.opening import open_questions
from ingest.errors import DateError, SourceError
from tests.eval.suites.beir_folder import CORPUS, QRELS, QUERIES, dated, write_beir


def test_judged_queries_are_asked_with_graded_gold(tmp_path: Path) -> None:
    suite = open_questions(write_beir(tmp_path / "faq"))
    assert suite.name == "faq"
    assert suite.features == frozenset()
    assert [(one.id, [(gold.id, gold.grade) for gold in one.gold]) for one in suite.questions] == [
        ("q1", [("p2", 2), ("p1", 1)]),
        ("q2", [("p1", 1)]),
    ]
    first = suite.questions[0]
    assert (first.as_of, first.kind, first.family, first.ticket) == (None, "question", "q1", "q1")
    assert first.where.endswith("queries.jsonl:1")
    assert suite.sections == {"p1", "p2", "p3"}


def test_days_come_from_metadata(tmp_path: Path) -> None:
    corpus = [dated(CORPUS[0], effective_from="2026-01-01"), dated(CORPUS[1], effective_to="2026-01-01"), CORPUS[2]]
    queries = [dated(QUERIES[0], as_of="2025-06-01"), QUERIES[1]]
    qrels = ["q1\tp2\t1", "q2\tp1\t1"]
    suite = open_questions(write_beir(tmp_path / "faq", corpus, queries, qrels))
    assert suite.features == {"dates"}
    assert [one.as_of for one in suite.questions] == ["2025-06-01", None]


def test_queries_without_an_answer_say_so(tmp_path: Path) -> None:
    queries = [*QUERIES, {"_id": "q4", "text": "bitcoin", "metadata": {"kind": "unanswerable", "family": "money"}}]
    last = open_questions(write_beir(tmp_path / "faq", queries=queries)).questions[-1]
    assert (last.id, last.gold, last.kind, last.family) == ("q4", (), "unanswerable", "money")


def test_a_source_in_metadata_is_a_slice(tmp_path: Path) -> None:
    corpus = [dated(CORPUS[0], source="tts"), dated(CORPUS[1], source="gov"), CORPUS[2]]
    several, one = open_questions(write_beir(tmp_path / "faq", corpus)).questions
    assert (several.slices, one.slices) == ({"source": "several"}, {"source": "tts"})


def test_qrels_can_be_named_and_bring_their_own_queries(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "faq")
    (folder / "qrels" / "short.tsv").write_text("s1\tp3\t1\n", encoding="utf-8")
    (folder / "queries_short.jsonl").write_text(json.dumps({"_id": "s1", "text": "copies"}) + "\n", encoding="utf-8")
    suite = open_questions(folder / "qrels" / "short.tsv")
    assert (suite.name, [one.id for one in suite.questions]) == ("short", ["s1"])


def test_several_qrels_without_test_are_refused(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "faq")
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "a.tsv")
    (folder / "qrels" / "b.tsv").write_text("q1\tp1\t1\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"holds 2 files \(a.tsv, b.tsv\) and no test.tsv; fix: name one"):
        open_questions(folder)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q1\tp9\t1", r'test.tsv:6: no passage "p9"; allowed: the _id values in corpus.jsonl'),
        ("q9\tp1\t1", r'test.tsv:6: no query "q9"; allowed: the _id values in queries.jsonl'),
        ("q1\tp1\t1", r'test.tsv:6: passage "p1" is graded twice for query "q1"'),
        ("q1\tp1", "test.tsv:6: 2 cells, or no grade; allowed: three cells with tabs"),
        ("q1\tp1\thigh", "test.tsv:6: 3 cells, or no grade"),
        ("q2\tp2\t1" + "0" * 400, "test.tsv:6: a grade of 401 digits; allowed: up to 1,000,000"),
        ("q2\tp2\u2028\tx", "test.tsv:6: 3 cells, or no grade"),
        ("q3\tp1\t0", 'queries.jsonl:3: query "q3" of kind question has 0 gold passages; fix: grade a passage'),
    ],
    ids=["passage", "query", "twice", "cells", "grade", "huge grade", "U+2028", "no gold"],
)
def test_faulty_judgements_are_named_by_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        open_questions(write_beir(tmp_path / "faq", qrels=[*QRELS, line]))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (CORPUS[0], r'corpus.jsonl:4: a second passage "p1"'),
        ({"_id": "p4"}, r'corpus.jsonl:4: "text" is null; allowed: a text'),
        ({"text": "no id"}, r"corpus.jsonl:4: _id is null"),
        (
            dated({"_id": "p4", "text": "x"}, effective_from="2026-01-02", effective_to="2026-01-02"),
            "is not before eff",
        ),
    ],
    ids=["twice", "text", "id", "days"],
)
def test_faulty_passages_are_named_by_line(tmp_path: Path, row: dict[str, str], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        open_questions(write_beir(tmp_path / "faq", corpus=[*CORPUS, row]))


def test_gold_that_is_not_in_force_on_the_day_is_refused(tmp_path: Path) -> None:
    corpus = [dated(CORPUS[0], effective_from="2026-01-01"), *CORPUS[1:]]
    queries = [QUERIES[0], dated(QUERIES[1], as_of="2025-06-01")]
    with pytest.raises(SourceError, match=r'test.tsv:5: gold passage "p1" is not in force on 2025-06-01'):
        open_questions(write_beir(tmp_path / "faq", corpus, queries))


def test_a_day_with_two_readings_is_refused_with_both(tmp_path: Path) -> None:
    queries = [dated(QUERIES[0], as_of="03.04.2026"), QUERIES[1]]
    with pytest.raises(DateError, match=r"queries.jsonl:1: .* as 2026-03-04 \(month first\) or as 2026-04-03"):
        open_questions(write_beir(tmp_path / "faq", queries=queries))


def test_an_unknown_side_is_refused(tmp_path: Path) -> None:
    queries = [dated(QUERIES[0], split="Tune"), QUERIES[1]]
    with pytest.raises(SourceError, match=r'queries.jsonl:1: split is "Tune"; allowed: tune, holdout'):
        open_questions(write_beir(tmp_path / "faq", queries=queries))


def test_parts_that_a_public_set_names_itself_are_no_sides(tmp_path: Path) -> None:
    queries = [dated(QUERIES[0], split="dev"), dated(QUERIES[1], split="test")]
    found = open_questions(write_beir(tmp_path / "faq", queries=queries))
    assert {question.split for question in found.questions} == {None}


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "faq")
    (folder / "corpus.jsonl").write_text('{"_id": "p1"\n', encoding="utf-8")
    with pytest.raises(SourceError, match=r"corpus.jsonl:1: not JSON"):
        open_questions(folder)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"_id": "p4", "text": "half \\ud800"}'], ids=["deep", "surrogate"])
def test_a_line_that_no_text_can_hold_is_named(tmp_path: Path, line: str) -> None:
    folder = write_beir(tmp_path / "faq")
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(SourceError, match=r"corpus.jsonl:4: not JSON"):
        open_questions(folder)
