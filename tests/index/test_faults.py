import errno
import signal
import subprocess
import sys

import pytest

from index import faults
from index.faults import CRASH_POINTS, reach
from ingest.errors import ConfigError


def test_without_the_variable_nothing_happens() -> None:
    for point in CRASH_POINTS:
        reach(point)


def test_a_full_disk_at_one_point_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(faults.VARIABLE, "synced:full")
    reach("verified")
    with pytest.raises(OSError, match="No space left") as raised:
        reach("synced")
    assert raised.value.errno == errno.ENOSPC


def test_the_nth_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(faults.VARIABLE, "collected:full:3")
    monkeypatch.setattr(faults, "_reached", type(faults._reached)())
    reach("collected")
    reach("collected")
    with pytest.raises(OSError, match="No space left"):
        reach("collected")


def test_a_kill_is_a_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(faults.VARIABLE, "begin:kill")
    done = subprocess.run([sys.executable, "-c", "from index.faults import reach; reach('begin')"], check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("wish", ["nowhere:kill", "synced", "synced:explode", "synced:kill:soon"])
def test_a_wish_that_cannot_be_met_is_refused(wish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(faults.VARIABLE, wish)
    with pytest.raises(ConfigError, match=r"CAVEAT_FAULT=.*allowed: <point>"):
        reach("synced")
