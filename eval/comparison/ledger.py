"""The calls that were paid for, in a trace that is only appended to, so that none is paid for twice.

A line is an envelope as `eval.replay` writes them: `read_trace` reads it. Of a prompt its digest is kept; the ticket's
message and what the model wrote are redacted, except for what the model copied from the policy text. A call that broke
off is kept with its error and what it may have cost. A call that was running when the process was killed is not there.
"""

from __future__ import annotations

import fcntl
import json
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, Protocol, Self

from eval.comparison.faults import Transient
from eval.comparison.model import Reply, Request, Usage
from eval.comparison.scoring import Unreadable, parse_decision
from eval.replay.envelope import Envelope, Failure, Key
from eval.replay.fields import field_digests
from eval.replay.packing import Packer
from eval.replay.plain import Plain
from eval.replay.trace import read_trace
from eval.tickets import normal
from index.digests import digest, text_digest
from ingest.errors import SourceError, StateError, StateLocked

BOUNDARY: Final = "compare_model"
_BEGINS: Final = b'{"boundary": "compare_model"'
_COUNTS: Final = ("input", "cached", "written", "output")
_TOLD: Final = frozenset({"text", "finish", "served_by", "usage", "estimated", "usd", "first_token_ms"})


class Redacting(Protocol):
    """What takes secrets out of texts; `eval.redaction.Redactor` is one."""

    def text(self, text: str) -> str:
        """A text without them."""


@dataclass(frozen=True, slots=True)
class Call:
    """One paid call, as the ledger has it: what is scored is this, now and when it is read again."""

    text: str
    """Redacted."""
    finish: str
    usage: Usage
    estimated: bool
    """Whether `usage` is o200k's count, since the provider said none."""
    usd: float
    """What it was charged with when it was made."""
    first_token_ms: float | None
    total_ms: float
    served_by: str
    fresh: bool
    """Whether it was made just now, and not read from the ledger."""


@dataclass(frozen=True, slots=True)
class About:
    """What a call is for."""

    arm: str
    question: str
    as_of: str | None
    query: str


def call_key(request: Request, identity: Mapping[str, Any], ask: int) -> str:
    """All that an answer depends on, as a digest; arms with the same prompt share an answer.

    Args:
        request: The prompt.
        identity: Model, address and sampling.
        ask: The how manieth time that this prompt is asked, from 1.
    """
    return digest([dict(identity), prompt_digest(request), ask])


def prompt_digest(request: Request) -> str:
    """Of what is sent as text."""
    return text_digest("\0".join((request.system, request.prefix + request.asked)))


class Ledger:
    """Calls by key, in one file; safe for threads, one process at a time."""

    def __init__(self, path: Path, redactor: Redacting, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        """Open or create; what a killed run left unfinished at the end of the file is cut off.

        Raises:
            StateLocked: another process writes to it.
            StateError: it cannot be made or written.
            SourceError: it holds something else, by file and line.
        """
        self.path = path
        self._redactor, self._now = redactor, now
        self._lock = threading.RLock()
        self._packer = Packer()
        self._file = _opened(path)
        try:
            self._envelopes = _read(path, self._file)
        except BaseException:
            self._file.close()
            raise
        self._by_key = {str(one.inputs.get("key")): one for one in self._envelopes.values() if one.error is None}
        self._last = max((index for name, index in self._envelopes if name == BOUNDARY), default=0)

    @property
    def spent(self) -> float:
        """USD over all of its calls, those that broke off too."""
        with self._lock:
            return sum(_usd(one) for one in self._envelopes.values())

    def find(self, key: str) -> Call | None:
        """The answer under a key; None where it has not been paid for yet."""
        with self._lock:
            found = self._by_key.get(key)
            return _call(found.output, found.latency_ms, fresh=False) if found else None

    def keep(self, key: str, request: Request, about: About, reply: Reply, usage: Usage, usd: float) -> Call:
        """Write an answer down.

        Raises:
            StateError: the disk is full, or the file cannot be written any more.
        """
        told = {
            "text": self._redacted(reply.text, request.prefix),
            "finish": reply.finish,
            "served_by": reply.served_by,
            "usage": {name: getattr(usage, name) for name in _COUNTS},
            "estimated": reply.usage is None,
            "usd": usd,
            "first_token_ms": reply.first_token_ms,
        }
        # Half a character of a provider's would be written, paid for, and never read again.
        told = Plain(told).value
        envelope = self._written(key, request, about, told, reply.total_ms, None)
        with self._lock:
            self._by_key[key] = envelope
        return _call(told, reply.total_ms, fresh=True)

    def lose(self, key: str, request: Request, about: About, fault: Transient, usd: float) -> None:
        """Write down that a call broke off, and what it may have cost.

        Raises:
            StateError: as `keep`.
        """
        with self._lock:
            failure = Failure("Transient", self._redactor.text(str(fault)))
        self._written(key, request, about, {"usd": usd}, None, failure)

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _redacted(self, text: str, prefix: str) -> str:
        """An answer without secrets; what it copied from the policy text stays, so that it can be looked up."""
        policy = normal(prefix)

        def clean(text: str) -> str:
            return text if normal(text).strip("[]") in policy else self._redactor.text(text)

        with self._lock:
            try:
                read = parse_decision(text)
            except Unreadable:
                return self._redactor.text(text)
            clauses = [{"section": clean(one.section), "quote": clean(one.quote)} for one in read.clauses]
            told = {"decision": self._redactor.text(read.decision), "clauses": clauses, "confidence": read.confidence}
            missing = self._redactor.text(read.missing) if read.missing else None
            return json.dumps(told | {"missing": missing}, ensure_ascii=False)

    def _written(
        self,
        key: str,
        request: Request,
        about: About,
        output: dict[str, Any],
        milliseconds: float | None,
        error: Failure | None,
    ) -> Envelope:
        with self._lock:
            query = self._redactor.text(about.query)
            inputs = {"key": key, "arm": about.arm, "question": about.question, "as_of": about.as_of, "query": query}
            inputs = Plain(inputs).value
            self._last += 1
            envelope = Envelope(
                boundary=BOUNDARY,
                call_index=self._last,
                inputs=inputs | {"prompt_tokens": request.tokens},
                output=output,
                recorded_at=self._now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                prompt_digest=prompt_digest(request),
                latency_ms=milliseconds,
                error=error,
            )
            envelope = replace(envelope, digests=field_digests(envelope.inputs))
            self._append(self._packer.pack(envelope.to_dict()))
            self._envelopes[envelope.key] = envelope
            return envelope

    def _append(self, value: Any) -> None:
        line = memoryview(
            f"{json.dumps(value, ensure_ascii=False, allow_nan=False)}\n".encode(errors="backslashreplace")
        )
        try:
            # Unbuffered: it outlives this process; such a file may take a part of what it is given.
            while line:
                line = line[self._file.write(line) or 0 :]
        except OSError as error:
            raise StateError(f"cannot be written: {error.strerror}", where=str(self.path)) from error


def _opened(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise StateError(f"cannot be written: {error.strerror}", where=str(path)) from error
    try:
        # The system lets go of it when the process ends, however it ends.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StateLocked("another run writes to it", where=str(path), fix="wait, or name another file") from None
    return file


def _read(path: Path, file: IO[bytes]) -> dict[Key, Envelope]:
    held = path.read_bytes()
    if not held or (b"\n" not in held and held.startswith(_BEGINS)):
        file.truncate(0)
        return {}
    trace = read_trace(path)
    strange = next((one for one in trace.envelopes.values() if not _is_ours(one)), None)
    if strange is not None:
        found = f'no answer of {BOUNDARY} as it is written: a call of "{strange.boundary}"'
        raise SourceError(found, where=strange.where, fix="name a ledger of `caveat compare`, or a new file")
    # The last line was being written when the process was killed: the next one must not run into it.
    if trace.cut_bytes:
        file.truncate(held.rfind(b"\n") + 1)
    elif not held.endswith(b"\n"):
        file.write(b"\n")
    return dict(trace.envelopes)


def _is_ours(envelope: Envelope) -> bool:
    output = envelope.output
    if envelope.boundary != BOUNDARY or not isinstance(output, dict) or not _is_number(output.get("usd")):
        return False
    if envelope.error is not None:
        return True
    usage = output.get("usage")
    if not isinstance(usage, dict) or set(usage) != set(_COUNTS) or not all(map(_is_number, usage.values())):
        return False
    return isinstance(output.get("text"), str) and set(output) >= _TOLD


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf


def _usd(envelope: Envelope) -> float:
    return float(envelope.output["usd"])


def _call(output: Mapping[str, Any], milliseconds: float | None, *, fresh: bool) -> Call:
    return Call(
        text=output["text"],
        finish=output["finish"],
        usage=Usage(**output["usage"]),
        estimated=output["estimated"],
        usd=output["usd"],
        first_token_ms=output["first_token_ms"],
        total_ms=milliseconds or 0.0,
        served_by=output["served_by"],
        fresh=fresh,
    )
