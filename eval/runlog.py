"""`caveat log`: the recorded runs, and the generations that published them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from index.generation.manifest import Manifest
from index.history.catalog import Catalog
from index.history.records import Run
from index.state import State
from ingest.dates import show_instant
from ingest.errors import StateMissing


@dataclass(frozen=True, slots=True)
class Logged:
    """One recorded run."""

    run: int
    recorded: str | None
    kind: str
    generation: int | None
    """The first generation that holds it; None where it was recorded but not published yet."""
    published: bool
    """Whether it is what is searched now."""
    summary: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "run": self.run,
            "recorded": self.recorded,
            "kind": self.kind,
            "generation": self.generation,
            "published": self.published,
            "summary": dict(self.summary),
        }


def recorded_runs(folder: Path) -> tuple[Logged, ...]:
    """All recorded runs of a state folder, oldest first.

    Raises:
        StateMissing: nothing was recorded there yet.
        StateDamaged: the catalog cannot be read.
    """
    state = State(folder)
    if not state.catalog.exists():
        raise StateMissing("nothing was recorded yet", where=str(folder), fix="run `caveat index HANDBOOK`")
    with Catalog.open_reading(state.catalog) as catalog:
        runs = catalog.runs()
    return _logged(runs, _manifest(state))


def _manifest(state: State) -> Manifest | None:
    number = state.current()
    return None if number is None else Manifest.load(state.generation(number))


def _logged(runs: tuple[Run, ...], manifest: Manifest | None) -> tuple[Logged, ...]:
    published = manifest.published if manifest else ()
    return tuple(
        Logged(
            run.seq,
            show_instant(run.instant),
            run.kind,
            min((one.generation for one in published if one.seq >= run.seq), default=None),
            manifest is not None and run.seq == manifest.seq,
            run.summary,
        )
        for run in runs
    )
