"""The network in a replay: refused, unless it happens inside a wrapped boundary or where it was declared live.

It hears of a call from the interpreter itself (an audit hook), so no library gets past it by having imported
`socket` earlier. What it cannot see: sockets of compiled code that does not go through Python's own (gRPC's core,
libpq, libcurl, clients in Rust), connections that were open before the replay, other processes that are started, and
Unix sockets, which are left alone.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import FrameType
from typing import Any, Final

from ingest.errors import NetworkRefused

_ALLOWED: ContextVar[bool] = ContextVar("caveat_network_allowed", default=False)
_ARMED: dict[int, Guard] = {}
_LOCK: Final = threading.RLock()
_hooked = False


@contextmanager
def network_allowed() -> Iterator[None]:
    """Let network calls through in this thread or task, and in the threads and tasks that it starts."""
    token = _ALLOWED.set(True)
    try:
        yield
    finally:
        # A block inside a generator may end in another context than it began in, where nothing was set.
        with suppress(ValueError):
            _ALLOWED.reset(token)


class Guard:
    """Refuses network calls of this process while it is armed."""

    def __init__(self, live: Iterable[str] = ()):
        """`live` are modules, with all below them, whose calls are declared live: "opentelemetry"."""
        self._live = tuple(live)
        self.refused: list[NetworkRefused] = []
        """Every refusal so far; a caller may have caught it and gone on."""

    def arm(self) -> None:
        """Begin to refuse."""
        global _hooked
        with _LOCK:
            if not _hooked:
                # A hook stays for the life of the interpreter; with nothing armed it returns at once.
                sys.addaudithook(_heard)
                _hooked = True
            if not _ARMED:
                _carry.install()
            _ARMED[id(self)] = self

    def disarm(self) -> None:
        """Refuse nothing more; does nothing where it was not armed."""
        with _LOCK:
            if _ARMED.pop(id(self), None) is not None and not _ARMED:
                _carry.remove()

    def check(self, called: str) -> None:
        """Refuse a call, unless a declared module stands in the stack.

        Raises:
            NetworkRefused: it is not declared.
        """
        if any(_belongs(frame, self._live) for frame in _stack()):
            return
        where = _call_site()
        # The one that is raised gets a traceback, and with it would keep alive all that its frames hold.
        self.refused.append(_refusal(called, where))
        raise _refusal(called, where)


def _refusal(called: str, where: str) -> NetworkRefused:
    return NetworkRefused(
        f"{called} in a replay, outside every wrapped boundary",
        where=where,
        fix='wrap what calls it, or declare it: with session.live("why"), or CutPointSession(..., live=["module"])',
    )


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    """The audit hook."""
    if not _ARMED or event not in _EVENTS:
        return
    if _ALLOWED.get():
        return
    called = _EVENTS[event](arguments)
    if called is None:
        return
    try:
        for guard in list(_ARMED.values()):
            guard.check(called)
    except NetworkRefused:
        # The standard library closes a socket that could not connect only where that was an OSError.
        if event == "socket.connect" and arguments[0].type == socket.SOCK_STREAM:
            arguments[0].close()
        raise


def _to_address(arguments: tuple[Any, ...]) -> str | None:
    """A call through a socket; None where it leaves the machine's own Unix sockets alone."""
    sock, address = arguments[0], arguments[1]
    if getattr(sock, "family", None) not in (socket.AF_INET, socket.AF_INET6):
        return None
    return f"a network call to {_shown(address)}"


def _resolving(arguments: tuple[Any, ...]) -> str | None:
    """A name that is looked up; None where nobody has to be asked."""
    host = arguments[0]
    name = host.decode(errors="replace") if isinstance(host, (bytes, bytearray)) else host
    if not name or name == "localhost" or _is_number(str(name)):
        return None
    return f"a look-up of {name}"


def _resolving_back(arguments: tuple[Any, ...]) -> str | None:
    return f"a look-up of {_shown(arguments[0])}"


_EVENTS: Final[dict[str, Callable[[tuple[Any, ...]], str | None]]] = {
    "socket.connect": _to_address,
    "socket.sendto": _to_address,
    "socket.sendmsg": _to_address,
    "socket.getaddrinfo": _resolving,
    "socket.gethostbyname": _resolving,
    "socket.gethostbyaddr": _resolving_back,
    "socket.getnameinfo": _resolving_back,
}


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.split("%")[0])
    except ValueError:
        return False
    return True


def _shown(address: object) -> str:
    if isinstance(address, tuple) and len(address) >= 2:
        return f"{address[0]}:{address[1]}"
    return "a connected socket" if address is None else str(address)


_STDLIB: Final = (sysconfig.get_path("stdlib"), "<frozen")
_OWN: Final = __name__


def _stack() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") != _OWN:
            yield frame
        frame = frame.f_back


def _belongs(frame: FrameType, modules: tuple[str, ...]) -> bool:
    name = str(frame.f_globals.get("__name__", ""))
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _call_site() -> str:
    """The innermost line that is neither the standard library's nor an installed package's."""
    for frame in _stack():
        file = frame.f_code.co_filename
        if not file.startswith(_STDLIB) and "site-packages" not in file:
            return f"{file}:{frame.f_lineno}"
    return f"thread {threading.current_thread().name}"


class _Carry:
    """Carries the permission into threads and pools: Python does not hand them the context of who started them."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def install(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._replace(threading.Thread, "start", _carrying_start)
        self._replace(ThreadPoolExecutor, "submit", _carrying_submit)

    def remove(self) -> None:
        while self._undo:
            self._undo.pop()()

    def _replace(self, owner: type, name: str, make: Callable[[Any], Any]) -> None:
        before = getattr(owner, name)
        ours = make(before)
        setattr(owner, name, ours)

        def undo() -> None:
            # Another patch may have come on top: it holds ours, which does no harm with nothing armed.
            if getattr(owner, name) is ours:
                setattr(owner, name, before)

        self._undo.append(undo)


_carry: Final = _Carry()


def _carrying_start(start: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    def carrying(thread: threading.Thread) -> None:
        if _ALLOWED.get():
            thread.run = _permitted(thread.run)  # type: ignore[method-assign]
        start(thread)

    return carrying


def _carrying_submit(submit: Callable[..., Any]) -> Callable[..., Any]:
    def carrying(pool: Any, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if not _ALLOWED.get():
            return submit(pool, function, *args, **kwargs)
        # The pool's own thread outlives this call, so the permission must not stay with it.
        token = _ALLOWED.set(False)
        try:
            return submit(pool, _permitted(function), *args, **kwargs)
        finally:
            _ALLOWED.reset(token)

    return carrying


def _permitted(function: Callable[..., Any]) -> Callable[..., Any]:
    def permitted(*args: Any, **kwargs: Any) -> Any:
        with network_allowed():
            return function(*args, **kwargs)

    return permitted
