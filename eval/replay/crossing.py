"""One call over a boundary: what is known of it before it runs, and how it ends."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eval.replay.envelope import Envelope, Failure
from eval.replay.failures import rebuilt, shown_error, type_name
from eval.replay.fields import by_kind
from eval.replay.guard import network_allowed
from eval.replay.plain import Plain
from ingest.errors import QueryError

if TYPE_CHECKING:
    from eval.replay.session import CutPointSession


@dataclass(frozen=True, slots=True)
class Values:
    """How a boundary's values become JSON and come back, where they are not plain."""

    dump: Callable[[Any], Any] | None = None
    """Output to plain JSON; not needed for dataclasses and pydantic models."""
    load: Callable[[Any], Any] | None = None
    """Plain JSON to output; of a stream, of each item."""
    raises: tuple[type[Exception], ...] = ()
    """Exceptions that a replay may raise again by their names; Python's own need not be told."""
    ignore: tuple[str, ...] = ()
    """Arguments that are no inputs: clients, request ids."""


@dataclass(frozen=True, slots=True)
class About:
    """What a wrap says of a boundary."""

    boundary: str
    model: str | None = None
    model_version: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    prompt: object = None
    values: Values = field(default_factory=Values)


@dataclass(slots=True)
class Crossing:
    """One call, begun."""

    session: CutPointSession
    about: About
    given: Envelope
    """Without output."""
    started: float
    """Of a clock that only tells differences; seconds."""
    record: Envelope | None = None
    """The frozen call that is served instead; None where this one runs."""

    def serve(self) -> Any:
        """The frozen output, or the frozen failure raised."""
        assert self.record is not None
        output = self._loaded()
        if self.record.error is not None:
            raise self._rebuilt(self.record.error)
        return output

    def serve_stream(self) -> Iterator[Any]:
        """The items of a frozen stream, and the failure that it ended with, if any."""
        assert self.record is not None
        items = self._loaded()
        if not isinstance(items, list) and self.record.error is None:
            found = f"{self.about.boundary} gave {type(items).__name__}, and is a generator now"
            raise QueryError(found, where=self.record.where, fix="record it again, or wrap a function that is none")
        yield from items or []
        if self.record.error is not None:
            raise self._rebuilt(self.record.error)

    def _rebuilt(self, failure: Failure) -> Exception:
        return rebuilt(failure, self.about.values.raises, lambda name: str(by_kind(self.session._redact.text(name))))

    def _loaded(self) -> Any:
        assert self.record is not None
        # Whoever gets it may change it; the record must serve the next one, too.
        output, load = deepcopy(self.record.output), self.about.values.load
        if load is not None and self.record.error is None:
            return [load(item) for item in output] if self.record.stream else load(output)
        if self.record.converted is not None:
            raise QueryError(
                f"{self.about.boundary} call {self.record.call_index} gave what JSON lacks ({self.record.converted})",
                where=self.record.where,
                fix="say how it comes back: session.wrap(..., values=Values(load=...))",
            )
        return output

    @contextmanager
    def running(self) -> Iterator[None]:
        """While the call itself runs: the network is open, and an exception becomes its recorded end."""
        try:
            with network_allowed():
                yield
        except BaseException as error:
            self.fail(error)
            raise

    def finish(self, output: object, *, stream: bool = False) -> None:
        """Keep what the call gave back."""
        self.session._finish(self, self._dumped(output, stream), None, stream)

    def fail(self, error: BaseException, output: object = None, *, stream: bool = False) -> None:
        """Keep the exception that the call ended with, and what a stream gave before."""
        self.session._finish(self, self._dumped(output, stream) if stream else Plain(output), error, stream)

    def _dumped(self, output: Any, stream: bool) -> Plain:
        dump = self.about.values.dump
        if dump is None:
            return Plain(output, "output")
        try:
            return Plain([dump(one) for one in output] if stream else dump(output), "output")
        except Exception as error:  # a foreign function; the call that it tells of has succeeded
            text = f"output could not be dumped ({type_name(type(error))}: {shown_error(error)}): recorded as it is"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
            return Plain(output, "output")
