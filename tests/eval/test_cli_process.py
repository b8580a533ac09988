"""The command line as a process of its own: signals, closed pipes, terminals, full disks."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CAVEAT = [sys.executable, "-m", "eval.cli"]
QUESTION = ["search", "notice of a seat reduction", "--as-of", "2026-03-15"]


@pytest.fixture
def environment(root: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(root), "TERM": "xterm"}


def test_a_closed_pipe_is_quiet(demo_folder: Path, environment: dict[str, str]) -> None:
    command = [*CAVEAT, *QUESTION, "--full"]
    with subprocess.Popen(
        command, cwd=demo_folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


@pytest.mark.parametrize(("reranker", "read_by"), [("late", None), ("bundled", "bundled")])
def test_a_search_reranks_without_torch_or_a_hub(
    demo_folder: Path, environment: dict[str, str], tmp_path: Path, reranker: str, read_by: str | None
) -> None:
    settings = f'[encoder]\nmodel = "hash-384"\n[retrieve]\nreranker = "{reranker}"\n'
    (tmp_path / "caveat.toml").write_text(settings, encoding="utf-8")
    script = "import sys; from eval.cli import run; run(sys.argv[1:]); print('torch' in sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", script, *QUESTION, "--json", "--state", str(demo_folder / ".caveat")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert (found["reranked"], found["reranking"]["model"]) == (True, read_by)
    assert done.stderr == "False\n"


def test_an_interrupt_is_one_line_and_130(demo_folder: Path, environment: dict[str, str]) -> None:
    with subprocess.Popen(
        [*CAVEAT, "search", "-"],
        cwd=demo_folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs the tests in the background lets them ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.read() == "caveat: interrupted; nothing half-done was published\n"
        assert process.wait(30) == 130


def test_a_full_disk_is_one_line_and_the_former_answer_stays(indexed: Path, environment: dict[str, str]) -> None:
    chapter = indexed / "2026-07-01" / "04-seats.md"
    chapter.write_text(chapter.read_text("utf-8").replace("within 14 calendar", "within 21 calendar"), "utf-8")
    full = {**environment, "CAVEAT_FAULT": "build-begun:full"}
    done = subprocess.run([*CAVEAT, "index"], cwd=indexed.parent, env=full, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("caveat: ")
    assert done.stderr.count("\n") == 1
    assert "space" in done.stderr
    shown = subprocess.run(
        [*CAVEAT, "show", "4.2.3"], cwd=indexed.parent, env=environment, capture_output=True, text=True, check=True
    )
    assert "within 14 calendar days" in shown.stdout


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)], ids=["colours", "NO_COLOR"])
def test_a_terminal_gets_colours_unless_asked_not_to(
    demo_folder: Path, environment: dict[str, str], no_color: str, coloured: bool
) -> None:
    ours, theirs = pty.openpty()
    try:
        subprocess.run(
            [*CAVEAT, *QUESTION, "-k", "1"],
            cwd=demo_folder,
            env={**environment, "NO_COLOR": no_color},
            stdout=theirs,
            check=True,
            timeout=60,
        )
        shown = os.read(ours, 400).decode("utf-8", "replace")
    finally:
        os.close(ours)
        os.close(theirs)
    assert ("\x1b[1m" in shown) is coloured


def test_a_terminal_without_unicode_still_gets_the_answer(demo_folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [*CAVEAT, "search", "“seats”"],
        cwd=demo_folder,
        env={**environment, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(rb'"\u201cseats\u201d"')


def test_standard_input_that_is_no_text_is_one_line(demo_folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [*CAVEAT, "search", "-"], cwd=demo_folder, env=environment, input=b"caf\xe9", capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == b"caveat: query: bytes that are not UTF-8; allowed: text in UTF-8\n"
