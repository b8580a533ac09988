"""The command line without a state folder: how it starts, what it loads, how it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from eval.cli import run

HEAVY = ("torch", "transformers", "sentence_transformers", "onnxruntime", "qdrant_client", "qdrant_edge", "pandas")
LOADED = f"""
import json, sys
from eval.cli import run
status = run(sys.argv[1:])
print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]), file=sys.stderr)
"""


def loaded_by(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], cwd=root, capture_output=True, text=True, check=True, timeout=60
    )
    names: list[str] = json.loads(done.stderr.strip().splitlines()[-1])
    return names


@pytest.mark.parametrize("arguments", [["--help"], ["search", "--help"], ["index", "--help"], []])
def test_help_loads_no_model_runtime_and_no_store(root: Path, arguments: list[str]) -> None:
    assert loaded_by(root, *arguments) == []


def test_help_imports_little(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "eval.cli", "--help"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    modules = [line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    assert "typer" in modules
    assert not {"numpy", "pydantic", "rich", "sqlite3"} & set(modules)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["serch"], "caveat: No such command 'serch'. Did you mean 'search'?; see: caveat --help\n"),
        (["search"], "caveat: Missing argument 'QUERY'; see: caveat search --help\n"),
        (["search", "x", "--fulll"], "caveat: No such option: --fulll (Possible options: --full); see: caveat search"),
        (["rollback", "x"], "caveat: Invalid value for 'RUN': not a whole number; see: "),
    ],
    ids=["command", "argument", "option", "value"],
)
def test_wrong_use_is_one_line_and_2(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(line)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_alone_it_shows_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert "Commands:\n  init " in capsys.readouterr().out


def test_windows_is_refused_before_anything_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("eval.cli.supported", lambda: False)
    assert run(["--help"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "arguments",
    [["search", "x"], ["show", "4.2"], ["history", "4.2"], ["diff", "2026-01-01", "2026-07-01"], ["log"], ["stats"],
     ["export"], ["mcp"]],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_without_an_index_each_command_says_what_to_run(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--state", str(tmp_path / "none")]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("caveat: ")
    assert "caveat index HANDBOOK" in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_init_writes_a_starter_and_keeps_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", "books"]) == 2
    assert capsys.readouterr().err == 'caveat: no folder "books"; fix: name the folder that holds the handbook\n'
    assert not (tmp_path / "caveat.toml").exists()
    (tmp_path / "books").mkdir()
    assert run(["init", "books"]) == 0
    assert capsys.readouterr().out == "wrote caveat.toml; next: caveat index\n"
    assert 'handbook = "books"\n' in (tmp_path / "caveat.toml").read_text(encoding="utf-8")
    assert run(["init"]) == 2
    assert capsys.readouterr().err.startswith("caveat: caveat.toml exists already; fix: ")


def test_doctor_names_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--state", str(tmp_path / "none")]) == 1
    out = capsys.readouterr().out
    assert "no handbook was indexed here yet" in out
    assert "caveat index HANDBOOK" in out


def test_a_wrong_key_in_the_settings_stops_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "caveat.toml").write_text("[retrieve]\ntop = 3\nkk = 1\n", encoding="utf-8")
    assert run(["search", "x"]) == 2
    assert 'unknown key "retrieve.top"' in capsys.readouterr().err
