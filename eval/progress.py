"""Progress bars on stderr, only where a person can see them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Told = Callable[[str, int, int], None]
"""Called with (stage, done, in all)."""


@contextmanager
def progress(about: str = "index") -> Iterator[Told | None]:
    """What long work reports to; None, and silence, where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    name = TextColumn("{task.description:<10}")
    columns = (SpinnerColumn(), name, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        # The first run converts the model, which takes a while and counts nothing.
        bars.add_task(about, total=None)
        yield _Stages(bars)


class _Stages:
    """One bar for each stage, begun when it first reports."""

    def __init__(self, bars: Progress):
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total)
        self._bars.update(self._tasks[stage], completed=done, total=total)
