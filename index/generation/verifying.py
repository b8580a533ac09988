"""Proof that a generation says what the catalog says, before it is published and when `doctor` asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from index.generation.manifest import KEYWORDS, NAMES, POINTS, Manifest
from index.generation.names import NameTable
from index.generation.points import Points
from index.generation.texts import Texts
from index.history.catalog import Catalog
from index.lexical.postings import Postings
from index.stores.store import Payload, VectorStore, Window
from ingest.dates import Day, Instant
from ingest.errors import StateDamaged

_PROBES = 8


def verify(
    folder: Path, manifest: Manifest, catalog: Catalog, store: VectorStore, touched: Sequence[int] | None
) -> None:
    """Refuse a generation that differs from the catalog.

    Args:
        folder: The generation.
        manifest: Its manifest.
        catalog: What it must agree with.
        store: Its vectors.
        touched: Ids of the points that differ from those of a generation that was proved before, the only
            ones that are looked at one by one; None: all.

    Raises:
        StateDamaged: naming the first difference.
        StoreError: the vector store failed.
    """
    for difference in differences(folder, manifest, catalog, store, touched):
        raise StateDamaged(
            f"generation {manifest.generation} differs from the catalog: {difference}",
            where=str(folder),
            fix="run `caveat index --full`; the generation published before stays in use",
        )


def differences(
    folder: Path, manifest: Manifest, catalog: Catalog, store: VectorStore, touched: Sequence[int] | None = None
) -> Iterator[str]:
    """Everything in which a generation differs from the catalog, one phrase each. Arguments as for `verify`."""
    points = Points.load(folder / POINTS)
    yield from _rows(points, catalog, manifest.recorded)
    if touched is None and (found := len(Postings.load(folder / KEYWORDS))) != len(points.id):
        yield f"keywords of {found} chunks, {len(points.id)} chunks"
    if touched is None and (found := len(NameTable.load(folder / NAMES))) != len(points.row_id):
        yield f"names of {found} rows, {len(points.row_id)} rows"
    yield from _texts(points, Texts.load(folder), touched)
    yield from _payloads(points, store, touched)
    yield from _counts(points, store)


def _rows(points: Points, catalog: Catalog, recorded: Instant) -> Iterator[str]:
    times = np.array(catalog.row_times(), dtype=np.int64).reshape(-1, 5)
    row_id, valid_from, valid_to, rec_from, rec_to = times[times[:, 3] <= recorded].T
    if not np.array_equal(points.row_id, row_id):
        yield f"{len(points.row_id)} rows, the catalog has {len(row_id)}"
        return
    # The catalog may know later closings than an older generation.
    apart = (points.rec_to != rec_to) & (np.minimum(points.rec_to, rec_to) <= recorded)
    apart |= (points.valid_from != valid_from) | (points.valid_to != valid_to) | (points.rec_from != rec_from)
    yield from (f"the times of row {points.row_id[at]}" for at in np.flatnonzero(apart)[:1])


def _texts(points: Points, texts: Texts, touched: Sequence[int] | None) -> Iterator[str]:
    if (last := int(points.text.max(initial=-1))) >= len(texts):
        yield f"{len(texts)} texts, a chunk has text {last}"
    if touched is None and (changed := texts.changed()):
        yield f"{changed} texts are not those that were encoded"


def _payloads(points: Points, store: VectorStore, touched: Sequence[int] | None) -> Iterator[str]:
    stored = store.payloads(touched)
    wanted = points.id if touched is None else np.array(touched, dtype=np.int64)
    for point, position in zip(wanted.tolist(), np.searchsorted(points.id, wanted).tolist(), strict=True):
        if stored.get(point) != _payload(points, int(points.row[position])):
            yield f"the vector of point {point} is {'wrong' if point in stored else 'missing'}"
            return


def _payload(points: Points, row: int) -> Payload:
    times = {name: int(getattr(points, name)[row]) for name in ("valid_from", "valid_to", "rec_from", "rec_to")}
    return {"section": points.item[row].decode(), "doc": points.doc_names[points.doc[row]], **times}


def _counts(points: Points, store: VectorStore) -> Iterator[str]:
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
