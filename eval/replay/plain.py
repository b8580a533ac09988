"""Values as plain JSON: what a call was given and gave back, as a trace keeps it.

A value that JSON can give back equal stays as it is (a tuple becomes a list). Any other is told as well as it
can be, and where the first of them stood is said, so that nobody takes the telling for the value. Values run code
of their own when they are read: whatever that raises, the value is told by its type.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

from eval.replay.failures import type_name
from index.digests import compact, text_digest

TYPE: Final = "$type"
"""The one key of an object that stands for a value of which only the type can be told."""
DEEPEST: Final = 100
"""Levels of nesting that are followed."""
_LONGEST: Final = 10_000
"""Bits of a whole number."""
Place = tuple[str | int, ...]
"""A name, then keys and positions."""
Text = Callable[[str], str]


class Plain:
    """Turns one value into plain JSON."""

    def __init__(self, value: object, name: str = ""):
        self._converted: tuple[Place, str] | None = None
        self._lost: list[tuple[Place, str]] = []
        self._around: list[int] = []
        """What holds the value that is looked at, by identity: a value that holds itself has no end."""
        self.value: Any = self._plain(value, (name,), 0)

    @property
    def converted(self) -> str | None:
        """Place and type of the first value that JSON does not give back: "output.rows[0]: decimal.Decimal"."""
        return self.converted_as(str)

    def converted_as(self, shown: Text) -> str | None:
        """`converted` with its keys and the type as `shown` makes them: redacted, where it is written."""
        if self._converted is None:
            return None
        place, name = self._converted
        return f"{_spelled(place, shown)}: {shown(name)}"

    def lost_as(self, shown: Text) -> str | None:
        """Places of values that could not be read, with what they raised: "output.rows (KeyError)"; None without."""
        return ", ".join(f"{_spelled(place, shown)} ({shown(name)})" for place, name in self._lost) or None

    def _plain(self, value: object, place: Place, depth: int) -> Any:
        around = len(self._around)
        try:
            if value is None or isinstance(value, bool):
                return value
            if depth > DEEPEST:
                return self._told(value, place, None)
            if isinstance(value, Enum):
                plain = self._plain(value.value, place, depth + 1)
                # A StrEnum or IntEnum is equal to its value; other members are not.
                return plain if value == value.value else self._told(value, place, plain)
            if isinstance(value, (str, int, float)):
                return self._scalar(value, place)
            if id(value) in self._around:
                return self._told(value, place, None)
            self._around.append(id(value))
            return self._whole(value, place, depth)
        except Exception as error:  # of a foreign method: a key's __str__, a mapping's __getitem__, a property
            self._lost.append((place, type_name(type(error))))
            return self._told(value, place, None)
        finally:
            del self._around[around:]

    def _whole(self, value: object, place: Place, depth: int) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(value, place, depth)
        if isinstance(value, (list, tuple)):
            plain = [self._plain(one, (*place, n), depth + 1) for n, one in enumerate(value)]
            return self._told(value, place, plain) if hasattr(value, "_fields") else plain
        return self._told(value, place, self._best(value, place, depth))

    def _scalar(self, value: str | int | float, place: Place) -> Any:
        if isinstance(value, str):
            return self._text(str.__str__(value), place)
        if isinstance(value, int):
            # Python refuses to spell one of thousands of digits.
            return int(value) if value.bit_length() <= _LONGEST else self._told(value, place, None)
        return float(value) if math.isfinite(value) else self._told(value, place, str(float(value)))

    def _text(self, text: str, place: Place) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            self._told(text, place, None)
            return text.encode(errors="backslashreplace").decode()
        return text

    def _mapping(self, value: Mapping[Any, Any], place: Place, depth: int) -> Any:
        # Taken at once: another thread may change it while its values are looked at.
        items = [(self._text(str(key), place), key, one) for key, one in list(value.items())]
        plain = {name: self._plain(one, (*place, name), depth + 1) for name, _, one in items}
        if not isinstance(value, dict) or not all(isinstance(key, str) for _, key, _ in items):
            return self._told(value, place, plain)
        return plain

    def _best(self, value: object, place: Place, depth: int) -> Any:
        """What JSON can tell of a value that it has no form for; None where that is nothing."""
        if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
            return value.isoformat()
        if isinstance(value, (Decimal, UUID, PurePath)):
            return str(value)
        if isinstance(value, (bytes, bytearray)):
            return _octets(bytes(value))
        if isinstance(value, Set):
            return sorted((self._plain(one, place, depth + 1) for one in list(value)), key=compact)
        if is_dataclass(value) and not isinstance(value, type):
            named = {field.name: getattr(value, field.name, None) for field in fields(value)}
            return self._plain(named, place, depth + 1)
        return self._of_library(value, place, depth)

    def _of_library(self, value: object, place: Place, depth: int) -> Any:
        # pydantic's models, and numpy's arrays and numbers, without importing either.
        for method, arguments in (("model_dump", {"mode": "json"}), ("tolist", {})):
            make = getattr(type(value), method, None)
            if callable(make):
                try:
                    return self._plain(make(value, **arguments), place, depth + 1)
                except Exception:  # whatever a foreign method does, a recording harms no call
                    return None
        return None

    def _told(self, value: object, place: Place, plain: Any) -> Any:
        name = type_name(type(value))
        # The outermost is the one that a reader of the output must know how to make.
        if self._converted is None or self._converted[0][: len(place)] == place:
            self._converted = place, name
        return {TYPE: name} if plain is None else plain


def _spelled(place: Place, shown: Text) -> str:
    # Key by key: "output.jane@example.com" as one text would be another address.
    parts = (f"[{part}]" if isinstance(part, int) else f".{shown(part)}" for part in place[1:])
    return f"{place[0]}{''.join(parts)}"


def _octets(value: bytes) -> Any:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {TYPE: "bytes", "digest": text_digest(value.hex()), "length": len(value)}
