"""`caveat fuzz` as typed: on the chapter on seats, with the encoder that needs no weights."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.eval import desk
from tests.eval.conftest import Caveat

RULE = desk.anchor("a downgrade during a subscription term gives the customer a credit", "4.2.1")
LIMIT = desk.anchor(
    "seat reductions must be submitted in writing at least 30 calendar days prior", "4.2.2", "exception"
)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Three tickets: on the tune side, on the holdout side, and without an answer."""
    asked = "pro-rata credit formula for an Enterprise Annual seat downgrade with a notice of 30 calendar days"
    tickets = [
        desk.ticket("exc-1", message=asked, gold=[RULE, LIMIT], split="tune"),
        desk.ticket("exc-2", message="credit", gold=[RULE, LIMIT], split="holdout"),
        desk.ticket("none-1", message="is there parking", kind="unanswerable", gold=[], split="tune"),
    ]
    return desk.write_suite(tmp_path / "tickets", tickets)


@pytest.fixture
def fuzz(caveat: Caveat, demo_folder: Path) -> Any:
    """Types `caveat fuzz` for the state of the demo folder."""
    places = ("--state", str(demo_folder / ".caveat"), "--handbook", str(demo_folder / "handbook"))
    return lambda *arguments: caveat("fuzz", *arguments, *places)


def test_it_prints_each_way_the_arithmetic_and_the_losses_as_pins(fuzz: Any, suite: Path) -> None:
    done = fuzz(str(suite), "--split", "tune", "--each", "3", "--k", "1", "--pin")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("tickets, tune side: 2 queries, seed 0.\nAll anchors come back for 1 query, counted")
    assert "without anchors (unanswerable, or nothing came back): 1 query." in done.out
    for word in ("dropped-qualifier", "truncated", "all of them", "5 green runs miss it", "an assumption: --share"):
        assert word in done.out
    assert "none-1" not in done.out
    assert "exc-2" not in done.out


def test_the_same_seed_gives_the_same_and_each_loss_can_be_pinned(fuzz: Any, caveat: Caveat, suite: Path) -> None:
    found = fuzz(str(suite), "--each", "3", "--k", "1", "--json").values
    assert found == fuzz(str(suite), "--each", "3", "--k", "1", "--json").values
    assert found["losses"]
    words = shlex.split(found["losses"][0]["pin"])
    assert words[:4] == ["caveat", "pin", "add", "--query"]
    assert found["losses"][0]["lost"][0]["stage"]
    assert {one["way"] for one in found["losses"]} <= {one["way"] for one in found["ways"]}


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("--split", "holdout"), 1, "the holdout side; fix: losses are looked at one by one, on the tune side"),
        (("--of", "rewrites"), 2, "no rewrites; fix: --of messages"),
        (("--of", "replies"), 2, 'no queries called "replies"; allowed: messages, rewrites'),
        (("--way", "tpyo"), 2, 'no way "tpyo"'),
        (("--as-of", "2026-03-15"), 2, "a suite says its days itself"),
    ],
    ids=["holdout", "no rewrites", "unknown base", "unknown way", "day of a suite"],
)
def test_what_cannot_be_done_is_said(
    fuzz: Any, suite: Path, arguments: tuple[str, ...], status: int, told: str
) -> None:
    done = fuzz(str(suite), *arguments)
    assert done.status == status
    assert told in done.err


def test_logged_queries_are_held_to_what_they_bring_first(fuzz: Any, tmp_path: Path) -> None:
    log = tmp_path / "asked.txt"
    log.write_text("pro-rata credit formula of Enterprise Annual seats, ask jo@example.com\n\n", encoding="utf-8")
    found = fuzz(str(log), "--as-of", "2026-03-15", "--each", "2", "--json").values
    assert (found["queries"], found["brought_all"]) == (1, 1)
    assert found["ways"][-1]["exception"] is None
    assert "jo@example.com" not in json.dumps(found)
    text = fuzz(str(log), "--as-of", "2026-03-15").out
    assert "not measured" in text
    assert "Changed by redaction before asking: 1 query." in text


def test_a_recorded_trace_is_a_log_too(fuzz: Any, root: Path) -> None:
    trace = root / "data" / "incidents" / "8841.jsonl"
    found = fuzz(str(trace), "--boundary", "query_rewrite", "--as-of", "2026-03-15", "--json").values
    assert found["queries"] == 1


def test_a_log_without_a_query_is_named_by_its_line(fuzz: Any, tmp_path: Path) -> None:
    log = tmp_path / "asked.jsonl"
    log.write_text('{"query": "credit"}\n{"question": "credit"}\n', encoding="utf-8")
    done = fuzz(str(log))
    assert done.status == 2
    assert "asked.jsonl:2: no text in query" in done.err


def test_a_log_in_which_nothing_can_be_rewritten_says_so(fuzz: Any, tmp_path: Path) -> None:
    log = tmp_path / "asked.txt"
    log.write_text("credit\n", encoding="utf-8")
    done = fuzz(str(log), "--way", "dropped-qualifier", "--as-of", "2026-03-15")
    assert done.status == 0
    assert "Not rewritten, since no way of rewriting changes them: 1 query." in done.out
    assert done.out.rstrip().endswith(
        "Nothing was rewritten, so nothing could be lost. Ask other queries, or leave out --way."
    )
    assert "No rewrite loses anything" not in done.out


def test_a_query_that_is_too_long_is_named_by_its_line(fuzz: Any, tmp_path: Path) -> None:
    log = tmp_path / "asked.txt"
    log.write_text("credit\n" + "credit " * 1500, encoding="utf-8")
    done = fuzz(str(log), "--as-of", "2026-03-15")
    assert done.status == 2
    assert 'asked.txt:2: the query "query-2" has 10,499 characters; allowed: up to 10,000 (retrieve.max' in done.err


def test_a_day_before_the_first_edition_is_named(fuzz: Any, tmp_path: Path) -> None:
    log = tmp_path / "asked.txt"
    log.write_text("pro-rata credit\n", encoding="utf-8")
    done = fuzz(str(log), "--as-of", "2019-01-01")
    assert done.status == 2
    assert "asked.txt:1: nothing is in force on 2019-01-01; allowed: days from the first edition on" in done.err
