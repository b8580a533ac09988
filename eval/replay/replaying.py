"""What becomes of a call in a replay: frozen, live, or refused because it is not the call that was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from eval.replay.envelope import Envelope, Key
from eval.replay.fields import by_kind, differing, field_digests, prompt_digest_of, shown_differences, without_models
from eval.replay.matching import Match, Shelf, Verdict
from eval.replay.trace import Trace, spans
from index.digests import digest
from ingest.errors import ModelDrift, QueryError, ReplayDivergence

Drift = tuple[str, str]
"""(recorded model, model that may stand in for it)."""
Redact = Callable[[Any], Any]
_AGAIN: Final = "record it again if the change is meant, or do not stub this call: then it runs live"


def drifts(given: Drift | Sequence[Drift]) -> frozenset[Drift]:
    """The allowed model changes, from one pair or several.

    Raises:
        QueryError: not pairs of two names.
    """
    pairs: Iterable[Any] = [given] if given and all(isinstance(one, str) for one in given) else given
    allowed: set[Drift] = set()
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or not all(isinstance(name, str) and name for name in pair):
            raise QueryError(
                f"allow_model_drift {given!r}", allowed='("recorded model", "model of now"), or several pairs'
            )
        allowed.add((pair[0], pair[1]))
    return frozenset(allowed)


class Replaying:
    """The records of a trace and what was taken of them; not safe for threads by itself."""

    def __init__(self, trace: Trace, redact: Redact, allowed: frozenset[Drift]):
        self._trace = trace
        self._redact = redact
        self._allowed = allowed
        self._shelves: dict[str, Shelf] = {}
        self._redacted: dict[Key, Envelope] = {}

    def stub(self, boundary: str, call_index: int | None) -> None:
        """Freeze one recorded call, or with None all of a boundary.

        Raises:
            QueryError: it was never recorded.
        """
        records = self._trace.of(boundary)
        if not records or (call_index is not None and call_index not in records):
            index = "" if call_index is None else f" {call_index}"
            recorded = f"{boundary} {spans(list(records))}" if records else self._trace.recorded()
            raise QueryError(f"no recorded call {boundary}{index}", where=str(self._trace.path), allowed=recorded)
        shelf = self._shelf(boundary)
        if call_index is None:
            shelf.close()
        else:
            shelf.stub(call_index)

    def unserved(self) -> tuple[Key, ...]:
        """Frozen calls that nothing has asked for yet."""
        return tuple((name, index) for name, shelf in self._shelves.items() for index in shelf.waiting)

    def match(self, live: Envelope) -> tuple[Match, tuple[str, ...]]:
        """What becomes of a live call, and in which fields it is not as recorded.

        Raises:
            ModelDrift: it goes to another model, and that is not allowed.
            ReplayDivergence: it should be a frozen call and was given something else, or all are frozen and it is none.
        """
        shelf, digests = self._shelf(live.boundary), without_models(live.digests)
        match = shelf.match(digests)
        fields = self._check(match, live)
        shelf.take(match, digests)
        return match, fields

    def _check(self, match: Match, live: Envelope) -> tuple[str, ...]:
        if match.record is None:
            if match.verdict is Verdict.UNRECORDED:
                raise self._unrecorded(live)
            return ()
        # Its own digests may be those of another redaction.
        record = self._as_redacted_now(match.record)
        fields = _changed(record, live)
        self._check_models(record, live, fields)
        if match.verdict is Verdict.DIVERGED or (match.verdict is Verdict.FROZEN and fields):
            raise self._diverged(record, live, fields)
        return fields

    def _shelf(self, boundary: str) -> Shelf:
        if boundary not in self._shelves:
            records = self._trace.of(boundary)
            digests = {index: without_models(self._as_redacted_now(one).digests) for index, one in records.items()}
            self._shelves[boundary] = Shelf(records, digests)
        return self._shelves[boundary]

    def _as_redacted_now(self, record: Envelope) -> Envelope:
        """A record redacted as live calls are, in all that is compared: a foreign trace may not be."""
        if record.key not in self._redacted:
            inputs = self._redact(dict(record.inputs))
            self._redacted[record.key] = replace(
                record,
                inputs=inputs,
                digests=field_digests(inputs),
                model=record.model and self._redact(record.model),
                model_version=record.model_version and self._redact(record.model_version),
                sampling=self._redact(dict(record.sampling)),
            )
        return self._redacted[record.key]

    def _check_models(self, record: Envelope, live: Envelope, fields: tuple[str, ...]) -> None:
        old, new = by_kind(record.named_models), by_kind(live.named_models)
        changed = [name for name in old if name in new and old[name] != new[name]]
        for name in changed:
            if self._is_allowed(old[name], new[name]):
                continue
            also = f"; {shown_differences(fields, _compared(record), _compared(live))}" if fields else ""
            raise ModelDrift(
                f'{_call(live)} goes to {name} "{new[name]}", was recorded from "{old[name]}"{also}',
                boundary=live.boundary,
                call_index=live.call_index,
                fields=(name, *fields),
                where=record.where,
                fix=f'if that is meant, spell both: allow_model_drift=("{old[name]}", "{new[name]}")',
            )

    def _is_allowed(self, old: str, new: str) -> bool:
        # Whoever allows it may spell a model with its password, or as the refusal showed it.
        return (old, new) in self._allowed or any(
            by_kind([self._redact(one) for one in pair]) == [old, new] for pair in self._allowed
        )

    def _diverged(self, record: Envelope, live: Envelope, fields: tuple[str, ...]) -> ReplayDivergence:
        shown = shown_differences(fields, _compared(record), _compared(live))
        against = f" (compared with call {record.call_index})" if record.call_index != live.call_index else ""
        return ReplayDivergence(
            f"{_call(live)} differs from the recorded one{against} in {', '.join(fields)}: {shown}",
            boundary=live.boundary,
            call_index=live.call_index,
            fields=fields,
            where=record.where,
            fix=_AGAIN,
        )

    def _unrecorded(self, live: Envelope) -> ReplayDivergence:
        recorded = spans(list(self._trace.of(live.boundary)))
        return ReplayDivergence(
            f"{_call(live)} was never recorded; every call of this boundary is frozen (recorded: {recorded})",
            boundary=live.boundary,
            call_index=live.call_index,
            where=str(self._trace.path),
            fix=f'stub single calls, session.stub("{live.boundary}", 1): then others run live',
        )


def _call(live: Envelope) -> str:
    return f"{live.boundary} call {live.call_index}"


def _changed(record: Envelope, live: Envelope) -> tuple[str, ...]:
    """Fields that differ: inputs, and what a wrap says beside them where both sides say it."""
    inputs = differing(without_models(record.digests), without_models(live.digests))
    old, new = _beside(record), _beside(live)
    told = [
        name for name in sorted(old.keys() & new.keys()) if digest(by_kind(old[name])) != digest(by_kind(new[name]))
    ]
    return (*inputs, *told)


def _beside(envelope: Envelope) -> Mapping[str, Any]:
    """Sampling settings and prompt that are no inputs of their own."""
    told = {f"sampling.{name}": value for name, value in envelope.sampling.items() if name not in envelope.inputs}
    if envelope.prompt_digest not in (None, prompt_digest_of(envelope.inputs)) and "prompt" not in envelope.inputs:
        told["prompt"] = envelope.prompt_digest
    return told


def _compared(envelope: Envelope) -> dict[str, Any]:
    return {**envelope.inputs, **_beside(envelope)}
