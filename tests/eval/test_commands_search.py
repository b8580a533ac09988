"""Questions to the demo handbook; the encoder of these tests knows no meaning, only words."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

Typed = Callable[..., Any]
REWRITE = "seat downgrade credit calculation table"


def test_the_incident_brings_the_notice_with_the_formula(ask: Typed) -> None:
    done = ask("search", REWRITE, "--as-of", "2026-03-15", "--full")
    assert done.status == 0
    assert "as of 2026-03-15" in done.out
    section = done.out.split(" 1 4.2 Downgrades\n")[1].split("\n 2 ")[0]
    assert "in force 2026-01-01 until 2026-07-01" in section
    assert "30 calendar days" in section
    assert "credit_usd" in section


@pytest.mark.parametrize(
    ("day", "notice"), [("2025-08-01", "15 calendar days"), ("2026-03-15", "30 calendar days")], ids=["then", "later"]
)
def test_the_answer_is_the_one_of_the_day(ask: Typed, day: str, notice: str) -> None:
    values = ask("search", "written notice of a seat reduction", "--as-of", day, "--json").values
    found = next(passage for passage in values["passages"] if passage["section"] == "4.2")
    assert f"at least {notice} prior" in " ".join(found["text"].split())
    assert values["as_of"] == day


def test_json_is_whole_and_as_documented(ask: Typed, root: Any) -> None:
    values = ask("search", REWRITE, "--as-of", "2026-03-15", "--json", "-k", "2").values
    page = (root / "docs" / "json.md").read_text(encoding="utf-8").split("## caveat search --json")[1].split("\n## ")[0]
    first, second = (set(_keys(table)) for table in page.split("Each passage:"))
    assert set(values) == first
    assert len(values["passages"]) == 2
    assert set(values["passages"][0]) == second


def _keys(table: str) -> list[str]:
    cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_before_the_first_edition_nothing_was_in_force_and_it_says_so(ask: Typed) -> None:
    done = ask("search", REWRITE, "--as-of", "2018-01-01")
    assert done.status == 0
    assert "Nothing found: " in done.out
    assert "2025-07-01" in done.out


def test_a_future_day_is_marked(ask: Typed) -> None:
    done = ask("search", REWRITE, "--as-of", "2030-01-01")
    assert "as of 2030-01-01 (in the future: later editions may change this)" in done.out


def test_the_day_is_today_unless_it_is_named(ask: Typed) -> None:
    assert ask("search", REWRITE, "--json").values["as_of"] == "2026-11-30"
    assert ask("search", REWRITE, "--json", at="2026-12-24T08:00:00Z").values["as_of"] == "2026-12-24"


def test_a_query_comes_from_standard_input(ask: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(REWRITE))
    assert ask("search", "-", "--json").values["query"] == REWRITE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", ""], "empty"),
        (["search", "x" * 20_000], "20"),
        (["search", "x", "--as-of", "01/07/2026"], "2026-01-07"),
        (["search", "x", "--as-of", "yesterday"], "yesterday"),
        (["search", "x", "--known-at", "2030-01-01"], "known_at"),
        (["search", "x", "--known-at", "99"], "no generation 99"),
        (["search", "x", "--known-at", "9" * 5000], "is not a date"),
        (["search", "x", "--document", "nothing.md"], "nothing.md"),
        (["search", "x", "-k", "0"], "0"),
        (["show", "99.9"], "99.9"),
        (["history", "99.9"], "99.9"),
        (["diff", "2026-01-01", "soon"], "soon"),
        (["diff", "2026-01-01", "2026-07-01", "--document", "nothing.md"], "nothing.md"),
        (["search", REWRITE, "--explain", "99.9"], "99.9"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_a_question_that_cannot_be_answered_is_one_line(ask: Typed, arguments: list[str], message: str) -> None:
    done = ask(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("caveat: ")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_explain_says_why_a_section_is_not_there(ask: Typed) -> None:
    done = ask("search", "goodwill credit", "--as-of", "2026-03-15", "--explain", "Goodwill credit")
    assert done.status == 0
    assert "not-in-force" in done.out


def test_explain_says_where_a_section_ended(ask: Typed) -> None:
    values = ask("search", REWRITE, "--as-of", "2026-03-15", "--explain", "4.2.2", "--json").values
    assert values["in_force"]
    assert values["passage"] == "04-seats.md#Seats > Downgrades"


def test_show_prints_one_section_whole(ask: Typed) -> None:
    done = ask("show", "4.2.2", "--as-of", "2026-03-15")
    assert done.status == 0
    assert "in force 2026-01-01 until 2026-07-01" in done.out
    assert "   | For Enterprise Annual plans, seat reductions must be submitted" in done.out


def test_history_shows_the_words_that_changed(ask: Typed) -> None:
    done = ask("history", "04-seats.md#Seats > Downgrades > Notice")
    assert done.out.count("in force") == 3
    assert "in force 2025-07-01 until 2026-01-01" in done.out
    assert "[-15-] {+30+} calendar days" in done.out
    eras = ask("history", "04-seats.md#Seats > Downgrades > Notice", "--json").values
    believed = [era["effective_from"] for era in eras if era["recorded_to"] is None]
    assert believed == ["2025-07-01", "2026-01-01", "2026-07-01"]


def test_history_says_since_when_the_end_of_a_version_is_known(ask: Typed) -> None:
    name = "04-seats.md#Seats > Downgrades > Notice"
    eras = [era for era in ask("history", name, "--json").values if era["recorded_to"] is None]
    first, last = eras[0], eras[-1]
    assert first["first_recorded"] < first["recorded_from"]
    assert last["first_recorded"] == last["recorded_from"]
    shown = ask("history", name).out
    told = f"recorded {first['first_recorded']}, its end recorded {first['recorded_from']}\n"
    assert f"in force 2025-07-01 until 2026-01-01, {told}" in shown
    assert f"in force since 2026-07-01, recorded {last['recorded_from']}\n" in shown


def test_history_says_what_else_had_the_number(ask: Typed) -> None:
    assert ask("history", "4.2.3").out.splitlines()[2] == "4.2.3 was also Goodwill credit, until 2026-01-01"
    assert "was also" not in ask("history", "4.2.1").out
    assert "was also" not in ask("history", "Downgrades > Reinstating seats").out


def test_diff_tells_amended_ended_and_renumbered_sections_apart(ask: Typed) -> None:
    values = ask("diff", "2025-12-31", "2026-01-01", "--json").values
    kinds = {change["address"].split(" > ")[-1]: change["kind"] for change in values["changes"]}
    assert kinds["Goodwill credit"] == "ended"
    assert kinds["Notice"] == "amended"
    assert kinds["Smallest order"] == "renumbered"
    assert "Transfers" not in kinds


def test_diff_in_words(ask: Typed) -> None:
    done = ask("diff", "2026-06-30", "2026-07-01")
    assert done.out.startswith("From 2026-06-30 to 2026-07-01: 1 added, ")
    assert "+ 4.6.3 Public bodies added, 04-seats.md" in done.out
    assert "# 4.6.4 Resellers renumbered, was 4.6.3, 04-seats.md" in done.out
    assert "not more than [-5-] {+3+} %, {+and by not more than 50 seats,+} nothing" in done.out.replace("\n", " ")


def test_stats_count_what_is_in_force(ask: Typed) -> None:
    values = ask("stats", "--json").values
    assert values["documents_in_force"] == 1
    assert values["sections_in_force"] == 35
    assert values["generation"] == 1
    assert "o200k tokens" in ask("stats").out


def test_doctor_finds_everything_in_order(ask: Typed) -> None:
    done = ask("doctor")
    assert (done.status, done.err) == (0, "")
    assert {line.split()[0] for line in done.out.splitlines()} == {"good"}


def test_doctor_says_what_to_do_about_damage(caveat: Typed, indexed: Any) -> None:
    (indexed.parent / ".caveat" / "generations" / "1" / "points.npz").unlink()
    done = caveat("doctor")
    assert done.status == 1
    assert "points.npz is gone; fix: run `caveat index`" in done.out


def test_another_model_in_the_settings_says_what_to_run(ask: Typed, tmp_path: Any) -> None:
    (tmp_path / "caveat.toml").write_text('[encoder]\nmodel = "hash-128"\n', encoding="utf-8")
    done = ask("search", REWRITE)
    assert done.status == 2
    assert "run `caveat index`" in done.err


def test_colours_and_bars_are_for_terminals(ask: Typed) -> None:
    done = ask("search", REWRITE, "--as-of", "2026-03-15")
    assert "\x1b" not in done.out + done.err
    assert done.err == ""
    assert json.loads(ask("search", REWRITE, "--json").out)
