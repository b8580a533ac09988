"""What every row's section can be called and what its links may mean, so that a link is resolved without texts.

Names are kept as 64-bit digests: 17,000 sections have 130,000 names, and two of them share a digest once in
two thousand million such handbooks.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from index.generation.points import Mask, Points
from index.history.records import Version
from index.targets import first_count, first_name, names_meant, names_of
from ingest.errors import StateDamaged

Digests = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int32]
_STORED: Final = {"name": np.uint64, "called": np.int32, "meant": np.uint64, "linking": np.int32, "count": np.uint64}
_NOTHING: Final = 0


@dataclass(frozen=True, eq=False)
class NameTable:
    """Names by ascending digest, each with a row that has it; equal digests by ascending row."""

    name: Digests
    """(n_names,)"""
    called: Rows
    """(n_names,) the row of that name."""
    meant: Digests
    """(n_meant,) names that a link may mean."""
    linking: Rows
    """(n_meant,) the row with that link."""
    count: Digests
    """(n_rows,) of what the row's document counts by: 4 for "4.2"; 0 where it has no number."""

    @classmethod
    def empty(cls) -> NameTable:
        """No rows."""
        return cls(**{field: np.empty(0, dtype) for field, dtype in _STORED.items()})

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.count)

    def extended(self, versions: Iterable[Version | None]) -> NameTable:
        """The same with further rows at the end; None is a row that is no section."""
        names: list[tuple[int, int]] = []
        meant: list[tuple[int, int]] = []
        counts: list[int] = []
        for row, version in enumerate(versions, len(self)):
            counts.append(_count(version))
            if version is not None:
                names += ((_digest(name), row) for name in names_of(version))
                meant += ((_digest(name), row) for name in _meant(version))
        return NameTable(
            *_merged(self.name, self.called, names),
            *_merged(self.meant, self.linking, meant),
            np.concatenate((self.count, np.array(counts, dtype=np.uint64))),
        )

    def rows_called(self, name: str) -> Rows:
        """Rows of sections with a name, ascending."""
        return _rows(self.name, self.called, name)

    def rows_meaning(self, names: Iterable[str]) -> list[int]:
        """Rows of sections with a link that may mean a section of one of these names, ascending."""
        return sorted({row for name in names for row in _rows(self.meant, self.linking, name).tolist()})

    def save(self, path: Path) -> None:
        """Write an .npz file."""
        with path.open("wb") as file:
            np.savez(file, **{field: getattr(self, field) for field in _STORED})

    @classmethod
    def load(cls, path: Path) -> NameTable:
        """Read what `save` wrote.

        Raises:
            StateDamaged: the file is gone, cut short or something else.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                return cls(**{field: stored[field] for field in _STORED})
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise StateDamaged(
                f"the table of names cannot be read ({error})", where=str(path), fix="run `caveat index --full`"
            ) from error


@dataclass(frozen=True, eq=False)
class NamesInForce:
    """The rows in force, by their names (an `index.targets.Named`)."""

    table: NameTable
    points: Points
    rows: Mask
    """(n_rows,) in force."""
    first_row: Callable[[str], int | None]
    """A document's first section with a heading, or else its preamble."""

    @cached_property
    def documents(self) -> Collection[str]:
        """Documents with a section in force, sorted."""
        numbers = np.unique(self.points.doc[self.rows & self.points.is_section]).tolist()
        return dict.fromkeys(sorted(self.points.doc_names[number] for number in numbers))

    def called(self, name: str, doc_id: str | None = None) -> tuple[int, ...]:
        """The sections of that name, in one document or in all."""
        rows = self.table.rows_called(name)
        rows = rows[self.rows[rows]]
        if doc_id is not None:
            rows = rows[self.points.doc[rows] == self.points.doc_number(doc_id)]
        return tuple(rows.tolist())

    def first(self, doc_id: str) -> tuple[int, ...]:
        """A document's first section; () for none."""
        if doc_id not in self.documents:
            return ()
        if doc_id not in self._firsts:
            self._firsts[doc_id] = self.first_row(doc_id)
        row = self._firsts[doc_id]
        return () if row is None else (row,)

    def counts_alone(self, doc_id: str) -> bool:
        """Whether a document counts its own sections."""
        if doc_id not in self._alone:
            own = self.points.document_rows(doc_id)
            self._alone[doc_id] = len(set(self.table.count[own[self.rows[own]]].tolist()) - {_NOTHING}) > 1
        return self._alone[doc_id]

    def may_link_to(self, row: int, version: Version) -> list[int]:
        """Rows in force with a link that may mean the section at `row`, ascending; resolve it to know."""
        linking = self.table.rows_meaning(names_of(version))
        if (whole := self.table.rows_meaning([first_name(version.doc_id)])) and self.first(version.doc_id) == (row,):
            linking = sorted({*linking, *whole})
        return [near for near in linking if self.rows[near]]

    @cached_property
    def _firsts(self) -> dict[str, int | None]:
        return {}

    @cached_property
    def _alone(self) -> dict[str, bool]:
        return {}


def _count(version: Version | None) -> int:
    return _digest(first_count(version.number)) if version is not None and version.number else _NOTHING


def _meant(version: Version) -> set[str]:
    return {name for link in version.links for name in names_meant(link.target, version.doc_id)}


def _digest(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _merged(digests: Digests, rows: Rows, new: Sequence[tuple[int, int]]) -> tuple[Any, Any]:
    joined = np.concatenate((digests, np.array([digest for digest, _ in new], dtype=np.uint64)))
    with_rows = np.concatenate((rows, np.array([row for _, row in new], dtype=np.int32)))
    order = np.lexsort((with_rows, joined))
    return joined[order], with_rows[order]


def _rows(digests: Digests, rows: Rows, name: str) -> Rows:
    wanted = np.uint64(_digest(name))
    return rows[np.searchsorted(digests, wanted, "left") : np.searchsorted(digests, wanted, "right")]
