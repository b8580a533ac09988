"""What deserves a human's look in a handbook before an agent acts on it.

Texts are looked at as the newest edition leaves them; dates, moves and gaps between editions over all of
them. A finding is a note with its place (file and line, or address) and what to do; none is an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from index.history.assembly import Moment, assemble
from index.history.matching import identify
from index.history.parsed import LoadedDocument, LoadedEdition, contents_from
from index.history.skeleton import body_words
from index.lint.conditions import bare_formulas
from index.lint.editions import edition_findings
from index.lint.links import loose_links
from index.lint.moves import move_notes
from ingest.dates import UNKNOWN_DAY
from ingest.document import Document, Note, Section
from ingest.errors import SourceError
from ingest.handbook.editions import Edition, Handbook
from ingest.handbook.sources import declares_in
from ingest.places import located, place_in, sortable
from ingest.screen import screen

Finding = Note
"""A place, what is odd there, and what to do."""

EXPECTED: Final = frozenset({"outside-editions", "hidden-skipped", "not-read"})
"""Notes of the scan that say what it is meant to do."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A document as the newest edition leaves it, and the edition whose file it is."""

    edition: Edition
    loaded: LoadedDocument
    document: Document

    @property
    def file(self) -> str:
        """The file as messages name it."""
        return self.edition.where(self.loaded.relative)

    def where(self, section: Section, offset: int = 0) -> str:
        """File and line, or page, of an offset in a section's text."""
        return located(self.file, place_in(section, offset))


def lint(handbook: Handbook, loaded: Sequence[LoadedEdition], moment: Moment) -> tuple[Finding, ...]:
    """Every finding, by place."""
    placed = [Placed(edition, one, one.read()) for edition, one in newest(loaded).values()]
    gaps = list(edition_findings(loaded))
    explained = {gap.where for gap in gaps}
    found = [
        *(note for note in handbook.notes if note.code not in EXPECTED),
        *_refused(loaded),
        *(note for one in placed for note in _of_document(one) if note.where not in explained),
        *_duplicates(placed),
        *loose_links(placed),
        *bare_formulas(placed),
        *gaps,
        *_moves(loaded, moment),
    ]
    return tuple(sorted(set(found), key=_place))


def newest(loaded: Iterable[LoadedEdition]) -> Mapping[str, tuple[Edition, LoadedDocument]]:
    """By doc_id, what the editions taken in their order leave in the end; a refused file changes nothing."""
    state: dict[str, tuple[Edition, LoadedDocument]] = {}
    for one in loaded:
        said = {document.doc_id: (one.edition, document) for document in one.documents}
        if one.edition.base is None:
            refused = {refusal.doc_id or refusal.relative for refusal in one.refusals}
            state = {doc_id: kept for doc_id, kept in state.items() if doc_id in refused}
        state = {doc_id: kept for doc_id, kept in state.items() if doc_id not in one.edition.removed} | said
    return dict(sorted(state.items()))


def _place(note: Note) -> tuple[str, int, str, str]:
    return (*sortable(note.where), note.code, note.message)


def _refused(loaded: Iterable[LoadedEdition]) -> Iterator[Note]:
    for one in loaded:
        for refusal in one.refusals:
            where = refusal.error.where or one.edition.where(refusal.relative)
            yield Note("refused", where, str(refusal.error).removeprefix(f"{where}: "))


def _of_document(placed: Placed) -> Iterator[Note]:
    file = placed.file
    yield from placed.loaded.notes
    for note in screen(placed.document):
        yield Note(note.code, file + note.where.removeprefix(placed.document.doc_id), note.message)
    if placed.loaded.effective == UNKNOWN_DAY:
        place = declares_in(placed.loaded.relative)
        message = f"no effective date, so it is in force for all days; put effective_from into {place}"
        yield Note("undated", file, message)


def _moves(loaded: Sequence[LoadedEdition], moment: Moment) -> list[Note]:
    try:
        tellings = assemble(loaded, {}, moment)
    except SourceError as error:
        return [Note("contradiction", error.where or "editions", str(error))]
    documents = [document for one in loaded for document in one.documents]
    turns = identify(tellings, {document.skeleton.digest: document.skeleton for document in documents}).turns
    wanted = {traits.content for turn in turns.values() for _, traits in (*turn.ended, *turn.begun)}
    texts = {c.digest: " ".join(body_words(c.text, c.elements)) for c in contents_from(documents, wanted)}
    declared = {
        (one.edition.name, document.skeleton.moved_from, document.doc_id)
        for one in loaded
        for document in one.documents
        if document.skeleton.moved_from
    }
    return move_notes(turns, texts.__getitem__, declared)


def _duplicates(placed: Iterable[Placed]) -> Iterator[Note]:
    """Sections of the same words; texts too short to tell anything do not count."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in placed:
        for section, traits in zip(one.document.sections, one.loaded.skeleton.sections, strict=True):
            if traits.telling:
                groups[traits.body].append((one.document.address(section), one.where(section)))
    for places in groups.values():
        for _, where in places[1:]:
            first = places[0][0]
            yield Note("duplicate-section", where, f"the same text as {first}; keep one of them and refer to it")
