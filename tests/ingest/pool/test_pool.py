"""Files that harm the process that reads them: each has its line, the others are read."""

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

import ingest.pool.pool
from ingest.errors import CaveatError, DateError, SourceError
from ingest.handbook.reading import FileReading, FileRequest, read_file
from ingest.pool.child import environment
from ingest.pool.pool import SMALL, Answer, ReadingPool, Wanted, read_apart
from ingest.settings import IngestSettings

Order = Callable[..., Wanted]
Started = Callable[[], list[psutil.Process]]
GROW = "globals().update(kept=bytearray(140 << 20))"
HOSTILE = {
    "while True: pass": "took longer than 1 s to read; fix: split the file, or raise read_seconds in caveat.toml",
    "bytearray(1 << 40)": "needed more than 256 MiB of memory; fix: split the file, or raise read_memory_mb in .*",
    "[bytearray(1 << 20) for _ in range(1000)]": "needed more than 256 MiB of memory; .*",
    "masked()": "needed more than 256 MiB of memory; .*",
    "ctypes.string_at(0)": r"the reader crashed \(signal 11, SIGSEGV\); fix: open it and save it anew .*",
    "sys.stderr.write('Bad xref\\n'); os.abort()": r"the reader crashed \(signal 6, SIGABRT\): Bad xref; fix: .*",
    "os._exit(3)": r"the reader crashed \(exit status 3\); .*",
    "os.kill(os.getpid(), 9)": "the reader was killed, most likely for want of memory; fix: close other .*",
    "exec('def f(): f()', globals()); f()": "nested deeper than can be read; fix: flatten its lists, tables or quotes",
    "{}['w:p']": r"the reader failed at <string>:1 \(KeyError: 'w:p'\); fix: save it anew .*",
    "socket.socket()": r"the reader failed at .*may not do this: socket\.__new__\); .*",
    "subprocess.run(['true'])": r"the reader failed at .*may not do this: subprocess\.Popen\); .*",
    "tempfile.TemporaryFile().write(b'x' * (2 << 20))": "the reader failed at .*File too large.*",
    "worker.send = lambda stream, _: send(stream, b'[1')": "the reader gave no answer that makes sense .*; fix: .*",
}
"""What a file makes its reader do, and what is said of it then."""


def said(answer: Answer) -> str:
    return str(answer) if isinstance(answer, SourceError) else answer.document.doc_id


@pytest.fixture(scope="module")
def told(obedient: tuple[str, ...], order: Order, settings: IngestSettings) -> Mapping[str, str]:
    """By what a hostile file does, what is said of it; all read in one go, with a good one at the end."""
    wanted = [
        order(orders, f"{place}.md", read_seconds=1 + 19 * ("while" not in orders))
        for place, orders in enumerate(HOSTILE)
    ]
    with ReadingPool(settings, obedient) as pool:
        return dict(zip((*HOSTILE, "good"), map(said, pool.read([*wanted, order()])), strict=True))


@pytest.mark.parametrize("orders", HOSTILE, ids=lambda orders: orders[:24])
def test_a_hostile_file_is_refused_by_name_with_what_to_do(told: Mapping[str, str], orders: str) -> None:
    assert re.fullmatch(rf"2026-01-01/\d+.md: {HOSTILE[orders]}", told[orders]), told[orders]


def test_after_hostile_files_a_good_one_is_read(told: Mapping[str, str]) -> None:
    assert told["good"] == "04-seats.md"


def test_answers_come_in_the_order_of_the_files(pool: ReadingPool, order: Order) -> None:
    slow = order("time.sleep(0.5)", "slow.md")
    wanted = [slow, *(order("pass", f"{n}.md") for n in range(5)), replace(slow, relative="last.md", size=9)]
    assert [said(answer) for answer in pool.read(wanted)] == ["slow.md", *(f"{n}.md" for n in range(5)), "slow.md"]


def test_a_reading_is_the_same_as_in_this_process(settings: IngestSettings) -> None:
    raw = b"---\nid: seats\n---\n# 4 Seats\n\nSee 9.1.[^1]\n\n| a |\n|---|\n| b |\n\n[^1]: Note.\n" + b"Words. " * (
        SMALL // 7
    )
    request = FileRequest("a.md", "2026-01-01/a.md", raw, b'title = "Seats"\n', True, settings)
    assert read_apart(request) == read_file(request)


def test_an_error_comes_back_with_all_its_parts(settings: IngestSettings) -> None:
    raw = b"# A\n\nEffective date: 01/07/2024\n" + b"Words. " * (SMALL // 7)
    with pytest.raises(DateError) as caught:
        read_apart(FileRequest("a.md", "a.md", raw, settings=settings))
    error = caught.value
    assert error.where == "a.md:3"
    assert error.found == '"01/07/2024" can be read as 2024-01-07 (month first) or as 2024-07-01 (day first)'
    assert error.fix == "write the one that is meant as year-month-day"


def test_small_markdown_is_read_here_unless_there_is_much_of_it(
    pool: ReadingPool, order: Order, monkeypatch: pytest.MonkeyPatch, started: Started
) -> None:
    small = replace(order(), size=SMALL - 1)
    assert [said(answer) for answer in pool.read([small])] == ["04-seats.md"]
    assert started() == []
    monkeypatch.setattr(ingest.pool.pool, "FEW", 2 * SMALL - 2)
    assert [said(answer) for answer in pool.read([small, small])] == ["04-seats.md", "04-seats.md"]
    assert len(started()) >= 1


def test_what_libraries_print_is_in_nobodys_way(
    pool: ReadingPool, order: Order, capfd: pytest.CaptureFixture[str]
) -> None:
    [answer] = pool.read(
        [order("print('noise', flush=True); os.write(1, b'noise'); os.write(2, b'noise'); sys.stdin.read()")]
    )
    assert isinstance(answer, FileReading)
    assert capfd.readouterr() == ("", "")


def test_a_process_that_died_between_two_files_is_no_fault_of_the_second(
    pool: ReadingPool, order: Order, started: Started
) -> None:
    list(pool.read([order()]))
    for process in started():
        process.kill()
        process.wait()
    assert [said(answer) for answer in pool.read([order()])] == ["04-seats.md"]


def test_a_process_that_grew_is_replaced(pool: ReadingPool, order: Order, started: Started) -> None:
    [one] = pool.read([order(GROW)])
    grown = started()
    [other] = pool.read([order(GROW)])
    assert said(one) == said(other) == "04-seats.md"
    assert not set(grown) & set(started())


def test_no_more_files_are_fetched_than_can_wait(
    pool: ReadingPool, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest.pool.pool, "AHEAD", 3)
    fetched: list[str] = []
    one = order()

    def fetch() -> FileRequest:
        fetched.append(one.relative)
        return one.fetch()

    answers = pool.read([replace(one, fetch=fetch)] * 9)
    next(answers)
    assert len(fetched) <= 3


def test_what_cannot_be_fetched_is_refused(pool: ReadingPool, order: Order) -> None:
    def fetch() -> FileRequest:
        raise SourceError("changed while it was read", where="a.md", fix="run again")

    refused, good = pool.read([replace(order(), fetch=fetch), order()])
    assert (said(refused), said(good)) == ("a.md: changed while it was read; fix: run again", "04-seats.md")


def test_closing_ends_busy_processes_at_once(pool: ReadingPool, order: Order, started: Started) -> None:
    answers = pool.read([order(), order("time.sleep(60)"), order("while True: pass")])
    next(answers)
    start = time.monotonic()
    pool.close()
    assert started() == []
    assert time.monotonic() - start < 5


def test_a_process_that_is_killed_while_it_reads(
    pool: ReadingPool, order: Order, started: Started, tmp_path: Path
) -> None:
    reading = tmp_path / "reading"

    def kill() -> None:
        while not reading.exists():
            time.sleep(0.01)
        started()[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    [answer] = pool.read([order(f"open({str(reading)!r}, 'w').close(); time.sleep(60)")])
    killer.join()
    assert "04-seats.md: the reader was killed, most likely for want of memory" in said(answer)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ((sys.executable, "-c", "raise SystemExit('No module named lxml')"), "does not start: No module named lxml;"),
        (("/nowhere/python",), r"does not start \(No such file or directory\)"),
    ],
    ids=["broken", "missing"],
)
def test_processes_that_do_not_start_stop_the_run(order: Order, command: tuple[str, ...], message: str) -> None:
    request = order().fetch()
    with pytest.raises(CaveatError, match=f"the process that reads files {message}") as caught:
        read_apart(request, command)
    assert not isinstance(caught.value, SourceError)


def test_reading_pictures_may_run_programs_and_leaves_nothing(order: Order, obedient: tuple[str, ...]) -> None:
    allowed = IngestSettings(image_pages="ocr", read_memory_mb=256)
    left = "subprocess.run(['true'], check=True); tempfile.mkstemp()"
    with ReadingPool(allowed, obedient) as pool:
        answers = pool.read([order(left), order(f"{left}; os.abort()"), order("socket.socket()")])
        good, crashed, refused = map(said, answers)
    assert good == "04-seats.md"
    assert "the reader crashed (signal 6, SIGABRT)" in crashed
    assert "may not do this: socket.__new__" in refused


def test_a_reading_process_is_given_no_keys() -> None:
    given = environment({"PATH": "/bin", "QDRANT_API_KEY": "secret", "LC_ALL": "C", "PYTHONPATH": "/x"})
    assert given.pop("PYTHONPATH").endswith(":/x")
    assert given == {
        "PATH": "/bin",
        "LC_ALL": "C",
        **dict.fromkeys(("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "DO_NOT_TRACK"), "1"),
    }


def test_only_hi_res_is_told_how_to_reach_the_network() -> None:
    ours = {"HTTPS_PROXY": "http://proxy", "HF_HOME": "/models"}
    told = environment(ours, "hi-res", "/own")
    assert ours.items() <= told.items()
    assert told["TMPDIR"] == "/own"
    assert "HF_HUB_OFFLINE" not in told
    assert not ours.keys() & environment(ours, "ocr").keys()


def test_modules_of_the_current_folder_are_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("yaml.py", "json.py", "ingest.py"):
        (tmp_path / name).write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)
    raw = b"---\ntitle: Seats\n---\n# 4 Seats\n" + b"Words. " * (SMALL // 7)
    assert read_apart(FileRequest("a.md", "a.md", raw)).document.title == "Seats"


PARENT = """
import signal, sys
from ingest.handbook.reading import FileRequest
from ingest.pool.pool import read_apart
# A shell that starts the tests in the background has it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
raw = b"# while True: pass" + b" " * 100_000
read_apart(FileRequest("a.md", "a.md", raw), tuple(sys.argv[1:]))
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL], ids=lambda sign: sign.name)
def test_no_process_outlives_the_one_that_started_it(
    root: Path, obedient: tuple[str, ...], sign: signal.Signals
) -> None:
    command = [sys.executable, "-c", PARENT, *obedient]
    with subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL) as parent:
        watched = psutil.Process(parent.pid)
        while not (children := watched.children()) or children[0].cpu_times().user < 0.4:
            time.sleep(0.05)
        parent.send_signal(sign)
        parent.wait(10)
    for child in children:
        wait_for_end(child)


def wait_for_end(process: psutil.Process) -> None:
    # A process without a parent is a zombie until the first process of the machine cares for it.
    for _ in range(100):
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.05)
    pytest.fail("the reading process is still there")
