"""A night's reports: all of them rendered first, then each replaced whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.nightly import wording
from eval.nightly.glance import Glance, glance
from eval.nightly.record import Night
from index.state import write_atomically

SCHEMA = 1


def write_reports(night: Night, before: Sequence[Night], baseline: Night | None, folder: Path) -> list[Path]:
    """Write report.html, report.json, report.md, junit.xml and tickets.csv into a folder, which is made if need be.

    Args:
        night: Tonight's.
        before: The nights before it, oldest first; only those of the same suite and split are compared with.
        baseline: The night that was accepted as baseline.
        folder: Where the reports are written; those of the night before are replaced.

    Returns:
        The files, report.html first.

    Raises:
        OSError: the folder cannot be written.
    """
    texts = rendered(night, before, baseline)
    for name, text in texts.items():
        write_atomically(folder / name, text)
    return [folder / name for name in texts]


def rendered(night: Night, before: Sequence[Night], baseline: Night | None) -> dict[str, str]:
    """The text of each report, by file name; the same nights always give the same texts."""
    # Imported here: a command that fails early needs no template engine.
    from eval.nightly.junit import junit_xml
    from eval.nightly.markdown_report import markdown
    from eval.nightly.page import page
    from eval.nightly.tables import tickets_csv

    found = glance(night, before, baseline)
    return {
        "report.html": page(found),
        "report.json": json.dumps(_values(found), indent=1) + "\n",
        "report.md": markdown(found),
        "junit.xml": junit_xml(found),
        "tickets.csv": tickets_csv(found),
    }


def _values(found: Glance) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "answer": wording.answer(found),
        "verdict": found.verdict,
        "failed": found.night.failed,
        "changed": wording.since(found) + wording.changed(found),
        "why": wording.why(found),
        "last": found.last.run if found.last else None,
        "baseline": found.baseline.run if found.baseline else None,
        "flips": [
            {
                "id": flip.ticket.id,
                "worse": flip.worse,
                "moved": {name: list(pair) for name, pair in flip.moved.items()},
            }
            for flip in found.flips
        ],
        "night": found.night.model_dump(mode="json", by_alias=True),
    }
