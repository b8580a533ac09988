"""What a command works in: the configuration, the state folder and the clock; read in this one place."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from eval.config import Config, Place, load_place
from index.settings import EncoderSettings
from ingest.dates import Day, Instant, parse_instant, today
from ingest.errors import ConfigError

CLOCK = "CAVEAT_NOW"
"""Environment variable that sets the clock: a day or a time with its zone, such as 2026-03-15T12:00:00Z."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where and when a command runs."""

    place: Place
    state: Path
    now: Instant

    @property
    def config(self) -> Config:
        """The settings in force."""
        return self.place.config

    @property
    def today(self) -> Day:
        """The day it is in the configured time zone."""
        return today(self.now, self.config.ingest.timezone)

    @property
    def wanted_encoder(self) -> EncoderSettings | None:
        """The configured model; None where caveat.toml names none: then the index's own is the right one."""
        return self.config.encoder if "encoder" in self.config.model_fields_set else None

    def clock(self) -> Instant:
        """The time now, for what goes on for longer than one question."""
        return clock(self.config.ingest.timezone)

    def path(self, named: str) -> Path:
        """A path as caveat.toml names it: from its own folder on, "~" spelled out."""
        return self.place.folder / Path(named).expanduser()

    def suite(self, given: Path | None) -> Path:
        """The suite: as given, else as configured."""
        return given or self.path(self.config.eval.suite)

    def handbook(self, given: Path | None) -> Path:
        """The handbook's folder: as given, else as configured, else the one that the state folder belongs to.

        Raises:
            ConfigError: none of them names one.
        """
        named = given or self.place.handbook or known_handbook(self.state)
        if named is None:
            raise ConfigError("no handbook named", fix="write: caveat index FOLDER, or handbook = ... in caveat.toml")
        return named


def surroundings(state: Path | None) -> Surroundings:
    """The surroundings of the current folder; `state` is what `--state` gave.

    Raises:
        ConfigError, DateError: caveat.toml or CAVEAT_NOW is wrong.
    """
    place = load_place(Path.cwd())
    return Surroundings(place, state or place.state, clock(place.config.ingest.timezone))


def known_handbook(state: Path) -> Path | None:
    """The handbook that a state folder belongs to: beside it as before, as after moving both, else where it was."""
    from index.state import State

    owner = State(state).owner()
    if owner is None:
        return None
    places = ((state / owner.relative).resolve(), Path(owner.absolute))
    return next((place for place in places if place.is_dir()), places[1])


def clock(timezone: str) -> Instant:
    """Now, in microseconds since 1970; CAVEAT_NOW if it is set.

    Raises:
        DateError: CAVEAT_NOW is neither a day nor a time with its zone.
    """
    fixed = os.environ.get(CLOCK)
    if fixed:
        return parse_instant(fixed, timezone, end_of_day=False, where=CLOCK)
    return time.time_ns() // 1000
