"""The command to notify: what it is given, and how its failing is told."""

import sys
import time
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


def test_what_a_hanging_command_started_is_ended_with_it(tmp_path: Path) -> None:
    file = tmp_path / "alive"
    child = "import sys, time, pathlib; time.sleep(2); pathlib.Path(sys.argv[1]).touch()"
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', *sys.argv[1:]])"
    with pytest.raises(ConfigError, match="took longer"):
        notify((PYTHON, "-c", script, child, str(file)), "x", 1)
    time.sleep(2.5)
    assert not file.exists()


def test_a_command_that_leaves_a_process_behind_is_not_waited_for() -> None:
    script = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(20)'])"
    start = time.monotonic()
    notify((PYTHON, "-c", script), "x", 15)
    assert time.monotonic() - start < 10


def test_of_a_command_that_never_stops_complaining_only_the_end_is_told() -> None:
    script = "import sys; sys.stdout.write('o' * 5_000_000); sys.stderr.write('e' * 5_000_000); sys.exit('no route')"
    with pytest.raises(ConfigError, match=r"ended with status 1: e{1,200}no route"):
        notify((PYTHON, "-c", script), "x", 30)
