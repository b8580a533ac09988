from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.dates import (
    EFFECTIVE_LINES,
    FOREVER,
    FOREVER_DAY,
    UNKNOWN_DAY,
    effective_line,
    parse_day,
    parse_instant,
    show_day,
    show_instant,
    start_of,
    today,
)
from ingest.errors import ConfigError, DateError

NEW_YEAR = date(2026, 1, 1).toordinal()
HOUR = 3_600_000_000


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01",
        " 2026-01-01 ",
        "January 1, 2026",
        "january 1 2026",
        "Jan. 1, 2026",
        "1 January 2026",
        "1st Jan 2026",
    ],
)
def test_a_day_in_each_format(text: str) -> None:
    assert parse_day(text) == NEW_YEAR


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("01/07/2024", r"2024-01-07 \(month first\) or as 2024-07-01 \(day first\)"),
        ("1.7.2024", "can be read as"),
        ("13/07/2024", r'"13/07/2024" can be read as 2024-07-13 \(day first\);'),
        ("45/45/2024", "no such day"),
        ("2026-13-01", "no such day"),
        ("2026-02-30", "no such day"),
        ("0000-01-01", "no such day"),
        ("February 30, 2026", "no such day"),
        ("2026-1-1", "fix: write 2026-01-01"),
        ("2026/01/01", "fix: write 2026-01-01"),
        ("20260101", "is not a date; allowed: 2026-01-01"),
        ("December 2025", "is not a date"),
        ("٢٠٢٦-٠١-٠١", "is not a date"),
        ("soon", "is not a date"),
        ("", "is not a date"),
        ("x" * 1000, r'"x{57}\.\.\." is not a date'),
    ],
)
def test_no_day_is_guessed(text: str, message: str) -> None:
    with pytest.raises(DateError, match=message):
        parse_day(text)


def test_an_error_says_where() -> None:
    with pytest.raises(DateError, match=r"^a\.md:3: "):
        parse_day("soon", where="a.md:3")


@given(st.dates())
def test_a_day_shown_is_read_again(day: date) -> None:
    ordinal = day.toordinal()

    assert parse_day(show_day(ordinal) or "") == ordinal


@pytest.mark.parametrize("sentinel", [UNKNOWN_DAY, FOREVER_DAY])
def test_sentinels_show_as_nothing(sentinel: int) -> None:
    assert show_day(sentinel) is None
    assert show_instant(FOREVER) is None


def test_a_bare_day_is_its_first_or_last_instant() -> None:
    start = parse_instant("2026-01-01", "UTC", end_of_day=False)

    assert start == parse_instant("2026-01-01T00:00:00Z", "UTC", end_of_day=True)
    assert parse_instant("2026-01-01", "UTC", end_of_day=True) == start + 24 * HOUR - 1


def test_a_bare_day_is_one_of_the_time_zone() -> None:
    start = parse_instant("2026-01-01", "Europe/Berlin", end_of_day=False)

    assert start == parse_instant("2026-01-01T00:00:00+01:00", "UTC", end_of_day=False)
    assert (today(start, "Europe/Berlin"), today(start, "UTC")) == (NEW_YEAR, NEW_YEAR - 1)


def test_a_day_of_23_hours_ends_where_the_next_one_starts() -> None:
    day = parse_day("2026-03-29")

    assert start_of(day + 1, "Europe/Berlin") - start_of(day, "Europe/Berlin") == 23 * HOUR


@given(st.integers(min_value=-(10**15), max_value=7 * 10**15))
def test_an_instant_shown_is_read_again(instant: int) -> None:
    assert parse_instant(show_instant(instant) or "", "UTC", end_of_day=False) == instant


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2026-01-01T09:30:00", "has no zone; .*fix: write 2026-01-01T09:30:00Z"),
        ("2026-01-01T25:00:00Z", "is not a time"),
        ("now", "is not a date"),
        ("9999-12-31", "too far in the future"),
        ("0001-01-01", "too far in the past; allowed: years from 2 on"),
        ("0001-01-01T00:00:00+14:00", "too far in the past"),
        ("2900-01-01T00:00:00Z", "too far in the future"),
    ],
)
def test_an_instant_is_not_guessed(text: str, message: str) -> None:
    with pytest.raises(DateError, match=message):
        parse_instant(text, "UTC", end_of_day=True)


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd", "Europe"])
def test_an_unknown_time_zone(name: str) -> None:
    with pytest.raises(ConfigError, match="unknown time zone"):
        today(0, name)


@pytest.mark.parametrize(
    "line",
    [
        "Effective January 1, 2026",
        "Effective date: **January 1, 2026**",
        "Version Effective Date: January 1, 2026",
        "**Effective: 2026-01-01.**",
        "_Effective from 1 January 2026_",
        "This policy is effective as of January 1, 2026.",
        "| Effective date | 2026-01-01 |",
        "> Effective since Jan 1, 2026",
        "Effective 1 January 2026. Owner: Finance.",
        "In force since 1 January 2026",
        "Version 3, in force from January 1, 2026",
        "Valid from 2026-01-01; replaces version 2",
    ],
)
def test_an_effective_line(line: str) -> None:
    assert effective_line(f"# Seats\n\n{line}\n\nText.\n", first_line=5) == [(NEW_YEAR, 7)]


@pytest.mark.parametrize(
    "line",
    [
        "Last updated: January 1, 2026",
        "Effective January 1, 2026, seats may be reduced.",
        "Valid from 2026-01-01 to 2026-06-30",
        "This policy takes effect on 1 January 2026 for new customers.",
        "The Service was deprecated effective 30 November 2021, and is gone.",
        '"Effective Date" means January 1, 2026 or later.',
        "Effective date: upon signature",
        "Effective date: version 3, 2026",
        "Effective date: January 2026",
        "Effective " + "very " * 100 + "2026-01-01",
    ],
)
def test_a_line_that_dates_no_document(line: str) -> None:
    assert effective_line(line) == []


def test_an_effective_line_far_below_the_top_does_not_count() -> None:
    assert effective_line("\n" * EFFECTIVE_LINES + "Effective 2026-01-01") == []


def test_an_effective_line_with_two_readings_is_refused() -> None:
    with pytest.raises(DateError, match=r"a.md:2: .*month first.*day first"):
        effective_line("# Seats\nEffective date: 01/07/2024", where="a.md:{}".format)
