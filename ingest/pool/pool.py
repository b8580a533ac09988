"""Files read in parallel by processes of their own, their answers in the order of the questions.

with ReadingPool(settings) as pool:
    for answer in pool.read([Wanted("04-seats.pdf", size, fetch)]): ...
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Final, Self

from ingest.errors import CaveatError, SourceError
from ingest.formats import MARKDOWN, format_of
from ingest.handbook.reading import FileReading, FileRequest
from ingest.pool.child import COMMAND, Child, Died
from ingest.pool.worker import read_here
from ingest.settings import IngestSettings

MOST: Final = 4
"""Processes at most; each may use `read_memory_mb`."""
AHEAD: Final = 32
"""Files that may be read while the first of them is waited for: their readings, not their bytes, are kept."""
# A process takes 0.3 s to start, in which this one reads half a megabyte of Markdown; where several start on busy
# cores, only some megabytes are sure to pay for it. Such text goes through our own parser alone, and is harmless
# while it is short.
SMALL: Final = 64_000
"""Bytes below which a Markdown file is read in this process."""
FEW: Final = 4_000_000
"""Bytes of such files together from which on they go to the processes all the same, to be read in parallel."""

Answer = FileReading | SourceError


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to be read, whose bytes are not in memory yet."""

    relative: str
    size: int
    """Bytes."""
    fetch: Callable[[], FileRequest]
    """May raise SourceError."""

    @property
    def is_small(self) -> bool:
        """Whether starting a process for it would take longer than reading it."""
        return self.size < SMALL and format_of(self.relative) in (MARKDOWN, None)


class ReadingPool:
    """Processes that read files; started when they are first needed, ended with the `with` block."""

    def __init__(self, settings: IngestSettings, command: Sequence[str] = COMMAND):
        self._settings, self._command = settings, command
        self._threads = ThreadPoolExecutor(_processes(), thread_name_prefix="caveat-reading")
        self._guard = threading.Lock()
        self._children: set[Child] = set()
        self._idle: list[Child] = []
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes at once, whatever they are busy with."""
        with self._guard:
            self._closed = True
            children = list(self._children)
        for child in children:
            child.kill()
        self._threads.shutdown(cancel_futures=True)
        for child in children:
            child.close()

    def read(self, wanted: Sequence[Wanted]) -> Iterator[Answer]:
        """Read files; what each of them gave, or why it was refused, in the order of `wanted`.

        Raises:
            CaveatError: no fault of a file: the processes do not start, or an extra is not installed.
        """
        few = sum(one.size for one in wanted if one.is_small) < FEW
        waiting: deque[Callable[[], Answer]] = deque()
        for one in wanted:
            here = one.is_small and few
            waiting.append(partial(_here, one) if here else self._threads.submit(self._apart, one).result)
            if len(waiting) >= AHEAD:
                yield waiting.popleft()()
        while waiting:
            yield waiting.popleft()()

    def _apart(self, one: Wanted) -> Answer:
        # Only now, in the thread of a process that is free: no more files than processes are in memory.
        try:
            request = one.fetch()
            answer = self._asked(request)
        except SourceError as error:
            return error
        if isinstance(answer, CaveatError) and not isinstance(answer, SourceError):
            raise answer
        return answer

    def _asked(self, request: FileRequest) -> FileReading | CaveatError:
        while True:
            child = self._child()
            try:
                answer = child.ask(request)
            except Died as death:
                self._forget(child)
                # What a file is refused for must not depend on the files before it: only a new process counts.
                if death.is_slow or not child.answered:
                    return death.refusal(request.where)
            except BaseException:
                self._forget(child)
                raise
            else:
                self._idle.append(child)
                return answer

    def _child(self) -> Child:
        with self._guard:
            if self._closed:
                raise CaveatError("no file is read any more")
            if self._idle:
                return self._idle.pop()
            try:
                child = Child(self._settings, self._command)
            except OSError as error:
                found = f"the process that reads files does not start ({error.strerror or error})"
                raise CaveatError(found, fix="close other programs") from error
            self._children.add(child)
            return child

    def _forget(self, child: Child) -> None:
        child.close()
        with self._guard:
            self._children.discard(child)


def _processes() -> int:
    free = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(free, MOST)


def _here(one: Wanted) -> Answer:
    try:
        return read_here(one.fetch())
    except SourceError as error:
        return error


def read_apart(request: FileRequest, command: Sequence[str] = COMMAND) -> FileReading:
    """Read one file, in a process of its own unless it is small Markdown.

    Raises:
        SourceError: it is refused.
        CaveatError: the process does not start.
    """
    with ReadingPool(request.settings, command) as pool:
        [answer] = pool.read([Wanted(request.relative, len(request.raw), lambda: request)])
    if isinstance(answer, SourceError):
        raise answer
    return answer
