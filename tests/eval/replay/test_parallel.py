"""Calls that overlap: each gets its own record, whatever order they begin in."""

import asyncio
import contextvars
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.replay import CutPointSession, ReplayDivergence, read_trace
from eval.replay.matching import Shelf, Verdict
from eval.replay.trace import Trace
from tests.eval.replay.conftest import Open, envelope

CALLS = 50


def in_threads(session: CutPointSession, order: list[int], answer: Callable[[int], int]) -> list[int]:
    """All calls at once, from threads."""

    @session.wrap("fetch")
    def fetch(page: int) -> int:
        time.sleep(random.random() / 100)
        return answer(page)

    with ThreadPoolExecutor(CALLS) as pool:
        return [future.result() for future in [pool.submit(fetch, page) for page in order]]


def in_tasks(session: CutPointSession, order: list[int], answer: Callable[[int], int]) -> list[int]:
    """All calls at once, in a task group."""

    @session.wrap("fetch")
    async def fetch(page: int) -> int:
        await asyncio.sleep(random.random() / 100)
        return answer(page)

    async def main() -> list[int]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetch(page)) for page in order]
        return [task.result() for task in tasks]

    return asyncio.run(main())


def in_both(session: CutPointSession, order: list[int], answer: Callable[[int], int]) -> list[int]:
    """Half of them in threads of a running loop."""

    @session.wrap("fetch")
    def fetch(page: int) -> int:
        time.sleep(random.random() / 100)
        return answer(page)

    @session.wrap("fetch")
    async def afetch(page: int) -> int:
        await asyncio.sleep(random.random() / 100)
        return answer(page)

    async def main() -> list[int]:
        return await asyncio.gather(*(asyncio.to_thread(fetch, n) if n % 2 else afetch(n) for n in order))

    return asyncio.run(main())


def shuffled() -> list[int]:
    return random.sample(range(CALLS), CALLS)


WAYS = [in_threads, in_tasks, in_both]
Way = Callable[[CutPointSession, list[int], Callable[[int], int]], list[int]]
each_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


def never(_: int) -> int:
    raise AssertionError("a frozen call ran")


@each_way
@pytest.mark.parametrize("single", [True, False], ids=["each stubbed", "the whole boundary"])
def test_fifty_parallel_calls_replay_right(trace: Path, replay: Open, way: Way, single: bool) -> None:
    with CutPointSession(trace, "record") as session:
        way(session, shuffled(), lambda page: page * page)
    session = replay()
    for index in range(1, CALLS + 1) if single else [None]:
        session.stub("fetch", index)
    order = shuffled()
    assert way(session, order, never) == [page * page for page in order]
    assert session.unserved == ()


@each_way
def test_every_record_is_whole_and_numbered_once(trace: Path, way: Way) -> None:
    with CutPointSession(trace, "record") as session:
        way(session, shuffled(), lambda page: page * page)
    calls = read_trace(trace).of("fetch")
    assert list(calls) == list(range(1, CALLS + 1))
    assert all(call.output == call.inputs["page"] ** 2 for call in calls.values())


@each_way
def test_some_frozen_and_the_others_live(trace: Path, replay: Open, way: Way) -> None:
    with CutPointSession(trace, "record") as session:
        way(session, shuffled(), lambda page: page)
    session = replay()
    frozen = [call.inputs["page"] for index, call in read_trace(trace).of("fetch").items() if index % 3 == 0]
    for index in range(3, CALLS + 1, 3):
        session.stub("fetch", index)
    order = shuffled()
    assert way(session, order, lambda page: -page) == [page if page in frozen else -page for page in order]
    assert sorted(call.inputs["page"] for call in session.captured_live.values()) == sorted({*range(CALLS)} - {*frozen})


@each_way
def test_one_changed_call_of_fifty_diverges_and_the_others_do_not(trace: Path, replay: Open, way: Way) -> None:
    with CutPointSession(trace, "record") as session:
        way(session, shuffled(), lambda page: page)
    session = replay()
    session.stub("fetch", None)
    order = [page if page != 7 else 1000 for page in shuffled()]
    with pytest.raises((ReplayDivergence, ExceptionGroup)):
        way(session, order, never)
    assert [one.fields for one in session.divergences] == [("page",)]


def test_indices_are_given_per_boundary_in_the_order_of_beginning(recording: CutPointSession) -> None:
    started = threading.Barrier(2)
    first, second = threading.Event(), threading.Event()

    @recording.wrap("slow")
    def slow(name: str, go: threading.Event) -> str:
        started.wait(5)
        go.wait(5)
        return name

    one = threading.Thread(target=slow, args=("first", first))
    one.start()
    while recording._count.get("slow") != 1:
        pass
    two = threading.Thread(target=slow, args=("second", second))
    two.start()
    second.set()
    two.join()
    first.set()
    one.join()
    assert [(key, call.output) for key, call in recording.envelopes.items()] == [
        (("slow", 2), "second"),
        (("slow", 1), "first"),
    ]


def test_a_call_sees_the_context_of_its_caller(recording: CutPointSession) -> None:
    tenant = contextvars.ContextVar("tenant", default="none")

    @recording.wrap("sql")
    async def query() -> str:
        return tenant.get()

    async def caller(name: str) -> str:
        tenant.set(name)
        await asyncio.sleep(0)
        return await query()

    async def main() -> list[str]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(caller(name)) for name in ("acme", "globex")]
        return [task.result() for task in tasks]

    assert asyncio.run(main()) == ["acme", "globex"]


def test_a_sibling_that_fails_cancels_the_others_and_all_are_recorded(trace: Path) -> None:
    async def main(session: CutPointSession) -> None:
        @session.wrap("task")
        async def work(n: int) -> None:
            await asyncio.sleep(n)
            raise ValueError("first to fail")

        async with asyncio.TaskGroup() as group:
            for n in (0, 30, 60):
                group.create_task(work(n))

    with CutPointSession(trace, "record") as session, pytest.raises(ExceptionGroup):
        asyncio.run(main(session))
    errors = [call.error.type for call in read_trace(trace).of("task").values() if call.error]
    assert errors == ["ValueError", "asyncio.exceptions.CancelledError", "asyncio.exceptions.CancelledError"]


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=12).flatmap(lambda x: st.tuples(st.just(x), st.permutations(x)))
)
def test_every_call_of_any_order_gets_a_record_of_its_own_inputs(drawn: tuple[list[int], list[int]]) -> None:
    recorded, order = drawn
    trace = _trace(recorded)
    digests = {index: {"q": str(q)} for index, q in enumerate(recorded, 1)}
    shelf = Shelf(trace.of("a"), digests)
    shelf.close()
    served = []
    for q in order:
        match = shelf.match({"q": str(q)})
        shelf.take(match, {"q": str(q)})
        assert match.verdict is Verdict.FROZEN
        assert match.record is not None
        assert match.record.inputs["q"] == q
        served.append(match.record.call_index)
    assert sorted(served) == list(range(1, len(recorded) + 1))
    assert shelf.waiting == []


def _trace(inputs: list[int]) -> Trace:
    from eval.replay.envelope import read_envelope

    read = [read_envelope(envelope("a", n, q=q), 1, "") for n, q in enumerate(inputs, 1)]
    return Trace(Path("trace.jsonl"), {one.key: one for one in read}, 0)
