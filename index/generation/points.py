"""The table of a generation: its version rows and their chunks, as arrays.

It says of each point where its text stands and of each row when it holds, without touching the catalog,
so that a window becomes a mask over points in well under a millisecond.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from index.history.records import SECTION, Row
from index.stores.store import CHUNK_BITS, Window
from ingest.dates import Instant
from ingest.errors import StateDamaged

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
_TIMES: Final = ("valid_from", "valid_to", "rec_from", "rec_to")
_STORED: Final = {
    **dict.fromkeys(("row_id", "doc", *_TIMES, "id", "start", "end", "text"), "int64"),
    "is_section": "bool",
    "item": "S16",
    "digest": "S32",
}


@dataclass(frozen=True, eq=False)
class Points:
    """Rows by ascending row_id (n_rows,) and points by ascending id (n_points,)."""

    row_id: Ints
    is_section: Mask
    doc: Ints
    """Index in `doc_names`."""
    valid_from: Ints
    valid_to: Ints
    rec_from: Ints
    rec_to: Ints
    item: npt.NDArray[np.bytes_]
    """Section id; for a document row b""."""
    digest: npt.NDArray[np.bytes_]
    """Of a version; for a document row of an outline."""
    doc_names: tuple[str, ...]
    id: Ints
    start: Ints
    end: Ints
    """Spans in the version's text, half-open."""
    text: Ints
    """Number of the text that was encoded, in the generation's `Texts`."""
    row: Ints
    """(n_points,) position of each point's row."""

    @classmethod
    def empty(cls) -> Points:
        """No rows, no points."""
        table = {name: np.empty(0, dtype=dtype) for name, dtype in _STORED.items()}
        return cls(**table, row=np.empty(0, dtype=np.int64), doc_names=())

    def extended(self, rows: Sequence[Row], chunks: Iterable[tuple[int, int, int, int]]) -> Points:
        """The same with later rows and their chunks `(point id, start, end, text)`, both by ascending id."""
        names = {name: number for number, name in enumerate(self.doc_names)}
        table: dict[str, Any] = {name: [getattr(row, name) for row in rows] for name in ("row_id", "digest", *_TIMES)}
        table["is_section"] = [row.kind == SECTION for row in rows]
        table["doc"] = [names.setdefault(row.doc_id, len(names)) for row in rows]
        table["item"] = [row.id if row.kind == SECTION else "" for row in rows]
        columns = np.array(list(chunks), dtype=np.int64).reshape(-1, 4).T
        table |= dict(zip(("id", "start", "end", "text"), columns, strict=True))
        joined = {name: _appended(getattr(self, name), values) for name, values in table.items()}
        return Points(**joined, doc_names=tuple(names), row=_rows_of(joined["id"], joined["row_id"]))

    def closed(self, rec_to: Mapping[int, Instant]) -> Points:
        """The same after rows (by row_id) ended to be believed."""
        if not rec_to:
            return self
        ended = self.rec_to.copy()
        ended[np.searchsorted(self.row_id, list(rec_to))] = list(rec_to.values())
        return replace(self, rec_to=ended)

    def rows_in(self, as_of: int, known_at: Instant) -> Mask:
        """(n_rows,) rows that were believed at `known_at` to be in force on `as_of`."""
        in_force = (self.valid_from <= as_of) & (as_of < self.valid_to)
        return np.asarray(in_force & (self.rec_from <= known_at) & (known_at < self.rec_to))

    def points_in(self, window: Window) -> Mask:
        """(n_points,) points in a window."""
        rows = self.rows_in(window.as_of, window.known_at)
        return np.asarray((rows & self.in_documents(window.docs) if window.docs is not None else rows)[self.row])

    def in_documents(self, names: Sequence[str]) -> Mask:
        """(n_rows,) rows of the documents named."""
        wanted = set(names)
        return np.isin(self.doc, [number for number, name in enumerate(self.doc_names) if name in wanted])

    def ids_of_rows(self, row_ids: Iterable[int]) -> dict[int, list[int]]:
        """Point ids by row_id."""
        found = {row_id: (row_id << CHUNK_BITS, (row_id + 1) << CHUNK_BITS) for row_id in row_ids}
        edges = {row_id: np.searchsorted(self.id, bounds) for row_id, bounds in found.items()}
        return {row_id: self.id[low:high].tolist() for row_id, (low, high) in edges.items()}

    def section_rows(self, section_id: str) -> Ints:
        """Positions of a section's rows, ascending."""
        order, ordered = self._by_item
        low, high = (np.searchsorted(ordered, section_id.encode(), side) for side in ("left", "right"))
        return np.sort(order[low:high])

    def document_rows(self, name: str) -> Ints:
        """Positions of a document's rows, its sections' and its own, ascending."""
        number = self.doc_number(name)
        order, ordered = self._by_document
        low, high = (np.searchsorted(ordered, number, side) for side in ("left", "right"))
        return order[low:high]

    def doc_number(self, name: str) -> int:
        """Index of a document in `doc_names`; -1 where it is none of them."""
        return self._numbers.get(name, -1)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.doc_names)}

    @cached_property
    def _by_document(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.doc, kind="stable").astype(np.int64)
        return order, self.doc[order]

    @cached_property
    def _by_item(self) -> tuple[Ints, npt.NDArray[np.bytes_]]:
        order = np.argsort(self.item, kind="stable").astype(np.int64)
        return order, self.item[order]

    def documents(self, rows: Mask) -> tuple[str, ...]:
        """Names of the documents whose own row is among `rows` (n_rows,), in order."""
        return tuple(sorted({self.doc_names[number] for number in self.doc[rows & ~self.is_section].tolist()}))

    def save(self, path: Path) -> None:
        """Write an .npz file."""
        names = np.array([name.encode() for name in self.doc_names], dtype=np.bytes_)
        arrays = {name: getattr(self, name) for name in _STORED}
        with path.open("wb") as file:
            np.savez(file, doc_names=names, **arrays)

    @classmethod
    def load(cls, path: Path) -> Points:
        """Read what `save` wrote.

        Raises:
            StateDamaged: the file is gone, cut short or something else.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in _STORED}
                names = tuple(name.decode() for name in stored["doc_names"].tolist())
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise StateDamaged(
                f"the table of points cannot be read ({error})", where=str(path), fix="run `caveat index --full`"
            ) from error
        return cls(**arrays, doc_names=names, row=_rows_of(arrays["id"], arrays["row_id"]))


def _appended(old: npt.NDArray[Any], values: object) -> npt.NDArray[Any]:
    return np.concatenate((old, np.asarray(values, dtype=old.dtype)))


def _rows_of(ids: Ints, row_ids: Ints) -> Ints:
    return np.searchsorted(row_ids, ids >> CHUNK_BITS).astype(np.int64)
