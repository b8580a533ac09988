"""The distinct texts of a generation's chunks as they were encoded: titles, then words. Rerankers read them again."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from index.digests import text_digest
from index.generation.manifest import TEXT_BYTES, TEXTS
from ingest.errors import StateDamaged


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts by number, each once; a text that no chunk in force has any more stays."""

    digest: npt.NDArray[np.bytes_]
    """(n_texts,)"""
    end: npt.NDArray[np.int64]
    """(n_texts,) where each one ends in `content`; it starts where the one before ends."""
    content: npt.NDArray[np.uint8]
    """UTF-8. Mapped where it was loaded: it stays readable when the folder is deleted."""

    @classmethod
    def empty(cls) -> Texts:
        """No texts."""
        return cls(np.empty(0, "S32"), np.empty(0, np.int64), np.empty(0, np.uint8))

    def __len__(self) -> int:
        """Number of texts."""
        return len(self.end)

    def __getitem__(self, number: int) -> str:
        start = self.end[number - 1] if number else 0
        return self.content[start : self.end[number]].tobytes().decode()

    def extended(self, texts: Iterable[str]) -> Extended:
        """The same with further texts, and the number of each of those."""
        numbers = {digest: number for number, digest in enumerate(self.digest.tolist())}
        new: list[bytes] = []
        found: list[int] = []
        for text in texts:
            digest = text_digest(text).encode()
            if digest not in numbers:
                numbers[digest] = len(numbers)
                new.append(text.encode())
            found.append(numbers[digest])
        ends = np.cumsum([len(text) for text in new], dtype=np.int64) + (self.end[-1] if len(self) else 0)
        content = np.concatenate((self.content, np.frombuffer(b"".join(new), dtype=np.uint8)))
        return Extended(Texts(np.array(list(numbers), "S32"), np.concatenate((self.end, ends)), content), found)

    def changed(self) -> int:
        """How many texts are not those that were encoded."""
        return sum(text_digest(self[number]).encode() != digest for number, digest in enumerate(self.digest.tolist()))

    def save(self, folder: Path) -> None:
        """Write two files."""
        with (folder / TEXTS).open("wb") as file:
            np.savez(file, digest=self.digest, end=self.end)
        self.content.tofile(folder / TEXT_BYTES)

    @classmethod
    def load(cls, folder: Path) -> Texts:
        """Read what `save` wrote.

        Raises:
            StateDamaged: a file is gone, cut short or something else.
        """
        try:
            with (folder / TEXTS).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                digest, end = stored["digest"], stored["end"]
            size = int(end[-1]) if len(end) else 0
            # An empty file cannot be mapped.
            content: Any = np.memmap(folder / TEXT_BYTES, np.uint8, "r", shape=(size,)) if size else np.empty(0, "u1")
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise StateDamaged(
                f"the texts ({TEXTS}) cannot be read ({error})", where=str(folder), fix="run `caveat index --full`"
            ) from error
        return cls(digest, end, content)


class Extended(NamedTuple):
    """Texts that grew, and the numbers of those that were added."""

    texts: Texts
    numbers: list[int]
