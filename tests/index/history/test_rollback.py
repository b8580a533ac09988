from __future__ import annotations

from typing import Any

import pytest

from ingest.errors import StateError

ONE, TWO = "## Rule\n\none", "## Rule\n\ntwo"


def test_an_earlier_belief_is_restored_and_nothing_is_erased(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": ONE}).index("2026-03-01")
    desk.write({"2026-01-01/a.md": TWO}).index("2026-03-02")
    desk.roll_back(1, "2026-03-03")
    assert desk.texts("2026-02-01") == {"a.md#Rule": "one"}
    assert desk.texts("2026-02-01", known_at="2026-03-02") == {"a.md#Rule": "two"}
    assert [run.kind for run in desk.catalog.runs()] == ["index", "index", "rollback"]


def test_the_next_plan_says_what_it_would_apply_again(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": ONE}).index("2026-03-01")
    desk.write({"2026-01-01/a.md": TWO}).index("2026-03-02")
    desk.roll_back(1, "2026-03-03")
    plan = desk.index("2026-03-04")
    assert [(change.kind, change.address) for change in plan.changes] == [("amended", "a.md#Rule")]
    assert desk.texts("2026-02-01") == {"a.md#Rule": "two"}


def test_forward_again_is_a_rollback_too(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": ONE}).index("2026-03-01")
    desk.write({"2026-01-01/a.md": TWO}).index("2026-03-02")
    desk.roll_back(1, "2026-03-03")
    desk.roll_back(2, "2026-03-04")
    assert desk.texts("2026-02-01") == {"a.md#Rule": "two"}
    assert desk.plan("2026-03-05").is_empty


def test_a_run_that_never_was_is_an_error(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": ONE}).index("2026-03-01")
    with pytest.raises(StateError, match="no run 7; allowed: 1 to 1"):
        desk.roll_back(7, "2026-03-03")


def test_a_last_good_text_is_that_of_the_run_gone_back_to(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": ONE}).index("2026-03-01")
    desk.write({"2026-01-01/a.md": TWO}).index("2026-03-02")
    desk.roll_back(1, "2026-03-03")
    desk.write({"2026-01-01/a.md": "\0"}).index("2026-03-04")
    assert desk.texts("2026-02-01") == {"a.md#Rule": "one"}


def test_going_back_says_which_sections_change(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": ONE}).index("2026-03-01")
    desk.write({"2026-01-01/a.md": TWO, "2026-01-01/b.md": ONE}).index("2026-03-02")
    told = desk.roll_back(1, "2026-03-03")
    assert [(change.kind, change.address) for change in told] == [("amended", "a.md#Rule"), ("ended", "b.md#Rule")]
    assert desk.catalog.runs()[-1].summary == {"to": 1, "changes": {"amended": 1, "ended": 1}}
