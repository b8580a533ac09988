"""The chunks of version rows: what is embedded, what is searched by keyword, and where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import index.lexical.words
import index.targets
import ingest.chunks
import ingest.markdown.captions
import ingest.markdown.plain
import ingest.numbering
import ingest.pieces
from index.digests import digest, text_digest
from index.encoding.encoder import Encoder
from index.history.catalog import Catalog
from index.history.records import SECTION, Outline, Row, Version
from index.stores.store import CHUNK_BITS, point_id
from ingest.chunks import Chunk, cut
from ingest.document import Section
from ingest.errors import StateError
from ingest.settings import IngestSettings

_CODE: Final = (
    ingest.markdown.captions,
    ingest.chunks,
    ingest.numbering,
    ingest.pieces,
    ingest.markdown.plain,
    index.lexical.words,
    index.targets,
)
_AT_A_TIME: Final = 2000


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk of one row."""

    id: int
    """Point id."""
    row: Row
    chunk: Chunk
    words: str
    """What keywords are taken from: the section's number, the titles and the text."""

    @property
    def span(self) -> tuple[int, int, int]:
        """(point id, start, end) in the version's text."""
        return self.id, self.chunk.start, self.chunk.end


def recipe(encoder: Encoder, settings: IngestSettings, engine: str) -> str:
    """Digest of all that decides what points a version gives; the code that cuts, tokenises and names is part of it."""
    code = [text_digest(Path(str(module.__file__)).read_text(encoding="utf-8")) for module in _CODE]
    sizes = [settings.child_min, settings.child_max, settings.window_overlap]
    return digest([encoder.fingerprint, sizes, engine, code])


def pieces_of(rows: Sequence[Row], catalog: Catalog, encoder: Encoder, settings: IngestSettings) -> list[Piece]:
    """The chunks of section rows, by point id; equal contents under one document title are cut once.

    A bare heading over subsections gives none: it is the context of every chunk below it, and alone no answer.
    """
    sections = [row for row in rows if row.kind == SECTION]
    outlines = _Outlines(catalog, {row.doc_id for row in sections})
    found: list[Piece] = []
    words = _WordPieces(encoder, encoder.count(""))
    known: dict[tuple[str, str], tuple[Chunk, ...]] = {}
    for start in range(0, len(sections), _AT_A_TIME):
        batch = sections[start : start + _AT_A_TIME]
        versions = catalog.versions({row.digest for row in batch})
        for row in batch:
            version, outline = versions[row.digest], outlines.of(row)
            if version.is_bare and row.id in outline.parents:
                continue
            title = outline.title
            key = (version.content, title)
            if key not in known:
                known[key] = cut(_section(version), title, words, settings, encoder.limit)
            found += _pieces(row, version, known[key])
    return found


def versions_of(rows: Sequence[Row], catalog: Catalog) -> Iterator[Version | None]:
    """The version of each row; None for the row of a document."""
    for start in range(0, len(rows), _AT_A_TIME):
        batch = rows[start : start + _AT_A_TIME]
        versions = catalog.versions({row.digest for row in batch if row.kind == SECTION})
        yield from (versions[row.digest] if row.kind == SECTION else None for row in batch)


@dataclass(frozen=True, slots=True)
class _WordPieces:
    """The encoder as the tokenizer that chunks are cut with: it counts its specials, cutting leaves them out."""

    encoder: Encoder
    specials: int

    def count(self, text: str) -> int:
        return self.encoder.count(text) - self.specials

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return self.encoder.offsets(text)


def _pieces(row: Row, version: Version, chunks: Iterable[Chunk]) -> Iterable[Piece]:
    for number, chunk in enumerate(chunks):
        if number >> CHUNK_BITS:
            raise StateError(
                f"more than {1 << CHUNK_BITS} chunks in one section",
                where=version.address,
                fix="split it with headings",
            )
        words = f"{version.number or ''}\n{chunk.embed_text}"
        yield Piece(point_id(row.row_id, number), row, chunk, words)


def _section(version: Version) -> Section:
    return Section(
        version.number,
        version.title,
        version.path,
        version.titles,
        version.level,
        None,
        0,
        len(version.text),
        version.text,
        version.elements,
    )


class _Outlines:
    """Documents as they were when a section's row began to hold.

    A later title does not touch the rows that stand: it would re-embed a whole document for one word.
    """

    def __init__(self, catalog: Catalog, doc_ids: Iterable[str]):
        self._rows: dict[str, list[Row]] = defaultdict(list)
        for doc_id in sorted(doc_ids):
            self._rows[doc_id] = [row for row in catalog.history(doc_id) if row.kind != SECTION]
        outlines = {row.digest for rows in self._rows.values() for row in rows}
        self._outlines = catalog.outlines(outlines)

    def of(self, section: Row) -> Outline:
        """A section's document on the row's first day, as believed when the row was opened."""
        for row in self._rows[section.doc_id]:
            if row.holds(section.valid_from, section.rec_from):
                return self._outlines[row.digest]
        return Outline("", section.doc_id, "", ())
