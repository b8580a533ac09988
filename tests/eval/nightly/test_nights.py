"""Whole nights: something happens between two of them, and the second one names it."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from eval.nightly.run import NightRequest, run_night
from eval.retrievers.answer import Answer, Contender
from eval.surroundings import surroundings
from tests.eval import desk
from tests.eval.nightly.evenings import BACK, DAY, FIRST, SECOND, TICKETS, Evenings, changes, figure, gate


@pytest.fixture
def evenings(caveat: Callable[..., Any], indexed: Path) -> Evenings:
    return Evenings(indexed.parent, caveat)


def test_an_unchanged_night_has_no_cause_and_asks_nothing_anew(evenings: Evenings) -> None:
    status, first = evenings.run(FIRST)
    assert (status, first["causes"], first["run"]) == (0, [], 1)
    assert first["p95"] > 0
    status, second = evenings.run(SECOND)
    assert (status, second["causes"], second["run"]) == (0, [], 2)
    assert second["p95"] is None
    assert second["figures"] == first["figures"]
    assert figure(second, "Recall@5") == 1.0
    assert figure(second, "StaleRate@5+links") == 0.0


def test_ragas_is_measured_beside(evenings: Evenings) -> None:
    evenings.set(more="ragas = true")
    _, night = evenings.run()
    assert figure(night, "ragas IDBasedContextRecall") == 1.0
    assert figure(night, "ragas Faithfulness") is None
    assert night["health"]["ragas Faithfulness"].startswith("no judge: set eval.judge_url")


def test_the_holdout_side_is_not_asked(evenings: Evenings) -> None:
    _, night = evenings.run()
    assert {ticket["id"].split("/")[0] for ticket in night["tickets"]} == {
        one["id"] for one in TICKETS if one["split"] == "tune"
    }


def test_queries_are_redacted_before_they_are_written(evenings: Evenings) -> None:
    evenings.run()
    assert any("<EMAIL_1>" in line for line in evenings.lines)
    files = [file for file in evenings.folder.rglob("*") if file.is_file() and "suite" not in file.parts]
    assert [file.name for file in files if b"jane.doe@example.com" in file.read_bytes()] == []


def test_a_moved_rule_is_named_and_fails(evenings: Evenings) -> None:
    evenings.run(FIRST)
    sentence = evenings.cut("Seats given up under this section may be", " The credit of 4.2.1 is\nthen cancelled")
    evenings.edit("and the account owner is told so within 2 business days.", f"and so on.\n\n{sentence}")
    status, night = evenings.run(SECOND)
    assert status == 1
    assert gate(night, "gold out of place") == "failed"
    assert "its text stands in another section now: back-1" in night["causes"][0]
    assert any(cause.startswith("The handbook changed: 2 sections changed") for cause in night["causes"])
    [broken] = [ticket for ticket in night["tickets"] if ticket.get("broken")]
    assert "it stands in 04-seats.md#Seats > Downgrades > Smallest order" in broken["broken"]


def test_an_abolished_rule_is_named_and_fails(evenings: Evenings) -> None:
    evenings.run(FIRST)
    evenings.cut("### 4.2.3 Reinstating seats", "### 4.2.4 Downgrade")
    status, night = evenings.run(SECOND)
    assert status == 1
    assert "no section in force on its day holds its text any more: back-1" in night["causes"][0]
    removed = [one["address"] for one in night["handbook"] if one["change"] == "removed"]
    assert removed == ["04-seats.md#Seats > Downgrades > Reinstating seats"]


def test_a_broken_document_is_named_and_its_last_good_text_answers(evenings: Evenings) -> None:
    evenings.run(FIRST)
    file = evenings.handbook / "2026-07-01" / "04-seats.md"
    file.write_bytes(b"\xff\xfe\x00 not text at all \x00")
    status, night = evenings.run(SECOND)
    assert status == 1
    assert night["causes"][0].startswith("A document was refused, and its last good text answers: ")
    assert "04-seats.md" in night["causes"][0]
    assert gate(night, "files refused") == "failed"
    assert gate(night, "stale text") == "not measured"
    assert {one["change"] for one in night["handbook"]} == {"refused"}


def test_somebody_is_told_also_where_a_night_cannot_be_recorded(evenings: Evenings) -> None:
    evenings.set(more='notify = ["tee", "told.txt"]')
    history, told = evenings.folder / "data/history/nights.jsonl", evenings.folder / "told.txt"
    history.parent.mkdir(parents=True)
    history.write_text("{\n", encoding="utf-8")
    assert evenings.type("nightly", "--no-index", at=SECOND).status == 2
    assert "nights.jsonl:1: is not JSON" in told.read_text(encoding="utf-8")
    history.unlink()
    shutil.rmtree(evenings.folder / "reports")
    (evenings.folder / "reports").write_text("", encoding="utf-8")
    done = evenings.type("nightly", "--no-index", at=SECOND)
    assert done.status == 2
    assert "reports: cannot be written (File exists); fix: make it writable, or name another with --out" in done.err
    assert "reports: cannot be written" in told.read_text(encoding="utf-8")
    assert not history.exists()


def test_a_fault_of_the_suite_that_quotes_a_question_is_redacted(evenings: Evenings) -> None:
    asked = f"may jane.doe@example.com take seats back,{DAY},04-seats.md"
    head = "query,as_of,document,section,quote\n"
    apart = f"{asked},4.2.3,{BACK}\nother,{DAY},04-seats.md,4.2.3,{BACK}\n{asked},4.2.3,{BACK}\n"
    wrong = f"other,{DAY},04-seats.md,4.2.3,a quote of jane.doe@example.com that is nowhere in the handbook\n"
    for rows, status in ((apart, 2), (wrong, 1)):
        (evenings.folder / "asked.csv").write_text(head + rows, encoding="utf-8")
        assert evenings.type("nightly", "--no-index", "--suite", "asked.csv", at=SECOND).status == status
        for file in (*evenings.folder.glob("reports/*"), *evenings.folder.glob("data/history/*")):
            assert b"jane.doe@" not in file.read_bytes(), file


def test_another_encoder_without_a_new_index_cannot_be_measured(evenings: Evenings) -> None:
    evenings.run(FIRST)
    evenings.set(encoder='query_prefix = "query: "', more='notify = ["tee", "told.txt"]')
    done = evenings.type("nightly", "--no-index", at=SECOND)
    assert done.status == 2
    assert "the index was built with hash-384, and the encoder is hash-384, query_prefix" in done.err
    assert len(evenings.lines) == 1
    assert "FAILED" in (evenings.folder / "told.txt").read_text(encoding="utf-8")
    report = json.loads((evenings.folder / "reports" / "report.json").read_text(encoding="utf-8"))
    assert report["failed"] is True
    assert "the index was built with" in report["night"]["causes"][0]


def test_another_encoder_with_a_new_index_is_named(evenings: Evenings) -> None:
    evenings.run(FIRST)
    evenings.set(encoder='passage_prefix = "passage: "')
    _, night = evenings.run(SECOND)
    assert night["causes"][0].startswith("The encoder changed, and every vector with it: ")
    assert "passage_prefix none -> passage: " in night["causes"][0]


def test_a_slow_night_is_named_and_fails_only_where_a_gate_says_so(
    evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    evenings.run(FIRST)
    (evenings.folder / ".caveat" / "cache" / "answers.sqlite").unlink(missing_ok=True)
    evenings.set(gates="p95_milliseconds = 5000")
    monkeypatch.setenv("CAVEAT_NOW", SECOND)
    request = NightRequest(surroundings(None), evenings.handbook, evenings.folder / "suite", wrap=Slow)
    night = run_night(request).night
    assert len(night.causes) == 1
    assert night.causes[0].startswith("Searches were slow: p95 9000 ms, usually ")
    assert night.causes[0].endswith("the machine was slow or busy.")
    assert [one.name for one in night.gates if one.status == "failed"] == ["p95"]


class Slow:
    """A search that takes nine seconds, by its own account."""

    def __init__(self, contender: Contender):
        self._contender = contender
        self.name, self.key = contender.name, contender.key

    def answer(self, question: Any, k: int) -> Answer:
        return replace(self._contender.answer(question, k), milliseconds={"dense": 8000.0, "total": 9000.0})


def test_an_edition_that_goes_live_at_midnight_is_named(evenings: Evenings) -> None:
    shutil.copytree(evenings.handbook / "2026-07-01", evenings.handbook / "2026-12-15")
    (evenings.handbook / "2026-12-15" / "edition.toml").unlink()
    evenings.edit(BACK, BACK.replace("14", "7"), "2026-12-15/04-seats.md")
    _, before = evenings.run("2026-12-14T23:50:00Z")
    assert before["causes"] == []
    status, night = evenings.run("2026-12-15T00:10:00Z")
    assert status == 0
    [told] = changes(night)
    assert told.startswith("Edition 2026-12-15 came into force: 1 section other than on 2026-12-14. ")
    assert [(one["change"], one["address"]) for one in night["handbook"]] == [
        ("came into force", "04-seats.md#Seats > Downgrades > Reinstating seats")
    ]


def test_other_settings_are_named_with_what_they_were(evenings: Evenings) -> None:
    evenings.run(FIRST)
    evenings.set(retrieve='fusion = "minmax"')
    _, night = evenings.run(SECOND)
    assert changes(night) == ["Settings changed: retrieve.fusion rrf -> minmax."]
    assert night["configured"] == [{"name": "retrieve.fusion", "before": "rrf", "after": "minmax"}]


def test_another_suite_is_named(evenings: Evenings) -> None:
    evenings.run(FIRST)
    evenings.suite([*TICKETS[:1], TICKETS[1] | {"message": "take seats back at the former price"}, *TICKETS[2:4]])
    _, night = evenings.run(SECOND)
    [told] = changes(night)
    assert told.startswith("The suite changed: 1 gone, 1 reworded or with other gold; ")


def test_a_stopped_index_run_fails_and_the_rest_is_measured(evenings: Evenings) -> None:
    evenings.run(FIRST)
    evenings.cut("## 4.2 Downgrades", "## 4.4 Co-terming")
    status, night = evenings.run(SECOND)
    assert status == 1
    assert "--allow-removals" in night["causes"][0]
    assert gate(night, "index run") == "failed"


def test_a_fresh_machine_keeps_the_trend_and_says_what_it_cannot_know(evenings: Evenings) -> None:
    evenings.run(FIRST)
    evenings.edit(BACK, BACK.replace("14", "21"))
    evenings.suite([TICKETS[0], *TICKETS[2:5], desk.plain("back-1", BACK.replace("14", "21"), "4.2.3", split="tune")])
    shutil.rmtree(evenings.folder / ".caveat")
    _, night = evenings.run(SECOND)
    assert night["run"] == 2
    assert any(cause.startswith("The handbook changed") for cause in night["causes"])


def test_a_dropped_recall_is_held_against_the_baseline(evenings: Evenings) -> None:
    evenings.run(FIRST)
    accepted = evenings.type("baseline", "accept")
    assert accepted.status == 0
    assert "Run 1 of 2026-12-01" in accepted.out
    assert evenings.type("baseline", "show").out == accepted.out
    _, night = evenings.run("2026-12-03T02:00:00Z")
    assert gate(night, "Recall@5 against the baseline") == "passed"


def test_a_baseline_wants_a_night(evenings: Evenings) -> None:
    assert evenings.type("baseline", "show").status == 2
    done = evenings.type("baseline", "accept")
    assert done.status == 2
    assert "no night of suite is in the history; fix: run `caveat nightly` first" in done.err


def test_somebody_is_told_of_a_failed_night(evenings: Evenings) -> None:
    evenings.set(gates="p95_milliseconds = 0.001", more='notify = ["tee", "told.txt"]')
    status, _ = evenings.run(FIRST)
    assert status == 1
    told = (evenings.folder / "told.txt").read_text(encoding="utf-8")
    assert told.startswith("Run 1, 2026-12-01: ")
    assert "FAILED        p95" in told


def test_a_night_that_nobody_could_be_told_of_is_an_error(evenings: Evenings) -> None:
    evenings.set(more='notify = ["no-such-program"]\nnotify_always = true')
    done = evenings.type("nightly", at=FIRST)
    assert done.status == 2
    assert done.err.startswith("caveat: eval.notify: nobody was told: no-such-program cannot be run")


def test_another_night_of_the_same_history_is_refused_whatever_its_state_folder(evenings: Evenings) -> None:
    file = evenings.folder / "data/history/.nights.jsonl.lock"
    file.parent.mkdir(parents=True)
    with FileLock(file):
        done = evenings.type("nightly", "--no-index", at=FIRST)
    assert done.status == 2
    assert f"{file.parent}: another night is being measured; fix: wait for it to end" in done.err
    assert evenings.run(FIRST)[0] == 0
    assert [one.name for one in file.parent.iterdir()] == ["nights.jsonl"]


def test_a_night_that_was_pulled_in_meanwhile_stays(evenings: Evenings, monkeypatch: pytest.MonkeyPatch) -> None:
    evenings.run(FIRST)
    pulled = json.dumps(evenings.recorded[0] | {"run": 2, "suite": "pulled"})

    def wrap(contender: Contender) -> Contender:
        (evenings.folder / "data/history/nights.jsonl").write_text(f"{evenings.lines[0]}\n{pulled}\n", "utf-8")
        return contender

    monkeypatch.setenv("CAVEAT_NOW", SECOND)
    request = NightRequest(surroundings(None), evenings.handbook, evenings.folder / "suite", index=False, wrap=wrap)
    assert run_night(request).night.run == 3
    assert [(one["run"], one["suite"]) for one in evenings.recorded] == [(1, "suite"), (2, "pulled"), (3, "suite")]


def test_a_suite_that_is_not_there_leaves_no_claim_of_a_first_night(evenings: Evenings) -> None:
    done = evenings.type("nightly", "--no-index", "--suite", "mispelt", at=FIRST)
    assert done.status == 2
    assert done.out.splitlines()[1] == "Nothing was measured tonight: nothing to compare."
    assert "not measured: no question was asked" in done.out
    assert "holdout" not in done.out


@pytest.mark.parametrize("name", ["nights.jsonl", "baseline.json", "holdout.jsonl"])
def test_reports_say_which_file_of_the_history_is_damaged(evenings: Evenings, name: str) -> None:
    evenings.run(FIRST)
    file = evenings.folder / "data/history" / name
    file.write_text("{\n", encoding="utf-8")
    assert evenings.type("nightly", "--no-index", at=SECOND).status == 2
    for report in ("report.html", "report.json", "report.md", "junit.xml"):
        text = (evenings.folder / "reports" / report).read_text(encoding="utf-8").replace("\\", "")
        assert name in text, report
        assert "2026-12-02" in text or "2 Dec" in text, report
    assert file.read_text(encoding="utf-8") == "{\n"


def test_a_corrupt_history_is_named_before_anything_runs(evenings: Evenings) -> None:
    evenings.run(FIRST)
    file = evenings.folder / "data/history/nights.jsonl"
    file.write_text(evenings.lines[0] + '\n{"run": 2\n', encoding="utf-8")
    done = evenings.type("nightly", at=SECOND)
    assert done.status == 2
    assert "nights.jsonl:2: is not JSON" in done.err
    assert file.read_text(encoding="utf-8").endswith('{"run": 2\n')


def test_the_terminal_gets_answer_gates_and_causes(evenings: Evenings) -> None:
    done = evenings.type("nightly", at=FIRST)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("Run 1, 2026-12-01: Recall@5 is all right")
    assert any(line.startswith("  ok            recall@5: 1.000") for line in lines)
    assert "  Rewrite robustness (Recall@5)                           1.000" in done.out
    assert any(line.startswith("  Policy-exception recall (PolicyExceptionRecall@5+links) ") for line in lines)
    assert lines[-1].startswith("wrote ")
