import io
import resource
from collections.abc import Callable

import pytest

from ingest.errors import SourceError
from ingest.handbook.reading import FileReading, FileRequest, read_file
from ingest.pool import limits, worker
from ingest.pool.wire import READY, answer_of, receive, request_frames, send

ROOM = 1 << 40
Read = Callable[[FileRequest], FileReading]


@pytest.fixture(autouse=True)
def no_alarm(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The alarms that were set; here they would end the tests."""
    seconds: list[int] = []
    monkeypatch.setattr(limits, "alarm", seconds.append)
    return seconds


def served(memory: int, *raw: bytes) -> list[object]:
    """What a process answers when it is asked to read these files."""
    requests, replies = io.BytesIO(), io.BytesIO()
    for place, one in enumerate(raw):
        for frame in request_frames(FileRequest(f"{place}.md", f"{place}.md", one)):
            send(requests, frame)
    requests.seek(0)
    worker.serve(requests, replies, memory)
    replies.seek(0)
    assert receive(replies) == READY
    return [answer_of(frame) for frame in iter(lambda: receive(replies), None)]


def test_requests_are_answered_until_there_are_no_more(no_alarm: list[int]) -> None:
    one, other = served(ROOM, b"# A\n\nText.\n", b"\xff")
    assert one == read_file(FileRequest("0.md", "0.md", b"# A\n\nText.\n"))
    assert str(other).startswith("1.md: not UTF-8")
    assert no_alarm == [120 + limits.GRACE, 0] * 2


def test_a_process_that_used_half_of_its_memory_answers_and_ends() -> None:
    assert len(served(limits.peak(), b"# A\n", b"# B\n")) == 1


def failing(error: BaseException) -> Read:
    def read(request: FileRequest) -> FileReading:
        raise error

    return read


def test_an_error_that_comes_of_memory_is_one_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = SourceError("damaged")
    damaged.__context__ = MemoryError()
    monkeypatch.setattr(worker, "read_file", failing(damaged))
    with pytest.raises(MemoryError):
        served(ROOM, b"# A\n")


def test_a_syntax_error_near_the_limit_is_one_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "read_file", failing(SourceError("unknown error in line 0")))
    with pytest.raises(MemoryError):
        served(limits.peak(), b"# A\n")
    [answer] = served(ROOM, b"# A\n")
    assert str(answer) == "unknown error in line 0"


def test_what_nobody_foresaw_names_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "read_file", failing(KeyError("w:p")))
    [answer] = served(ROOM, b"# A\n")
    assert isinstance(answer, SourceError)
    assert answer.where == "0.md"
    assert answer.found.startswith("the reader failed at test_worker.py:")


def test_limits_are_only_ever_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda which, limit: made.append((which, limit)))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (which, resource.RLIM_INFINITY))
    limits._lower(5, 100)
    limits._lower(500, 100)
    assert made == [(5, (5, 5)), (500, (100, 100))]
