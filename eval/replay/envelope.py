"""An envelope: the recorded inputs and output of one call, and the form in which a trace keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from eval.replay.fields import MODEL_FIELDS, field_digests

Key = tuple[str, int]
"""(boundary, call index from 1)."""
Form = str
REQUIRED: Final = ("boundary", "call_index", "inputs", "output")
_OPTIONAL: Final = ("model", "model_version", "sampling", "prompt_digest", "latency_ms", "error", "stream", "converted")


@dataclass(frozen=True, slots=True)
class Failure:
    """The exception that a call ended with."""

    type: str
    """"TimeoutError", or with its module, "httpx.ReadTimeout"."""
    message: str
    """Redacted."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """One recorded call; everything in it is redacted."""

    boundary: str
    call_index: int
    """From 1, in the order in which calls of this boundary began."""
    inputs: Mapping[str, Any]
    output: Any
    """What the call gave back; None where it failed. A list of what a stream gave."""
    recorded_at: str | None = None
    """When it ended, an ISO time in UTC; None where the trace does not say."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """Of each top-level field of the inputs."""
    model: str | None = None
    model_version: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    prompt_digest: str | None = None
    latency_ms: float | None = None
    error: Failure | None = None
    stream: bool = False
    """Whether it was a generator."""
    converted: str | None = None
    """Place and type of the first value of the output that JSON does not give back."""
    where: str = ""
    """File and line, where it was read from one."""
    differs: tuple[str, ...] = ()
    """Of a live call in a replay: the fields that are not as recorded."""

    @property
    def key(self) -> Key:
        """Boundary and call index."""
        return self.boundary, self.call_index

    @property
    def named_models(self) -> dict[str, str]:
        """What is known of the model: `model` and `model_version`, from the inputs where the call did not say."""
        given = {name: value for name in MODEL_FIELDS if isinstance(value := self.inputs.get(name), str)}
        told = {
            "model": self.model or given.get("model") or given.get("model_name"),
            "model_version": self.model_version or given.get("model_version"),
        }
        return {name: value for name, value in told.items() if value}

    def to_dict(self) -> dict[str, Any]:
        """The line of a trace; optional keys only where they say something."""
        told: dict[str, Any] = {
            "boundary": self.boundary,
            "call_index": self.call_index,
            "inputs": dict(self.inputs),
            "output": self.output,
            "recorded_at": self.recorded_at,
            "digests": dict(self.digests),
        }
        error = {"type": self.error.type, "message": self.error.message} if self.error else None
        values = {name: getattr(self, name) for name in _OPTIONAL} | {"error": error, "sampling": dict(self.sampling)}
        return told | {name: value for name, value in values.items() if value not in (None, False, {})}


class BadEnvelope(ValueError):
    """A line of a trace is no envelope; the text says why."""


def read_envelope(line: Mapping[str, Any], first: int, where: str) -> Envelope:
    """The envelope in one decoded line of a trace that counts calls from `first`.

    Raises:
        BadEnvelope: a field is missing or not of its kind, or the inputs are not those that were recorded.
    """
    _check(line)
    digests = field_digests(line["inputs"])
    told = line.get("digests")
    if told is not None and told != digests:
        names = sorted(name for name in {*told, *digests} if told.get(name) != digests.get(name))
        raise BadEnvelope(f"inputs that do not fit their digests: {', '.join(names)}")
    failure = line.get("error")
    return Envelope(
        boundary=line["boundary"],
        call_index=line["call_index"] + 1 - first,
        inputs=line["inputs"],
        output=line["output"],
        recorded_at=line.get("recorded_at"),
        digests=digests,
        error=Failure(failure["type"], failure["message"]) if failure else None,
        sampling=line.get("sampling") or {},
        where=where,
        **{name: line[name] for name in _OPTIONAL if name in line and name not in ("error", "sampling")},
    )


def _check(line: Mapping[str, Any]) -> None:
    if not isinstance(line.get("boundary"), str) or not line["boundary"].strip():
        raise BadEnvelope("an envelope without a boundary")
    missing = [name for name in REQUIRED if name not in line]
    if missing:
        raise BadEnvelope(f'an envelope of "{line["boundary"]}" without {" and ".join(missing)}')
    index = line["call_index"]
    if not isinstance(index, int) or isinstance(index, bool) or index < 0:
        raise BadEnvelope(f"call_index {index!r} is no whole number from 0")
    for name, kinds, allowed in _KINDS:
        if line.get(name) is not None and (
            not isinstance(line[name], kinds) or isinstance(line[name], bool) != allowed
        ):
            raise BadEnvelope(f"{name} is {type(line[name]).__name__}")
    if line["inputs"] is None:
        raise BadEnvelope("inputs is null")
    failure = line.get("error")
    if failure and not all(isinstance(failure.get(name), str) for name in ("type", "message")):
        raise BadEnvelope("error without type and message")


_KINDS: Final[tuple[tuple[str, type | tuple[type, ...], bool], ...]] = (
    ("inputs", dict, False),
    ("digests", dict, False),
    ("sampling", dict, False),
    ("error", dict, False),
    ("recorded_at", str, False),
    ("model", str, False),
    ("model_version", str, False),
    ("prompt_digest", str, False),
    ("latency_ms", (int, float), False),
    ("converted", str, False),
    ("stream", bool, True),
)
