"""`caveat index` over a folder of hostile files: one line for each, and every good document indexed."""

import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.ingest import hostile
from tests.ingest.hostile import CASES, OTHERS
from tests.ingest.hostile_files import SECRET, STOLEN

EDITION = "2026-01-01"
SETTINGS = '[encoder]\nmodel = "hash-384"\n[ingest]\nread_seconds = 30\nread_memory_mb = 512\n'
CAP = 512 * 1024 * 1024
OURS = 700 * 1024 * 1024
"""What the process that indexes may take itself."""


@dataclass(frozen=True)
class Ran:
    status: int
    err: str
    values: Any
    seconds: float
    peak: int
    """Largest resident set of a process that reads."""
    own_peak: int
    """Of the process that was started."""
    texts: Mapping[str, str]
    """What is indexed, by document."""


def watched(process: psutil.Process, peaks: dict[int, int]) -> None:
    """Note the largest resident set of each process of the tree, until it ends."""
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        for one in (process, *process.children(recursive=True)):
            try:
                peaks[one.pid] = max(peaks.get(one.pid, 0), one.memory_info().rss)
            except psutil.NoSuchProcess:
                continue
        time.sleep(0.02)


def indexed_texts(state: Path) -> dict[str, str]:
    catalog = sqlite3.connect(state / "history" / "catalog.sqlite")
    rows = catalog.execute("SELECT doc_id, text FROM versions JOIN contents ON content = contents.digest")
    texts: dict[str, str] = defaultdict(str)
    for doc_id, text in rows:
        texts[doc_id] += text
    catalog.close()
    return dict(texts)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Ran:
    folder = tmp_path_factory.mktemp("hostile")
    hostile.build(folder / "handbook" / EDITION)
    (folder / "caveat.toml").write_text(SETTINGS, encoding="utf-8")
    command = [sys.executable, "-m", "eval.cli", "index", "handbook", "--json"]
    environment = {"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    start = time.perf_counter()
    peaks: dict[int, int] = {}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        watcher = threading.Thread(target=watched, args=(psutil.Process(child.pid), peaks))
        watcher.start()
        out, err = child.communicate(timeout=120)
        watcher.join()
    seconds = time.perf_counter() - start
    own = peaks.pop(child.pid)
    peak, texts = max(peaks.values(), default=0), indexed_texts(folder / ".caveat")
    return Ran(child.returncode, err, json.loads(out), seconds, peak, own, texts)


def test_it_ends_with_status_1_and_says_nothing_but_its_answer(ran: Ran) -> None:
    assert (ran.status, ran.err) == (1, "")


REFUSED = {name: case.refused for name, case in CASES.items() if case.refused} | OTHERS


def test_exactly_the_hostile_files_are_refused(ran: Ran) -> None:
    assert {one["file"] for one in ran.values["refusals"]} == set(REFUSED)


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_file_has_one_line_with_its_name_and_the_reason(ran: Ran, name: str) -> None:
    lines = [one["reason"] for one in ran.values["refusals"] if one["file"] == name]
    assert lines == [f"{EDITION}/{name}{REFUSED[name]}"]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.kept])
def test_what_is_good_is_indexed(ran: Ran, name: str) -> None:
    assert CASES[name].kept in " ".join(ran.texts[name].split())


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.note])
def test_a_suspicious_file_has_one_remark(ran: Ran, name: str) -> None:
    noted = (one for one in ran.values["notes"] if one["code"] != "same-name")
    notes = [one for one in noted if one["where"].startswith(f"{EDITION}/{name}")]
    assert [f"{one['where']}: {one['message']} [{one['code']}]" for one in notes] == [
        f"{EDITION}/{name}{CASES[name].note}"
    ]


@pytest.mark.parametrize("words", [SECRET, STOLEN, "for ever", "Outside of the handbook"])
def test_no_hidden_prompt_no_stolen_file_and_no_deletion_is_indexed(ran: Ran, words: str) -> None:
    assert [name for name, text in ran.texts.items() if words in text] == []


def test_memory_and_time_stay_under_their_caps(ran: Ran) -> None:
    assert ran.peak < CAP * 1.1
    assert ran.own_peak < OURS
    assert ran.seconds < 60
