"""`caveat lint`: reads a handbook as an index run would, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from eval.policy import loaded_editions
from eval.surroundings import Surroundings
from index.history.assembly import Moment
from index.lint.findings import lint
from ingest.document import Note


def linted(around: Surroundings, root: Path, progress: Callable[[str, int, int], None] | None) -> tuple[Note, ...]:
    """What deserves a look in the handbook at `root`.

    Raises:
        SourceError: the folder is missing, empty or impossible.
    """
    told = (lambda done, total: progress("read", done, total)) if progress else None
    with loaded_editions(root, around.config.ingest, around.now, told) as (handbook, loaded):
        return lint(handbook, loaded, Moment(around.now, around.today))
