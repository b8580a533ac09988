"""tickets.csv: one row a question, and no cell that a spreadsheet would run; and all reports as files."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.nightly.glance import glance
from eval.nightly.record import Night
from eval.nightly.reports import rendered, write_reports
from eval.nightly.tables import tickets_csv
from eval.pages.cells import harmless_cell
from tests.eval.nightly import sample

STARTS = "=+-@\t\r\n|%＝＋－＠"


def rows(night: Night, before: list[Night] | None = None) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(tickets_csv(glance(night, before or [], None)))))


@pytest.mark.parametrize("start", [*STARTS, " =", "\n+", "\x00="], ids=repr)
def test_a_cell_that_could_be_a_formula_is_harmless(start: str) -> None:
    assert harmless_cell(f"{start}cmd|' /C calc'!A0").startswith(("'", "["))


@pytest.mark.parametrize("text", ["", "exc-105", "9 % on Business Annual", "a=b", "§ 4", "'quoted'"])
def test_any_other_cell_stays_as_it_is(text: str) -> None:
    assert harmless_cell(text) == text


@given(st.text())
def test_no_cell_starts_like_a_formula(text: str) -> None:
    assert not harmless_cell(text).startswith(tuple(STARTS))
    harmless_cell(text).encode()


def test_each_question_is_a_row_with_its_scores_as_numbers() -> None:
    night, before = sample.eventful()
    found = {row["id"]: row for row in rows(night, before)}
    assert len(found) == len(night.tickets)
    assert (found["exc-105"]["Recall@5"], found["exc-105"]["flipped"]) == ("0.5", "worse")
    assert found["exc-105"]["lost"] == "03-renewals.md#3 Renewals > Caps on the uplift: lost in rerank"
    assert found["exc-105"]["query"] == sample.QUERIES[5]


def test_what_was_not_scored_is_empty_not_zero() -> None:
    row = next(row for row in rows(sample.quiet(1)[0]) if row["kind"] == "unanswerable")
    assert (row["Recall@5"], row["ranks"]) == ("", "")


def test_hostile_cells_are_harmless_heads_too() -> None:
    found = next(csv.reader(io.StringIO(tickets_csv(glance(_formulas(), [], None)))))
    assert "'=1+1" in found
    assert rows(_formulas())[0]["query"] == "'=HYPERLINK(1)"


def _formulas() -> Night:
    night = sample.hostile()
    ticket = night.tickets[0].model_copy(update={"query": "=HYPERLINK(1)", "scores": {"=1+1": 1.0}})
    return night.model_copy(update={"tickets": [ticket]})


def test_all_reports_are_written_and_nothing_else(tmp_path: Path) -> None:
    night, before = sample.eventful()
    files = write_reports(night, before, before[3], tmp_path / "new" / "reports")
    names = ["report.html", "report.json", "report.md", "junit.xml", "tickets.csv"]
    assert [file.name for file in files] == names
    assert sorted(path.name for path in files[0].parent.iterdir()) == sorted(names)


def test_the_same_nights_give_the_same_reports() -> None:
    night, before = sample.eventful()
    assert rendered(night, before, before[3]) == rendered(night, before, before[3])


def test_report_json_holds_the_answer_and_the_whole_night() -> None:
    night, before = sample.eventful()
    found = json.loads(rendered(night, before, None)["report.json"])
    assert (found["verdict"], found["failed"], found["last"], found["baseline"]) == ("bad", True, 29, None)
    assert found["flips"][0] == {
        "id": "exc-105",
        "worse": True,
        "moved": {"Recall@5": [1.0, 0.5], "PolicyExceptionRecall@5+links": [1.0, 0.0]},
    }
    assert Night.model_validate(found["night"]) == night


def test_reports_of_the_holdout_side_name_no_question() -> None:
    night, before = sample.eventful()
    texts = rendered(night.model_copy(update={"split": "holdout"}), before, None)
    assert [name for name, text in texts.items() if "exc-105" in text or sample.QUERIES[5] in text] == []


def test_hostile_text_reaches_no_terminal_through_any_report() -> None:
    texts = rendered(sample.hostile(), [sample.hostile()], None)
    assert [name for name, text in texts.items() if set(text) & set("\x00\x07\x1b\u202e\u2066\ufeff")] == []


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("a file", encoding="utf-8")
    with pytest.raises(OSError, match="reports"):
        write_reports(sample.quiet(1)[0], [], None, tmp_path / "reports")
