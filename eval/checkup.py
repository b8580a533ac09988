"""`caveat doctor`: looks at every part of a state folder, changes nothing, says what is missing and what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from eval.surroundings import Surroundings, known_handbook
from index.catalog import Catalog
from index.manifest import Manifest
from index.snapshot import Snapshot
from index.state import State, numbers_in
from ingest.errors import CaveatError, StateMissing

Verdict = Literal["good", "missing", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part: "missing" can be rebuilt by the next run, "bad" wants a human."""

    part: str
    verdict: Verdict
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


def checkup(around: Surroundings) -> tuple[Finding, ...]:
    """One finding for each part, in the order in which they depend on each other."""
    state = State(around.state)
    first = (
        _looked_at("configuration", lambda: _configuration(around)),
        _looked_at("handbook", lambda: _handbook(state)),
        _looked_at("history", lambda: _history(state)),
        _looked_at("search index", lambda: _generation(state)),
        _looked_at("cache", lambda: _cache(state)),
    )
    if first[3].verdict != "good":
        return first
    return (
        *first,
        _looked_at("published", lambda: _published(state)),
        _looked_at("encoder", lambda: _encoder(around)),
    )


def _looked_at(part: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except StateMissing as error:
        return Finding(part, "missing", str(error))
    except CaveatError as error:
        return Finding(part, "bad", str(error))


def _configuration(around: Surroundings) -> Finding:
    file = around.place.file
    return Finding("configuration", "good", str(file) if file else "no caveat.toml; every setting has its default")


def _handbook(state: State) -> Finding:
    found = known_handbook(state.folder)
    if found is None:
        raise StateMissing("this state folder belongs to no handbook yet", where=str(state.folder), fix=_INDEX)
    if not found.is_dir():
        return Finding("handbook", "bad", f"{found} is gone; if it was moved: caveat index FOLDER --moved")
    return Finding("handbook", "good", str(found.resolve()))


_INDEX = "run `caveat index HANDBOOK`"


def _history(state: State) -> Finding:
    if not state.catalog.exists():
        raise StateMissing("there is no history", where=str(state.catalog), fix=f"{_INDEX}, or caveat import FILE")
    with Catalog.open_reading(state.catalog) as catalog:
        return Finding("history", "good", f"{catalog.sequence} recorded runs, {len(catalog.doc_ids())} documents")


def _generation(state: State) -> Finding:
    number = state.must_be_published()
    manifest = Manifest.load(state.generation(number))
    manifest.check(state.generation(number))
    return Finding("search index", "good", f"generation {number}, {manifest.points} chunks, all files whole")


def _published(state: State) -> Finding:
    number = state.must_be_published()
    seq = Manifest.load(state.generation(number)).seq
    with Catalog.open_reading(state.catalog) as catalog:
        if catalog.sequence > seq:
            message = f"run {catalog.sequence} is recorded but run {seq} is searched; run `caveat index` to publish it"
            return Finding("published", "missing", message)
    newer = [built for built in numbers_in(state.generations) if built > number]
    if newer:
        return Finding("published", "missing", f"generation {newer[-1]} was begun; the next run finishes or removes it")
    return Finding("published", "good", f"what is recorded is what is searched (run {seq})")


def _encoder(around: Surroundings) -> Finding:
    snapshot = Snapshot.open(around.state, around.wanted_encoder)
    encoder = snapshot.encoder
    return Finding("encoder", "good", f"{snapshot.manifest.encoder.model}, {encoder.dim} dimensions, ready")


def _cache(state: State) -> Finding:
    if not state.folder.is_dir():
        raise StateMissing("there is no such folder", where=str(state.folder), fix=_INDEX)
    gone = [path.name for path in (state.parsed, state.embeddings) if not path.exists()]
    if gone:
        return Finding("cache", "missing", f"{', '.join(gone)}; the next run reads and encodes everything again")
    return Finding("cache", "good", "parsed files and vectors are kept")
