"""Exceptions in a trace: a call that failed when it was recorded fails in the same way when it is replayed."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable

from eval.replay.envelope import Failure


class RecordedFailure(Exception):
    """A recorded call failed with an exception of a class that `Values(raises=...)` did not name."""

    def __init__(self, failure: Failure):
        self.failure = failure
        super().__init__(f"{failure.type}: {failure.message}")


def text_of(error: BaseException) -> str | None:
    """An exception's text; None where its `__str__` raises."""
    try:
        return str(error)
    except Exception:  # of a foreign class
        return None


def shown_error(error: BaseException) -> str:
    """An exception in a message: its text, or else its type."""
    return text_of(error) or type_name(type(error))


def type_name(kind: type) -> str:
    """ "TimeoutError", or with its module, "httpx.ReadTimeout"."""
    try:
        return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    except Exception:  # of a metaclass
        return "object"


def rebuilt(failure: Failure, known: Iterable[type[Exception]], named: Callable[[str], str] = str) -> Exception:
    """The exception to raise: of a known class or a built-in one, else a RecordedFailure.

    Types are compared as `named` makes them: redacted, as the recorded one is. Nothing is imported because a trace
    names it.
    """
    told = named(failure.type)
    kind = next((one for one in known if named(type_name(one)) == told), None) or _builtin(failure.type)
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
