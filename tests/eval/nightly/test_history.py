"""The file of nights: read strictly, replaced whole, small."""

import json
from pathlib import Path

import pytest

from eval.nightly import history
from eval.nightly.record import Night, TicketNight
from ingest.errors import StateDamaged, StateMissing


def night(run: int, suite: str = "suite", split: str = "tune", tickets: int = 1) -> Night:
    asked = [
        TicketNight(
            id=f"t-{number}{rewrite}",
            query="<script>alert(1)</script> \u2028 café",
            asked="rewrite" if rewrite else "message",
            kind="plain",
            family="f",
            as_of="2026-03-15",
            scores={"Recall@5": 0.5},
            expected=["a quote of words"],
            came=["a.md#A"],
        )
        for number in range(tickets)
        for rewrite in ("", "/keywords")
    ]
    return Night(
        run=run,
        at=f"2026-12-{run:02}T02:00:00Z",
        today=f"2026-12-{run:02}",
        suite=suite,
        suite_digest="d",
        split=split,
        generation=1,
        configuration="c",
        settings={"retrieve.k": "5"},
        figures=[],
        tickets=asked,
        gates=[],
        causes=[],
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history" / "nights.jsonl"


def filled(file: Path, *nights: Night) -> Path:
    for one in nights:
        history.append_night(file, one)
    return file


def test_no_file_is_no_nights(file: Path) -> None:
    assert history.read_nights(file) == ()
    assert history.next_run(()) == 1


def test_what_is_appended_is_read_back(file: Path) -> None:
    read = history.read_nights(filled(file, night(1), night(2)))
    assert [one.run for one in read] == [1, 2]
    assert read[1].tickets[0] == night(2).tickets[0]
    assert history.next_run(read) == 3
    assert not list(file.parent.glob(".*"))


def test_a_night_that_came_in_meanwhile_stays_and_each_run_has_its_number(file: Path) -> None:
    filled(file, night(1), night(2, suite="pulled"))
    assert history.append_night(file, night(2)).run == 3
    assert [(one.run, one.suite) for one in history.read_nights(file)] == [(1, "suite"), (2, "pulled"), (3, "suite")]


def test_rewrites_keep_their_scores_alone_and_expect_what_their_message_does(file: Path) -> None:
    [read] = history.read_nights(filled(file, night(1)))
    assert (read.tickets[1].scores, read.tickets[1].came) == ({"Recall@5": 0.5}, [])
    assert read.tickets[1].expected == ["a quote of words"]
    assert file.read_text(encoding="utf-8").count("a quote of words") == 1


def test_older_nights_of_a_suite_lose_their_questions(file: Path) -> None:
    read = history.read_nights(filled(file, night(1), night(2, suite="other"), night(3), night(4)))
    assert [len(one.tickets) for one in read] == [0, 2, 2, 2]


def test_a_year_of_nights_stays_small(file: Path) -> None:
    nights = [night(run, tickets=100) for run in range(1, 29)]
    slim = history.slimmed(nights)
    assert sum(len(history.line_of(one)) for one in slim[:-2]) / len(slim[:-2]) < 1000


def test_only_nights_of_one_suite_and_side_are_compared() -> None:
    nights = [night(1), night(2, suite="other"), night(3, split="holdout"), night(4)]
    assert [one.run for one in history.like(nights, "suite", "tune")] == [1, 4]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"schema": 1, "run"', "nights.jsonl:2: is not JSON"),
        ("<<<<<<< HEAD", "nights.jsonl:2: the mark of a merge that was not finished"),
        ('{"schema": 1, "run": 2}', "nights.jsonl:2: is no night: at: Field required"),
        ('{"schema": 1, "run": "two"}', "nights.jsonl:2: is no night: "),
        ('["a", "list"]', "nights.jsonl:2: is no night: "),
        ("[" * 100_000, "nights.jsonl:2: is not JSON"),
        ('{"schema": 99}', r"nights.jsonl:2: was written by a newer Caveat \(schema 99, this one reads 1\)"),
    ],
    ids=["cut", "merge", "field", "kind", "list", "deep", "newer"],
)
def test_a_corrupt_line_is_named(file: Path, line: str, message: str) -> None:
    filled(file, night(1))
    file.write_text(file.read_text("utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(StateDamaged, match=message):
        history.read_nights(file)


def test_a_figure_that_is_no_number_is_named(file: Path) -> None:
    values = json.loads(history.line_of(night(1))) | {"p95": float("inf")}
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(values) + "\n", encoding="utf-8")
    with pytest.raises(StateDamaged, match=r"nights.jsonl:1: is no night: p95: Input should be a finite number"):
        history.read_nights(file)


def test_an_unknown_field_is_named(file: Path) -> None:
    values = json.loads(history.line_of(night(1))) | {"mood": "good"}
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(values) + "\n", encoding="utf-8")
    with pytest.raises(StateDamaged, match=r"nights.jsonl:1: is no night: mood: "):
        history.read_nights(file)


def test_runs_stand_in_order(file: Path) -> None:
    filled(file, night(1))
    file.write_text(file.read_text("utf-8") * 2, encoding="utf-8")
    with pytest.raises(StateDamaged, match=r"nights.jsonl:2: run 1 after run 1; allowed: runs in ascending order"):
        history.read_nights(file)


def test_bytes_that_are_no_text_are_named(file: Path) -> None:
    filled(file, night(1))
    file.write_bytes(file.read_bytes() + b"\xff\n")
    with pytest.raises(StateDamaged, match=r"nights.jsonl:2: is not UTF-8"):
        history.read_nights(file)


def test_the_baseline_is_the_last_night_of_the_suite(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    assert history.read_baseline(file) is None
    accepted = history.accept_baseline(file, [night(1), night(2), night(3, suite="other")], "suite")
    assert accepted.run == 2
    assert history.read_baseline(file) == accepted


def test_there_is_no_baseline_without_a_night(tmp_path: Path) -> None:
    with pytest.raises(StateMissing, match="no night of suite is in the history"):
        history.accept_baseline(tmp_path / "baseline.json", [], "suite")
