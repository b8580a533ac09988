"""`caveat doctor`: looks at the settings and at every part of a state folder, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from eval.surroundings import Surroundings, known_handbook
from index.doctor import examine
from index.generation.manifest import Manifest
from index.snapshot import Snapshot
from index.state import State
from ingest.errors import EncoderError

Verdict = Literal["good", "note", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part: after a "note" every answer is still right, "bad" wants a human."""

    part: str
    verdict: Verdict
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


def checkup(around: Surroundings) -> tuple[Finding, ...]:
    """What is in use, then what is wrong, in the order in which to mend it.

    Raises:
        StateError: the state folder cannot be read at all.
    """
    state = State(around.state)
    wrong = tuple(
        Finding(one.part, "note" if one.harmless else "bad", f"{one.found}; fix: {one.fix}") for one in examine(state)
    )
    broken = any(finding.verdict == "bad" for finding in wrong)
    return (*_in_use(around, state, broken), *wrong)


def _in_use(around: Surroundings, state: State, broken: bool) -> Iterator[Finding]:
    file = around.place.file
    yield Finding("caveat.toml", "good", str(file) if file else "none; every setting has its default")
    if broken or state.current() is None:
        return
    handbook, number = known_handbook(state.folder), state.must_be_published()
    manifest = Manifest.load(state.generation(number))
    yield Finding("handbook", "good", str(handbook))
    yield Finding("generation", "good", f"{number}, {manifest.points} chunks, the same as the history")
    yield _encoder(around, manifest)


def _encoder(around: Surroundings, manifest: Manifest) -> Finding:
    try:
        snapshot = Snapshot.open(around.state, around.wanted_encoder)
    except EncoderError as error:
        return Finding("encoder", "bad", str(error))
    snapshot.close()
    return Finding("encoder", "good", f"{manifest.encoder.model}, {manifest.dim} dimensions")
