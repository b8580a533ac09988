"""A folder without dated editions: in force since unknown, and edits take effect on the day they are indexed."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.dates import UNKNOWN_DAY
from ingest.errors import GuardError, SourceError

RULE = "## Rule\n\n"
OTHER = "## Other\n\nother"


def dated(day: str, text: str) -> str:
    return f"---\neffective_from: {day}\n---\n{text}"


def rule(desk: Any, as_of: str, known_at: str = "2029-01-01") -> str | None:
    return desk.texts(as_of, known_at).get("a.md#Rule")


def test_undated_files_are_in_force_since_unknown(desk: Any) -> None:
    plan = desk.write({"a.md": RULE + "one"}).index("2026-03-01")
    assert (plan.changes[-1].valid_from, plan.undated) == (UNKNOWN_DAY, ("a.md",))
    assert rule(desk, "1990-01-01") == "one"
    with pytest.raises(SourceError, match=r"no effective date under --strict in 1 documents, first a.md"):
        plan.check(strict=True)


def test_an_edit_takes_effect_on_the_day_it_is_indexed_and_is_kept(desk: Any) -> None:
    desk.write({"a.md": RULE + "one"}).index("2026-03-01")
    desk.write({"a.md": RULE + "two"}).index("2026-03-05").check()
    desk.write({"a.md": RULE + "three"}).index("2026-03-09").check()
    assert [rule(desk, f"2026-03-{day:02}") for day in (4, 5, 8, 9)] == ["one", "two", "two", "three"]
    assert rule(desk, "2026-03-09", known_at="2026-03-08") == "two"


def test_a_file_put_there_later_is_in_force_from_that_day_and_a_removed_one_until_then(desk: Any) -> None:
    desk.write({"a.md": RULE + "one", "b.md": OTHER}).index("2026-03-01")
    desk.write({"a.md": None, "c.md": "## New\n\nnew"}).index("2026-03-05")
    assert sorted(desk.texts("2026-03-04")) == ["a.md#Rule", "b.md#Other"]
    assert sorted(desk.texts("2026-03-05")) == ["b.md#Other", "c.md#New"]


def test_a_declared_day_that_changes_with_the_text_is_the_day(desk: Any) -> None:
    desk.write({"a.md": dated("2026-01-01", RULE + "one")}).index("2026-03-01")
    desk.write({"a.md": dated("2026-06-01", RULE + "two")}).index("2026-03-05").check()
    assert [rule(desk, day) for day in ("2025-12-31", "2026-05-31", "2026-06-01")] == [None, "one", "two"]


def test_a_declared_day_that_stays_while_the_text_changes_is_not(desk: Any) -> None:
    desk.write({"a.md": dated("2026-01-01", RULE + "one")}).index("2026-03-01")
    desk.write({"a.md": dated("2026-01-01", RULE + "two")}).index("2026-03-05").check()
    assert [rule(desk, day) for day in ("2026-03-04", "2026-03-05")] == ["one", "two"]


def test_the_same_text_under_another_day_corrects_the_day(desk: Any) -> None:
    desk.write({"a.md": dated("2026-01-01", RULE + "one")}).index("2026-03-01")
    plan = desk.write({"a.md": dated("2026-02-01", RULE + "one")}).index("2026-03-05")
    with pytest.raises(GuardError, match=r"corrects? the past from 2026-01-01 on"):
        plan.check()
    assert [rule(desk, day) for day in ("2026-01-31", "2026-02-01")] == [None, "one"]
    assert rule(desk, "2026-01-31", known_at="2026-03-04") == "one"


def test_effective_from_dates_what_is_new_and_leaves_the_rest(desk: Any) -> None:
    desk.write({"a.md": RULE + "one", "b.md": OTHER}).index("2026-03-01")
    desk.write({"a.md": RULE + "two"}).index("2026-03-05", effective_from="2026-05-01")
    assert [rule(desk, day) for day in ("2026-04-30", "2026-05-01")] == ["one", "two"]
    assert desk.index("2026-03-06").is_empty
    assert "b.md#Other" in desk.texts("1990-01-01")


def test_a_refused_file_stays_and_is_taken_up_where_it_was(desk: Any) -> None:
    desk.write({"a.md": RULE + "one", "b.md": OTHER}).index("2026-03-01")
    assert desk.write({"a.md": "\0"}).index("2026-03-05").is_empty
    assert rule(desk, "2026-03-05") == "one"
    assert desk.write({"a.md": RULE + "one"}).index("2026-03-06").is_empty


def test_removing_most_of_a_folder_wants_a_word(desk: Any) -> None:
    desk.write({f"{n}.md": f"## Rule\n\ntext {n}" for n in range(5)}).index("2026-03-01")
    with pytest.raises(GuardError, match="edition live removes 1 of 5 sections"):
        desk.write({"0.md": None}).plan("2026-03-05").check()


def test_dated_folders_in_place_of_the_files_begin_a_new_past(desk: Any) -> None:
    desk.write({"a.md": RULE + "one"}).index("2026-03-01")
    desk.write({"a.md": None, "2026-01-01/a.md": RULE + "one"}).index("2026-03-05")
    assert (rule(desk, "2025-12-31"), rule(desk, "2026-01-01")) == (None, "one")
    assert rule(desk, "2025-12-31", known_at="2026-03-04") == "one"


DAY = date(2026, 3, 1)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(1, 3), st.dictionaries(st.sampled_from("ab"), st.sampled_from("xyz")))))
def test_each_day_has_the_files_of_its_last_run(make_desk: Any, runs: list[tuple[int, dict[str, str]]]) -> None:
    desk, day, seen = make_desk(), DAY, [(DAY, {"keep": "k"})]
    for step, files in [(0, {}), *runs]:
        day += timedelta(days=step)
        desk.clear().write({f"{name}.md": f"{RULE}{text}" for name, text in {"keep": "k", **files}.items()})
        desk.index(day.isoformat())
        seen.append((day, {"keep": "k", **files}))
    for known in [DAY + timedelta(days=n) for n in range((day - DAY).days + 2)]:
        for as_of in [DAY + timedelta(days=n) for n in range(-1, (day - DAY).days + 2)]:
            past = [files for taken, files in seen if taken <= known and (taken <= as_of or taken == DAY)]
            found = desk.texts(as_of.isoformat(), known.isoformat())
            assert found == {f"{name}.md#Rule": text for name, text in past[-1].items()}
