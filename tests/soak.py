"""Index runs, each given a random time, until a hundred were killed; run by `make soak`, outside the tests.

    python -m tests.soak [KILLS] [SEED]

After each kill the published generation must answer, right and whole; runs that are not killed in time count
too. At the end one undisturbed run must finish what is left. Exit status 1 if anything was wrong.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from index.doctor import examine
from index.run import index_run
from index.snapshot import Snapshot
from index.state import State
from ingest.errors import CaveatError
from tests.index import scene


def main(kills: int = 100, seed: int = 7) -> int:
    """Run the soak; returns the exit status."""
    generator, counts = np.random.default_rng(seed), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="caveat-soak-") as name:
        folder = Path(name)
        scene.publish(folder, 1)
        expected = scene.Expected.of(Snapshot.open(folder / "state"))
        longest = _duration(folder)
        revision = 3
        while counts["killed"] < kills:
            revision += 1
            scene.write_handbook(folder / "handbook", revision)
            counts[_kill(folder, revision, float(generator.uniform(0, longest)))] += 1
            counts[_answer(folder, expected)] += 1
        scene.publish(folder, revision + 1)
        counts[_answer(folder, expected)] += 1
        counts["left over"] = len(examine(State(folder / "state")))
    print(
        ", ".join(
            f"{counts[kind]} {kind}" for kind in ("killed", "done", "right", "wrong", "partial", "failed", "left over")
        )
    )
    return 1 if counts["wrong"] + counts["partial"] + counts["failed"] + counts["left over"] else 0


def _duration(folder: Path) -> float:
    """Seconds of an undisturbed run in a process of its own; the second one, as the first starts the fork server."""
    spent = 0.0
    for revision in (2, 3):
        scene.write_handbook(folder / "handbook", revision)
        start = time.perf_counter()
        child = multiprocessing.get_context("forkserver").Process(
            target=index_run, args=(scene.request(folder, revision),)
        )
        child.start()
        child.join()
        spent = time.perf_counter() - start
    return spent


def _kill(folder: Path, revision: int, seconds: float) -> str:
    child = multiprocessing.get_context("forkserver").Process(target=index_run, args=(scene.request(folder, revision),))
    child.start()
    child.join(seconds)
    if child.is_alive() and child.pid:
        os.kill(child.pid, signal.SIGKILL)
    child.join()
    return "done" if child.exitcode == 0 else "killed" if child.exitcode == -signal.SIGKILL else "failed"


def _answer(folder: Path, expected: scene.Expected) -> str:
    try:
        return scene.fault_in(Snapshot.open(folder / "state"), expected) or "right"
    except CaveatError as error:
        print(error, file=sys.stderr)
        return "failed"


if __name__ == "__main__":
    multiprocessing.get_context("forkserver").set_forkserver_preload(["tests.index.scene"])
    sys.exit(main(*map(int, sys.argv[1:])))
