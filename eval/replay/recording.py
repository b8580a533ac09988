"""A call's envelope as the call begins and as it ends: all that a user's text can reach is redacted here."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from eval.replay.crossing import About
from eval.replay.envelope import Envelope, Failure
from eval.replay.failures import text_of, type_name
from eval.replay.fields import SAMPLING_FIELDS, by_kind, field_digests, prompt_digest_of
from eval.replay.plain import TYPE, Plain
from eval.replay.redacting import Redaction
from index.digests import digest

_NOT_RECORDED: Final[Mapping[str, Any]] = {TYPE: "not recorded"}
_NO_TEXT: Final = "(its text could not be read)"


def named(boundary: str, call_index: int) -> str:
    """A call in a message."""
    return f"{boundary} call {call_index}"


def begun(about: About, index: int, given: Plain, redact: Redaction) -> Envelope:
    """A call's envelope before it ran."""
    call = named(about.boundary, index)
    inputs = _redacted(given, redact, call)
    sampling = {name: inputs[name] for name in SAMPLING_FIELDS if name in inputs} | dict(about.sampling)
    prompt = prompt_digest_of(inputs)
    if about.prompt is not None:
        prompt = digest(by_kind(_redacted(Plain(about.prompt, "prompt"), redact, call)))
    return Envelope(
        boundary=about.boundary,
        call_index=index,
        inputs=inputs,
        output=None,
        digests=field_digests(inputs),
        model=_text(about.model, redact),
        model_version=_text(about.model_version, redact),
        sampling=_redacted(Plain(sampling, "sampling"), redact, call),
        prompt_digest=prompt,
    )


def unread(about: About, index: int) -> Envelope:
    """The envelope of a call of which nothing can be told."""
    return Envelope(about.boundary, index, _NOT_RECORDED, None, digests=field_digests(_NOT_RECORDED))


def ended(given: Envelope, output: Plain, error: BaseException | None, redact: Redaction) -> Envelope:
    """The envelope with what the call gave, or how it failed."""
    call = named(given.boundary, given.call_index)
    # The output first: a reader finds a placeholder's number where its value stood.
    told = replace(given, output=_redacted(output, redact, call), converted=output.converted_as(redact.text))
    return told if error is None else replace(told, error=_failure(error, redact, call))


def _redacted(plain: Plain, redact: Redaction, call: str) -> Any:
    lost = plain.lost_as(redact.text)
    if lost is not None:
        told = f"{call}: could not be read, and is recorded by its type only: {lost}"
        warnings.warn(told, RuntimeWarning, stacklevel=2)
    return redact(plain.value)


def _failure(error: BaseException, redact: Redaction, call: str) -> Failure:
    name, text = _text(type_name(type(error)), redact), text_of(error)
    if text is None:
        warnings.warn(f"{call}: the text of {name} could not be read", RuntimeWarning, stacklevel=2)
    return Failure(str(name), str(_text(_NO_TEXT if text is None else text, redact)))


def _text(text: str | None, redact: Redaction) -> str | None:
    # Through Plain: half a character cannot be written.
    return None if text is None else redact.text(Plain(str(text)).value)
