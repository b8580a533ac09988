"""Traces that a test records or writes by hand, and sessions that end with it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from eval.replay import CutPointSession

Open = Callable[..., CutPointSession]
WriteTrace = Callable[..., Path]


class Unreadable(Mapping[str, int]):
    """Has a key, and not its value."""

    def __getitem__(self, key: str) -> int:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(("rows",))

    def __len__(self) -> int:
        return 1


class MuteKey:
    """A key of a dict that has no text."""

    def __str__(self) -> str:
        raise ValueError("mute")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Where a trace is going to be."""
    return tmp_path / "trace.jsonl"


@pytest.fixture
def recording(trace: Path) -> Iterator[CutPointSession]:
    """A session that records, always at the same time of day."""
    with CutPointSession(trace, "record", now=lambda: datetime(2026, 4, 1, 14, 2, 11, 204_999, UTC)) as session:
        yield session


@pytest.fixture
def replay(trace: Path) -> Iterator[Open]:
    """Replays the trace in an entered session: replay("b", "c") stubs the first calls of b and c."""
    with ExitStack() as stack:

        def opened(*stubs: str, **options: Any) -> CutPointSession:
            session = stack.enter_context(CutPointSession(trace, "replay", **options))
            for boundary in stubs:
                session.stub(boundary)
            return session

        yield opened


@pytest.fixture
def write_trace(trace: Path) -> WriteTrace:
    """Writes lines, dictionaries or bytes, as a trace."""

    def write(*lines: dict[str, Any] | bytes) -> Path:
        texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        trace.write_bytes(b"".join(text + b"\n" for text in texts))
        return trace

    return write


def envelope(
    boundary: str = "rewrite", call_index: int = 1, output: object = "out", **inputs: object
) -> dict[str, Any]:
    """A line as another program may write it."""
    return {"boundary": boundary, "call_index": call_index, "inputs": inputs, "output": output}
