"""What is compared of a call's inputs: top-level fields by digest, redacted values by their kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from index.digests import compact, digest

MODEL_FIELDS: Final = ("model", "model_name", "model_version")
"""Inputs that name a model; they are compared as models are, not as fields."""
SAMPLING_FIELDS: Final = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "seed",
    "stop",
    "stop_sequences",
    "frequency_penalty",
    "presence_penalty",
    "reasoning_effort",
)
PROMPT_FIELDS: Final = ("prompt", "system", "instructions", "messages")
_SHOWN: Final = 60
"""Characters of a value in a message."""
_ABSENT: Final = "nothing"


def by_kind(value: Any) -> Any:
    """A redacted JSON value with its placeholders' numbers taken out, and whole floats as integers."""
    if isinstance(value, str):
        return _kinds_only(value)
    if isinstance(value, list):
        return [by_kind(one) for one in value]
    if isinstance(value, dict):
        return {by_kind(key): by_kind(one) for key, one in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _kinds_only(text: str) -> str:
    if "<" not in text or "_" not in text:
        return text
    # Asked for only where it can matter: a trace opens without loading what redacts.
    from eval.redaction import kinds_only

    return kinds_only(text)


def field_digests(inputs: Mapping[str, Any]) -> dict[str, str]:
    """Digest of each top-level field of redacted inputs; placeholders count by their kind."""
    return {name: digest(by_kind(value)) for name, value in inputs.items()}


def prompt_digest_of(inputs: Mapping[str, Any]) -> str | None:
    """Digest of the inputs that are a prompt; None where there are none."""
    prompt = {name: inputs[name] for name in PROMPT_FIELDS if name in inputs}
    return digest(by_kind(prompt)) if prompt else None


def without_models(digests: Mapping[str, str]) -> dict[str, str]:
    """The digests that a call is recognised by."""
    return {name: one for name, one in digests.items() if name not in MODEL_FIELDS}


def differing(recorded: Mapping[str, str], live: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the fields whose digests differ or that one side lacks, sorted."""
    names = {*recorded, *live}
    return tuple(sorted(name for name in names if recorded.get(name) != live.get(name)))


def shown_differences(names: tuple[str, ...], recorded: Mapping[str, Any], live: Mapping[str, Any]) -> str:
    """The named fields with what was recorded and what came, each short."""
    return "; ".join(_difference(name, recorded, live) for name in names)


def _difference(name: str, recorded: Mapping[str, Any], live: Mapping[str, Any]) -> str:
    if name not in recorded:
        return f"{name} was not recorded and now is {_short(live[name])}"
    if name not in live:
        return f"{name} was {_short(recorded[name])} and now is missing"
    place, old, new = next(_deepest(name, by_kind(recorded[name]), by_kind(live[name])))
    if isinstance(old, str) and isinstance(new, str):
        old, new = _around(old, new)
    return f"{place} was {_short(old)} and now is {_short(new)}"


def _deepest(place: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """The innermost values that differ, first one first."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            if old.get(key, _ABSENT) != new.get(key, _ABSENT):
                yield from _deepest(f"{place}.{key}", old.get(key, _ABSENT), new.get(key, _ABSENT))
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for n, (before, after) in enumerate(zip(old, new, strict=True)):
            if before != after:
                yield from _deepest(f"{place}[{n}]", before, after)
    yield place, old, new


def _around(old: str, new: str) -> tuple[str, str]:
    """Two long texts from shortly before the place where they part."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = same - _SHOWN // 3
    return (f"...{old[start:]}", f"...{new[start:]}") if same > _SHOWN // 2 else (old, new)


def _short(value: Any) -> str:
    text = compact(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
