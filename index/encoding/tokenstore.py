"""Token vectors kept on disk: one file of codes that only grows, and an index that is replaced beside it.

    <fingerprint>.bin   a header, then the codes of all pieces, text after text (`index.encoding.fourbit`)
    <fingerprint>.npz   the same header, and of each text: digest, first row, number of rows, checksum

What a killed run appended is not in the index, and the next writer cuts it off. Readers keep the file open, so that
they go on when it is deleted; they read by position instead of mapping it, because a map of a file that is cut
short ends the process. Every text is checked when it is read: a damaged one is as good as none.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self
from zlib import crc32

import numpy as np

from index.encoding.fourbit import Codes, width
from index.faults import reach
from ingest.errors import StateDamaged, StateMissing

_HEADER: Final = "caveat token vectors 1, 4 bits, encoder {fingerprint}, dim {dim:>6}\n"
_FIX: Final = "run `caveat index`, which fills it again"


class _Place(NamedTuple):
    """Where a text's codes lie."""

    row: int
    pieces: int
    check: int


class _Table(NamedTuple):
    """What an index says."""

    dim: int
    places: dict[str, _Place]

    @property
    def rows(self) -> int:
        """Rows that are in use or lie between those."""
        return max((place.row + place.pieces for place in self.places.values()), default=0)


class TokenStore:
    """Reads what was kept when it was opened. It never writes."""

    def __init__(self, file: int, table: _Table, header: int):
        self._file, self._table, self._header = file, table, header

    @classmethod
    def open(cls, folder: Path, fingerprint: str) -> Self:
        """Open the token vectors of one encoder.

        Raises:
            StateMissing: none are kept.
            StateDamaged: a part is gone, cut short, or of something else.
        """
        data = _data(folder, fingerprint)
        with _explained(data):
            table = _read_table(folder, fingerprint)
            file = os.open(data, os.O_RDONLY)
        header = _header(fingerprint, table.dim)
        if os.pread(file, len(header), 0) != header or os.fstat(file).st_size < _size(header, table):
            os.close(file)
            raise StateDamaged("cut short, or not the token vectors that its index tells of", where=str(data), fix=_FIX)
        return cls(file, table, len(header))

    def close(self) -> None:
        """Release the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def __contains__(self, digest: object) -> bool:
        return digest in self._table.places

    def __len__(self) -> int:
        return len(self._table.places)

    def get(self, digest: str) -> Codes | None:
        """The codes of a text, `(n_pieces, width)`; None where they are not kept or not whole."""
        place = self._table.places.get(digest)
        if place is None or self._file < 0:
            return None
        wide = width(self._table.dim)
        raw = os.pread(self._file, place.pieces * wide, self._header + place.row * wide)
        if len(raw) != place.pieces * wide or crc32(raw) != place.check:
            return None
        return np.frombuffer(raw, dtype=np.uint8).reshape(place.pieces, wide)

    def damaged(self) -> int:
        """How many texts' codes are not what was written."""
        return sum(self.get(digest) is None for digest in self._table.places)


class TokenStoreWriter:
    """Adds token vectors of one encoder; the state's lock keeps a second writer away.

    The folder may be deleted at any time: a run fills it again.
    """

    def __init__(self, folder: Path, fingerprint: str):
        """Continue what is kept there; what is damaged is begun anew."""
        self._folder, self._fingerprint = folder, fingerprint
        self._table = self._usable()

    def _usable(self) -> _Table | None:
        try:
            store = TokenStore.open(self._folder, self._fingerprint)
        except (StateMissing, StateDamaged):
            return None
        store.close()
        return store._table

    def missing(self, digests: Collection[str]) -> set[str]:
        """Those of `digests` whose vectors are not kept."""
        return set(digests).difference(self._table.places if self._table else ())

    def clear(self) -> None:
        """Forget all; readers that have it open go on."""
        self._table = None

    def append(self, digests: Sequence[str], codes: Sequence[Codes], dim: int) -> None:
        """Keep the codes of texts, each `(n_pieces, width(dim))`; they are found once this returns."""
        data = _data(self._folder, self._fingerprint)
        table = self._table if self._table and self._table.dim == dim and data.exists() else self._begun(dim)
        header = _header(self._fingerprint, dim)
        row, places, raw = table.rows, dict(table.places), [some.tobytes() for some in codes]
        for digest, some, part in zip(digests, codes, raw, strict=True):
            places[digest] = _Place(row, len(some), crc32(part))
            row += len(some)
        with data.open("r+b") as file:
            file.truncate(_size(header, table))
            file.seek(0, os.SEEK_END)
            file.write(b"".join(raw))
        reach("token-vectors-appended")
        self._table = _Table(dim, places)
        _write_table(self._folder, self._fingerprint, self._table)

    def _begun(self, dim: int) -> _Table:
        """An empty file in the place of what was there; the index goes first, so that it never tells of another."""
        self._folder.mkdir(parents=True, exist_ok=True)
        data = _data(self._folder, self._fingerprint)
        for path in (_index(self._folder, self._fingerprint), data):
            path.unlink(missing_ok=True)
        data.write_bytes(_header(self._fingerprint, dim))
        return _Table(dim, {})


def drop_others(folder: Path, fingerprint: str) -> None:
    """Delete what is kept for other encoders."""
    for path in folder.glob("*"):
        if path.stem != fingerprint and path.suffix in (".bin", ".npz"):
            path.unlink(missing_ok=True)


def _data(folder: Path, fingerprint: str) -> Path:
    return folder / f"{fingerprint}.bin"


def _index(folder: Path, fingerprint: str) -> Path:
    return folder / f"{fingerprint}.npz"


def _header(fingerprint: str, dim: int) -> bytes:
    return _HEADER.format(fingerprint=fingerprint, dim=dim).encode()


def _size(header: bytes, table: _Table) -> int:
    return len(header) + table.rows * width(table.dim)


def _read_table(folder: Path, fingerprint: str) -> _Table:
    with _index(folder, fingerprint).open("rb") as file, np.load(file, allow_pickle=False) as stored:
        dim = int(stored["dim"])
        if stored["header"].tobytes() != _header(fingerprint, dim):
            raise ValueError("the index of something else")
        columns = (stored[name].tolist() for name in ("digest", "row", "pieces", "check"))
        rows = zip(*columns, strict=True)
        return _Table(dim, {digest.decode(): _Place(*place) for digest, *place in rows})


def _write_table(folder: Path, fingerprint: str, table: _Table) -> None:
    places = np.array(list(table.places.values()), dtype=np.int64).reshape(-1, 3)
    columns: dict[str, Any] = dict(zip(("row", "pieces", "check"), places.T, strict=True))
    columns["header"] = np.frombuffer(_header(fingerprint, table.dim), dtype=np.uint8)
    columns |= {"dim": np.int64(table.dim), "digest": np.array(list(table.places), dtype="S32")}
    beside = folder / f"{fingerprint}.new"
    with beside.open("wb") as file:
        np.savez(file, **columns)
    beside.replace(_index(folder, fingerprint))


@contextmanager
def _explained(data: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise StateMissing("no token vectors are kept", where=str(data.parent), fix=_FIX) from error
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise StateDamaged(f"the token vectors cannot be read ({error})", where=str(data), fix=_FIX) from error
