"""The error tree: every fault that is the user's, or the surroundings', to mend.

CaveatError                     exit status 2
├── ConfigError                 caveat.toml or a flag
├── SourceError                 a file or folder of the handbook
│   └── DateError               a date that cannot be read, or two that contradict
├── GuardError                  a change that wants a human's word (exit status 1)
├── StateError                  the state folder
│   ├── StateLocked             another process is writing
│   ├── StateMissing            nothing was indexed there yet
│   └── StateDamaged            a part is gone or does not fit the rest
├── EncoderError                the encoder, its weights or its fingerprint
├── StoreError                  the vector store
├── QueryError                  a question, filter or date that cannot be answered
├── ReplayDivergence            a replayed call is not the recorded one (exit status 1)
│   └── ModelDrift              it goes to another model
└── NetworkRefused              a network call that a replay does not expect (exit status 1)
"""

from __future__ import annotations


class CaveatError(Exception):
    """A fault with what was found, where, what is allowed and what to do next.

    Its text is one line: ``where: found; allowed: ...; fix: ...``, each part only where given.
    """

    exit_status = 2

    def __init__(self, found: str, *, where: str | None = None, allowed: str | None = None, fix: str | None = None):
        self.found, self.where, self.allowed, self.fix = found, where, allowed, fix
        parts = [f"{where}: {found}" if where else found]
        parts += [f"allowed: {allowed}"] if allowed else []
        parts += [f"fix: {fix}"] if fix else []
        super().__init__("; ".join(" ".join(part.split()) for part in parts))


class ConfigError(CaveatError):
    """caveat.toml or a command-line flag is wrong."""


class SourceError(CaveatError):
    """A file or folder of the handbook cannot be read as it stands."""


class DateError(SourceError):
    """A date cannot be read, or two dates of equal rank contradict."""


class GuardError(CaveatError):
    """A change was stopped because it wants a human's word (a flag) first."""

    exit_status = 1


class StateError(CaveatError):
    """The state folder cannot be used as it stands."""


class StateLocked(StateError):
    """Another process is writing to the state folder."""


class StateMissing(StateError):
    """Nothing was indexed into the state folder yet."""


class StateDamaged(StateError):
    """A part of the state folder is gone or does not fit the rest."""


class EncoderError(CaveatError):
    """The encoder cannot be loaded, or is not the one that the index was built with."""


class StoreError(CaveatError):
    """The vector store refused or lost something."""


class QueryError(CaveatError):
    """A question, a filter or a date cannot be answered as asked."""


class ReplayDivergence(CaveatError):
    """A call that is replayed differs from the recorded one, in the named fields of its inputs."""

    exit_status = 1

    def __init__(
        self,
        found: str,
        *,
        boundary: str = "",
        call_index: int = 0,
        fields: tuple[str, ...] = (),
        where: str | None = None,
        fix: str | None = None,
    ):
        self.boundary, self.call_index, self.fields = boundary, call_index, fields
        super().__init__(found, where=where, fix=fix)


class ModelDrift(ReplayDivergence):
    """A call that is replayed goes to another model than the recorded one did."""


class NetworkRefused(CaveatError):
    """A network call in a replay, outside every wrapped boundary and not declared live."""

    exit_status = 1
