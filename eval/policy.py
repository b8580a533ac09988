"""What was in force on a day, straight from the edition folders: no index, no model.

policy = read_policy(Path("handbook"), IngestSettings(), now)
for section in policy.on(parse_day("2026-03-15")).sections: ...
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path

from eval.tickets import normal
from index.history.assembly import Moment, assemble
from index.history.parsed import LoadedEdition, ParseCache, copy_parsed, load
from index.history.skeleton import body_words
from index.history.stating import statements
from index.history.timeline import Statement, reigns
from index.state import State
from ingest.dates import FOREVER, Day, Instant, today
from ingest.document import Document, Section
from ingest.handbook.editions import Handbook, scan
from ingest.settings import IngestSettings

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class InForce:
    """One section on one day; not slotted, so that what is compared often is worked out once."""

    document: Document
    section: Section

    @property
    def doc_id(self) -> str:
        """The document that holds it."""
        return self.document.doc_id

    @property
    def address(self) -> str:
        """`doc_id#title path`."""
        return self.document.address(self.section)

    @cached_property
    def text(self) -> str:
        """Its own text without its subsections, white space normalised."""
        return normal(self.section.text)

    @cached_property
    def body(self) -> str:
        """The same without the heading: equal for identical sections, wherever they stand."""
        return " ".join(body_words(self.section.text, self.section.elements))

    def is_called(self, name: str) -> bool:
        """Whether `name` is its number or its title path."""
        return name in (self.section.number, self.section.address_path)


@dataclass(frozen=True, eq=False)
class Edition:
    """All that is in force on one day; a Policy makes each only once, so that it can be a key."""

    documents: tuple[Document, ...]
    """By doc_id."""

    @cached_property
    def sections(self) -> tuple[InForce, ...]:
        """Every section, in document order."""
        return tuple(InForce(document, section) for document in self.documents for section in document.sections)

    def named(self, doc_id: str, name: str) -> tuple[InForce, ...]:
        """The sections of a document that a number or title path names; one, where all is well."""
        return tuple(section for section in self.sections if section.doc_id == doc_id and section.is_called(name))

    def holding(self, quote: str) -> tuple[InForce, ...]:
        """The sections whose own text holds a quote."""
        wanted = normal(quote)
        return tuple(section for section in self.sections if wanted in section.text)


class Policy:
    """A handbook over time."""

    def __init__(self, said: Sequence[Statement], documents: Mapping[tuple[str, str], Document]):
        self._said = sorted(said, key=lambda statement: statement.doc_id)
        self._documents = documents
        self._edition = lru_cache(maxsize=None)(self._put_together)

    def on(self, day: Day, known_at: Instant = FOREVER) -> Edition:
        """What was in force on a day, as known at an instant; nothing before the first edition."""
        return self._edition(tuple(self._winners(day, known_at)))

    @property
    def documents(self) -> tuple[Document, ...]:
        """Every text that any edition holds, in force or not."""
        return tuple(self._documents.values())

    @property
    def changes(self) -> tuple[Day, ...]:
        """The days on which something begins or ends to be in force, ascending, as known for ever."""
        by_document = groupby(self._said, key=lambda statement: statement.doc_id)
        return tuple(sorted({since for _, said in by_document for since, _, _ in reigns(list(said))}))

    @property
    def recorded(self) -> tuple[Instant, ...]:
        """The instants at which an edition was written down, ascending."""
        return tuple(sorted({statement.recorded for statement in self._said}))

    def _winners(self, day: Day, known_at: Instant) -> Iterator[tuple[str, str]]:
        """(edition, doc_id) of the documents in force."""
        known = (statement for statement in self._said if statement.recorded <= known_at)
        for doc_id, of_document in groupby(known, key=lambda statement: statement.doc_id):
            for valid_from, valid_to, winner in reigns(list(of_document)):
                if valid_from <= day < valid_to and winner.sections is not None:
                    yield winner.edition.name, doc_id

    def _put_together(self, winners: tuple[tuple[str, str], ...]) -> Edition:
        return Edition(tuple(self._documents[winner] for winner in winners))


def read_policy(
    root: Path,
    settings: IngestSettings,
    now: Instant,
    progress: Progress | None = None,
    *,
    state: Path | None = None,
    lenient: bool = False,
) -> Policy:
    """Read every edition of the handbook at `root`.

    Args:
        root: Its folder.
        settings: How files are read.
        now: The time it is.
        progress: Called with (files done, files in all).
        state: A state folder whose last index run may have read some of the files already.
        lenient: Leave out files that cannot be read: their editions say nothing of these documents.

    Raises:
        SourceError: the folder is missing, empty or impossible, or one of its files cannot be read.
    """
    with loaded_editions(root, settings, now, progress, state=state) as (_, loaded):
        for refusal in (refusal for edition in loaded for refusal in edition.refusals if not lenient):
            raise refusal.error
        said = statements(assemble(loaded, {}, Moment(now, today(now, settings.timezone))))
        documents = {(one.edition.name, doc.doc_id): doc.read() for one in loaded for doc in one.documents}
        return Policy(tuple(said), documents)


@contextmanager
def loaded_editions(
    root: Path, settings: IngestSettings, now: Instant, progress: Progress | None = None, *, state: Path | None = None
) -> Iterator[tuple[Handbook, tuple[LoadedEdition, ...]]]:
    """The handbook at `root`, read into a cache of its own that is gone afterwards.

    What the index run of `state` has read is not read again.

    Raises:
        SourceError: the folder is missing, empty or impossible.
    """
    handbook = scan(root, timezone=settings.timezone, now=now, max_file_bytes=settings.max_file_bytes)
    # Its own cache: the state folder's belongs to whoever holds the writer lock.
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "parsed.sqlite"
        if state:
            copy_parsed(State(state).parsed, own)
        cache = ParseCache(own)
        try:
            yield handbook, load(handbook, cache, settings=settings, progress=progress)
        finally:
            cache.close()
