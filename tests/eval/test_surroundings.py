from pathlib import Path

import pytest

from eval.surroundings import clock, surroundings
from ingest.dates import show_day, show_instant
from ingest.errors import ConfigError, DateError


def test_the_flag_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "caveat.toml").write_text('state = "kept"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert surroundings(None).state == tmp_path / "kept"
    assert surroundings(Path("other")).state == Path("other")


def test_the_clock_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "caveat.toml").write_text('[ingest]\ntimezone = "Asia/Tokyo"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CAVEAT_NOW", "2026-03-15T20:00:00Z")
    around = surroundings(None)
    assert show_instant(around.now) == "2026-03-15T20:00:00Z"
    assert show_day(around.today) == "2026-03-16"


def test_a_wrong_clock_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAVEAT_NOW", "yesterday")
    with pytest.raises(DateError, match=r"CAVEAT_NOW: \"yesterday\" is not a time"):
        clock("UTC")


def test_no_handbook_says_where_to_name_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="no handbook named; fix: write: caveat index FOLDER"):
        surroundings(None).handbook(None)
