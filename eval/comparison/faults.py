"""What can go wrong with a call to a model, whatever client and server say of it.

Transient     worth another try: too many requests, a server's fault, a time-out, a reply that breaks off or is none
Rejected      this prompt will not be answered: too long for the model, or refused
Unknown       the server does not know one of the keys that can be left out
ConfigError   nothing will be answered: a wrong key, address or name, or no money left there
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

from ingest.errors import ConfigError

_UNKNOWN: Final = re.compile(r"unsupported|not supported|unknown|unrecogni[sz]ed|extra|unexpected|not permitted", re.I)
_SHOWN: Final = 300
"""Characters of what a server said, in a message."""
_UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, IndexError)


class Transient(Exception):
    """A call failed in a way that another try may mend."""

    def __init__(self, why: str, *, wait: float | None = None, sent: bool = False):
        """`wait`: seconds that the server asked for; `sent`: the model may have worked, so it may be charged."""
        self.wait, self.sent = wait, sent
        super().__init__(why)


class Rejected(Exception):
    """A prompt that the model will not answer, however often it is asked."""


class Unknown(Exception):
    """The server does not know a key that can be left out."""

    def __init__(self, key: str):
        self.key = key
        super().__init__(key)


@contextmanager
def mapped(seconds: float, where: str, droppable: Collection[str]) -> Iterator[None]:
    """Turns what the openai client and its transport raise into this module's errors.

    Args:
        seconds: How long an answer was waited for.
        where: The address, for messages.
        droppable: Keys of the request that can be left out.
    """
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise _by_status(error, where, droppable) from error
    except openai.APITimeoutError as error:
        raise Transient(f"no answer after {seconds:g} s", sent=True) from error
    except openai.APIError as error:
        raise Transient(_said(error), sent=not isinstance(error, openai.APIConnectionError)) from error
    except _UNREADABLE as error:
        raise Transient(f"an answer that cannot be read: {_said(error)}", sent=True) from error
    except Exception as error:
        # What breaks in the middle of a stream comes as the transport's own; the client wraps only what comes before.
        if not type(error).__module__.startswith("httpx"):
            raise
        late = "Timeout" in type(error).__name__
        raise Transient(f"no answer after {seconds:g} s" if late else _said(error), sent=True) from error


def _by_status(error: Any, where: str, droppable: Collection[str]) -> Exception:
    status, said = error.status_code, _said(error)
    if status in (400, 422):
        key = next((key for key in sorted(droppable) if key in said and _UNKNOWN.search(said)), None)
        return Unknown(key) if key else Rejected(said)
    if status == 413:
        return Rejected(said)
    if status in (401, 402, 403, 404) or error.code == "insufficient_quota":
        fix = "check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name"
        return ConfigError(f"the model cannot be asked: {said}", where=where, fix=fix)
    return Transient(said, wait=_wait(error.response.headers.get("retry-after")))


def _wait(told: str | None) -> float | None:
    """Seconds; None where the server asked for none, or for a date, which needs its clock."""
    try:
        return max(0.0, float(told)) if told else None
    except ValueError:
        return None


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_SHOWN]
