"""Nothing reaches a trace before its secrets were taken out."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Final, Protocol

from eval.replay.failures import shown_error
from eval.replay.plain import TYPE

NOT_REDACTED: Final = "not redacted"
"""Stands for what could not be redacted, and so is left out."""


class Redacting(Protocol):
    """What takes secrets out of values; `eval.redaction.Redactor` is one."""

    def value(self, value: Any) -> Any:
        """A JSON value without them."""


class Redaction:
    """The redaction of one session; as in the nearest caveat.toml where no other is given."""

    def __init__(self, redactor: Redacting | None, *, forgiving: bool):
        """A `forgiving` one, for recording, loads at once, and leaves out what cannot be redacted.

        Raises:
            ConfigError: forgiving, and caveat.toml is wrong.
        """
        self._forgiving = forgiving
        # A recording finds out now, not at its first call, that caveat.toml cannot be read.
        self._redactor = _configured() if forgiving and redactor is None else redactor

    def __call__(self, value: Any) -> Any:
        """A JSON value, redacted."""
        redactor = self._redactor = self._redactor or _configured()
        try:
            return redactor.value(value)
        except Exception as error:
            if not self._forgiving:
                raise
            # Nothing is written that was not redacted, and no call fails because it is recorded.
            text = f"a value could not be redacted ({shown_error(error)}): it is left out"
            warnings.warn(text, RuntimeWarning, stacklevel=2)
            return {TYPE: NOT_REDACTED}

    def text(self, text: str) -> str:
        """A text, redacted; a text in any case."""
        redacted = self(text)
        return redacted if isinstance(redacted, str) else NOT_REDACTED


def _configured() -> Redacting:
    # Asked for only here: a trace opens and is read without loading what redacts.
    from eval.config import load_place
    from eval.redaction import Redactor

    return Redactor(load_place(Path.cwd()).config.redact)
