"""Proof that a generation says what the catalog says, before it is published and when `doctor` asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from index.catalog import Catalog
from index.keywords import Postings
from index.manifest import KEYWORDS, POINTS, Manifest
from index.points import Points
from index.records import Row
from index.snapshot import open_store
from index.store import VectorStore, Window
from ingest.dates import Day, Instant
from ingest.errors import StateDamaged

_PROBES = 8


def verify(folder: Path, manifest: Manifest, catalog: Catalog) -> None:
    """Refuse a generation that differs from the catalog.

    Raises:
        StateDamaged: naming the first difference.
        StoreError: the vector store failed.
    """
    for difference in differences(folder, manifest, catalog):
        fix = "run `caveat index --full`; the generation published before stays in use"
        raise StateDamaged(
            f"generation {manifest.generation} differs from the catalog: {difference}", where=str(folder), fix=fix
        )


def differences(folder: Path, manifest: Manifest, catalog: Catalog) -> Iterator[str]:
    """Everything in which a generation differs from the catalog, one phrase each."""
    points, postings = Points.load(folder / POINTS), Postings.load(folder / KEYWORDS)
    rows = [row for row in catalog.rows() if row.rec_from <= manifest.recorded]
    yield from _rows(points, rows, manifest)
    if len(postings) != len(points.id):
        yield f"keywords of {len(postings)} chunks, {len(points.id)} chunks"
    store = open_store(manifest, folder)
    try:
        yield from _vectors(points, store)
    finally:
        store.close()


def _rows(points: Points, rows: list[Row], manifest: Manifest) -> Iterator[str]:
    if points.row_id.tolist() != [row.row_id for row in rows]:
        yield f"{len(points.row_id)} rows, the catalog has {len(rows)}"
        return
    for name in ("valid_from", "valid_to", "rec_from"):
        wrong = np.flatnonzero(getattr(points, name) != [getattr(row, name) for row in rows])
        yield from (f"{name} of row {points.row_id[at]}" for at in wrong[:1])
    # The catalog may know later closings than an older generation.
    ends = np.array([row.rec_to for row in rows], dtype=np.int64)
    wrong = np.flatnonzero(
        (points.rec_to != ends) & ((ends <= manifest.recorded) | (points.rec_to <= manifest.recorded))
    )
    yield from (f"rec_to of row {points.row_id[at]}" for at in wrong[:1])


def _vectors(points: Points, store: VectorStore) -> Iterator[str]:
    stored = store.ids()
    lost = np.setdiff1d(points.id, stored)
    if len(lost):
        yield f"{len(lost)} vectors are missing, the first is of point {lost[0]}"
    for window in _probes(points):
        found, expected = store.count(window), int(points.points_in(window).sum())
        if found != expected:
            yield f"{found} vectors in force on day {window.as_of} at {window.known_at}, {expected} chunks"
            return


def _probes(points: Points) -> Iterator[Window]:
    """Windows at which what is in force last changed."""
    days: list[Day] = sorted(set(points.valid_from.tolist()))[-_PROBES:]
    instants: list[Instant] = sorted(set(points.rec_from.tolist()) | set(points.rec_to.tolist()))[-_PROBES:]
    yield from (Window(day, instant) for day in days[-1:] for instant in instants)
    yield from (Window(day, instant) for day in days[:-1] for instant in instants[-1:])
