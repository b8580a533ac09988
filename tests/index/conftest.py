"""What the tests of this floor share."""

import multiprocessing
import tempfile
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

SHARED_MEMORY = Path("/dev/shm")


@pytest.fixture
def fast_path() -> Iterator[Path]:
    """A folder in memory where there is one: an index run waits for the disk a hundred times."""
    parent = SHARED_MEMORY if SHARED_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="caveat-test-", dir=parent) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def processes() -> ForkServerContext:
    """Child processes that have imported an index run already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.index.scene"])
    return context
