"""What was in force on one day, as believed at one instant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.generation.names import NamesInForce
from index.history.records import Outline, Version
from index.lexical.words import tokens
from index.opened import Opened
from index.stores.store import Vector, Window
from index.targets import resolve
from ingest.dates import Day
from ingest.errors import QueryError, StoreError


class Hit(NamedTuple):
    """A chunk found: `[start:end]` of its version's text."""

    point: int
    doc_id: str
    section_id: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A version, and from which day to which (half-open) it was believed to be in force."""

    version: Version
    valid_from: Day
    valid_to: Day
    row_id: int


class View:
    """One day's policy as believed at one instant: only what was in force is ever returned."""

    def __init__(self, opened: Opened, window: Window):
        self._opened, self._points, self.window = opened, opened.points, window
        self._rows = self._points.rows_in(window.as_of, window.known_at)
        self._mask = self._rows[self._points.row]

    @cached_property
    def era(self) -> bytes:
        """Equal for views of one snapshot in which the same is in force."""
        return np.packbits(self._rows).tobytes()

    def dense(self, vector: Vector, n: int, documents: Sequence[str] | None = None) -> list[Hit]:
        """The n chunks nearest to `vector` (dim,), unit length; their score is the cosine.

        Raises:
            StoreError: the store failed, or returned a chunk that was not in force.
        """
        docs = None if documents is None else tuple(documents)
        found = self._opened.store.search(vector, Window(self.window.as_of, self.window.known_at, docs), n)
        positions = np.searchsorted(self._points.id, [scored.id for scored in found])
        self._check_in_force([scored.id for scored in found], positions)
        return self._hits(positions, [scored.score for scored in found])

    def keywords(self, query: str, n: int, documents: Sequence[str] | None = None) -> list[Hit]:
        """The n chunks with the best BM25 score over what is in force."""
        within = None if documents is None else self._points.in_documents(documents)[self._points.row]
        rows, scores = self._opened.postings.top(tokens(query), self._mask, n, within)
        return self._hits(rows, scores.tolist())

    def texts(self, hits: Sequence[Hit]) -> list[str]:
        """What the encoder read of each chunk found: titles, then words."""
        positions = np.searchsorted(self._points.id, [hit.point for hit in hits])
        return [self._opened.texts[number] for number in self._points.text[positions].tolist()]

    def section(self, doc_id: str, section_id: str) -> Placed:
        """One section in force.

        Raises:
            QueryError: it is not in force in this view.
        """
        rows = [row for row in self._points.section_rows(section_id).tolist() if self._rows[row]]
        for row in rows:
            if self._points.doc_names[self._points.doc[row]] == doc_id:
                return self._placed(row)
        raise QueryError(f"section {section_id} is not in force", where=doc_id)

    def outline(self, doc_id: str) -> Outline:
        """A document's sections in force, in order.

        Raises:
            QueryError: the document is not in force in this view.
        """
        rows = self._rows_of(doc_id)
        for row in rows[~self._points.is_section[rows]].tolist():
            return self._opened.catalog.outline(self._points.digest[row].decode())
        raise QueryError("not in force", where=doc_id, allowed=", ".join(self.documents()) or "no document is in force")

    def sections(self, doc_id: str) -> list[Placed]:
        """A document's sections in force, in order, in one query."""
        rows = self._rows_of(doc_id)
        placed = {p.version.section_id: p for p in self._all_placed(rows[self._points.is_section[rows]].tolist())}
        return [placed[section_id] for section_id, _ in self.outline(doc_id).sections if section_id in placed]

    def documents(self) -> tuple[str, ...]:
        """Documents in force, sorted."""
        return self._points.documents(self._rows)

    def find(self, reference: str, doc_id: str | None = None) -> list[Placed]:
        """Sections in force that `reference` names: "a.md#Seats > Downgrades", "a.md#4.2", "4.2", "Downgrades".

        The closest way of naming that names anything wins; more than one section means it is ambiguous.
        """
        return self._all_placed(self._opened.named(reference, doc_id, self._rows))

    def sections_with_text(self, text_digest: str) -> list[Placed]:
        """Sections in force whose text is the same, by address."""
        digests = [digest.encode() for digest in self._opened.catalog.same_text(text_digest)]
        rows = np.flatnonzero(self._rows & np.isin(self._points.digest, digests)) if digests else ()
        return sorted(self._all_placed(list(rows)), key=lambda placed: placed.version.address)

    def resolve(self, target: str, doc_id: str) -> list[Placed]:
        """All sections in force that a link in `doc_id` to `target` can mean: one is the answer."""
        return [self._placed(row) for row in resolve(self._names, target, doc_id)]

    def linked_with(self, placed: Placed) -> list[Placed]:
        """A section in force, and the others with a link that may mean it, by row."""
        row = int(np.searchsorted(self._points.row_id, placed.row_id))
        linking = set(self._names.may_link_to(row, placed.version)) - {row}
        return sorted([placed, *self._all_placed(sorted(linking))], key=lambda near: near.row_id)

    @cached_property
    def _names(self) -> NamesInForce:
        return NamesInForce(self._opened.names, self._points, self._rows, self._first_row)

    def _first_row(self, doc_id: str) -> int | None:
        placed = self.sections(doc_id)
        first = next((section for section in placed if section.version.level), placed[0] if placed else None)
        return int(np.searchsorted(self._points.row_id, first.row_id)) if first else None

    def _rows_of(self, doc_id: str) -> npt.NDArray[np.int64]:
        """Positions of a document's rows in force, ascending."""
        rows = self._points.document_rows(doc_id)
        return rows[self._rows[rows]]

    def _all_placed(self, rows: Sequence[int]) -> list[Placed]:
        if not rows:
            return []
        versions = self._opened.catalog.versions([self._points.digest[row].decode() for row in rows])
        return [self._placed(row, versions) for row in rows]

    def _placed(self, row: int, versions: dict[str, Version] | None = None) -> Placed:
        digest = self._points.digest[row].decode()
        version = versions[digest] if versions else self._opened.version(digest)
        points = self._points
        return Placed(version, int(points.valid_from[row]), int(points.valid_to[row]), int(points.row_id[row]))

    def _hits(self, positions: npt.NDArray[np.intp], scores: Sequence[float]) -> list[Hit]:
        points, rows = self._points, self._points.row[positions]
        names = points.doc_names
        columns = (
            points.id[positions],
            points.doc[rows],
            points.item[rows],
            points.start[positions],
            points.end[positions],
        )
        return [
            Hit(point, names[doc], section.decode(), start, end, score)
            for point, doc, section, start, end, score in zip(*(c.tolist() for c in columns), scores, strict=True)
        ]

    def _check_in_force(self, ids: Sequence[int], positions: Iterable[int]) -> None:
        for point, position in zip(ids, positions, strict=True):
            if position >= len(self._points.id) or self._points.id[position] != point or not self._mask[position]:
                raise StoreError(
                    f"the vector store returned point {point}, which is not in force", fix="run `caveat index --full`"
                )
