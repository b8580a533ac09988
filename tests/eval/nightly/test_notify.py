"""The command to notify: what it is given, and how its failing is told."""

import sys
from pathlib import Path

import pytest

from eval.nightly.notify import notify
from ingest.errors import ConfigError

PYTHON = sys.executable


def test_without_a_command_nobody_is_told() -> None:
    notify((), "summary", 1)


def test_the_summary_is_read_on_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "told"
    script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())"
    notify((PYTHON, "-c", script, str(file)), "Recall fell; café", 30)
    assert file.read_text(encoding="utf-8") == "Recall fell; café"


def test_arguments_are_no_shell(tmp_path: Path) -> None:
    notify((PYTHON, "-c", "pass", f"; touch {tmp_path / 'made'}"), "x", 30)
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_reads_nothing_is_fine() -> None:
    notify((PYTHON, "-c", "pass"), "x" * 1_000_000, 30)


@pytest.mark.parametrize(
    ("command", "seconds", "message"),
    [
        (("no-such-program",), 5, r"eval\.notify: nobody was told: no-such-program cannot be run \(No such file"),
        ((PYTHON, "-c", "raise SystemExit('no route')"), 30, r"ended with status 1: no route"),
        ((PYTHON, "-c", "import time; time.sleep(60)"), 0.5, r"took longer than 0\.5 s; fix: make it faster"),
        (("a\0b",), 5, "cannot be run"),
    ],
    ids=["missing", "failing", "hanging", "impossible"],
)
def test_a_command_that_fails_is_told(command: tuple[str, ...], seconds: float, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        notify(command, "x", seconds)
