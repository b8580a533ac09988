"""Call sites that are declared live: what they do over the network is let through in a replay."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast

from eval.replay.guard import network_allowed
from ingest.errors import QueryError

P = ParamSpec("P")
R = TypeVar("R")


class Live:
    """`session.live("why")`: a `with` or `async with` block, or a decorator of a plain or async function."""

    def __init__(self, why: str):
        if not isinstance(why, str) or not why.strip():
            raise QueryError(f"live call site without a reason ({why!r})", fix='session.live("metrics are sent")')
        self.why = why
        self._entered: list[AbstractContextManager[None]] = []

    def __enter__(self) -> None:
        if self._entered:
            raise QueryError("this live block is entered already", fix="call session.live(...) for each `with`")
        self._entered.append(network_allowed())
        self._entered[-1].__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.pop().__exit__(kind, error, trace)

    async def __aenter__(self) -> None:
        self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """The function with its network calls let through."""
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise QueryError("a generator cannot be declared live", fix="use `with session.live(...)` inside it")
        run: Any = function
        if inspect.iscoroutinefunction(function):

            async def live_async(*args: Any, **kwargs: Any) -> Any:
                with network_allowed():
                    return await run(*args, **kwargs)

            return cast("Callable[P, R]", functools.update_wrapper(live_async, function))

        def live(*args: Any, **kwargs: Any) -> Any:
            with network_allowed():
                return run(*args, **kwargs)

        return cast("Callable[P, R]", functools.update_wrapper(live, function))
