"""What changes a state folder: runs, plans, guards, refusals, going back, carrying over."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ingest.pool.pool
from eval import render_report
from eval.paint import Paint
from eval.runlog import Logged
from ingest.handbook.reading import FileReading, FileRequest, read_file
from ingest.loss import Loss, LostLine, Tally

Typed = Callable[..., Any]
NEWEST = "2026-07-01/04-seats.md"
NOTICE = "04-seats.md#Seats > Downgrades > Notice"


def edit(handbook: Path, old: str, new: str, name: str = NEWEST) -> None:
    file = handbook / name
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_first_run_counts_and_publishes(caveat: Typed, own_handbook: Path) -> None:
    done = caveat("index", str(own_handbook))
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Sections\n  from 2025-07-01  35 added\n  from 2026-01-01  9 amended, 1 renumbered\n")
    assert "Generation 1 published" in done.out


def test_a_second_run_changes_nothing(caveat: Typed, indexed: Path) -> None:
    done = caveat("index", str(indexed))
    assert done.status == 0
    assert "unchanged" in done.out
    assert "no section changed" in done.out


def test_a_plan_names_the_one_edited_section_and_writes_nothing(caveat: Typed, indexed: Path) -> None:
    edit(indexed, "within 14 calendar days", "within 21 calendar days")
    done = caveat("index", str(indexed), "--plan")
    assert done.status == 0
    assert "amended    4.2.3 04-seats.md#Seats > Downgrades > Reinstating seats" in done.out
    assert done.out.count("04-seats.md#") == 1
    assert done.out.endswith("Nothing was written.\n")
    assert "within 14 calendar days" in caveat("show", "4.2.3").out


def test_only_the_changed_children_are_embedded(caveat: Typed, indexed: Path) -> None:
    edit(indexed, "within 14 calendar days", "within 21 calendar days")
    values = caveat("index", str(indexed), "--json").values
    assert values["counts"] == {"amended": 1}
    assert values["chunks"]["embedded"] == 1
    assert "within 21 calendar days" in caveat("show", "4.2.3").out


def test_what_was_believed_before_can_still_be_asked(caveat: Typed, indexed: Path) -> None:
    edit(indexed, "within 14 calendar days", "within 21 calendar days")
    assert caveat("index", str(indexed), at="2026-12-01T12:00:00Z").status == 0
    later = "2026-12-02T12:00:00Z"
    assert "within 14 calendar days" in caveat("show", "4.2.3", "--known-at", "2026-11-30", at=later).out
    assert "within 14 calendar days" in caveat("show", "4.2.3", "--known-at", "1", at=later).out
    assert "within 21 calendar days" in caveat("show", "4.2.3", at=later).out


def test_the_past_is_corrected_only_on_a_word(caveat: Typed, indexed: Path) -> None:
    edit(indexed, "within 30 calendar days at", "within 45 calendar days at", "2025-07-01/04-seats.md")
    refused = caveat("index", str(indexed))
    assert refused.status == 1
    assert "--correct" in refused.err
    assert refused.err.count("\n") == 1
    plan = caveat("index", str(indexed), "--plan")
    assert "The past is corrected from 2025-07-01 on: needs --correct" in plan.out
    assert caveat("index", str(indexed), "--correct").status == 0
    assert "within 45 calendar days" in caveat("show", "Reinstating seats", "--as-of", "2025-08-01").out


def test_many_removals_want_a_word(caveat: Typed, indexed: Path) -> None:
    text = (indexed / NEWEST).read_text(encoding="utf-8")
    (indexed / NEWEST).write_text(text[: text.index("## 4.5")], encoding="utf-8")
    refused = caveat("index", str(indexed))
    assert refused.status == 1
    assert "--allow-removals" in refused.err
    assert caveat("index", str(indexed), "--allow-removals").status == 0


def test_a_refused_file_is_named_and_the_others_are_published(caveat: Typed, indexed: Path) -> None:
    (indexed / "2026-07-01" / "05-broken.md").write_bytes(b"# 5 Broken \xff\n")
    done = caveat("index", str(indexed))
    assert done.status == 1
    assert "Refused; what was in force of them stays in force:" in done.out
    assert "05-broken.md" in done.out
    strict = caveat("index", str(indexed), "--strict")
    assert strict.status == 2
    assert "05-broken.md" in strict.err


@pytest.fixture
def lossy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that loses one line of every chapter on fees."""

    def read(request: FileRequest) -> FileReading:
        found = read_file(request)
        if "fees" not in request.relative:
            return found
        lines = (LostLine("line 3", "unless notice is late", ("unless",)),)
        return replace(found, loss=Loss((Tally("", 30, 24, 0, 6),), {}, lines))

    monkeypatch.setattr(ingest.pool.pool, "read_here", read)


def test_lost_text_is_a_warning_at_every_run_and_stops_under_strict(
    caveat: Typed, own_handbook: Path, lossy: None
) -> None:
    (own_handbook / "2026-07-01" / "09-fees.md").write_text("# 9 Fees\n\nPaid.\n", encoding="utf-8")
    told = "2026-07-01/09-fees.md: 1 line, 6 letters and digits; in line 3: unless notice is late"
    strict = caveat("index", str(own_handbook), "--strict")
    assert (strict.status, strict.out) == (2, "")
    assert f"lost text under --strict: {told}; fix: `caveat read FILE` lists every lost line" in strict.err
    assert caveat("log", "--json").values == []
    for _ in range(2):
        done = caveat("index", str(own_handbook))
        assert (done.status, done.err) == (0, "")
        assert f"so no search will find it:\n  {told}\n" in done.out
    [lost] = caveat("index", str(own_handbook), "--plan", "--json").values["lost"]
    assert lost == {
        "file": "2026-07-01/09-fees.md",
        "lines": 1,
        "characters": 6,
        "first": {"where": "line 3", "text": "unless notice is late"},
    }


def test_rollback_and_forward_again(caveat: Typed, indexed: Path) -> None:
    before = len(caveat("log", "--json").values)
    edit(indexed, "within 14 calendar days", "within 21 calendar days")
    caveat("index", str(indexed), at="2026-12-01T12:00:00Z")
    done = caveat("rollback", str(before), at="2026-12-02T12:00:00Z")
    assert done.status == 0
    now = "2026-12-03T12:00:00Z"
    assert "within 14 calendar days" in caveat("show", "4.2.3", at=now).out
    assert "amended" in caveat("index", str(indexed), "--plan", at=now).out
    assert caveat("index", str(indexed), at=now).status == 0
    assert "within 21 calendar days" in caveat("show", "4.2.3", at=now).out
    kinds = [run["kind"] for run in caveat("log", "--json").values]
    assert kinds[-3:] == ["index", "rollback", "index"]


def test_a_run_that_never_was_cannot_be_gone_back_to(caveat: Typed, indexed: Path) -> None:
    done = caveat("rollback", "99")
    assert done.status == 2
    assert "no run 99" in done.err


def test_log_marks_what_is_searched(caveat: Typed, indexed: Path) -> None:
    done = caveat("log")
    assert done.status == 0
    assert done.out.splitlines()[0].split() == ["run", "recorded", "kind", "generation", "what", "changed"]
    assert done.out.splitlines()[-1].split()[3] == "1*"
    # The steps that editions declare with recorded_at were written by the run that read them.
    *declared, last = caveat("log").out.splitlines()[1:]
    assert all(line.endswith(f"an edition's recorded_at, read by run {last.split()[0]}") for line in declared)


def test_a_run_that_changed_no_section_says_nothing() -> None:
    run = Logged(2, "2026-12-01T12:00:00Z", "index", 2, True, {"changes": {}})
    assert render_report.runs([run], Paint(False)).splitlines()[1].split()[3:] == ["2*", "nothing"]


def test_a_first_run_reuses_nothing(caveat: Typed, own_handbook: Path) -> None:
    assert " share a text." in caveat("index", str(own_handbook)).out
    edit(own_handbook, "within 14 calendar days", "within 21 calendar days")
    assert " reused." in caveat("index", str(own_handbook)).out


def test_history_is_carried_to_another_folder(caveat: Typed, indexed: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "history.jsonl", str(tmp_path / "other")
    assert caveat("export", str(file)).status == 0
    assert caveat("export").out == file.read_text(encoding="utf-8")
    imported = caveat("import", str(file), "--state", other)
    assert imported.status == 0
    assert imported.out.startswith("imported ")
    looked = caveat("doctor", "--state", other)
    assert (looked.status, looked.err) == (0, "")
    assert "note  state.json  " in looked.out
    assert "the history was imported" in looked.out
    assert "bad" not in looked.out
    assert caveat("index", str(indexed), "--state", other).status == 0
    assert caveat("history", NOTICE, "--state", other).out == caveat("history", NOTICE).out
    again = caveat("import", str(file), "--state", other)
    assert again.status == 2
    assert "new state folder" in again.err


def test_a_cut_export_is_refused(caveat: Typed, indexed: Path, tmp_path: Path) -> None:
    lines = caveat("export").out.splitlines()
    file = tmp_path / "cut.jsonl"
    file.write_text("\n".join(lines[: len(lines) // 2]) + "\n", encoding="utf-8")
    done = caveat("import", str(file), "--state", str(tmp_path / "other"))
    assert done.status == 2
    assert "rows of beliefs, and the first line says" in done.err


def test_a_flat_folder_works_at_the_first_try(caveat: Typed, write_files: Callable[..., Path]) -> None:
    folder = write_files({"leave.md": "# Leave\n\nTwenty days a year.\n", "pay.md": "# Pay\n\nMonthly.\n"}, "notes")
    assert caveat("index", str(folder)).status == 0
    done = caveat("search", "how many days of leave")
    assert "Twenty days a year." in done.out
    assert "in force since unknown" in done.out
    assert caveat("index", str(folder), "--strict").status == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index", "nowhere"], "nowhere"),
        (["index"], "no handbook named"),
        (["index", "x", "--effective-from", "01/02/2026"], "2026-02-01"),
        (["rollback", "99"], "caveat index HANDBOOK"),
        (["import", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
    ids=["folder", "none", "date", "run", "export"],
)
def test_wrong_use_is_one_line(caveat: Typed, arguments: list[str], message: str) -> None:
    done = caveat(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.count("\n") == 1


def test_the_state_of_another_handbook_is_refused(
    caveat: Typed, indexed: Path, write_files: Callable[..., Path]
) -> None:
    other = write_files({"a.md": "# A\n\nText.\n"}, "other")
    done = caveat("index", str(other))
    assert done.status == 2
    assert "--moved" in done.err


def test_the_settings_name_the_handbook(caveat: Typed, own_handbook: Path, tmp_path: Path) -> None:
    settings = (tmp_path / "caveat.toml").read_text(encoding="utf-8")
    (tmp_path / "caveat.toml").write_text(f"handbook = {json.dumps(own_handbook.name)}\n{settings}", encoding="utf-8")
    assert caveat("index").status == 0


@pytest.mark.usefixtures("indexed")
def test_the_state_knows_its_handbook(caveat: Typed) -> None:
    assert caveat("index").status == 0


def test_lint_names_each_note_and_fails(caveat: Typed, own_handbook: Path) -> None:
    good = caveat("lint", str(own_handbook))
    assert (good.status, good.out) == (0, "nothing to note\n")
    edit(own_handbook, "Subject to 4.2.2, a downgrade", "Subject to 9.9, a downgrade")
    done = caveat("lint", str(own_handbook))
    assert done.status == 1
    assert "2026-07-01/04-seats.md" in done.out
    assert '"9.9"' in done.out
    assert done.out.endswith("1 note\n")
    assert [note["code"] for note in caveat("lint", str(own_handbook), "--json").values] == ["dangling-link"]
    assert not (own_handbook.parent / ".caveat").exists()


def test_output_keys_are_the_documented_ones(caveat: Typed, own_handbook: Path, root: Path) -> None:
    page = (root / "docs" / "json.md").read_text(encoding="utf-8")
    planned = caveat("index", str(own_handbook), "--plan", "--json").values
    done = caveat("index", str(own_handbook), "--json").values
    section = page.split("## caveat index --json")[1].split("\n## ")[0]
    assert all(f"`{key}`" in section for key in {*planned, *done, *done["changes"][0], *done["chunks"]})
    for command in ("log", "stats", "doctor"):
        values = caveat(command, "--json").values
        section = page.split(f"## caveat {command} --json")[1].split("\n## ")[0]
        assert all(f"`{key}`" in section for key in (values[0] if isinstance(values, list) else values))
