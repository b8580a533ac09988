"""What is missing in a state folder, or does not fit the rest, and what mends it. Looks, changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from index.encoding.encoder import open_encoder
from index.encoding.tokenstore import TokenStore
from index.generation.manifest import Manifest
from index.generation.texts import Texts
from index.generation.tokens import are_kept
from index.generation.verifying import differences
from index.history.catalog import Catalog
from index.opened import open_store
from index.state import State, numbers_in
from ingest.errors import CaveatError, StateError

_PUBLISH: Final = "run `caveat index`, which publishes again from the history"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    part: str
    """Path below the state folder."""
    found: str
    fix: str
    harmless: bool = False
    """The next index run mends it, and until then every answer is right."""


def examine(state: State) -> list[Finding]:
    """All findings, in the order in which to mend them; none where all is well.

    The published generation is compared with the history row by row and vector by vector, which takes
    about a second for 50,000 chunks.
    """
    looks = (_owner, _history, _current, _published, _remains, _caches, _encoder, _token_vectors)
    return [finding for look in looks for finding in _guarded(state, look)]


def _guarded(state: State, look: Callable[[State], Iterator[Finding]]) -> Iterator[Finding]:
    try:
        yield from look(state)
    except CaveatError as error:
        yield Finding(_part(state, error.where), error.found, error.fix or _PUBLISH)


def _part(state: State, where: str | None) -> str:
    path = Path(where or state.folder)
    return path.relative_to(state.folder).as_posix() if path.is_relative_to(state.folder) else str(path)


def _owner(state: State) -> Iterator[Finding]:
    owner = state.owner()
    if owner is None and _imported(state):
        found = "the history was imported, and no handbook was indexed here yet"
        yield Finding("state.json", found, "run `caveat index HANDBOOK`", harmless=True)
        return
    if owner is None:
        yield Finding("state.json", "no handbook was indexed here yet", "run `caveat index HANDBOOK`")
        return
    homes = (Path(owner.absolute), state.folder / owner.relative)
    if not any(home.is_dir() for home in homes):
        fix = "run `caveat index FOLDER --moved` if the handbook was moved"
        yield Finding("state.json", f"the handbook {owner.absolute} is not there", fix, harmless=True)


def _imported(state: State) -> bool:
    """Whether there is a history, and nothing else yet: as `caveat import` leaves a state folder."""
    if state.owner() is not None or not state.catalog.exists() or numbers_in(state.generations):
        return False
    with Catalog.open_reading(state.catalog) as catalog:
        return catalog.sequence > 0


def _history(state: State) -> Iterator[Finding]:
    if not state.catalog.exists() and numbers_in(state.generations):
        newest = state.generation(numbers_in(state.generations)[-1]) / "catalog.sqlite"
        fix = f"copy {newest} there, restore a backup, or `caveat import` an export"
        yield Finding("history/catalog.sqlite", "the history is gone", fix)
    elif state.catalog.exists():
        Catalog.open_reading(state.catalog).close()
        yield from _integrity(
            state, state.catalog, "restore a backup, or `caveat import` an export into a new state folder"
        )


def _current(state: State) -> Iterator[Finding]:
    number = state.current()
    if number is None and state.catalog.exists() and not _imported(state):
        yield Finding("CURRENT", "nothing is published yet", "run `caveat index`")


def _published(state: State) -> Iterator[Finding]:
    number = state.current()
    if number is None:
        return
    folder = state.generation(number)
    manifest = Manifest.load(folder)
    part = f"generations/{number}"
    faults = [Finding(part, fault, _PUBLISH) for fault in manifest.missing(folder)]
    yield from faults
    if faults or not state.catalog.exists():
        return
    with Catalog.open_reading(state.catalog) as catalog:
        yield from _compared(folder, manifest, catalog, part)


def _compared(folder: Path, manifest: Manifest, catalog: Catalog, part: str) -> Iterator[Finding]:
    store = open_store(manifest, folder)
    try:
        for difference in differences(folder, manifest, catalog, store):
            yield Finding(part, difference, "run `caveat index --full`")
    finally:
        store.close()
    if manifest.seq < catalog.sequence:
        found = f"holds run {manifest.seq}, the history has run {catalog.sequence}"
        yield Finding(part, found, "run `caveat index` to publish it", harmless=True)


def _remains(state: State) -> Iterator[Finding]:
    current = state.current() or 0
    begun = [path.name for path in state.generations.glob(".*")]
    begun += [str(number) for number in numbers_in(state.generations) if number > current]
    for name in sorted(begun):
        yield Finding(f"generations/{name}", "left by a run that did not finish", "run `caveat index`", harmless=True)


def _caches(state: State) -> Iterator[Finding]:
    for path in (state.parsed, state.embeddings):
        if path.exists():
            yield from _integrity(state, path, "delete it: the next run fills it again")
        elif state.catalog.exists() and not _imported(state):
            part = _part(state, str(path))
            yield Finding(part, "the cache is gone", "nothing to do: the next run fills it again", harmless=True)


def _encoder(state: State) -> Iterator[Finding]:
    number = state.current()
    if number is None:
        return
    settings = Manifest.load(state.generation(number)).encoder
    open_encoder(settings, state.encoder(settings))
    yield from ()


def _token_vectors(state: State) -> Iterator[Finding]:
    number = state.current()
    manifest = Manifest.load(state.generation(number)) if number is not None else None
    if manifest is None or not are_kept(manifest.encoder, manifest.texts):
        return
    texts = Texts.load(state.generation(manifest.generation))
    computed = "late interaction computes what it needs, which takes longer"
    try:
        store = TokenStore.open(state.token_vectors, manifest.encoder_fingerprint)
    except StateError as error:
        yield Finding("cache/token_vectors", f"{error.found}: {computed}", "run `caveat index`", harmless=True)
        return
    missing, damaged = sum(digest.decode() not in store for digest in texts.digest.tolist()), store.damaged()
    store.close()
    if missing:
        found = f"those of {missing} of {len(texts)} texts are not kept: {computed}"
        yield Finding("cache/token_vectors", found, "run `caveat index`", harmless=True)
    if damaged:
        found = f"those of {damaged} texts are damaged: {computed}"
        yield Finding("cache/token_vectors", found, "delete this folder and run `caveat index`", harmless=True)


def _integrity(state: State, path: Path, fix: str) -> Iterator[Finding]:
    part = _part(state, str(path))
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            [(told,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        yield Finding(part, f"cannot be read ({error})", fix)
        return
    if told != "ok":
        yield Finding(part, f"is damaged ({told})", fix)
