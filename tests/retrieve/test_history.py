from __future__ import annotations

import pytest

from ingest.dates import FOREVER_DAY, UNKNOWN_DAY, parse_day
from retrieve.history import around, in_words, joined

Y25, Y26, Y27, Y28 = (parse_day(f"{year}-01-01") for year in (2025, 2026, 2027, 2028))


def test_spans_that_touch_or_overlap_are_one() -> None:
    assert joined([(Y27, Y28), (Y25, Y26), (Y26, Y27)]) == [(Y25, Y28)]
    assert joined([(Y25, Y28), (Y26, Y27)]) == [(Y25, Y28)]
    assert joined([(Y25, Y26), (Y27, Y28)]) == [(Y25, Y26), (Y27, Y28)]


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (Y25 - 1, "the first edition is of 2025-01-01"),
        (Y26, "the last day before was 2025-12-31; the first day after is 2027-01-01"),
        (Y28, "the last day before was 2027-12-31"),
    ],
)
def test_an_empty_day_is_told_from_its_neighbours(day: int, words: str) -> None:
    assert around([(Y25, Y26), (Y27, Y28)], day) == words


def test_spans_read_as_days() -> None:
    assert in_words([(UNKNOWN_DAY, Y26), (Y27, FOREVER_DAY)]) == (
        "since unknown to 2025-12-31 and from 2027-01-01 without end"
    )
