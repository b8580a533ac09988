"""A published generation with all its files open: they stay readable when the folder is deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from index.generation.manifest import CATALOG, KEYWORDS, NAMES, POINTS, VECTORS, Manifest
from index.generation.names import NameTable
from index.generation.points import Mask, Points
from index.generation.texts import Texts
from index.history.catalog import Catalog
from index.history.records import Version
from index.lexical.postings import Postings
from index.references import References
from index.state import State
from index.stores.edge import EdgeStore
from index.stores.store import VectorStore
from ingest.errors import CaveatError, StateDamaged

_ATTEMPTS = 10
"""Opening is overtaken by the next run where the machine is busy and runs follow one another closely."""
_VERSIONS = 4096


@dataclass(frozen=True, eq=False)
class Opened:
    """The parts of one generation."""

    manifest: Manifest
    points: Points
    texts: Texts
    postings: Postings
    names: NameTable
    store: VectorStore
    catalog: Catalog

    @classmethod
    def current(cls, state: State) -> Opened:
        """Open what CURRENT names; where it was deleted meanwhile, CURRENT names another one by now.

        Raises:
            StateMissing: nothing was indexed there yet.
            StateDamaged: a part of the generation is gone, cut short or does not fit.
            StateError: a newer Caveat wrote it.
            StoreError: the vector store failed.
        """
        for _ in range(_ATTEMPTS - 1):
            number = state.must_be_published()
            try:
                return cls.open(state.generation(number))
            except CaveatError:
                if state.current() == number:
                    raise
        return cls.open(state.generation(state.must_be_published()))

    @classmethod
    def open(cls, folder: Path) -> Opened:
        """Open a generation's folder. Raises as `current`."""
        manifest = Manifest.load(folder)
        manifest.check(folder)
        catalog = Catalog.open_snapshot(folder / CATALOG)
        points, texts = Points.load(folder / POINTS), Texts.load(folder)
        postings, names = Postings.load(folder / KEYWORDS), NameTable.load(folder / NAMES)
        opened = cls(manifest, points, texts, postings, names, open_store(manifest, folder), catalog)
        opened._check(folder)
        # Where the folder was deleted meanwhile, the engine may have "repaired" what it did not find any more.
        manifest.check(folder)
        return opened

    def close(self) -> None:
        """Release the files."""
        self.store.close()
        self.catalog.close()

    def _check(self, folder: Path) -> None:
        found = {"points": len(self.points.id), "keywords": len(self.postings), "rows": len(self.points.row_id)}
        told = {"points": self.manifest.points, "keywords": self.manifest.points, "rows": self.manifest.rows}
        found |= {"names": len(self.names), "texts": len(self.texts)}
        told |= {"names": self.manifest.rows, "texts": self.manifest.texts}
        if self.manifest.collection is None:
            found["vectors"], told["vectors"] = self.store.count(), self.manifest.points
        if found != told:
            fix = "run `caveat index --full`"
            raise StateDamaged(f"holds {found}, its manifest says {told}", where=str(folder), fix=fix)

    @cached_property
    def version(self) -> Callable[[str], Version]:
        """One version by digest; the last ones asked for are kept."""
        return lru_cache(maxsize=_VERSIONS)(self.catalog.version)

    def named(self, reference: str, doc_id: str | None, among: Mask) -> list[int]:
        """Those of the rows `among` (n_rows,) that `reference` names: by the closest way of naming that names any."""
        document, mark, name = reference.partition("#")
        doc_id, name = (document.strip(), name) if mark else (doc_id, reference)
        allowed = among if doc_id is None else among & self.points.in_documents([doc_id])
        found = ([row for row in rows if allowed[row]] for rows in self._references.candidates(name))
        return next((rows for rows in found if rows), [])

    @cached_property
    def _references(self) -> References:
        rows: dict[str, list[int]] = {}
        for row in np.flatnonzero(self.points.is_section).tolist():
            rows.setdefault(self.points.digest[row].decode(), []).append(row)
        return References.of((row, label) for label in self.catalog.labels() for row in rows.get(label.digest, ()))


def open_store(manifest: Manifest, folder: Path) -> VectorStore:
    """The vectors of a generation, to read."""
    if manifest.collection is None:
        return EdgeStore.open_to_read(folder / VECTORS)
    from index.stores.server import ServerStore  # qdrant-client takes a second or more to import

    return ServerStore.connect(manifest.collection, manifest.dim)
