"""What the name of a field tells about its value."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PASSWORDS: Final = frozenset(
    ("password", "passwd", "pwd", "passphrase", "passcode", "secret", "clientsecret", "credential")
)
_LONGEST: Final = 80


def holds_password(key: str) -> bool:
    """Whether a field of this name holds a password: "password", "dbPassword", "CLIENT_SECRET"."""
    words = [word.lower() for word in _WORD.findall(key[:_LONGEST])]
    return bool(words) and (
        words[-1].removesuffix("s") in _PASSWORDS or "".join(words[-2:]) in ("passphrase", "passcode", "password")
    )


def led_by(key: str) -> str:
    """The words that stand before a value where its field's name is written out: "phone: "."""
    words = _WORD.findall(key[:_LONGEST])
    return f"{'_'.join(words).lower()}: " if words else ""
