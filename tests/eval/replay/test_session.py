"""Recording and replaying one call, in every form that a function may have."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from eval.replay import CutPointSession, RecordedFailure, Values, read_trace
from ingest.errors import ConfigError, QueryError, StateError
from tests.eval.replay.conftest import Open, WriteTrace, envelope

SQL = "SELECT * FROM billing.account_facts"


def never(*_: object) -> Any:
    raise AssertionError("a frozen call ran")


def called(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As a decorated function."""

    @session.wrap("warehouse")
    def query(sql: str) -> Any:
        return run(sql)

    return query(SQL)


def awaited(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As a decorated async function."""

    @session.wrap("warehouse")
    async def query(sql: str) -> Any:
        await asyncio.sleep(0)
        return run(sql)

    return asyncio.run(query(SQL))


def of_object(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As a decorated method."""

    class Warehouse:
        @session.wrap("warehouse")
        def query(self, sql: str) -> Any:
            return run(sql)

    return Warehouse().query(SQL)


def async_object(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As an object with an async __call__."""

    class Warehouse:
        async def __call__(self, sql: str) -> Any:
            return run(sql)

    async def main() -> Any:
        return await session.wrap("warehouse")(Warehouse())(SQL)

    return asyncio.run(main())


def in_block(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """Through a context manager's call."""

    def query(sql: str) -> Any:
        return run(sql)

    with session.wrap("warehouse") as call:
        return call(query, SQL)


def in_async_block(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """Through an async context manager's call."""

    async def query(sql: str) -> Any:
        return run(sql)

    async def main() -> Any:
        async with session.wrap("warehouse") as call:
            return await call(query, sql=SQL)

    return asyncio.run(main())


def as_block(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As the block itself."""
    with session.wrap("warehouse", inputs={"sql": SQL}) as call:
        if not call.frozen:
            call.output = run(SQL)
        return call.output


def as_async_block(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As the async block itself."""

    async def main() -> Any:
        async with session.wrap("warehouse", inputs={"sql": SQL}) as call:
            if not call.frozen:
                call.output = run(SQL)
            return call.output

    return asyncio.run(main())


def streamed(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As a decorated generator."""

    @session.wrap("warehouse")
    def query(sql: str) -> Iterator[Any]:
        yield from run(sql)

    return list(query(SQL))


def async_streamed(session: CutPointSession, run: Callable[[str], Any]) -> Any:
    """As a decorated async generator."""

    @session.wrap("warehouse")
    async def query(sql: str) -> AsyncIterator[Any]:
        for row in run(sql):
            yield row

    async def main() -> list[Any]:
        return [row async for row in query(SQL)]

    return asyncio.run(main())


FORMS = [
    called,
    awaited,
    of_object,
    async_object,
    in_block,
    in_async_block,
    as_block,
    as_async_block,
    streamed,
    async_streamed,
]
Form = Callable[[CutPointSession, Callable[[str], Any]], Any]
each_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)


@each_form
def test_a_call_is_recorded_and_served_frozen(trace: Path, form: Form) -> None:
    rows = [{"seats": 120, "price": "1200.00"}]
    with CutPointSession(trace, "record") as session:
        assert form(session, lambda _: rows) == rows
    with CutPointSession(trace, "replay") as session:
        session.stub("warehouse")
        assert form(session, never) == rows
        assert session.captured_live == {}
    assert read_trace(trace).envelopes[("warehouse", 1)].inputs == {"sql": SQL}


@each_form
def test_what_is_not_stubbed_runs_and_is_captured(trace: Path, form: Form) -> None:
    with CutPointSession(trace, "record") as session:
        form(session, lambda _: ["then"])
    with CutPointSession(trace, "replay") as session:
        assert form(session, lambda _: ["now"]) == ["now"]
        assert session.captured_live[("warehouse", 1)].output == ["now"]
        assert session.envelopes[("warehouse", 1)].output == ["then"]


@each_form
def test_a_failure_is_recorded_and_raised_again(trace: Path, form: Form) -> None:
    def fail(_: str) -> Any:
        raise TimeoutError("warehouse is busy")

    with CutPointSession(trace, "record") as session, pytest.raises(TimeoutError):
        form(session, fail)
    with CutPointSession(trace, "replay") as session:
        session.stub("warehouse")
        with pytest.raises(TimeoutError, match="warehouse is busy"):
            form(session, never)


def test_what_is_served_is_the_callers_own(trace: Path) -> None:
    with CutPointSession(trace, "record") as session:
        called(session, lambda _: {"rows": [1]})
    with CutPointSession(trace, "replay") as session:
        session.stub("warehouse")
        called(session, never)["rows"].append(2)
        assert session.envelopes[("warehouse", 1)].output == {"rows": [1]}


def test_a_stream_that_its_reader_left_is_replayed_as_far_as_it_was_read(trace: Path, replay: Open) -> None:
    def words() -> Iterator[str]:
        yield from ["mid", "term", "never read"]

    with CutPointSession(trace, "record") as session:
        stream = session.wrap("llm")(words)()
        assert [next(stream), next(stream)] == ["mid", "term"]
        stream.close()  # type: ignore[attr-defined]
    assert list(replay("llm").wrap("llm")(words)()) == ["mid", "term"]


def test_a_stream_that_broke_breaks_in_the_same_place(trace: Path, replay: Open) -> None:
    def words() -> Iterator[str]:
        yield "mid"
        raise ConnectionResetError("gone")

    with CutPointSession(trace, "record") as session, pytest.raises(ConnectionResetError):
        list(session.wrap("llm")(words)())
    stream = replay("llm").wrap("llm")(words)()
    assert next(stream) == "mid"
    with pytest.raises(ConnectionResetError, match="gone"):
        next(stream)


def test_defaults_are_inputs_and_clients_need_not_be(recording: CutPointSession) -> None:
    @recording.wrap("llm", values=Values(ignore=("client",)))
    def ask(client: object, message: str, *more: str, temperature: float = 0.3, **settings: object) -> str:
        return message

    ask(object(), "a", "b", "c", seed=7)
    inputs = {"message": "a", "more": ["b", "c"], "temperature": 0.3, "seed": 7}
    assert recording.envelopes[("llm", 1)].inputs == inputs


def test_inputs_are_recorded_as_they_came_in(recording: CutPointSession) -> None:
    @recording.wrap("turn")
    def turn(items: list[int]) -> None:
        items.reverse()

    turn([1, 2, 3])
    assert recording.envelopes[("turn", 1)].inputs == {"items": [1, 2, 3]}


class Reply(BaseModel):
    text: str
    amount: Decimal


def test_a_value_that_json_lacks_comes_back_through_load(trace: Path, replay: Open) -> None:
    def answer() -> Reply:
        return Reply(text="no", amount=Decimal("1.20"))

    with CutPointSession(trace, "record") as session:
        session.wrap("answer")(answer)()
    session = replay("answer")
    with pytest.raises(
        QueryError, match=r"trace.jsonl:1: answer call 1 gave what JSON lacks \(output: .*Reply\); fix: say"
    ):
        session.wrap("answer")(answer)()
    again = CutPointSession(trace, "replay")
    again.stub("answer")
    assert again.wrap("answer", values=Values(load=Reply.model_validate))(answer)() == answer()
    again.close()


def test_a_value_may_be_dumped_by_hand(trace: Path, replay: Open) -> None:
    values = Values(dump=str, load=Decimal)
    with CutPointSession(trace, "record") as session:
        session.wrap("price", values=values)(lambda: Decimal("1.20"))()
    assert replay("price").wrap("price", values=values)(never)() == Decimal("1.20")


def test_a_dump_that_fails_harms_no_call(trace: Path) -> None:
    with CutPointSession(trace, "record") as session:
        wrapped = session.wrap("price", values=Values(dump=lambda value: value.none))(lambda: 7)
        with pytest.warns(RuntimeWarning, match="output could not be dumped"):
            assert wrapped() == 7
    assert read_trace(trace).envelopes[("price", 1)].output == 7


class RateLimited(Exception):
    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


def test_a_foreign_exception_comes_back_where_it_is_named(trace: Path) -> None:
    def limited() -> None:
        raise RateLimited(429, "slow down")

    with CutPointSession(trace, "record") as session, pytest.raises(RateLimited):
        session.wrap("llm")(limited)()
    for known, expected in (((), RecordedFailure), ((RateLimited,), RateLimited)):
        with CutPointSession(trace, "replay") as session:
            session.stub("llm")
            with pytest.raises(expected, match="slow down"):
                session.wrap("llm", values=Values(raises=known))(never)()


def test_a_cancelled_call_is_recorded_and_does_not_cancel_the_replay(trace: Path, replay: Open) -> None:
    async def slow() -> None:
        await asyncio.sleep(60)

    async def main(session: CutPointSession) -> None:
        async with asyncio.timeout(0.01):
            await session.wrap("llm")(slow)()

    with CutPointSession(trace, "record") as session, pytest.raises(TimeoutError):
        asyncio.run(main(session))
    with pytest.raises(RecordedFailure, match=r"asyncio.exceptions.CancelledError"):
        asyncio.run(main(replay("llm")))


def test_secrets_never_reach_the_file(trace: Path) -> None:
    with CutPointSession(trace, "record") as session:

        @session.wrap("llm", prompt="Write to jane.doe@example.com")
        def ask(message: str) -> dict[str, str]:
            if len(message) > 40:
                raise ValueError(f"cannot parse {message}")
            return {"card": "4111 1111 1111 1111"}

        ask("I am jane.doe@example.com")
        with pytest.raises(ValueError, match="cannot parse"):
            ask("I am jane.doe@example.com, and this is long enough to fail")
    text = trace.read_text(encoding="utf-8")
    assert "jane.doe" not in text
    assert "4111" not in text
    assert "<EMAIL_1>" in text


def test_what_cannot_be_redacted_is_left_out(trace: Path) -> None:
    class Broken:
        def value(self, value: Any) -> Any:
            raise ValueError("too deep")

    session = CutPointSession(trace, "record", redactor=Broken())
    with pytest.warns(RuntimeWarning, match=r"a value could not be redacted \(too deep\): it is left out"):
        assert session.wrap("llm")(lambda: "secret")() == "secret"
    session.close()
    assert "secret" not in trace.read_text(encoding="utf-8")


def test_a_recording_wants_its_settings_right_from_the_start(
    tmp_path: Path, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "caveat.toml").write_text("[redact]\nnone = 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r'unknown key "redact.none"'):
        CutPointSession(trace, "record")


def test_a_full_disk_harms_no_call_and_is_told(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = CutPointSession(trace, "record")
    assert session._writer is not None

    class Full:
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            pass

    monkeypatch.setattr(session._writer, "_file", Full())
    wrapped = session.wrap("a")(lambda: 1)
    with pytest.warns(RuntimeWarning, match=r"No space left on device; nothing more is recorded"):
        assert wrapped() == 1
    assert wrapped() == 1
    with pytest.raises(StateError, match=r"trace.jsonl: cannot be written: No space left on device"):
        session.close()


def test_a_call_that_ends_after_its_session_is_not_recorded(trace: Path) -> None:
    go = threading.Event()
    session = CutPointSession(trace, "record")
    thread = threading.Thread(target=session.wrap("slow")(lambda: go.wait(5)))
    thread.start()
    while session._count.get("slow") != 1:
        pass
    session.close()

    def end() -> None:
        go.set()
        thread.join()

    with pytest.warns(RuntimeWarning, match="slow call 1 ended after its session was closed: not recorded"):
        end()


def test_a_closed_session_is_not_used_again(recording: CutPointSession) -> None:
    wrapped = recording.wrap("a")(len)
    recording.close()
    recording.close()
    with pytest.raises(StateError, match="the session is closed; fix: open a new one for each run"):
        wrapped("four")


def test_a_session_is_entered_once(recording: CutPointSession) -> None:
    with pytest.raises(QueryError, match="the session is entered already"):
        recording.__enter__()


def test_a_session_without_with_records_too(trace: Path) -> None:
    session = CutPointSession(trace, "record")
    session.wrap("a")(len)("four")
    session.wrap("a")(len)("seven")
    assert [one.output for one in read_trace(trace).envelopes.values()] == [4, 5]
    session.close()


def test_a_killed_process_leaves_what_had_ended(trace: Path) -> None:
    code = (
        "import os, sys\nfrom eval.replay import CutPointSession\n"
        "session = CutPointSession(sys.argv[1], 'record')\n"
        "session.wrap('a')(len)('four')\nos.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(trace)], check=False).returncode == -9
    assert read_trace(trace).envelopes[("a", 1)].output == 4


def test_another_process_opens_its_own(recording: CutPointSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.replay.session.os.getpid", lambda: -1)
    with pytest.raises(StateError, match="the session belongs to the process that opened it"):
        recording.wrap("a")(len)("four")


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (lambda session: session.wrap(len), r"boundary <built-in function len>; allowed: a name"),
        (lambda session: session.wrap(""), r"boundary ''; allowed: a name"),
        (lambda session: session.wrap("a")(7), r"wrapped int cannot be called"),
        (lambda session: session.wrap("a")(lambda: (_ for _ in ()))(), r"gave back generator, which has not run yet"),
        (lambda session: session.wrap("a")(lambda: asyncio.sleep(0))(), r"gave back coroutine, which has not run yet"),
        (lambda session: session.stub("a"), r"a stub in a recording; fix: open the trace with mode="),
        (lambda session: session.live(""), r"live call site without a reason"),
    ],
    ids=["wrap without a name", "empty name", "no function", "generator", "coroutine", "stub", "live"],
)
def test_wrong_use_is_told(recording: CutPointSession, wrong: Callable[[CutPointSession], Any], found: str) -> None:
    with pytest.raises(QueryError, match=found):
        wrong(recording)


def test_a_block_says_what_it_lacks(recording: CutPointSession) -> None:
    with pytest.raises(QueryError, match='the block of "a" set no output'), recording.wrap("a", inputs={}):
        pass
    with recording.wrap("a") as call, pytest.raises(QueryError, match="a wrap without inputs has no output"):
        call.output = 1
    with recording.wrap("a", inputs={}) as call:
        with pytest.raises(QueryError, match="no output was set yet"):
            call.output  # noqa: B018
        with pytest.raises(QueryError, match="a wrap with inputs is one call itself"):
            call(len, "four")
        call.output = 1
    with (wrap := recording.wrap("a", inputs={})) as call:
        call.output = 1
        with pytest.raises(QueryError, match='the wrap of "a" is entered already'):
            wrap.__enter__()


def test_a_frozen_block_takes_no_output(write_trace: WriteTrace, replay: Open) -> None:
    write_trace(envelope("a"))
    with replay("a").wrap("a", inputs={}) as call, pytest.raises(QueryError, match="the output is frozen"):
        call.output = 1


def test_modes(trace: Path) -> None:
    with pytest.raises(QueryError, match='mode \'reply\'; allowed: "record" or "replay"'):
        CutPointSession(trace, "reply")  # type: ignore[arg-type]


def test_opening_a_trace_loads_nothing_heavy(root: Path) -> None:
    code = (
        "import sys\nfrom eval.replay import CutPointSession\n"
        "session = CutPointSession('data/incidents/8841.jsonl', mode='replay')\n"
        "print(session.envelopes[('query_rewrite', 1)].output)\n"
        "print(sorted({'asyncio', 'concurrent.futures', 'numpy', 'pydantic', 'eval.redaction'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "seat downgrade credit calculation table\n[]\n"
