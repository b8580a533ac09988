from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from ingest.dates import parse_day, parse_instant
from ingest.errors import QueryError
from retrieve.when import as_of_day, known_at_instant

BERLIN = "Europe/Berlin"


def instant(text: str) -> int:
    return parse_instant(text, "UTC", end_of_day=False)


NOW = instant("2026-03-15T23:30:00Z")


@pytest.mark.parametrize("as_of", ["2026-03-15", "March 15, 2026", date(2026, 3, 15), datetime(2026, 3, 15, 12)])
def test_a_day_is_a_date_or_written(as_of: str | date) -> None:
    assert as_of_day(as_of, 0, "UTC") == parse_day("2026-03-15")


def test_today_is_the_handbooks_and_given_by_the_clock() -> None:
    assert as_of_day(None, NOW, "UTC") == parse_day("2026-03-15")
    assert as_of_day(None, NOW, BERLIN) == parse_day("2026-03-16")


def test_a_day_with_two_readings_is_refused_with_both() -> None:
    with pytest.raises(QueryError, match=r"as_of: .*2024-01-07 .*2024-07-01"):
        as_of_day("01/07/2024", NOW, "UTC")


def test_a_bare_day_of_belief_means_its_end() -> None:
    assert known_at_instant("2026-03-14", NOW, "UTC") == instant("2026-03-15T00:00:00Z") - 1
    assert known_at_instant(date(2026, 3, 14), NOW, "UTC") == instant("2026-03-15T00:00:00Z") - 1
    assert known_at_instant("2026-03-14", NOW, BERLIN) == instant("2026-03-14T23:00:00Z") - 1


def test_today_as_belief_means_now() -> None:
    assert known_at_instant("2026-03-15", NOW, "UTC") == NOW
    assert known_at_instant("2026-03-16", NOW, BERLIN) == NOW


@pytest.mark.parametrize(
    "moment",
    [
        "2026-03-01T10:00:00Z",
        "2026-03-01T12:00:00+02:00",
        datetime(2026, 3, 1, 10, tzinfo=UTC),
        datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2))),
        datetime(2026, 3, 1, 10),
    ],
    ids=str,
)
def test_a_time_of_belief_has_a_zone_or_is_the_handbooks(moment: str | datetime) -> None:
    assert known_at_instant(moment, NOW, "UTC") == instant("2026-03-01T10:00:00Z")


@pytest.mark.parametrize("known_at", ["2026-03-16", "2026-03-15T23:30:01Z", date(2027, 1, 1)], ids=str)
def test_a_future_belief_is_refused(known_at: str | date) -> None:
    with pytest.raises(QueryError, match=r"known_at: .* has not come yet; allowed: a time up to now, 2026-03-15T23:30"):
        known_at_instant(known_at, NOW, "UTC")


def test_a_belief_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(QueryError, match=r'known_at: "2026-03-01T10:00:00" has no zone'):
        known_at_instant("2026-03-01T10:00:00", NOW, "UTC")
