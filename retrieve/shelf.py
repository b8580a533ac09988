"""The published generation at hand: reopened when a newer one is published, its views' libraries kept."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ingest.dates import Day, Instant
from ingest.errors import StateError
from retrieve.library import Library

if TYPE_CHECKING:
    from index.settings import EncoderSettings
    from index.snapshot import Snapshot

KEPT: Final = 8
"""Libraries kept: one for each set of texts in force that was asked about lately."""


class Shelf:
    """Follows CURRENT of one state folder. Not for several threads at once."""

    def __init__(self, state: Path, encoder: EncoderSettings | None):
        self._state, self._encoder = state, encoder
        self._libraries: OrderedDict[bytes, Library] = OrderedDict()
        self._snapshot = self._open()
        self._closed = False

    def _open(self) -> Snapshot:
        from index.snapshot import Snapshot

        return Snapshot.open(self._state, self._encoder)

    def snapshot(self) -> Snapshot:
        """What is published now.

        Raises:
            StateError: the shelf is closed; or, from opening a newer generation, as `Snapshot.open`.
        """
        if self._closed:
            raise StateError("closed", where=str(self._state), fix="open another Retriever")
        if self._snapshot.stale():
            old, self._snapshot = self._snapshot, self._open()
            self._libraries.clear()
            old.close()
        return self._snapshot

    def close(self) -> None:
        """Release the files."""
        self._libraries.clear()
        if not self._closed:
            self._snapshot.close()
        self._closed = True

    def library(self, as_of: Day, known_at: Instant) -> Library:
        """The library of that day and belief, in the snapshot opened last."""
        view = self._snapshot.view(as_of, known_at)
        kept = self._libraries.pop(view.era, None) or Library(view)
        self._libraries[view.era] = kept
        while len(self._libraries) > KEPT:
            self._libraries.popitem(last=False)
        return kept
