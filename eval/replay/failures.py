"""Exceptions in a trace: a call that failed when it was recorded fails in the same way when it is replayed."""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from eval.replay.envelope import Failure


class RecordedFailure(Exception):
    """A recorded call failed with an exception of a class that `Values(raises=...)` did not name."""

    def __init__(self, failure: Failure):
        self.failure = failure
        super().__init__(f"{failure.type}: {failure.message}")


def failure_of(error: BaseException, message: str) -> Failure:
    """An exception as a trace keeps it; `message` is its redacted text."""
    return Failure(type_name(type(error)), message)


def type_name(kind: type) -> str:
    """ "TimeoutError", or with its module, "httpx.ReadTimeout"."""
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def rebuilt(failure: Failure, known: Iterable[type[Exception]]) -> Exception:
    """The exception to raise: of a known class or a built-in one, else a RecordedFailure.

    Nothing is imported because a trace names it.
    """
    kind = next((one for one in known if type_name(one) == failure.type), None) or _builtin(failure.type)
    if kind is None:
        return RecordedFailure(failure)
    try:
        return kind(failure.message)
    except Exception:  # its constructor wants more than a text
        return _bare(kind, failure)


def _builtin(name: str) -> type[Exception] | None:
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


def _bare(kind: type[Exception], failure: Failure) -> Exception:
    try:
        made = kind.__new__(kind, failure.message)
    except Exception:  # not even made: the class cannot be had from a text
        return RecordedFailure(failure)
    made.args = (failure.message,)
    return made
