"""Decorated functions: plain, async, generators and async generators, each as a function of the same form."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

from eval.replay.crossing import Crossing
from eval.replay.guard import network_allowed
from ingest.errors import QueryError

Begin = Callable[[dict[str, Any]], Crossing]
"""Begins one call with its inputs."""


def crossing_form(function: Callable[..., Any], begin: Begin, ignore: tuple[str, ...]) -> Callable[..., Any]:
    """A function that crosses a boundary at each call.

    Raises:
        QueryError: it cannot be called.
    """
    if not callable(function):
        fix = "put wrap(...) below @classmethod, @staticmethod and @property"
        raise QueryError(f"wrapped {type(function).__name__} cannot be called", fix=fix)
    inputs = _binder(function, ignore)

    def started(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Crossing:
        return begin(inputs(args, kwargs))

    make = next((make for is_form, make in _FORMS if is_form(function)), _plain)
    return functools.update_wrapper(make(function, started), function)


Started = Callable[[tuple[Any, ...], dict[str, Any]], Crossing]


def _plain(function: Callable[..., Any], begin: Started) -> Callable[..., Any]:
    def crossing_plain(*args: Any, **kwargs: Any) -> Any:
        crossing = begin(args, kwargs)
        if crossing.record is not None:
            return crossing.serve()
        with crossing.running():
            output = _settled(function(*args, **kwargs))
        crossing.finish(output)
        return output

    return crossing_plain


def _settled(output: Any) -> Any:
    """What a plain function gave; an awaitable or an iterator has not happened yet and cannot be recorded."""
    if inspect.isawaitable(output) or inspect.isgenerator(output) or inspect.isasyncgen(output):
        if inspect.iscoroutine(output):
            output.close()
        found = f"a wrapped function gave back {type(output).__name__}, which has not run yet"
        raise QueryError(found, fix="wrap an `async def`, or a function with `yield` of its own")
    return output


def _awaited(function: Callable[..., Awaitable[Any]], begin: Started) -> Callable[..., Any]:
    async def crossing_awaited(*args: Any, **kwargs: Any) -> Any:
        crossing = begin(args, kwargs)
        if crossing.record is not None:
            return crossing.serve()
        with crossing.running():
            output = await function(*args, **kwargs)
        crossing.finish(output)
        return output

    return crossing_awaited


def _generated(function: Callable[..., Iterator[Any]], begin: Started) -> Callable[..., Any]:
    def crossing_generated(*args: Any, **kwargs: Any) -> Iterator[Any]:
        crossing = begin(args, kwargs)
        if crossing.record is not None:
            yield from crossing.serve_stream()
            return
        items: list[Any] = []
        try:
            with network_allowed():
                source = iter(function(*args, **kwargs))
            while True:
                # Open only while the source runs: between two items it is the caller's turn.
                with network_allowed():
                    item = next(source, _END)
                if item is _END:
                    break
                items.append(item)
                yield item
        except GeneratorExit:
            source.close()  # type: ignore[attr-defined]
            crossing.finish(items, stream=True)
            raise
        except BaseException as error:
            crossing.fail(error, items, stream=True)
            raise
        crossing.finish(items, stream=True)

    return crossing_generated


def _async_generated(function: Callable[..., AsyncIterator[Any]], begin: Started) -> Callable[..., Any]:
    async def crossing_async_generated(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        crossing = begin(args, kwargs)
        if crossing.record is not None:
            for item in crossing.serve_stream():
                yield item
            return
        items: list[Any] = []
        source = function(*args, **kwargs)
        try:
            while True:
                with network_allowed():
                    item = await anext(source, _END)
                if item is _END:
                    break
                items.append(item)
                yield item
        except GeneratorExit:
            await source.aclose()  # type: ignore[attr-defined]
            crossing.finish(items, stream=True)
            raise
        except BaseException as error:
            crossing.fail(error, items, stream=True)
            raise
        crossing.finish(items, stream=True)

    return crossing_async_generated


_END = object()


def _is_coroutine(function: Callable[..., Any]) -> bool:
    # An object whose __call__ is async counts as well.
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


_FORMS: tuple[tuple[Callable[[Callable[..., Any]], bool], Callable[..., Callable[..., Any]]], ...] = (
    (_is_coroutine, _awaited),
    (inspect.isgeneratorfunction, _generated),
    (inspect.isasyncgenfunction, _async_generated),
)


def _binder(
    function: Callable[..., Any], ignore: tuple[str, ...]
) -> Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]:
    """What makes a call's inputs by name: its arguments with their defaults, without `self`."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return lambda args, kwargs: {"args": list(args), **kwargs}
    names = list(signature.parameters)
    left_out = {*ignore, *(name for name in names[:1] if name in ("self", "cls"))}
    positional, more = (
        next((one.name for one in signature.parameters.values() if one.kind is kind), "")
        for kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    )

    def inputs(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        given |= given.pop(more, {})
        # No `*args` were given: that is no input, so that a fix may add them. Others are not asked whether they are
        # true: an array has no answer.
        return {name: one for name, one in given.items() if name not in left_out and (name != positional or one)}

    return inputs
