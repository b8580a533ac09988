"""Editions that overlap, undo each other, or are missing between two others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from index.history.parsed import LoadedDocument, LoadedEdition
from ingest.dates import UNKNOWN_DAY, Day, show_day
from ingest.document import Note
from ingest.handbook.editions import Edition
from ingest.handbook.sources import declares_in


@dataclass(frozen=True, slots=True)
class _Said:
    """What an edition says of a document."""

    edition: Edition
    document: LoadedDocument

    @property
    def file(self) -> str:
        return self.edition.where(self.document.relative)

    @property
    def text(self) -> str:
        """Equal for equal texts."""
        return self.document.skeleton.digest

    @property
    def since(self) -> Day:
        return self.document.effective


def edition_findings(loaded: Sequence[LoadedEdition]) -> Iterator[Note]:
    """Findings about one document in several editions."""
    for sayings in _by_document(loaded):
        yield from _overlapping(sayings)
        yield from _undone(sayings)
        yield from _missing(sayings)


def _by_document(loaded: Sequence[LoadedEdition]) -> list[list[_Said]]:
    """What the editions say of each document, in the order of the editions."""
    found: dict[str, list[_Said]] = {}
    for one in loaded:
        for document in one.documents:
            found.setdefault(document.doc_id, []).append(_Said(one.edition, document))
    return [found[doc_id] for doc_id in sorted(found)]


def _overlapping(sayings: Sequence[_Said]) -> Iterator[Note]:
    """A later edition whose own date of the document is not later: the earlier text would never be in force."""
    for before, after in pairwise(sayings):
        is_correction = "@" in after.edition.name
        if after.text != before.text and UNKNOWN_DAY < after.since <= before.since and not is_correction:
            message = (
                f"in force since {show_day(after.since)}, although {before.file} says another text for "
                f"{show_day(before.since)} on; correct effective_from in one of them"
            )
            yield Note("dates-overlap", after.file, message)


def _undone(sayings: Sequence[_Said]) -> Iterator[Note]:
    """A whole edition that says what was said before a change in between: whoever made it did not know the change."""
    for before, change, after in zip(sayings, sayings[1:], sayings[2:], strict=False):
        if change.edition.base and after.edition.base is None and after.text == before.text != change.text:
            message = f"as before {change.file} changed it; carry the change over, or ignore this if it was to end here"
            yield Note("change-undone", after.file, message)


def _missing(sayings: Sequence[_Said]) -> Iterator[Note]:
    """A text that says it took effect between two editions: until the later one, the older text is found."""
    for before, after in pairwise(sayings):
        if before.text == after.text or not before.since:
            continue
        for date in after.document.read().dates:
            if date.rank == "text" and before.since < date.day < after.since:
                day = show_day(date.day)
                message = (
                    f"states {day}, but is found only from {show_day(after.since)} on; "
                    f"put effective_from {day} into {declares_in(after.document.relative)}, or add an edition {day}"
                )
                yield Note("edition-missing", date.where, message)
