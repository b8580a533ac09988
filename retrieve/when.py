"""The two questions of time in a query: which day's policy, and what the index then believed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from ingest.dates import Day, Instant, parse_day, parse_instant, show_instant, today, zone
from ingest.errors import DateError, QueryError

AsOf = str | date | None
KnownAt = str | date | int | None
"""A datetime is a date too. An int is a generation number."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Moment:
    """The day and the belief that an answer is for."""

    as_of: Day
    known_at: Instant


def as_of_day(as_of: AsOf, now: Instant, tz: str) -> Day:
    """The day asked about: today in the handbook's time zone by default. The future is allowed.

    Raises:
        QueryError: not a date, or in a format with two readings.
    """
    if as_of is None:
        return today(now, tz)
    if isinstance(as_of, date):
        return as_of.toordinal()
    try:
        return parse_day(as_of)
    except DateError as error:
        raise QueryError(error.found, where="as_of", allowed=error.allowed, fix=error.fix) from error


def known_at_instant(known_at: str | date, now: Instant, tz: str) -> Instant:
    """The instant of belief asked about; a bare day means its end, and today means now.

    A datetime without a zone is in the handbook's time zone `tz`.

    Raises:
        QueryError: not a time, or later than now.
    """
    if isinstance(known_at, datetime):
        moment = known_at if known_at.tzinfo else known_at.replace(tzinfo=zone(tz))
        return _not_later((moment - _EPOCH) // _MICROSECOND, now)
    try:
        text = known_at.isoformat() if isinstance(known_at, date) else known_at
        start, end = (parse_instant(text, tz, end_of_day=at_end) for at_end in (False, True))
    except DateError as error:
        raise QueryError(error.found, where="known_at", allowed=error.allowed, fix=error.fix) from error
    return now if start <= now < end else _not_later(end, now)


def _not_later(instant: Instant, now: Instant) -> Instant:
    if instant > now:
        raise QueryError(
            f"{show_instant(instant)} has not come yet",
            where="known_at",
            allowed=f"a time up to now, {show_instant(now)}",
            fix="ask for a future day with as_of",
        )
    return instant


def show_asked(day: Day) -> str:
    """ISO form of a day that was asked about."""
    return date.fromordinal(day).isoformat()
