"""Days, instants and how they are written."""

from __future__ import annotations

from typing import Final

Day = int
"""A calendar day: the proleptic Gregorian ordinal (`datetime.date.toordinal`)."""
Instant = int
"""Microseconds since 1970-01-01T00:00Z."""

UNKNOWN_DAY: Final[Day] = 0
"""In force since nobody knows when: before every real day."""
FOREVER_DAY: Final[Day] = 9_999_999
FOREVER: Final[Instant] = 9_000_000_000_000_000
"""Far-future sentinels; below 2**53, since range filters compare floats."""
