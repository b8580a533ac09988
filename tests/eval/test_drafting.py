"""Half-filled tickets from sections that limit each other."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from eval.policy import read_policy
from eval.ticket_check import check
from eval.ticket_files import load_suite
from ingest.errors import SourceError
from ingest.settings import IngestSettings
from tests.eval import desk

Typed = Callable[..., Any]
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def drafts(caveat: Typed, write_files: Write) -> list[desk.Entry]:
    done = caveat("tickets", "draft", str(write_files(desk.FILES)), "--as-of", "2026-03-15")
    assert done.status == 0
    return [json.loads(line) for line in done.out.splitlines()]


def test_each_limiting_link_is_a_draft_with_its_rule_and_its_limit(drafts: list[desk.Entry]) -> None:
    placed = [[(anchor["document"], anchor["section"], anchor["role"]) for anchor in one["gold"]] for one in drafts]
    assert placed == [
        [("04-seats.md", "4.1", "rule"), ("04-seats.md", "4.2", "exception")],
        [("07-refunds.md", "7.1", "rule"), ("07-refunds.md", "7.2", "condition")],
    ]
    assert drafts[0]["gold"][1]["quote"].startswith("Notwithstanding 4.1, an Enterprise customer")
    assert drafts[0]["gold"][1]["quote"].endswith("during the term.")
    assert '"Notwithstanding 4.1"' in drafts[0]["notes"]
    assert (drafts[0]["message"], drafts[0]["answer"], drafts[0]["as_of"]) == ("", "", "2026-03-15")


def test_a_draft_has_to_be_filled_in_and_then_fits(
    drafts: list[desk.Entry], write_files: Write, tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match=r"tickets\.jsonl:1: message: empty: fill it in; answer: empty: fill it in"):
        load_suite(desk.write_suite(tmp_path / "t", drafts))
    filled = [draft | {"message": draft["id"], "answer": "No."} for draft in drafts]
    policy = read_policy(write_files(desk.FILES), IngestSettings(), desk.NOW)
    suite = load_suite(desk.write_suite(tmp_path / "t", filled))
    assert check(suite, policy, partial=True).findings == ()


def test_nothing_in_force_makes_no_draft(caveat: Typed, write_files: Write) -> None:
    done = caveat("tickets", "draft", str(write_files(desk.FILES)), "--as-of", "2020-01-01")
    assert (done.status, done.out) == (0, "")
