"""Days, instants and how they are written.

A day is what a policy speaks of ("effective January 1, 2026"); an instant is when somebody wrote it
down. Neither is ever read from the clock here: today and now are passed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from ingest.errors import ConfigError, DateError

Day = int
"""A calendar day: the proleptic Gregorian ordinal (`datetime.date.toordinal`)."""
Instant = int
"""Microseconds since 1970-01-01T00:00Z."""

UNKNOWN_DAY: Final[Day] = 0
"""In force since nobody knows when: before every real day."""
FOREVER_DAY: Final[Day] = 9_999_999
FOREVER: Final[Instant] = 9_000_000_000_000_000
"""Far-future sentinels; below 2**53, since range filters compare floats."""

DAY_FORMATS: Final = '2026-01-01, "January 1, 2026" or "1 January 2026"'
INSTANT_FORMATS: Final = "a day (2026-01-01) or a time with its zone (2026-01-01T09:30:00Z)"
EFFECTIVE_LINES: Final = 80
"""How many lines from the top an "Effective ..." line is looked for: real terms of service open with a
summary table of thirty lines before it."""

_FIRST_DAY: Final = date(2, 1, 1).toordinal()
"""Of instants: in every time zone they are then dates that Python can hold."""
_LAST_DAY: Final = date(2200, 12, 31).toordinal()
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMES: Final = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?"
)
_MONTH: Final = rf"(?P<month>{_NAMES})\.?"
_NAMED_DAY: Final = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_ISO = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})")
_MONTH_FIRST = re.compile(rf"{_MONTH}\s+{_NAMED_DAY},?\s+(?P<year>[0-9]{{4}})", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"{_NAMED_DAY}\s+{_MONTH},?\s+(?P<year>[0-9]{{4}})", re.IGNORECASE)
_NUMERIC = re.compile(r"(?P<first>[0-9]{1,2})[/.-](?P<second>[0-9]{1,2})[/.-](?P<year>[0-9]{4})")
_LOOSE_ISO = re.compile(r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})")
_DATE_LIKE: Final = (
    rf"[0-9]{{1,4}}[/.-][0-9]{{1,2}}[/.-][0-9]{{1,4}}|(?:{_NAMES})\.?\s+[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s+[0-9]{{4}}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)?\s+(?:{_NAMES})\.?,?\s+[0-9]{{4}}"
)
_EFFECTIVE = re.compile(
    r"[\W_]*(?:(?:this|the|these)\s+(?:[\w-]+\s+){0,4}(?:is|are)\s+|version\s+|policy\s+)?"
    r"(?:version\s+[\w.]{1,12}[\s,;:–—-]+)?"
    r"(?:effective(?:[\s*_]+(?:date|from|as\s+of|on|since|starting))*|(?:in\s+force|valid)\s+(?:since|from|as\s+of))"
    # A new sentence may follow ("Owner: Finance."), the same one may not go on.
    rf"[\s:|*_–—-]*(?P<date>{_DATE_LIKE})(?:[\W_]*|[*_]*[.;|][*_]*\s+\S.*)",
    re.IGNORECASE,
)


def parse_day(text: str, *, where: str | None = None) -> Day:
    """The day that `text` names: 2026-01-01, "January 1, 2026" or "1 January 2026".

    Raises:
        DateError: no such day, another format, or a format with two readings such as 01/07/2024.
    """
    written = text.strip()
    for pattern in (_ISO, _MONTH_FIRST, _DAY_FIRST):
        if match := pattern.fullmatch(written):
            return _ordinal(match["year"], match["month"], match["day"], written, where)
    raise _unreadable(written, where)


def _ordinal(year: str, month: str, day: str, written: str, where: str | None) -> Day:
    try:
        return date(int(year), _month_number(month), int(day)).toordinal()
    except ValueError:
        raise DateError(f'no such day as "{written}"', where=where, allowed=DAY_FORMATS) from None


def _month_number(month: str) -> int:
    return int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1


def _unreadable(written: str, where: str | None) -> DateError:
    shown = written if len(written) <= 60 else written[:57] + "..."
    if match := _NUMERIC.fullmatch(written):
        return _ambiguous(shown, match, where)
    fix = None
    if match := _LOOSE_ISO.fullmatch(written):
        fix = f"write {match['year']}-{int(match['month']):02d}-{int(match['day']):02d}"
    return DateError(f'"{shown}" is not a date', where=where, allowed=DAY_FORMATS, fix=fix)


def _ambiguous(shown: str, match: re.Match[str], where: str | None) -> DateError:
    year, first, second = (int(match[name]) for name in ("year", "first", "second"))
    readings = {(first, second): "month first", (second, first): "day first"}
    possible = [f"{year:04d}-{m:02d}-{d:02d} ({how})" for (m, d), how in readings.items() if _exists(year, m, d)]
    if not possible:
        return DateError(f'no such day as "{shown}"', where=where, allowed=DAY_FORMATS)
    found = f'"{shown}" can be read as {" or as ".join(possible)}'
    return DateError(found, where=where, allowed=DAY_FORMATS, fix="write the one that is meant as year-month-day")


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def show_day(day: Day) -> str | None:
    """2026-01-01; None for "since unknown" and for "without end"."""
    return None if day in (UNKNOWN_DAY, FOREVER_DAY) else date.fromordinal(day).isoformat()


def zone(name: str) -> ZoneInfo:
    """The time zone of that IANA name.

    Raises:
        ConfigError: there is no such zone.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # ZoneInfo raises each of them, by what is wrong with the name
        raise ConfigError(
            f'unknown time zone "{name}"', where="timezone", allowed='names such as "UTC" or "Europe/Berlin"'
        ) from None


def start_of(day: Day, tz: str) -> Instant:
    """The first instant of that day in the zone `tz`."""
    midnight = datetime.combine(date.fromordinal(day), datetime.min.time(), tzinfo=zone(tz))
    return (midnight - _EPOCH) // _MICROSECOND


def parse_instant(text: str, tz: str, *, end_of_day: bool, where: str | None = None) -> Instant:
    """The instant of a time with its zone; of a bare day, its first or (`end_of_day`) last instant in `tz`.

    Raises:
        DateError: neither of both, a time without a zone, or a time before the year 2 or after the year 2200.
    """
    written = text.strip()
    if "T" not in written.upper() and ":" not in written:
        day = parse_day(written, where=where)
        _refuse_far(day, written, where)
        return start_of(day + 1, tz) - 1 if end_of_day else start_of(day, tz)
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        raise DateError(f'"{written}" is not a time', where=where, allowed=INSTANT_FORMATS) from None
    if moment.tzinfo is None:
        raise DateError(
            f'"{written}" has no zone', where=where, allowed=INSTANT_FORMATS, fix=f"write {written}Z for UTC"
        )
    _refuse_far(moment.toordinal(), written, where)
    return (moment - _EPOCH) // _MICROSECOND


def _refuse_far(day: Day, written: str, where: str | None) -> None:
    if day < _FIRST_DAY:
        raise DateError(f'"{written}" is too far in the past', where=where, allowed="years from 2 on")
    if day > _LAST_DAY:
        raise DateError(f'"{written}" is too far in the future', where=where, allowed="years up to 2200")


def show_instant(instant: Instant) -> str | None:
    """2026-01-01T09:30:00Z, with microseconds where there are any; None for "until now"."""
    if instant >= FOREVER:
        return None
    return (_EPOCH + instant * _MICROSECOND).isoformat().replace("+00:00", "Z")


def today(now: Instant, tz: str) -> Day:
    """The day that `now` falls on in the zone `tz`."""
    return (_EPOCH + now * _MICROSECOND).astimezone(zone(tz)).date().toordinal()


def effective_line(
    text: str, *, first_line: int = 1, where: Callable[[int], str] | None = None
) -> list[tuple[Day, int]]:
    """Each day that an "Effective ..." line of its own near the top states, with its 1-based line.

    A sentence that goes on after the date speaks of something else and does not count, nor does
    "last updated". `first_line` is the line of the file on which `text` starts, `where` what
    messages call a line.

    Raises:
        DateError: such a line has a date that cannot be read, or with two readings.
    """
    lines = enumerate(text.split("\n", EFFECTIVE_LINES)[:EFFECTIVE_LINES], start=first_line)
    found = [(match["date"], number) for number, line in lines if (match := _effective(line))]
    return [(parse_day(written, where=where(number) if where else None), number) for written, number in found]


def _effective(line: str) -> re.Match[str] | None:
    # A real one is short; the length guard also keeps a 10 MB line away from the pattern.
    return _EFFECTIVE.fullmatch(line) if len(line) <= 200 else None
