"""`caveat lint`: reads a handbook as an index run would, and writes nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from eval.surroundings import Surroundings
from index.history.assembly import Moment
from index.history.parsed import ParseCache, load
from index.lint.findings import lint
from ingest.document import Note
from ingest.handbook.editions import scan


def linted(around: Surroundings, root: Path, progress: Callable[[str, int, int], None] | None) -> tuple[Note, ...]:
    """What deserves a look in the handbook at `root`.

    Raises:
        SourceError: the folder is missing, empty or impossible.
    """
    ingest = around.config.ingest
    handbook = scan(root, timezone=ingest.timezone, now=around.now, max_file_bytes=ingest.max_file_bytes)
    told = (lambda done, total: progress("read", done, total)) if progress else None
    # Its own cache: the state folder's belongs to whoever holds the writer lock.
    with tempfile.TemporaryDirectory() as folder:
        cache = ParseCache(Path(folder) / "parsed.sqlite")
        try:
            return lint(handbook, load(handbook, cache, progress=told), Moment(around.now, around.today))
        finally:
            cache.close()
