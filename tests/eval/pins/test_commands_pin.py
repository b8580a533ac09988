"""`caveat pin ...` as typed: a pin's whole life, and what is refused on the way."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.eval.pins.conftest import ADD, DAY, FORMULA, NAME, NOTICE, NOTICE_AT, QUERY, TITLE, Typed, edit, read

NEWER = "Mid-term or late seat reductions are non-refundable"
"""In force since 2026-01-01."""
LATE = ("--query", "credit memo approval", "--expect", "at each change of shift", *DAY)
"""A quote that its query does not bring."""


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / "data" / "pins").glob("*"))


def test_the_incident_is_pinned_by_its_command(ask: Typed, trace: Path, tmp_path: Path) -> None:
    done = ask("pin", "add", str(trace), *ADD, *DAY, *TITLE)
    assert (done.status, done.err) == (0, "")
    assert f'expected   "{NOTICE}" of {NOTICE_AT}' in done.out
    assert "came back: rank 1" in done.out
    assert "ranks      dense " in done.out
    assert files(tmp_path) == [f"{NAME}.json"]


def test_its_file_holds_what_it_was(pinned: Path) -> None:
    values = read(pinned)
    assert list(values) == sorted(values)
    assert (values["query"], values["as_of"], values["status"], values["incident"]) == (
        QUERY,
        "2026-03-15",
        "pinned",
        "8841",
    )
    assert values["source"] == {"boundary": "query_rewrite", "call": 1, "field": "output", "trace": "8841.jsonl"}
    assert values["anchors"][0]["sections"] == [NOTICE_AT]
    assert values["born"]["passed"] is True
    assert set(values["born"]["anchors"][0]["ranks"]) == {"dense", "bm25", "fused"}


def test_queries_are_redacted_before_they_are_written(ask: Typed, tmp_path: Path) -> None:
    query = f"{QUERY} jane.doe@example.com"
    done = ask("pin", "add", "--query", query, "--expect", NOTICE, "--section", "4.2", *DAY, "--title", "a@b.co asks")
    assert done.status == 0
    [name] = files(tmp_path)
    text = (tmp_path / "data" / "pins" / name).read_text(encoding="utf-8")
    assert "example.com" not in text
    assert read(tmp_path / "data" / "pins" / name)["query"] == f"{QUERY} <EMAIL_1>"
    assert "b.co" not in text + done.out


def test_what_a_pin_is_called_is_redacted_or_refused(ask: Typed, trace: Path, tmp_path: Path) -> None:
    done = ask(
        "pin", "add", "--id", "4111-1111-1111-1111", "--query", QUERY, "--expect", NOTICE, "--section", "4.2", *DAY
    )
    assert done.status == 2
    assert '--id: the name "<CARD_1>" would be written as it is; fix: rename it' in done.err
    theirs = trace.rename(trace.with_name("jane.doe@example.com.jsonl"))
    assert ask("pin", "add", str(theirs), *ADD, *DAY).status == 0
    [name] = files(tmp_path)
    text = (tmp_path / "data" / "pins" / name).read_text(encoding="utf-8")
    assert (read(tmp_path / "data" / "pins" / name)["incident"], "jane.doe" in name + text) == ("<EMAIL_1>", False)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*ADD, "--as-of", "2020-01-01"), "--as-of: nothing is in force on 2020-01-01; the first edition is of 2025-"),
        ((*ADD[:3], "no such words", "--section", "4.2", *DAY), '--expect: "no such words" is not in 4.2 with its'),
        ((*ADD[:4], "--section", "4.3", *DAY), f'"{NOTICE}" is not in 4.3 with its subsections as in force on 2026-0'),
        ((*ADD[:4], *DAY), f'--expect: "{NOTICE}" stands in 04-seats.md#Seats > Co-terming'),
        ((*ADD[:4], "--section", "44.2", *DAY), '--section: no section in force on 2026-03-15 is called "44.2"'),
        ((*ADD[:2], *DAY), "--expect: a pin without a quote would always pass"),
        ((*ADD[:2], "--expect", " | ", *DAY), '--expect: "|" holds no word'),
        ((*ADD, "--as-of", "01/07/2026"), "01/07/2026"),
        ((*ADD, *DAY, "--call", "2"), "call 2 of query_rewrite was never recorded; allowed: query_rewrite 1, rag_ret"),
        (("--boundary", "rewrite", "--expect", NOTICE, *DAY), "call 1 of rewrite was never recorded; allowed: query_"),
        (("--boundary", "customer_reply", "--expect", NOTICE, *DAY), "no text in output, output.query, inputs.query"),
        (("--expect", NOTICE, *DAY), "no boundary named; fix: --boundary query_rewrite"),
        ((*ADD, *DAY, "--query", "x"), "caveat pin add: a trace or --query, one of them"),
        ((*ADD, *DAY, "--id", "Über alles"), '--id: id "Über alles"; allowed: lower-case letters'),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    ask: Typed, trace: Path, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    done = ask("pin", "add", str(trace), *arguments)
    assert done.status == 2
    assert told in done.err
    assert done.err.count("\n") == 1
    assert files(tmp_path) == []


def test_a_quote_of_another_edition_says_which(ask: Typed) -> None:
    newer = ("--query", "seats", "--expect", NEWER, "--as-of", "2025-08-01")
    done = ask("pin", "add", *newer)
    assert done.status == 2
    assert f'--as-of: "{NEWER}" is not in any section as in force on 2025-08-01; it was or will be on 20' in done.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"boundary": "a"}\nnot json\n', "8841.jsonl:2: not JSON"),
        ('{"call_index": 1, "inputs": {}, "output": 1}\n', "8841.jsonl:1: an envelope without a boundary"),
        ('{"boundary": "a", "call_index": 1, "inputs": {}, "output": 1}\n' * 2, 'call_index 1 of "a" repeats that of'),
    ],
    ids=["json", "boundary", "repeat"],
)
def test_a_trace_that_is_none_is_named(ask: Typed, trace: Path, text: str, told: str) -> None:
    trace.write_text(text, encoding="utf-8")
    done = ask("pin", "add", str(trace), *ADD, *DAY)
    assert done.status == 2
    assert told in done.err


def test_a_second_pin_of_the_same_id_is_refused(ask: Typed, trace: Path, pinned: Path) -> None:
    before = pinned.read_bytes()
    done = ask("pin", "add", str(trace), *ADD, *DAY, *TITLE)
    assert done.status == 2
    assert f'there is a pin "{NAME}" already; fix: give another --title or --id' in done.err
    assert pinned.read_bytes() == before


def test_an_unwritable_folder_is_named(ask: Typed, trace: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    done = ask("pin", "add", str(trace), *ADD, *DAY, *TITLE)
    assert done.status == 2
    assert "data/pins: cannot be written: " in done.err
    assert (tmp_path / "data").read_text(encoding="utf-8") == "a file"


def test_pins_are_run_and_a_lost_one_tells_where(ask: Typed, pinned: Path, tmp_path: Path) -> None:
    assert ask("pin", "run").out.strip().endswith("1 passed")
    edit(pinned, query="credit memo approval")
    toml = tmp_path / "caveat.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + "k = 1\nmax_links = 0\n", encoding="utf-8")
    done = ask("pin", "run", NAME)
    assert done.status == 1
    assert f"failed {NAME}" in done.out
    assert "query      credit memo approval" in done.out
    assert "lost: beyond k" in done.out or "lost: not a candidate" in done.out
    values = ask("pin", "run", "--json").values
    assert values[0]["status"] == "failed"


def test_no_pins_is_no_success(ask: Typed, caveat: Typed) -> None:
    done = ask("pin", "run")
    assert done.status == 2
    assert "no pins; fix: caveat pin add" in done.err
    assert caveat("pin", "list").out == "no pins yet: caveat pin add\n"


def test_an_unknown_id_lists_those_there_are(ask: Typed, pinned: Path) -> None:
    done = ask("pin", "run", "8842")
    assert done.status == 2
    assert f'no pin "8842"; allowed: {NAME}' in done.err


def test_the_beginning_of_one_id_is_enough(ask: Typed, pinned: Path) -> None:
    assert ask("pin", "show", NAME[:4]).status == 0
    values = read(pinned) | {"id": f"{NAME}-again"}
    pinned.with_name(f"{NAME}-again.json").write_text(json.dumps(values), encoding="utf-8")
    done = ask("pin", "show", NAME[:4])
    assert done.status == 2
    assert f'2 pins begin with "{NAME[:4]}"; allowed: {NAME}, {NAME}-again' in done.err
    assert ask("pin", "show", NAME).status == 0


def test_then_and_now_stand_side_by_side(ask: Typed, pinned: Path) -> None:
    born = read(pinned)["born"]
    born["anchors"][0] |= {"lost": "beyond k", "rank": None}
    edit(pinned, born=born)
    out = ask("pin", "show", NAME).out
    row = next(line for line in out.splitlines() if f'"{NOTICE}"' in line)
    assert row.split(maxsplit=3)[3].split("  ")[0] == "lost: beyond k"
    assert row.endswith("rank 1")
    assert ask("pin", "show", NAME, "--json").values["now"]["passed"] is True


def test_a_retired_pin_is_kept_and_not_run(ask: Typed, caveat: Typed, pinned: Path) -> None:
    assert caveat("pin", "retire", NAME, "--why", " ").status == 2
    assert caveat("pin", "retire", NAME, "--why", "The plan is no longer sold; ask jane@example.com").status == 0
    retired = read(pinned)["retired"]
    assert retired["why"] == "The plan is no longer sold; ask <EMAIL_1>"
    assert caveat("pin", "retire", NAME, "--why", "again").status == 2
    done = ask("pin", "run")
    assert (done.status, done.out.strip()) == (0, "1 retired")
    assert "retired: The plan is no longer sold" in caveat("pin", "list").out


class TestOpen:
    @pytest.fixture(autouse=True)
    def narrow(self, caveat: Typed, tmp_path: Path) -> None:
        self.toml = tmp_path / "caveat.toml"
        self.wide = self.toml.read_text(encoding="utf-8")
        self.toml.write_text(self.wide + "k = 1\nmax_links = 0\npassage = 'own'\n", encoding="utf-8")

    def test_a_pin_that_fails_at_birth_is_not_written(self, ask: Typed, tmp_path: Path) -> None:
        done = ask("pin", "add", *LATE)
        assert done.status == 1
        assert "does not come back as things stand; nothing was written; fix: mend the search first" in done.err
        assert "lost: " in done.out
        assert files(tmp_path) == []

    def test_an_open_pin_is_held_once_it_has_passed(self, ask: Typed, tmp_path: Path) -> None:
        assert ask("pin", "add", *LATE, "--open", "--id", "shift").status == 0
        file = tmp_path / "data" / "pins" / "shift.json"
        assert read(file)["status"] == "open"
        done = ask("pin", "run")
        assert (done.status, "1 open" in done.out) == (0, True)
        edit(file, query="a seat may be transferred at each change of shift")
        assert "was open and passes: from now on it must" in ask("pin", "run").out
        assert read(file)["closed"].startswith("2026-11-30T12:")
        edit(file, query="credit memo approval")
        done = ask("pin", "run")
        assert (done.status, done.out.strip().endswith("1 failed")) == (1, True)

    def test_one_that_passes_at_birth_is_not_open(self, ask: Typed, tmp_path: Path) -> None:
        query = ("--query", "a seat may be transferred at each change of shift", "--expect", "at each change of shift")
        assert ask("pin", "add", *query, *DAY, "--open", "--id", "shift").status == 0
        assert read(tmp_path / "data" / "pins" / "shift.json")["status"] == "pinned"


class TestImport:
    @pytest.fixture
    def lines(self, tmp_path: Path) -> Path:
        rows: list[dict[str, Any]] = [
            {"input": {"question": QUERY}, "want": [NOTICE, FORMULA], "section": "4.2", "title": "one", "day": "x"},
            {"input": {"question": "seats notice"}, "want": "at least 30 calendar days prior", "title": "two"},
        ]
        file = tmp_path / "log.jsonl"
        file.write_text("".join(json.dumps(row) + "\n\n" for row in rows), encoding="utf-8")
        return file

    MAP = ("--map", "query=input.question", "--map", "expect=want")

    def test_plain_lines_by_a_map_of_their_fields(self, ask: Typed, lines: Path, tmp_path: Path) -> None:
        done = ask("pin", "import", str(lines), *self.MAP, *DAY)
        assert (done.status, done.err) == (0, "")
        assert files(tmp_path) == ["log-one.json", "log-two.json"]

    def test_a_bad_line_is_named_and_nothing_is_written(self, ask: Typed, lines: Path, tmp_path: Path) -> None:
        done = ask("pin", "import", str(lines), *self.MAP, "--map", "as_of=day", *DAY)
        assert done.status == 2
        assert "log.jsonl:1: " in done.err
        done = ask("pin", "import", str(lines), *self.MAP, "--map", "id=title", "--section", "4.3", *DAY)
        assert done.status == 2
        assert "log.jsonl:3: --expect: " in done.err
        assert files(tmp_path) == []

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ((), "log.jsonl:1: no text in query; fix: --map query=PLACE"),
            (("--map", "question=input"), '--map: "question=input"; allowed: FIELD=PLACE'),
            (("--map", "query=input.question", "--map", "expect=input"), "log.jsonl:1: a field that is no text"),
        ],
    )
    def test_a_map_that_does_not_fit_is_named(self, ask: Typed, lines: Path, arguments: Any, told: str) -> None:
        done = ask("pin", "import", str(lines), *arguments, *DAY)
        assert done.status == 2
        assert told in done.err

    def test_envelopes_of_a_boundary(self, ask: Typed, trace: Path, tmp_path: Path) -> None:
        done = ask("pin", "import", str(trace), *ADD, *DAY, *TITLE)
        assert (done.status, files(tmp_path)) == (0, [f"{NAME}.json"])
        done = ask("pin", "import", str(trace), "--boundary", "rewrite", "--expect", NOTICE)
        assert "no call of rewrite was recorded; allowed: query_rewrite 1" in done.err

    def test_two_lines_of_one_id_are_refused(self, ask: Typed, lines: Path, tmp_path: Path) -> None:
        done = ask("pin", "import", str(lines), *self.MAP, "--map", "title=nothing", "--title", "same", *DAY)
        assert done.status == 2
        assert 'two pins with one id, "log-same"' in done.err
        assert files(tmp_path) == []


def test_a_title_of_white_space_is_none(ask: Typed, caveat: Typed, tmp_path: Path) -> None:
    assert (
        ask("pin", "add", "--query", QUERY, "--expect", FORMULA, "--section", "4.2", *DAY, "--title", " \x1b ").status
        == 0
    )
    assert files(tmp_path) == ["seat-downgrade-credit-calculation-table.json"]
    assert "seat downgrade" in caveat("pin", "list").out


def test_what_could_not_be_read_again_is_not_written(ask: Typed, caveat: Typed, pinned: Path, tmp_path: Path) -> None:
    before = pinned.read_bytes()
    wrong = [
        ask("pin", "add", "--query", QUERY, "--expect", FORMULA, "--section", "4.2", *DAY, "--title", "bytes \udc80"),
        caveat("pin", "retire", NAME, "--why", "bytes \udc80"),
    ]
    assert [(one.status, "half a character" in one.err) for one in wrong] == [(2, True)] * 2
    assert files(tmp_path) == [pinned.name]
    assert pinned.read_bytes() == before


def test_hostile_texts_stay_on_their_line(ask: Typed, caveat: Typed, tmp_path: Path) -> None:
    hostile = "\x1b]0;owned\x07seat \x1b[31mcredit\nnotice"
    done = ask(
        "pin", "add", "--query", hostile, "--expect", NOTICE, "--section", "4.2", *DAY, "--title", f"../../{hostile}"
    )
    [name] = files(tmp_path)
    edit(tmp_path / "data" / "pins" / name, title=hostile)
    for told in (done.out, caveat("pin", "list").out, ask("pin", "show", name.removesuffix(".json")).out):
        assert "\x1b" not in told
        assert "credit notice" in told
