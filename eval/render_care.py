"""What looks after a handbook and its state, as text: lint notes, counts, findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eval.pages.pieces import number
from eval.paint import Paint, harmless

if TYPE_CHECKING:
    from eval.checkup import Finding
    from eval.counts import Counts
    from eval.edition_counts import EditionCounts
    from ingest.document import Note


def findings(found: Sequence[Finding], paint: Paint) -> str:
    """One line for each part that doctor looked at."""
    styles = {"good": paint.good, "note": paint.warn, "bad": paint.bad}
    width = max(len(finding.part) for finding in found)
    return "\n".join(
        f"{styles[finding.verdict](f'{finding.verdict:<6}')}{finding.part:<{width}}  {finding.message}"
        for finding in found
    )


def counts(found: Counts, paint: Paint) -> str:
    """Sizes as a short table."""
    rows = {
        "Handbook": found.handbook or "unknown",
        "Search index": f"generation {found.generation}, recorded {found.recorded}",
        f"In force {found.as_of}": ", ".join(
            (
                number(found.documents_in_force, "document"),
                number(found.sections_in_force, "section"),
                number(found.tokens_in_force, "o200k token"),
            )
        ),
        "All times": ", ".join(
            (
                number(found.documents, "document"),
                number(found.versions, "version row"),
                number(found.chunks, "chunk"),
            )
        ),
        "Encoder": f"{found.encoder}, {found.dim} dimensions",
        "On disk": f"history {megabytes(found.history_bytes)}, cache {megabytes(found.cache_bytes)}, "
        f"generations {megabytes(found.generations_bytes)}",
    }
    width = max(map(len, rows))
    return "\n".join(f"{paint.bold(f'{name:<{width}}')}  {text}" for name, text in rows.items())


def editions(found: Sequence[EditionCounts], paint: Paint) -> str:
    """One line for each edition."""
    rows = [
        (
            one.edition,
            f"{one.documents:,}",
            f"{one.sections:,}",
            f"{one.tokens:,}",
            "first" if one.changed_share is None else f"{one.changed:,} ({one.changed_share:.1%})",
            f"{one.generated_share:.1%}",
        )
        for one in found
    ]
    heads = ("edition", "documents", "sections", "o200k tokens", "changed", "generated")
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    first, *lines = [_aligned(row, widths) for row in (heads, *rows)]
    return "\n".join([paint.bold(first), *lines])


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    figures = (f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
    return "  ".join([f"{row[0]:<{widths[0]}}", *figures])


def megabytes(size: int) -> str:
    """Bytes as "1.5 MB"."""
    return f"{size / 1e6:,.1f} MB"


def notes(found: Sequence[Note], paint: Paint) -> str:
    """One line for each note, as compilers write them: where, what, and the name of the check."""
    lines = [f"{paint.bold(note.where)}: {harmless(note.message)} {paint.dim(f'[{note.code}]')}" for note in found]
    return "\n".join([*lines, number(len(found), "note")]) if found else "nothing to note"
