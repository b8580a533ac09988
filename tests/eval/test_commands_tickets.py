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


def test_alone_it_shows_its_commands(caveat: Typed) -> None:
    done = caveat("tickets")
    assert (done.status, done.err) == (0, "")
    assert "Commands:\n  init " in done.out
