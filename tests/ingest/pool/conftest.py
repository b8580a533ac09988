"""Reading processes whose reader does as a file tells it, as a hostile file would make a real one do."""

import sys
import tempfile
from collections.abc import Callable, Iterator

import psutil
import pytest

from ingest.handbook.reading import FileRequest
from ingest.pool.pool import SMALL, ReadingPool, Wanted
from ingest.settings import IngestSettings

READER = """
import ctypes, os, socket, subprocess, sys, tempfile, time
from ingest.errors import SourceError
from ingest.handbook.reading import read_file
from ingest.pool import worker
from ingest.pool.wire import send

def masked():
    try:
        bytearray(1 << 40)
    except MemoryError:
        raise SourceError("unknown error in line 0") from None

def read(request):
    orders = request.raw.decode().split("\\n")[0]
    exec(orders.removeprefix("# "), globals(), {"request": request})
    return read_file(request)

worker.read_file = read
worker.main()
"""


@pytest.fixture(scope="session")
def obedient() -> tuple[str, ...]:
    """The command of a reading process that runs the first line of each file as Python."""
    return (sys.executable, "-P", "-c", READER)


@pytest.fixture(scope="session")
def settings() -> IngestSettings:
    return IngestSettings(read_seconds=20, read_memory_mb=256)


@pytest.fixture
def pool(obedient: tuple[str, ...], settings: IngestSettings) -> Iterator[ReadingPool]:
    with ReadingPool(settings, obedient) as made:
        yield made


Order = Callable[..., Wanted]


@pytest.fixture(scope="session")
def order(settings: IngestSettings) -> Order:
    """A file too large to be read in this process, whose first line is an order to its reader."""

    def made(orders: str = "pass", name: str = "04-seats.md", **changes: object) -> Wanted:
        raw = f"# {orders}\n\n{'Seats are counted daily. ' * (SMALL // 25 + 1)}\n".encode()
        limits = settings.model_copy(update=changes)
        return Wanted(name, len(raw), lambda: FileRequest(name, f"2026-01-01/{name}", raw, None, True, limits))

    return made


@pytest.fixture
def started() -> Callable[[], list[psutil.Process]]:
    """The processes that a test has started so far; other tests keep theirs."""
    before = set(psutil.Process().children(recursive=True))
    return lambda: [child for child in psutil.Process().children(recursive=True) if child not in before]


@pytest.fixture(autouse=True)
def nothing_left(
    started: Callable[[], list[psutil.Process]],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """No test leaves a process, be it dead, or a file behind."""
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert list(temporary.iterdir()) == []
    assert started() == []
