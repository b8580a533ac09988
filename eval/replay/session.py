"""CutPointSession: record the calls over named boundaries, or replay some of them frozen and run the rest."""

from __future__ import annotations

import os
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Literal, Self, get_args

from eval.replay.crossing import About, Crossing, Values
from eval.replay.envelope import Envelope, Key
from eval.replay.failures import type_name
from eval.replay.guard import Guard
from eval.replay.live import Live
from eval.replay.matching import Verdict
from eval.replay.plain import Plain
from eval.replay.recording import begun, ended, named, unread
from eval.replay.redacting import NOT_REDACTED, Redacting, Redaction
from eval.replay.replaying import Drift, Replaying, drifts
from eval.replay.trace import Trace, Writer, read_trace
from eval.replay.wrapping import Wrap
from ingest.errors import QueryError, ReplayDivergence, StateError

Mode = Literal["record", "replay"]
_MODES: Final = get_args(Mode)


class CutPointSession:
    """One run of an agent, recorded at its cut points; or replayed, with what is stubbed frozen and the rest live.

    with CutPointSession("trace.jsonl", "record") as session:
        rewrite = session.wrap("query_rewrite", model_version="rewriter-3")(rewrite)

    with CutPointSession("trace.jsonl", "replay") as session:
        session.stub("query_rewrite")

    One session serves all threads and tasks of a process. A recording session never makes a call fail: what it could
    not write it says as a warning, and `close` raises it. It does not follow calls into other processes.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        mode: Mode,
        *,
        allow_model_drift: Drift | Sequence[Drift] = (),
        live: Sequence[str] = (),
        redactor: Redacting | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ):
        """Open a trace.

        `allow_model_drift` spells the recorded model and the one that may stand in for it, ("old", "new"); `live` are
        modules whose network calls a replay lets through; `now` gives the time that records bear.

        Raises:
            QueryError: the mode or the drift is none.
            SourceError: in replay: unreadable, not JSON Lines, or no envelopes; with file and line.
            ConfigError: in record: caveat.toml is wrong.
            StateError: in record: there is a recording already, or the file cannot be made.
        """
        if mode not in _MODES:
            raise QueryError(f"mode {mode!r}", allowed=" or ".join(f'"{one}"' for one in _MODES))
        self.path = Path(path)
        self.mode: Mode = mode
        self._drifts = drifts(allow_model_drift)
        self._now = now
        self._lock = threading.RLock()
        self._redact = Redaction(redactor, forgiving=mode == "record")
        self._count: dict[str, int] = {}
        self._made: dict[Key, Envelope] = {}
        self._divergences: list[ReplayDivergence] = []
        self._state: Literal["new", "open", "closed"] = "new"
        self._entered = False
        self._failed: StateError | None = None
        self._missed: list[str] = []
        self._process = os.getpid()
        self._guard = Guard([live] if isinstance(live, str) else live)
        self._trace: Trace | None = read_trace(self.path) if mode == "replay" else None
        self._replaying = Replaying(self._trace, self._redact, self._drifts) if self._trace else None
        self._writer = Writer(self.path) if mode == "record" else None
        # A session that nobody closes must not leave the network shut behind it.
        weakref.finalize(self, _release, self._guard, self._writer)

    # What a test looks at

    @property
    def envelopes(self) -> Mapping[Key, Envelope]:
        """In replay what the trace holds, in record what was recorded so far, by (boundary, call index from 1)."""
        with self._lock:
            return MappingProxyType(dict(self._made if self._trace is None else self._trace.envelopes))

    @property
    def captured_live(self) -> Mapping[Key, Envelope]:
        """In replay: the calls that ran, by boundary and live call index, in the order in which they ended."""
        with self._lock:
            return MappingProxyType(dict(self._made if self._trace is not None else {}))

    @property
    def unserved(self) -> tuple[Key, ...]:
        """Stubbed calls that nothing has asked for yet."""
        with self._lock:
            return self._replaying.unserved() if self._replaying else ()

    @property
    def divergences(self) -> tuple[ReplayDivergence, ...]:
        """Every divergence that was raised, also those that the code under test caught."""
        with self._lock:
            return tuple(self._divergences)

    @property
    def refused(self) -> tuple[Exception, ...]:
        """Every network call that was refused, also where the code under test caught the refusal."""
        return tuple(self._guard.refused)

    @property
    def cut_bytes(self) -> int:
        """In replay: bytes at the end of the trace that a crash left unfinished; 0 where it is whole."""
        return self._trace.cut_bytes if self._trace else 0

    # What an agent is wired with

    def wrap(
        self,
        boundary: str,
        model_version: str | None = None,
        *,
        model: str | None = None,
        sampling: Mapping[str, Any] | None = None,
        prompt: object = None,
        inputs: Mapping[str, Any] | None = None,
        values: Values | None = None,
    ) -> Wrap:
        """A boundary, as decorator or context manager, sync or async.

        `sampling` and `prompt` need not be given where the function gets them as arguments of the usual names. Of
        `prompt` only a digest is kept. `inputs` are those of a `with` block that is itself the call.

        Raises:
            QueryError: the boundary has no name; or in record: its name holds what is redacted.
        """
        if not isinstance(boundary, str) or not boundary.strip():
            raise QueryError(f"boundary {boundary!r}", allowed="a name", fix='@session.wrap("query_rewrite")')
        about = About(self._writable(boundary), model, model_version, dict(sampling or {}), prompt, values or Values())
        return Wrap(self, about, inputs)

    def stub(self, boundary: str, call_index: int | None = 1) -> None:
        """Freeze a recorded call; with None every call of the boundary, so that none runs live.

        Raises:
            QueryError: the session records, or the call was never recorded.
        """
        if self._replaying is None:
            raise QueryError("a stub in a recording", fix='open the trace with mode="replay"')
        with self._lock:
            self._replaying.stub(boundary, call_index)

    def live(self, why: str) -> Live:
        """Declare a call site live: as decorator or `with`, sync or async, network calls in it are let through."""
        return Live(why)

    def close(self) -> None:
        """End the session; a second time does nothing.

        Raises:
            StateError: not every call could be written.
        """
        with self._lock:
            if self._state == "closed":
                return
            self._state = "closed"
            self._guard.disarm()
            if self._writer:
                self._writer.close()
            if self._failed:
                raise self._failed
            if self._missed:
                raise StateError(f"calls not recorded: {len(self._missed)}; {self._missed[0]}", where=str(self.path))

    def __enter__(self) -> Self:
        with self._lock:
            self._open()
            if self._entered:
                raise QueryError("the session is entered already", where=str(self.path), fix="one `with` a session")
            self._entered = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except StateError:
            # What went wrong inside matters more than that its recording is not complete.
            if error is None:
                raise

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)

    # What crossings tell

    def _writable(self, boundary: str) -> str:
        """The name under which calls are kept: a key, so that one with a secret is refused and not renamed."""
        if self._writer is None:
            return boundary
        with self._lock:
            redacted = self._redact.text(boundary)
        if redacted not in (boundary, NOT_REDACTED):
            fix = 'name the step, and give its data as inputs: session.wrap("send_mail", inputs={...})'
            raise QueryError(f'boundary "{redacted}" holds what is redacted', where=str(self.path), fix=fix)
        return redacted

    def _open(self) -> None:
        if self._state == "closed":
            raise StateError("the session is closed", where=str(self.path), fix="open a new one for each run")
        if os.getpid() != self._process:
            raise StateError(
                "the session belongs to the process that opened it",
                where=str(self.path),
                fix="open one in each process",
            )
        if self._state == "new" and self.mode == "replay":
            self._guard.arm()
        self._state = "open"

    def _begin(self, about: About, inputs: Mapping[str, Any]) -> Crossing:
        """Number a call and decide what becomes of it.

        Raises:
            StateError: the session is closed.
            ReplayDivergence: in replay: it is not the call that is frozen, or goes to another model.
        """
        plain = Plain(inputs if isinstance(inputs, Mapping) else dict(inputs), "inputs")
        with self._lock:
            self._open()
            index = self._count[about.boundary] = self._count.get(about.boundary, 0) + 1
            given = self._given(about, index, plain)
            crossing = Crossing(self, about, given, time.perf_counter())
            if self._replaying is not None:
                self._settle(self._replaying, crossing)
        return crossing

    def _settle(self, replaying: Replaying, crossing: Crossing) -> None:
        try:
            match, differs = replaying.match(crossing.given)
        except ReplayDivergence as divergence:
            self._divergences.append(divergence)
            raise
        crossing.given = replace(crossing.given, differs=differs)
        crossing.record = match.record if match.verdict is Verdict.FROZEN else None
        # The clock starts when the call does, not when its record was looked for.
        crossing.started = time.perf_counter()

    def _given(self, about: About, index: int, inputs: Plain) -> Envelope:
        """A call's envelope before it ran."""
        try:
            return begun(about, index, inputs, self._redact)
        except Exception as error:
            if self._writer is None:
                raise
            self._tell(f"{named(about.boundary, index)}: its inputs could not be recorded ({type_name(type(error))})")
            return unread(about, index)

    def _finish(self, crossing: Crossing, output: Plain, error: BaseException | None, stream: bool) -> None:
        """Keep how a call ended; whatever goes wrong here in a recording is told, and not raised into the call."""
        milliseconds = round((time.perf_counter() - crossing.started) * 1000, 3)
        with self._lock:
            try:
                envelope = ended(crossing.given, output, error, self._redact)
                self._keep(replace(envelope, recorded_at=_iso(self._now()), latency_ms=milliseconds, stream=stream))
            except Exception as wrong:
                if self._writer is None:
                    raise
                call = named(*crossing.given.key)
                self._missed.append(f"{call} could not be recorded ({type_name(type(wrong))})")
                self._tell(self._missed[-1])

    def _keep(self, envelope: Envelope) -> None:
        if self._writer is None:
            self._made[envelope.key] = envelope
        elif self._state == "closed":
            self._tell(f"{named(*envelope.key)} ended after its session was closed: not recorded")
        elif self._failed is None:
            try:
                self._writer.write(envelope)
                self._made[envelope.key] = envelope
            except StateError as error:
                self._failed = error
                self._tell(f"{error}; nothing more is recorded")

    def _tell(self, text: str) -> None:
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def _release(guard: Guard, writer: Writer | None) -> None:
    guard.disarm()
    if writer is not None:
        writer.close()


def _iso(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
