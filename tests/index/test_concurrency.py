"""Searching goes on, right and whole, while generations are published and deleted."""

from collections import Counter
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from index.snapshot import Snapshot
from tests.index import scene

GENERATIONS = 20


@pytest.mark.timeout(120)
def test_four_processes_search_while_twenty_generations_are_published(
    fast_path: Path, processes: ForkServerContext, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.publish(fast_path, 1)
    state, stop = fast_path / "state", fast_path / "stop"
    expected = scene.Expected.of(Snapshot.open(state))
    answers = processes.SimpleQueue()
    # Two keep their snapshot until it is stale, two open one for every question.
    searching = [
        processes.Process(target=scene.search_until, args=(state, stop, expected, reopen, answers))
        for reopen in (False, False, True, True)
    ]
    for child in searching:
        child.start()
    for revision in range(2, GENERATIONS + 2):
        scene.publish(fast_path, revision)
    stop.touch()
    for child in searching:
        child.join()
    assert [child.exitcode for child in searching] == [0, 0, 0, 0]
    counts = sum((Counter(answers.get()) for _ in searching), Counter[str]())
    with capsys.disabled():
        print(f"\nfour processes, {GENERATIONS} generations: " + ", ".join(f"{counts[k]} {k}" for k in KINDS))
    assert {kind: counts[kind] for kind in KINDS[1:]} == {"wrong": 0, "partial": 0, "failed": 0}, counts
    assert counts["right"] > GENERATIONS
    assert counts[f"generation {GENERATIONS + 1}"] >= len(searching)


KINDS = ("right", "wrong", "partial", "failed")
