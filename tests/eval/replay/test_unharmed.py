"""A recording never makes a call fail: what cannot be read or written is told, and the call goes on as without it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.replay import CutPointSession, RecordedFailure, read_trace
from ingest.errors import StateError
from tests.eval.replay.conftest import MuteKey, Open, Unreadable


class MuteError(Exception):
    def __str__(self) -> str:
        raise LookupError("no such text")


TYPE = f"{Unreadable.__module__}.Unreadable"


@pytest.mark.parametrize(
    ("value", "told", "raised"),
    [(Unreadable(), TYPE, "KeyError"), ({MuteKey(): 1}, "dict", "ValueError")],
    ids=["mapping", "key"],
)
def test_an_argument_and_an_output_that_raise_when_read_are_told(
    trace: Path, value: object, told: str, raised: str
) -> None:
    with CutPointSession(trace, "record") as session:
        wrapped = session.wrap("echo")(lambda facts: facts)
        with pytest.warns(RuntimeWarning) as warned:
            assert wrapped(value) is value
    assert [str(one.message) for one in warned] == [
        f"echo call 1: could not be read, and is recorded by its type only: {place} ({raised})"
        for place in ("inputs.facts", "output")
    ]
    recorded = read_trace(trace).envelopes[("echo", 1)]
    assert (recorded.inputs, recorded.output) == ({"facts": {"$type": told}}, {"$type": told})
    assert recorded.converted == f"output: {told}"


def test_a_block_whose_inputs_raise_when_read_runs(recording: CutPointSession) -> None:
    with (
        pytest.warns(RuntimeWarning, match=r"inputs \(KeyError\)"),
        recording.wrap("sql", inputs=Unreadable()) as call,
    ):
        call.output = 7
    assert (recording.envelopes[("sql", 1)].inputs, recording.envelopes[("sql", 1)].output) == ({"$type": TYPE}, 7)


def test_arguments_that_other_threads_change_fail_no_call(recording: CutPointSession) -> None:
    shared: dict[str, Any] = {str(n): {"n": n} for n in range(200)}
    ended = threading.Event()

    def change() -> None:
        while not ended.is_set():
            shared["more"] = 1
            shared.pop("more")

    thread = threading.Thread(target=change)
    thread.start()
    try:
        wrapped = recording.wrap("read")(lambda facts: len(facts) >= 200)
        assert all(wrapped(shared) for _ in range(50))
    finally:
        ended.set()
        thread.join()
    assert len(recording.envelopes) == 50


def test_an_argument_without_a_truth_value_is_an_input(recording: CutPointSession) -> None:
    assert recording.wrap("sum")(lambda vector: int(vector.sum()))(np.array([1, 2])) == 3
    assert recording.envelopes[("sum", 1)].inputs == {"vector": [1, 2]}


def test_an_exception_without_a_text_comes_out_as_it_is(trace: Path, replay: Open) -> None:
    raised = MuteError()

    def fail() -> None:
        raise raised

    with (
        CutPointSession(trace, "record") as session,
        pytest.warns(RuntimeWarning, match=f"llm call 1: the text of {__name__}.MuteError could not be read"),
        pytest.raises(MuteError) as caught,
    ):
        session.wrap("llm")(fail)()
    assert caught.value is raised
    with pytest.raises(RecordedFailure, match=r"MuteError: \(its text could not be read\)"):
        replay("llm").wrap("llm")(fail)()


def test_a_stream_that_ends_with_such_an_exception_keeps_its_items(trace: Path) -> None:
    def words() -> Iterator[str]:
        yield "mid"
        raise MuteError

    with (
        CutPointSession(trace, "record") as session,
        pytest.warns(RuntimeWarning, match="the text of"),
        pytest.raises(MuteError),
    ):
        list(session.wrap("llm")(words)())
    assert read_trace(trace).envelopes[("llm", 1)].output == ["mid"]


class Odd:
    """A redactor that gives back no JSON for one text."""

    def value(self, value: Any) -> Any:
        return {1, 2} if value in ("odd", {"message": "odd"}) else value


def test_a_call_that_cannot_be_written_is_missed_and_told_at_the_end(trace: Path) -> None:
    session = CutPointSession(trace, "record", redactor=Odd())
    wrapped = session.wrap("llm")(lambda message: message)
    with pytest.warns(RuntimeWarning) as warned:
        assert wrapped("odd") == "odd"
    assert wrapped("even") == "even"
    assert [str(one.message) for one in warned] == [
        "llm call 1: its inputs could not be recorded (AttributeError)",
        "llm call 1 could not be recorded (TypeError)",
    ]
    with pytest.raises(StateError, match=r"trace.jsonl: calls not recorded: 1; llm call 1 could not be recorded"):
        session.close()
    assert list(read_trace(trace).envelopes) == [("llm", 2)]


def test_what_a_missed_call_held_is_written_with_the_next(trace: Path) -> None:
    class OddNumbers:
        def value(self, value: Any) -> Any:
            return {"long": "x" * 300, "odd": object()} if value == 1 else value

    session = CutPointSession(trace, "record", redactor=OddNumbers())
    wrapped = session.wrap("llm")(lambda: answers.pop(0))
    answers: list[object] = [1, "x" * 300]
    with pytest.warns(RuntimeWarning, match="llm call 1 could not be recorded"):
        wrapped()
    wrapped()
    with pytest.raises(StateError, match="calls not recorded: 1"):
        session.close()
    assert read_trace(trace).envelopes[("llm", 2)].output == "x" * 300


def test_a_clock_that_fails_fails_no_call(trace: Path) -> None:
    def broken() -> Any:
        raise OSError("no clock")

    session = CutPointSession(trace, "record", now=broken)
    with pytest.warns(RuntimeWarning, match=r"a call 1 could not be recorded \(OSError\)"):
        assert session.wrap("a")(len)("four") == 4
    with pytest.raises(StateError, match="calls not recorded: 1"):
        session.close()


# Wrong use still fails, as it does without a recording


@pytest.mark.parametrize("mode", ["record", "replay"])
def test_a_call_with_wrong_arguments_fails(trace: Path, mode: Any) -> None:
    trace_lines = '{"boundary": "a", "call_index": 1, "inputs": {}, "output": 1}\n'
    if mode == "replay":
        trace.write_text(trace_lines, encoding="utf-8")
    wrong: Callable[..., Any] = lambda one: one  # noqa: E731
    with CutPointSession(trace, mode) as session, pytest.raises(TypeError, match="one"):
        session.wrap("a")(wrong)()
