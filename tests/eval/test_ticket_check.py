"""Tickets held against a handbook that changes over time."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from eval.overlap import content_words, overlap
from eval.policy import Policy, read_policy
from eval.split import dealt
from eval.ticket_check import Checked, check
from eval.ticket_files import TICKETS, load_suite, write_entries
from ingest.dates import parse_day, parse_instant
from ingest.errors import SourceError
from ingest.settings import IngestSettings
from tests.eval import desk

Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def policy(write_files: Write) -> Policy:
    return read_policy(write_files(desk.FILES), IngestSettings(), desk.NOW)


def found(policy: Policy, folder: Path, *tickets: desk.Entry, **options: Any) -> Checked:
    return check(load_suite(desk.write_suite(folder, list(tickets))), policy, **{"partial": True} | options)


def codes(checked: Checked) -> list[str]:
    return [note.code for note in checked.findings]


def test_tickets_that_fit_pass_and_are_counted(policy: Policy, tmp_path: Path) -> None:
    dates = [desk.dated("d-1", "2025-06-01", 15), desk.dated("d-2", "2026-06-01", 20)]
    nothing = desk.ticket("none-1", kind="unanswerable", gold=[], message="bitcoin please")
    checked = found(policy, tmp_path / "t", desk.ticket(), *dates, nothing)
    assert checked.findings == ()
    assert checked.kinds == {"exception": 1, "plain": 0, "dated": 2, "unanswerable": 1}
    assert (checked.cross_section, checked.sides) == (1, {"undealt": 4})


def test_what_is_in_force_follows_the_editions_and_what_was_known(policy: Policy) -> None:
    def days(as_of: str, known_at: str = "2026-11-30") -> list[str]:
        edition = policy.on(parse_day(as_of), parse_instant(known_at, "UTC", end_of_day=True))
        return [text for text in ("15 cal", "20 cal", "30 cal") if edition.holding(text)]

    assert days("2024-12-31") == []
    assert days("2025-12-31") == ["15 cal"]
    assert days("2026-01-01") == ["20 cal"]
    assert days("2026-01-01", "2026-09-13") == ["30 cal"]


@pytest.mark.parametrize(
    ("entry", "code", "message"),
    [
        (desk.plain("a", "gets a credit for", "4.9"), "no-section", "no section 04-seats.md 4.9 in force"),
        (desk.plain("a", "gets a credit for", "4.1", as_of="2020-01-01"), "no-section", "in force, on 2020-01-01"),
        (desk.plain("a", "gets a credit for", "4.2"), "not-verbatim", "it stands in 04-seats.md#Seats > Credits"),
        (desk.plain("a", "gets a refund for", "4.1"), "not-verbatim", "no section in force holds it"),
        (desk.plain("a", "during the term", "4.1"), "not-unique", "04-seats.md#Seats > Notice too; quote more of it"),
        (
            desk.plain("a", "subject to 7.2.", "7.1", "07-refunds.md") | {"gold": [
                desk.anchor("subject to 7.2.", "7.1", document="07-refunds.md"),
                desk.anchor("refunded within 30 days of", "Refunds > Annual plans", document="07-refunds.md"),
            ]},
            "two-names",
            "one section under two names",
        ),
    ],
    ids=["unknown", "before", "elsewhere", "nowhere", "twice", "names"],
)  # fmt: skip
def test_a_quote_out_of_place_is_found(
    policy: Policy, tmp_path: Path, entry: desk.Entry, code: str, message: str
) -> None:
    [note] = found(policy, tmp_path / "t", entry).findings
    assert note.code == code
    assert note.where.endswith("tickets.jsonl:1")
    assert message in note.message


def test_white_space_does_not_count_and_a_title_path_names_a_section(policy: Policy, tmp_path: Path) -> None:
    entry = desk.plain("a", "the right of\none named  person", "Seats > Words")
    wrapped = desk.plain("b", "A notice arrives at least", "4.2", message="when must we tell you")
    assert codes(found(policy, tmp_path / "t", entry, wrapped)) == []


def test_a_quote_may_stand_in_an_identical_section_too(policy: Policy, tmp_path: Path) -> None:
    entry = desk.plain("a", "free of charge for seven years", "7.3", "07-refunds.md")
    assert codes(found(policy, tmp_path / "t", entry)) == []


def test_a_dated_quote_in_force_on_another_date_of_its_family_is_found(policy: Policy, tmp_path: Path) -> None:
    same = desk.dated("d-2", "2026-06-01", 20) | {"gold": [desk.anchor("calendar days before the renewal", "4.2")]}
    checked = found(policy, tmp_path / "t", desk.dated("d-1", "2025-06-01", 15), same)
    assert codes(checked) == ["not-dated"]
    assert "in force on 2025-06-01 too" in checked.findings[0].message


def test_a_dated_family_wants_two_dates(policy: Policy, tmp_path: Path) -> None:
    assert codes(found(policy, tmp_path / "t", desk.dated("d-1", "2025-06-01", 15))) == ["one-date"]


def test_a_question_asked_twice_is_found(policy: Policy, tmp_path: Path) -> None:
    same = "where is the money for the forty seats"
    tickets = [desk.ticket("a", message=same), desk.ticket("b", message=f"{same}??")]
    checked = found(policy, tmp_path / "t", *tickets)
    assert codes(checked) == ["nearly-equal"]
    assert checked.findings[0].message.startswith("b: its message is nearly that of a (line 1)")


def test_messages_in_the_handbooks_words_are_found(policy: Policy, tmp_path: Path) -> None:
    checked = found(policy, tmp_path / "t", desk.ticket(message="Does an Enterprise customer get a credit?"))
    assert checked.median_overlap == 1.0
    assert codes(checked) == ["overlap"]


def test_overlap_is_the_share_of_stems_that_are_no_stop_words() -> None:
    assert content_words("Don’t we pay for the Seats we've paid?") == {"pay", "seat", "paid"}
    assert overlap("paying for 40 seats", ["A seat is paid.", "Pay the seat."]) == pytest.approx(2 / 3)
    assert overlap("is it so", ["it is"]) == 0.0


def test_a_finished_suite_has_its_sides_and_rewrites(policy: Policy, tmp_path: Path) -> None:
    tickets = [desk.ticket("a"), desk.ticket("b", message="something else entirely", split=None)]
    folder = desk.write_suite(tmp_path / "t", tickets, [desk.rewrites("a")])
    assert codes(check(load_suite(folder), policy)) == ["undealt", "undealt", "no-rewrites"]
    write_entries(folder / TICKETS, dealt(load_suite(folder).tickets))
    assert codes(check(load_suite(folder), policy, expected=3)) == ["no-rewrites", "count"]


def test_a_side_that_was_not_dealt_is_found(policy: Policy, tmp_path: Path) -> None:
    checked = found(policy, tmp_path / "t", desk.ticket(split="holdout"), partial=False)
    assert codes(checked) == ["split", "no-rewrites"]


def test_a_file_that_cannot_be_read_stops_the_check(write_files: Write) -> None:
    with pytest.raises(SourceError, match=r"b\.md: the file is empty"):
        read_policy(write_files({**desk.FILES, "2026-01-01/b.md": " "}), IngestSettings(), desk.NOW)
