"""The network in a replay; every server here is this process's own, on the loopback address."""

import asyncio
import gc
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import urlopen

import pytest

from eval.replay import CutPointSession, NetworkRefused
from eval.replay.guard import _ARMED
from tests.eval.replay import telemetry
from tests.eval.replay.conftest import Open, WriteTrace, envelope

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
NAME = "warehouse.example"


@pytest.fixture
def server() -> Iterator[tuple[str, int]]:
    """Listens, and answers nobody."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()


@pytest.fixture
def session(write_trace: WriteTrace, replay: Open) -> CutPointSession:
    """A replay that stubs nothing."""
    write_trace(envelope("sql"))
    return replay()


def connect(address: tuple[str, int]) -> str:
    socket.create_connection(address, timeout=5).close()
    return "connected"


def datagram(address: tuple[str, int]) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(b"1", address)
    return "sent"


def message(address: tuple[str, int]) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendmsg([b"1"], [], 0, address)
    return "sent"


def connect_ex(address: tuple[str, int]) -> str:
    with socket.socket() as sock:
        return str(sock.connect_ex(address))


def http(address: tuple[str, int]) -> str:
    return str(urlopen(f"http://127.0.0.1:{address[1]}", timeout=5))


async def opened(address: tuple[str, int]) -> str:
    _, writer = await asyncio.open_connection(*address)
    writer.close()
    await writer.wait_closed()
    return "connected"


def by_loop(address: tuple[str, int]) -> str:
    return asyncio.run(opened(address))


@pytest.mark.parametrize("way", [connect, connect_ex, datagram, message, http, by_loop], ids=lambda way: way.__name__)
def test_an_undeclared_call_is_refused(
    session: CutPointSession, server: tuple[str, int], way: Callable[[tuple[str, int]], str]
) -> None:
    with pytest.raises(
        NetworkRefused, match=f"a network call to 127.0.0.1:{server[1]} in a replay, outside every"
    ) as no:
        way(server)
    assert no.value.where is not None
    assert "test_guard.py:" in no.value.where
    assert "session.live" in str(no.value)
    assert [str(one) for one in session.refused] == [str(no.value)]
    assert no.value.exit_status == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda: socket.getaddrinfo(NAME, 443),
        lambda: socket.gethostbyname(NAME),
        lambda: socket.gethostbyaddr("192.0.2.7"),
        lambda: socket.getnameinfo(("192.0.2.7", 80), 0),
        lambda: asyncio.run(opened((NAME, 443))),
    ],
    ids=["getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo", "asyncio"],
)
def test_looking_up_a_name_is_refused(session: CutPointSession, ask: Callable[[], Any]) -> None:
    with pytest.raises(NetworkRefused, match="a look-up of"):
        ask()


def test_what_asks_nobody_is_let_through(session: CutPointSession) -> None:
    socket.getaddrinfo("127.0.0.1", 80)
    socket.getaddrinfo(None, 80)
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"x")
        assert other.recv(1) == b"x"


def test_a_wrapped_boundary_may_use_the_network(session: CutPointSession, server: tuple[str, int]) -> None:
    assert session.wrap("sql")(connect)(server) == "connected"
    assert asyncio.run(session.wrap("sql")(opened)(server)) == "connected"
    with session.wrap("sql", inputs={}) as call:
        call.output = connect(server)
    with session.wrap("sql") as call:
        assert call(connect, server) == "connected"
    with pytest.raises(NetworkRefused):
        connect(server)


def test_between_the_items_of_a_stream_the_network_is_shut(session: CutPointSession, server: tuple[str, int]) -> None:
    @session.wrap("llm")
    def words() -> Iterator[str]:
        yield connect(server)
        yield connect(server)

    for word in words():
        assert word == "connected"
        with pytest.raises(NetworkRefused):
            connect(server)


def test_a_block_in_an_abandoned_async_generator_may_end_elsewhere(session: CutPointSession) -> None:
    async def words() -> AsyncIterator[str]:
        with session.wrap("llm", inputs={}) as call:
            call.output = "a"
            yield "a"
            yield "b"

    async def main() -> None:
        stream = words()
        assert await asyncio.create_task(first(stream)) == "a"
        await stream.aclose()  # type: ignore[attr-defined]

    async def first(stream: AsyncIterator[str]) -> str:
        return await anext(stream)

    asyncio.run(main())
    assert session.captured_live["llm", 1].error is not None


def test_what_a_boundary_starts_belongs_to_it(session: CutPointSession, server: tuple[str, int]) -> None:
    kept = ThreadPoolExecutor(1)
    done: list[str] = []

    @session.wrap("sql")
    def query() -> str:
        thread = threading.Thread(target=lambda: nested(done, server))
        thread.start()
        thread.join()
        return kept.submit(connect, server).result()

    assert query() == "connected"
    assert done == ["connected"]
    # The pool's thread was started inside the boundary; what is sent to it later is not.
    with kept, pytest.raises(NetworkRefused):
        kept.submit(connect, server).result()


def nested(done: list[str], server: tuple[str, int]) -> None:
    thread = threading.Thread(target=lambda: done.append(connect(server)))
    thread.start()
    thread.join()


def test_executors_and_tasks_of_a_boundary_belong_to_it(session: CutPointSession, server: tuple[str, int]) -> None:
    @session.wrap("sql")
    async def query() -> list[str]:
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            task = group.create_task(opened(server))
            threaded = group.create_task(asyncio.to_thread(connect, server))
        return [task.result(), threaded.result(), await loop.run_in_executor(None, connect, server)]

    assert asyncio.run(query()) == ["connected"] * 3


def test_two_tasks_do_not_share_a_permission(session: CutPointSession, server: tuple[str, int]) -> None:
    inside, tried = asyncio.Event(), asyncio.Event()

    @session.wrap("sql")
    async def query() -> None:
        inside.set()
        await tried.wait()

    async def stray() -> None:
        await inside.wait()
        try:
            with pytest.raises(NetworkRefused):
                await opened(server)
        finally:
            tried.set()

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(query())
            group.create_task(stray())

    asyncio.run(main())


def test_other_threads_are_refused_too(session: CutPointSession, server: tuple[str, int]) -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(NetworkRefused):
        pool.submit(connect, server).result()


def test_a_declared_call_site_is_let_through(session: CutPointSession, server: tuple[str, int]) -> None:
    with session.live("metrics are sent"):
        assert connect(server) == "connected"
    assert session.live("metrics are sent")(connect)(server) == "connected"
    assert asyncio.run(session.live("metrics are sent")(opened)(server)) == "connected"

    async def main() -> str:
        async with session.live("metrics are sent"):
            return await opened(server)

    assert asyncio.run(main()) == "connected"
    with pytest.raises(NetworkRefused):
        connect(server)


def test_a_declared_module_is_let_through_and_its_namesake_is_not(
    write_trace: WriteTrace, replay: Open, server: tuple[str, int]
) -> None:
    write_trace(envelope("sql"))
    session = replay(live=[telemetry.__name__])
    assert telemetry.send(lambda: connect(server)) == "connected"
    session.close()
    replay(live=[telemetry.__name__[:-1]])
    with pytest.raises(NetworkRefused):
        telemetry.send(lambda: connect(server))


def test_a_generator_cannot_be_declared(session: CutPointSession) -> None:
    def words() -> Iterator[str]:
        yield "a"

    with pytest.raises(Exception, match="a generator cannot be declared live"):
        session.live("words")(words)


def test_a_refusal_that_was_caught_is_still_listed(session: CutPointSession, server: tuple[str, int]) -> None:
    try:
        connect(server)
    except Exception:
        answer = "fallback"
    assert (answer, len(session.refused)) == ("fallback", 1)


def test_outside_a_replay_the_network_is_as_it_was(
    write_trace: WriteTrace, server: tuple[str, int], recording: CutPointSession
) -> None:
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit
    assert connect(server) == "connected"
    recording.close()
    recording.path.unlink()
    path = write_trace(envelope("sql"))
    with pytest.raises(ZeroDivisionError), CutPointSession(path, "replay"):
        raise ZeroDivisionError(threading.Thread.start is not start)
    assert connect(server) == "connected"
    assert (threading.Thread.start, ThreadPoolExecutor.submit) == (start, submit)


def test_reading_a_trace_shuts_nothing(write_trace: WriteTrace, server: tuple[str, int]) -> None:
    session = CutPointSession(write_trace(envelope("sql")), "replay")
    assert session.envelopes
    assert connect(server) == "connected"


def test_without_with_the_first_call_shuts_it_and_the_sessions_end_opens_it(
    write_trace: WriteTrace, server: tuple[str, int]
) -> None:
    session: CutPointSession | None = CutPointSession(write_trace(envelope("sql", text="four")), "replay")
    assert session is not None
    session.wrap("sql")(lambda text: text)("four")
    with pytest.raises(NetworkRefused):
        connect(server)
    session = None
    gc.collect()
    assert connect(server) == "connected"
    assert not _ARMED
