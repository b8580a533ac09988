from __future__ import annotations

import re
from typing import Any

import pytest

from ingest.dates import FOREVER, parse_day, show_day
from ingest.errors import ConfigError, GuardError, SourceError, StateError

NOTICE = "## 1 Notice\n\nReductions must be submitted in writing at least thirty days before renewal.\n\n"
CREDIT = "## 2 Credit\n\nA credit is paid within sixty days after the invoice to which it belongs was settled.\n\n"
FILLER = "".join(f"## {n} Filler {n}\n\nNothing to see in number {n}.\n\n" for n in range(10, 40))


def told(plan: Any) -> list[tuple[str, str, str | None]]:
    return [(c.kind.value, c.address, show_day(c.valid_from)) for c in plan.changes if "#" in c.address and c.number]


def test_the_first_index_tells_each_section_once_and_then_how_it_changes(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT, "2026-07-01/a.md": NOTICE.replace("thirty", "sixty") + CREDIT})
    assert told(desk.index("2026-08-01")) == [
        ("added", "a.md#Credit", "2026-01-01"),
        ("added", "a.md#Notice", "2026-01-01"),
        ("amended", "a.md#Notice", "2026-07-01"),
    ]
    assert desk.index("2026-08-02").is_empty


@pytest.mark.parametrize(
    ("after", "kind", "address"),
    [
        (NOTICE + CREDIT.replace("sixty", "ninety"), "amended", "a.md#Credit"),
        (NOTICE + CREDIT.replace("## 2", "## 3"), "renumbered", "a.md#Credit"),
        (NOTICE + CREDIT.replace("Credit", "Credits"), "retitled", "a.md#Credits"),
        (NOTICE + CREDIT.replace("##", "###"), "moved", "a.md#Notice > Credit"),
        (NOTICE, "ended", "a.md#Credit"),
        (NOTICE + CREDIT + "## 3 Scope\n\nAll seats.\n", "added", "a.md#Scope"),
    ],
    ids=["amended", "renumbered", "retitled", "moved", "ended", "added"],
)
def test_a_new_edition_is_told_by_what_it_changes(desk: Any, after: str, kind: str, address: str) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT}).index("2026-02-01")
    plan = desk.write({"2026-07-01/a.md": after}).index("2026-02-02")
    assert told(plan) == [(kind, address, "2026-07-01")]
    assert plan.corrects_from is None


def test_a_section_that_comes_back_is_reinstated(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT, "2026-02-01/a.md": NOTICE}).index("2026-03-01")
    assert told(desk.write({"2026-07-01/a.md": NOTICE + CREDIT}).index("2026-03-02")) == [
        ("reinstated", "a.md#Credit", "2026-07-01")
    ]


def test_a_moved_section_says_where_it_was(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT}).index("2026-02-01")
    [change] = desk.write({"2026-07-01/a.md": NOTICE, "2026-07-01/b.md": CREDIT}).index("2026-02-02").changes[-1:]
    assert (change.kind, change.address, change.old_address) == ("moved", "b.md#Credit", "a.md#Credit")


def test_one_changed_sentence_in_the_newest_edition_needs_no_word_and_keeps_the_old_answer(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT, "2026-07-01/a.md": NOTICE + CREDIT}).index("2026-08-01")
    plan = desk.write({"2026-07-01/a.md": NOTICE + CREDIT.replace("sixty", "ninety")}).index("2026-08-05")
    plan.check()
    assert told(plan) == [("amended", "a.md#Credit", "2026-07-01")]
    assert "ninety" in desk.texts("2026-07-15")["a.md#Credit"]
    assert "sixty" in desk.texts("2026-07-15", known_at="2026-08-02")["a.md#Credit"]
    assert "sixty" in desk.texts("2026-06-15")["a.md#Credit"]


def test_a_change_inside_an_edition_that_a_later_one_follows_corrects_the_past(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT, "2026-07-01/a.md": NOTICE + CREDIT}).index("2026-08-01")
    plan = desk.write({"2026-01-01/a.md": NOTICE + CREDIT.replace("sixty", "ninety")}).plan("2026-08-05")
    assert plan.corrects_from == parse_day("2026-01-01")
    with pytest.raises(GuardError, match=r"1 change corrects the past from 2026-01-01 on, first a.md#Credit"):
        plan.check()
    plan.check(correct=True)


def test_an_edit_of_a_past_edition_that_changes_no_day_needs_no_word(desk: Any) -> None:
    dated = "---\neffective_from: 2026-03-01\n---\n"
    desk.write({"2026-01-01/a.md": dated + NOTICE + FILLER, "2026-02-01/a.md": NOTICE + FILLER}).index("2026-08-01")
    plan = desk.write({"2026-01-01/a.md": dated + CREDIT + FILLER}).index("2026-08-05")
    plan.check()
    assert (plan.changes, plan.is_empty) == ((), False)


@pytest.mark.parametrize("day", ["2026-03-01", "2025-03-01"], ids=["between", "before"])
def test_an_edition_put_before_the_latest_corrects_the_past(desk: Any, day: str) -> None:
    desk.write({"2026-01-01/a.md": NOTICE, "2026-07-01/a.md": NOTICE}).index("2026-08-01")
    plan = desk.write({f"{day}/a.md": NOTICE.replace("thirty", "ten")}).plan("2026-08-05")
    assert plan.corrects_from == parse_day(day)


def test_a_folder_that_is_gone_corrects_the_past(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE, "2026-07-01/a.md": NOTICE + CREDIT}).index("2026-08-01")
    plan = desk.write({"2026-07-01": None}).plan("2026-08-05")
    assert plan.corrects_from == parse_day("2026-07-01")


def test_a_planned_correction_needs_no_word_and_is_known_from_its_day(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE, "2026-07-01/a.md": NOTICE}).index("2026-08-01")
    corrected = NOTICE.replace("thirty", "ten")
    plan = desk.write({"2026-01-01@2026-08-10/a.md": corrected}).index("2026-08-15")
    plan.check()
    assert "ten" in desk.texts("2026-06-30")["a.md#Notice"]
    assert "thirty" in desk.texts("2026-06-30", known_at="2026-08-09")["a.md#Notice"]
    assert "ten" in desk.texts("2026-06-30", known_at="2026-08-10")["a.md#Notice"]
    assert "thirty" in desk.texts("2026-07-01")["a.md#Notice"]


def test_a_correction_that_is_declared_too_late_is_recorded_now(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE}).index("2026-08-01")
    plan = desk.write({"2026-01-01@2026-07-10/a.md": CREDIT}).index("2026-08-15")
    [late] = [note for note in plan.notes if note.code == "recorded-late"]
    assert late.where == "2026-01-01@2026-07-10"
    assert late.message.endswith("is before the last run, which did not see it; it counts as recorded today")
    assert list(desk.texts("2026-06-30", known_at="2026-08-14")) == ["a.md#Notice"]
    assert list(desk.texts("2026-06-30", known_at="2026-08-15")) == ["a.md#Credit"]
    plan = desk.write({"2026-01-01@2026-07-10/a.md": CREDIT + "\nMore.\n"}).index("2026-08-16")
    [late] = [note for note in plan.notes if note.code == "recorded-late"]
    assert late.message == "edited after its recorded_at 2026-07-10T00:00:00Z; the edit counts as recorded today"


def test_a_fresh_clone_believes_things_in_the_declared_order(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE, "2026-01-01/edition.toml": "recorded_at = 2025-12-20"})
    desk.write({"2026-01-01@2026-02-10/a.md": NOTICE.replace("thirty", "ten")}).index("2026-08-01")
    assert desk.texts("2026-03-01", known_at="2025-12-19") == {}
    assert "thirty" in desk.texts("2026-03-01", known_at="2025-12-20")["a.md#Notice"]
    assert "ten" in desk.texts("2026-03-01", known_at="2026-02-10")["a.md#Notice"]


def test_an_edition_that_removes_much_stops_and_says_how_much(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT + FILLER}).index("2026-02-01")
    plan = desk.write({"2026-07-01/a.md": NOTICE + CREDIT + FILLER[:600]}).plan("2026-02-02")
    with pytest.raises(GuardError, match=r"edition 2026-07-01 removes \d+ of 32 sections .*--allow-removals"):
        plan.check()
    plan.check(allow_removals=True)


def test_the_only_edition_is_guarded_against_its_own_last_state(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT + FILLER}).index("2026-02-01")
    with pytest.raises(GuardError, match="edition 2026-01-01 removes 30 of 32 sections"):
        desk.write({"2026-01-01/a.md": NOTICE + CREDIT}).plan("2026-02-02").check()


def test_an_edition_may_be_edited_after_its_removals_were_allowed(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT + FILLER}).index("2026-02-01")
    desk.write({"2026-07-01/a.md": NOTICE + CREDIT}).index("2026-02-02")
    desk.write({"2026-07-01/a.md": NOTICE.replace("thirty", "forty") + CREDIT}).plan("2026-02-03").check()
    with pytest.raises(GuardError, match="edition 2026-07-01 removes 1 of 2 sections"):
        desk.write({"2026-07-01/a.md": NOTICE}).plan("2026-02-03").check()


def test_a_file_at_fault_is_named_although_a_guard_stops_the_run(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT + FILLER}).index("2026-02-01")
    plan = desk.write({"2026-07-01/a.md": NOTICE, "2026-07-01/b.md": "\0"}).plan("2026-02-02")
    with pytest.raises(GuardError, match=r"removes .*and refused: .*2026-07-01/b\.md"):
        plan.check()


def test_what_was_allowed_once_is_not_asked_again(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT + FILLER}).index("2026-02-01")
    desk.write({"2026-07-01/a.md": NOTICE}).index("2026-02-02")
    desk.write({"2026-10-01/a.md": NOTICE + CREDIT}).plan("2026-02-03").check()


def test_at_the_first_index_much_removed_is_a_note(desk: Any) -> None:
    plan = desk.write({"2026-01-01/a.md": NOTICE + CREDIT, "2026-07-01/a.md": NOTICE}).plan("2026-08-01")
    plan.check()
    assert [note.where for note in plan.notes if note.code == "many-removed"] == ["2026-07-01"]


def test_a_delta_removes_only_what_it_names(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE, "2026-01-01/b.md": CREDIT, "2026-02-01/c.md": FILLER})
    desk.write({"2026-02-01/edition.toml": 'base = "2026-01-01"\nremoved = ["b.md"]'}).index("2026-03-01")
    assert {"a.md#Notice", "c.md#Filler 10"} <= desk.texts("2026-02-01").keys()
    assert "b.md#Credit" not in desk.texts("2026-02-01")


@pytest.mark.parametrize(
    ("removed", "message"),
    [("c.md", r'removes "c.md", which no edition has; fix: did you mean "\w.md"'), ("fees", "which it also has")],
    ids=["unknown", "held"],
)
def test_a_delta_that_contradicts_itself_is_refused(desk: Any, removed: str, message: str) -> None:
    desk.write({"2026-01-01/a.md": NOTICE, "2026-02-01/b.md": "---\nid: fees\n---\n" + CREDIT})
    desk.write({"2026-02-01/edition.toml": f'base = "2026-01-01"\nremoved = ["{removed}"]'})
    with pytest.raises(SourceError, match=message):
        desk.plan("2026-03-01")


def test_a_documents_own_date_counts_for_it_alone(desk: Any) -> None:
    later = "---\neffective_from: 2026-09-01\n---\n" + NOTICE.replace("thirty", "ten")
    desk.write({"2026-01-01/a.md": NOTICE, "2026-01-01/b.md": CREDIT})
    desk.write({"2026-07-01/a.md": later, "2026-07-01/b.md": CREDIT.replace("sixty", "ninety")}).index("2026-08-01")
    assert "thirty" in desk.texts("2026-08-31")["a.md#Notice"]
    assert "ninety" in desk.texts("2026-08-31")["b.md#Credit"]
    assert "ten" in desk.texts("2026-09-01")["a.md#Notice"]


def test_a_refused_file_keeps_its_last_good_text_and_stops_nothing(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE, "2026-01-01/b.md": CREDIT}).index("2026-02-01")
    desk.write({"2026-01-01/a.md": "\0", "2026-01-01/b.md": CREDIT.replace("sixty", "ninety")})
    plan = desk.index("2026-02-02")
    assert [refusal.relative for refusal in plan.refusals] == ["a.md"]
    assert "thirty" in desk.texts("2026-03-01")["a.md#Notice"]
    assert "ninety" in desk.texts("2026-03-01")["b.md#Credit"]
    with pytest.raises(SourceError, match=r"refused under --strict: 2026-01-01/a.md"):
        plan.check(strict=True)


def test_a_file_refused_in_a_new_edition_does_not_remove_the_document(desk: Any) -> None:
    named = "---\nid: notice\n---\n" + NOTICE
    desk.write({"2026-01-01/a.md": named, "2026-01-01/b.md": CREDIT}).index("2026-02-01")
    desk.write({"2026-07-01/a.md": "\0", "2026-07-01/b.md": CREDIT}).index("2026-02-02")
    assert "notice#Notice" in desk.texts("2026-08-01")


def test_two_files_with_one_id_are_both_refused_by_name(desk: Any) -> None:
    twin = "---\nid: notice\n---\n" + NOTICE
    plan = desk.write({"2026-01-01/a.md": twin, "2026-01-01/b.md": twin, "2026-01-01/c.md": CREDIT}).index("2026-02-01")
    assert [(refusal.relative, refusal.doc_id) for refusal in plan.refusals] == [("a.md", "notice"), ("b.md", "notice")]
    assert re.search(r'2026-01-01/a.md: id "notice" is also that of b.md', str(plan.refusals[0].error))
    assert list(desk.texts("2026-02-01")) == ["c.md#Credit"]


def test_a_clock_before_the_last_run_is_an_error_when_there_is_something_to_write(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE}).index("2026-02-01")
    assert desk.plan("2026-02-01").is_empty
    with pytest.raises(StateError, match=r"the clock says 2026-01-31T12:00:00Z, and the last run"):
        desk.write({"2026-01-01/a.md": CREDIT}).plan("2026-01-31")


def test_effective_from_is_not_for_dated_editions(desk: Any) -> None:
    with pytest.raises(ConfigError, match="--effective-from with dated edition folders"):
        desk.write({"2026-01-01/a.md": NOTICE}).plan("2026-02-01", effective_from="2026-01-15")


def test_one_text_in_two_editions_may_be_two_sections(desk: Any) -> None:
    desk.write({"2026-01-01/a.md": NOTICE + CREDIT, "2026-02-01/a.md": NOTICE, "2026-02-01/b.md": CREDIT})
    desk.write({"2026-03-01/a.md": NOTICE + CREDIT, "2026-03-01/b.md": CREDIT}).index("2026-04-01")
    rows = [row for row in desk.catalog.in_force(parse_day("2026-03-01"), FOREVER - 1) if row.kind == "section"]
    assert len({row.id for row in rows}) == len(rows) == 3
