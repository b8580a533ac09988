"""`caveat tickets ...` as typed."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.eval import desk

Typed = Callable[..., Any]
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def handbook(write_files: Write) -> Path:
    return write_files(desk.FILES)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    texts = ("where is our money", "reseller wants it back", "who keeps old bills", "may two people share a login")
    gold = (
        [desk.CREDIT, desk.NO_CREDIT],
        [
            desk.anchor("is refunded within 30 days", "7.1", document="07-refunds.md"),
            desk.anchor("refunded by the reseller alone", "7.2", "condition", document="07-refunds.md"),
        ],
    )
    tickets = [
        desk.ticket("exc-1", message=texts[0], gold=gold[0]),
        desk.ticket("exc-2", message=texts[1], gold=gold[1]),
        desk.plain("plain-1", "the right of one named person", "Seats > Words", message=texts[3]),
        desk.plain("plain-2", "free of charge for seven years", "11.1", "11-payment.md", message=texts[2]),
        desk.ticket("none-1", kind="unanswerable", gold=[], message="bitcoin please"),
        desk.dated("d-1", "2025-06-01", 15),
        desk.dated("d-2", "2026-06-01", 20),
    ]
    rewritten = [desk.rewrites(ticket["id"]) for ticket in tickets]
    return desk.write_suite(tmp_path / "t", tickets, rewritten)


def test_the_template_passes_its_own_check(caveat: Typed, own_handbook: Path) -> None:
    done = caveat("tickets", "init", "mine")
    assert done.out == "wrote mine/tickets.jsonl\nwrote mine/rewrites.jsonl\nwrote mine/FIELDS.md\n"
    assert caveat("tickets", "check", "mine", str(own_handbook), "--partial").out.endswith("every gate passed\n")
    fields = Path("mine/FIELDS.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in fields for name in json.loads(Path("mine/tickets.jsonl").read_text("utf-8")))


def test_the_template_overwrites_nothing(caveat: Typed) -> None:
    caveat("tickets", "init", "mine")
    done = caveat("tickets", "init", "mine")
    assert done.status == 2
    assert done.err.startswith("caveat: mine/tickets.jsonl: exists already; fix: ")


def test_check_prints_the_counts_and_passes_once_sides_are_dealt(caveat: Typed, handbook: Path, suite: Path) -> None:
    assert caveat("tickets", "check", str(suite), str(handbook)).status == 1
    assert caveat("tickets", "split", str(suite)).out == "4 tune, 3 holdout\n"
    done = caveat("tickets", "check", str(suite), str(handbook), "--expect", "7")
    assert (done.status, done.err) == (0, "")
    assert "7: 2 exception, 2 plain, 2 dated, 1 unanswerable" in done.out
    assert "2 of 2 across sections" in done.out
    assert "28, 7 of them ambiguous" in done.out
    assert "every gate passed" in done.out


def test_check_fails_with_one_line_a_fault(caveat: Typed, handbook: Path, suite: Path) -> None:
    done = caveat("tickets", "check", str(suite), str(handbook), "--expect", "200", "--partial")
    assert done.status == 1
    assert done.out.endswith(f"{suite}/tickets.jsonl: 7 tickets; wanted are 200 [count]\n1 note\n")
    values = caveat("tickets", "check", str(suite), str(handbook), "--partial", "--json").values
    assert values["findings"] == []
    assert values["overlaps"].keys() == {"exc-1", "exc-2", "plain-1", "plain-2", "d-1", "d-2"}


def test_sides_stay_as_they_were_dealt(caveat: Typed, suite: Path) -> None:
    caveat("tickets", "split", str(suite))
    before = (suite / "tickets.jsonl").read_bytes()
    assert caveat("tickets", "split", str(suite)).status == 0
    assert (suite / "tickets.jsonl").read_bytes() == before
    (suite / "tickets.jsonl").write_bytes(before.replace(b'"tune"', b'"holdout"'))
    done = caveat("tickets", "split", str(suite))
    assert done.status == 1
    assert "is in holdout, and would be dealt to tune now; fix: set every split to null to deal anew" in done.err


def test_baseline_measures_the_tune_side_only(caveat: Typed, handbook: Path, suite: Path) -> None:
    caveat("tickets", "split", str(suite))
    caveat("index", str(handbook))
    values = caveat("tickets", "baseline", str(suite), str(handbook), "--json").values
    tune = [json.loads(line) for line in (suite / "tickets.jsonl").read_text("utf-8").splitlines()]
    tune = [ticket for ticket in tune if ticket["split"] == "tune"]
    cells = {(cell["asked"], cell["contender"], cell["column"]): cell for cell in values["cells"]}
    assert len(cells) == 3 * 7 * 5
    assert values["split"] == "tune"
    for kind, column in (("exception", "exceptions"), ("plain", "plain"), ("dated", "dated")):
        expected = sum(ticket["kind"] == kind for ticket in tune)
        estimate = cells["messages", "first stage, top 3", column]["estimate"]
        assert (estimate["n"] if estimate else 0) == expected
    assert cells["rewrites", "first stage, top 3", "exceptions"]["estimate"]["n"] == 3
    assert cells["messages", "first stage, top 5", "exceptions"]["measure"] == "PolicyExceptionRecall@5"
    assert cells["messages", "first stage, top 5", "exceptions"]["estimate"]["mean"] == 1.0
    assert len(values["differences"]) == 4


def test_baseline_in_words(caveat: Typed, handbook: Path, suite: Path) -> None:
    caveat("tickets", "split", str(suite))
    caveat("index", str(handbook))
    done = caveat("tickets", "baseline", str(suite), str(handbook), "--split", "holdout")
    assert done.status == 0
    assert done.out.startswith("Split holdout; mean and 95 % interval, families resampled (seed 8841). Windows of 510 ")
    assert "\n\nMessages  " in done.out
    assert "\nwindows, overlap 64, 512 read  " in done.out
    assert "  first stage, top 3 minus windows, overlap 0, 256 read\n" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--split", "both"], 'no side "both"; allowed: tune, holdout'), ([], "nothing was indexed into this state")],
    ids=["side", "index"],
)
def test_baseline_refuses_in_one_line(
    caveat: Typed, handbook: Path, suite: Path, arguments: list[str], message: str
) -> None:
    caveat("tickets", "split", str(suite))
    done = caveat("tickets", "baseline", str(suite), str(handbook), *arguments)
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_baseline_refuses_an_index_older_than_the_files(caveat: Typed, handbook: Path, suite: Path) -> None:
    caveat("tickets", "split", str(suite))
    caveat("index", str(handbook))
    for file in handbook.glob("*/*.md"):
        file.write_text(file.read_text("utf-8").replace("renewal date.", "renewal date"), encoding="utf-8")
        file.write_text(file.read_text("utf-8").replace("plan is refunded", "plan now is refunded"), encoding="utf-8")
        file.write_text(file.read_text("utf-8").replace("use the", "use our"), encoding="utf-8")
        file.write_text(file.read_text("utf-8").replace("was issued.", "was issued"), encoding="utf-8")
        file.write_text(file.read_text("utf-8").replace("of the term.", "of the term"), encoding="utf-8")
    done = caveat("tickets", "baseline", str(suite), str(handbook))
    assert done.status == 1
    assert "the index does not hold this text as the file has it; fix: caveat index" in done.err


def test_baseline_wants_quotes_in_place(caveat: Typed, handbook: Path, tmp_path: Path) -> None:
    folder = desk.write_suite(
        tmp_path / "t", [desk.ticket(gold=[desk.CREDIT, desk.anchor("no such words", "4.2", "condition")])]
    )
    caveat("tickets", "split", str(folder))
    done = caveat("tickets", "baseline", str(folder), str(handbook))
    assert done.status == 1
    assert "the quote is not in the own text of 04-seats.md 4.2" in done.err
    assert done.err.endswith("fix: caveat tickets check shows all\n")


def test_alone_it_shows_its_commands(caveat: Typed) -> None:
    done = caveat("tickets")
    assert (done.status, done.err) == (0, "")
    assert "Commands:\n  init " in done.out
