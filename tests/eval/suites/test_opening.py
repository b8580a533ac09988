"""Tickets as questions, whatever is wrong with them named by file and line."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from eval.policy import Policy, read_policy
from eval.suites.opening import open_questions, open_sound
from ingest.errors import QueryError, SourceError
from ingest.settings import IngestSettings
from tests.eval import desk

Write = Callable[[Mapping[str, str]], Path]
COPY = desk.plain("copy-1", "free of charge for seven years", "7.3", "07-refunds.md", as_of="2026-06-01")
NOTHING = desk.ticket("none-1", kind="unanswerable", gold=[], message="bitcoin please")


@pytest.fixture
def policy(write_files: Write) -> Policy:
    return read_policy(write_files(desk.FILES), IngestSettings(), desk.NOW)


def test_messages_and_rewrites_are_asked_with_gold_as_it_stood(policy: Policy, tmp_path: Path) -> None:
    folder = desk.write_suite(tmp_path / "tickets", [desk.ticket()], [desk.rewrites()])
    suite = open_questions(folder, policy)
    assert (suite.name, len(suite.questions)) == ("tickets", 5)
    assert suite.features == {"dates", "quotes", "rewrites", "windows", "links"}
    message, rewrite = suite.questions[:2]
    assert [gold.id for gold in message.gold] == ["04-seats.md#Seats > Credits", "04-seats.md#Seats > Notice"]
    assert message.gold[1].roles == ("exception",)
    assert message.slices == {"document": "04-seats.md", "chapter": "4 Seats"}
    assert (rewrite.id, rewrite.ticket, rewrite.slices["style"]) == (
        "exc-1/dropped-qualifier",
        "exc-1",
        "dropped-qualifier",
    )
    assert rewrite.where.endswith("rewrites.jsonl:1")
    assert [len(suite.of(asked)) for asked in ("message", "rewrite", "ambiguous rewrite")] == [1, 3, 1]


def test_quotes_of_one_section_are_one_gold(policy: Policy, tmp_path: Path) -> None:
    gold = [desk.NO_CREDIT, desk.anchor("arrives at least 30 calendar days", "Seats > Notice", "condition")]
    gold[1]["quote"] = "arrives at least 20 calendar days"
    gold[1]["section"] = "4.2"
    [question] = open_questions(
        desk.write_suite(tmp_path / "t", [desk.ticket(kind="plain", gold=gold)]), policy
    ).questions
    assert [(len(one.quotes), one.roles) for one in question.gold] == [(2, ("exception", "condition"))]


def test_identical_sections_are_twins_only_where_both_are_in_force(policy: Policy, tmp_path: Path) -> None:
    before = COPY | {"id": "copy-0", "as_of": "2025-06-01"}
    old, new = open_questions(desk.write_suite(tmp_path / "t", [before, COPY]), policy).questions
    assert old.gold[0].twins == frozenset()
    assert new.gold[0].twins == {"11-payment.md#Payment > Invoices"}


def test_one_side_alone_is_asked(policy: Policy, tmp_path: Path) -> None:
    folder = desk.write_suite(tmp_path / "t", [desk.ticket(split="tune"), NOTHING | {"split": "holdout"}])
    suite = open_questions(folder, policy, "tune")
    assert [one.id for one in suite.questions] == ["exc-1"]
    assert suite.others == {"none-1"}
    assert "11-payment.md#Payment > Invoices" in suite.sections


@pytest.mark.parametrize("side", [None, "tune"])
def test_a_half_dealt_suite_is_refused(policy: Policy, tmp_path: Path, side: str | None) -> None:
    moved = desk.plain("moved-1", "gets a credit for the unused days", "4.2")
    folder = desk.write_suite(tmp_path / "t", [desk.ticket(split="tune"), NOTHING, moved], [desk.rewrites("none-1")])
    told = (
        r"2 questions without a side, and others with one: \S+tickets.jsonl:2, \S+tickets.jsonl:3; allowed: tune, hold"
    )
    with pytest.raises(SourceError, match=told):
        open_sound(folder, policy, side)


def test_a_side_that_nobody_is_on_is_refused(policy: Policy, tmp_path: Path) -> None:
    folder = desk.write_suite(tmp_path / "t", [desk.ticket()])
    with pytest.raises(SourceError, match="no question is on the side tune; fix: caveat tickets split"):
        open_questions(folder, policy, "tune")
    with pytest.raises(QueryError, match='no side "test"; allowed: tune, holdout'):
        open_questions(folder, policy, "test")


def test_the_digest_follows_what_is_asked_and_expected_alone(policy: Policy, tmp_path: Path) -> None:
    def digest(name: str, **changed: Any) -> str:
        return open_questions(desk.write_suite(tmp_path / name, [desk.ticket(**changed)]), policy).digest

    assert digest("a") == digest("b", notes="a trap", answer="None.")
    assert len({digest("a"), digest("c", message="what now"), digest("d", gold=[desk.NO_CREDIT, desk.CREDIT])}) == 3


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (desk.plain("a", "gets a credit for", "4.9"), "tickets.jsonl:1: a: no section 04-seats.md 4.9 in force"),
        (desk.plain("a", "gets a refund for", "4.1"), "no section in force holds it"),
        (NOTHING | {"as_of": "2020-01-01"}, "tickets.jsonl:1: nothing is in force on 2020-01-01; allowed: days from"),
        (desk.ticket(gold=[]), "tickets.jsonl:1: gold: 0 quotes in a ticket of kind exception"),
    ],
    ids=["section", "quote", "day", "no gold"],
)
def test_faults_are_named_by_file_and_line(policy: Policy, tmp_path: Path, entry: desk.Entry, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        open_questions(desk.write_suite(tmp_path / "t", [entry]), policy)


def test_an_id_that_is_there_twice_is_refused(policy: Policy, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r'tickets.jsonl:2: id "exc-1" is also that of line 1'):
        open_questions(desk.write_suite(tmp_path / "t", [desk.ticket(), desk.ticket()]), policy)


def test_sound_questions_go_on_beside_broken_ones(policy: Policy, tmp_path: Path) -> None:
    moved = desk.plain("moved-1", "gets a credit for the unused days", "4.2")
    opened = open_sound(desk.write_suite(tmp_path / "t", [moved, COPY]), policy)
    assert [one.id for one in opened.questions.questions] == ["copy-1"]
    [broken] = opened.broken
    assert broken.id == "moved-1"
    assert "it stands in 04-seats.md#Seats > Credits" in str(broken.faults[0])


@pytest.mark.parametrize(
    ("name", "message"), [("nowhere", "no such file or folder"), ("", "no suite; allowed: a fold")]
)
def test_what_is_no_suite_is_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        open_questions(tmp_path / name)


def test_an_empty_suite_is_refused(policy: Policy, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no questions; fix: an empty suite measures nothing"):
        open_questions(desk.write_suite(tmp_path / "t", []), policy)


def test_quotes_want_a_handbook(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="quote a handbook, and none is named; fix: --handbook DIR"):
        open_questions(desk.write_suite(tmp_path / "t", [desk.ticket()]))


def test_the_demo_tickets_are_sound(root: Path, demo_policy: Policy) -> None:
    suite = open_questions(root / "data" / "tickets", lambda: demo_policy, "tune")
    messages = suite.of("message")
    assert (len(messages), len(suite.questions)) == (100, 500)
    assert sum(not one.gold for one in messages) == 10
