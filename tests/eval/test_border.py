import errno
import sqlite3

import pytest

from eval.border import guarded, supported
from ingest.errors import GuardError, QueryError


def raising(error: BaseException) -> int:
    def action() -> int:
        raise error

    return guarded(action)


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (QueryError("an empty question", fix="ask one"), 2, "caveat: an empty question; fix: ask one"),
        (GuardError("removes 12 % of the sections"), 1, "caveat: removes 12 % of the sections"),
        (KeyboardInterrupt(), 130, "caveat: interrupted; nothing half-done was published"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), 2, "caveat: Permission denied: /x"),
        (ValueError("two\nlines"), 2, "caveat: unexpected ValueError: two lines; CAVEAT_DEBUG=1 shows where"),
    ],
    ids=["query", "guard", "interrupt", "system", "unforeseen"],
)
def test_a_fault_is_one_line_and_a_status(
    error: BaseException, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert raising(error) == status
    captured = capsys.readouterr()
    assert captured.err == line + "\n"
    assert captured.out == ""


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, "No space left on device", "/s/x"), sqlite3.OperationalError("database or disk is full")],
    ids=["system", "sqlite"],
)
def test_a_full_disk_says_so(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    assert raising(error) == 2
    assert capsys.readouterr().err.startswith("caveat: the disk is full")


def test_debugging_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAVEAT_DEBUG", "1")
    with pytest.raises(ValueError, match="boom"):
        raising(ValueError("boom"))


def test_the_status_of_the_action_is_handed_on() -> None:
    assert guarded(lambda: 1) == 1


def test_windows_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert not supported("win32")
    assert capsys.readouterr().err == "caveat: Windows is not supported; run it on Linux, on macOS or in WSL\n"
    assert supported("linux")
    assert supported("darwin")
