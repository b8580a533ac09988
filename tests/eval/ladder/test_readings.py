"""The log of holdout readings."""

from pathlib import Path

import pytest

from eval.ladder.readings import Reading, log_reading, readings
from ingest.errors import SourceError

READING = Reading(
    at="2026-11-30T12:00:00Z", suite="t", suite_digest="d", configuration="c", measures="m", command="eval"
)


def test_readings_add_up(tmp_path: Path) -> None:
    file = tmp_path / "history" / "holdout.jsonl"
    assert readings(file) == ()
    assert [log_reading(file, READING), log_reading(file, READING)] == [1, 2]
    assert readings(file) == (READING, READING)


def test_a_damaged_log_is_named_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "holdout.jsonl"
    log_reading(file, READING)
    damaged = file.read_text() + "{half a li"
    file.write_text(damaged)
    with pytest.raises(SourceError, match=r"holdout\.jsonl:2: no holdout reading .*; fix: restore the file"):
        log_reading(file, READING)
    assert file.read_text() == damaged
