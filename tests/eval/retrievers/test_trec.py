"""Qrels and runs in TREC's form, out and back."""

from pathlib import Path

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.retrievers.answer import Answer, Given
from eval.retrievers.trec import decoded, encoded, qrels_text, read_run, run_text
from eval.suites.question import Gold, Question, Questions
from ingest.errors import SourceError

CREDITS, NOTICE = "04-seats.md#Seats > Credits", "04-seats.md#Seats > Notice"
COPY = "11-payment.md#Payment > Invoices"


def suite(*questions: Question, others: frozenset[str] = frozenset()) -> Questions:
    return Questions("set", questions, frozenset(), "0", others, frozenset({CREDITS, NOTICE, COPY}))


FIRST = Question("exc-1", "where", (Gold(CREDITS), Gold(NOTICE, 2, twins=frozenset({COPY}))), "f")
SECOND = Question("exc-1/keywords", "money", (Gold(CREDITS),), "f")


def passage(*ids: str) -> Given:
    return Given(ids[0], covers=frozenset(ids))


def test_qrels_name_gold_and_its_twins() -> None:
    nothing = Question("none-1", "bitcoin", (), "g")
    assert qrels_text(suite(FIRST, nothing)).splitlines() == [
        "exc-1 0 04-seats.md#Seats%20>%20Credits 1",
        "exc-1 0 04-seats.md#Seats%20>%20Notice 2",
        "exc-1 0 11-payment.md#Payment%20>%20Invoices 2",
    ]


def test_a_run_comes_back_as_it_went_out(tmp_path: Path) -> None:
    answers = {"exc-1": Answer((passage(NOTICE), passage(COPY))), "exc-1/keywords": Answer((passage(CREDITS),))}
    file = tmp_path / "one.run"
    file.write_text(run_text("late & cross", answers), encoding="utf-8")
    assert file.read_text(encoding="utf-8").splitlines()[0] == (
        "exc-1 Q0 04-seats.md#Seats%20>%20Notice 1 1.000000 late-&-cross"
    )
    found = read_run(file, suite(FIRST, SECOND))
    assert {name: [hit.section for hit in hits] for name, hits in found.items()} == {
        "exc-1": [NOTICE, COPY],
        "exc-1/keywords": [CREDITS],
    }


def test_a_passage_takes_a_rank_for_each_section_that_it_holds() -> None:
    window = Given(None, ("text",))
    lines = run_text("a", {"q": Answer((passage("b", "a", "c"), window, passage("a", "d")))}).splitlines()
    assert [line.split()[2:4] for line in lines] == [["b", "1"], ["a", "2"], ["c", "3"], ["d", "4"]]


def test_other_tools_read_both() -> None:
    qrels = list(ir_measures.read_trec_qrels(qrels_text(suite(FIRST))))
    run = list(ir_measures.read_trec_run(run_text("a", {"exc-1": Answer((passage(COPY), passage(CREDITS)))})))
    assert ir_measures.calc_aggregate([ir_measures.R @ 2], qrels, run)[ir_measures.R @ 2] == pytest.approx(2 / 3)


@given(st.text(min_size=1))
def test_any_id_is_encoded_without_white_space(name: str) -> None:
    assert decoded(encoded(name)) == name
    assert encoded(name).split() == [encoded(name)]


def test_scores_count_and_ranks_break_ties(tmp_path: Path) -> None:
    file = tmp_path / "one.run"
    rows = [(COPY, 2, "1.0"), (NOTICE, 1, "1.0"), (CREDITS, 3, "7e1")]
    file.write_text("".join(f"exc-1 Q0 {encoded(name)} {rank} {score} a\n\n" for name, rank, score in rows))
    assert [hit.section for hit in read_run(file, suite(FIRST))["exc-1"]] == [CREDITS, NOTICE, COPY]


GOOD = f"exc-1 Q0 {encoded(COPY)} 1 2.5 a\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            f"exc-1 Q0 {COPY} 1 2.5 a",
            "one.run:2: 8 cells; allowed: QUESTION Q0 .*; fix: write blanks within an id as %20",
        ),
        ("exc-9 Q0 a 1 2.5 a", r'one.run:2: no question "exc-9"; allowed: the ids of the suite'),
        ("exc-1 Q0 p9 2 2.5 a", r'one.run:2: no section "p9"'),
        (GOOD, r'one.run:2: "11-payment.md#Payment > Invoices" came back for "exc-1" at .*one.run:1 too'),
        (GOOD.replace("2.5", "high"), r'one.run:2: the score is "high"; allowed: a number'),
        (GOOD.replace("2.5", "nan"), r'one.run:2: the score is "nan"'),
        (GOOD.replace(" 1 ", " first "), r'one.run:2: the rank is "first"'),
    ],
    ids=["blanks", "question", "section", "twice", "score", "nan", "rank"],
)
def test_faults_are_named_by_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "one.run"
    file.write_text(GOOD + line, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_run(file, suite(FIRST))


def test_a_vertical_tab_ends_no_line(tmp_path: Path) -> None:
    file = tmp_path / "one.run"
    file.write_text(GOOD.replace(" ", "\x0b", 1) + GOOD, encoding="utf-8")
    with pytest.raises(SourceError, match=r'one.run:2: "11-payment'):
        read_run(file, suite(FIRST))


def test_an_empty_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.run"
    file.write_text("\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"one.run: an empty run"):
        read_run(file, suite(FIRST))


def test_questions_of_the_other_side_may_stand_in_a_run(tmp_path: Path) -> None:
    file = tmp_path / "one.run"
    file.write_text(GOOD + GOOD.replace("exc-1", "exc-2"), encoding="utf-8")
    assert len(read_run(file, suite(FIRST, others=frozenset({"exc-2"})))) == 2
