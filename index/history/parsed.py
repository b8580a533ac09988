"""Every document of every edition, read once: an unchanged file is not parsed again."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import index.history.records
import index.history.skeleton
import ingest
from index.collecting import no_cycle_search
from index.digests import compact
from index.history.records import Content
from index.history.skeleton import Skeleton, contents_of, skeleton_of
from ingest.dates import Day
from ingest.document import Document, Note
from ingest.errors import SourceError, StateError
from ingest.handbook.editions import Edition, Handbook, Refusal, SourceFile, effective_of
from ingest.handbook.read import file_request
from ingest.handbook.reading import FileReading
from ingest.loss import Loss
from ingest.pool.pool import Answer, ReadingPool, Wanted
from ingest.pool.wire import reading_from_json, reading_to_json
from ingest.settings import IngestSettings
from ingest.stored import document_from_json, document_to_json

_PARSERS: Final = (
    "lxml",
    "markdown-it-py",
    "mdit-py-plugins",
    "pdfminer.six",
    "pdfplumber",
    "pypdfium2",
    "PyYAML",
)
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS readings(key TEXT PRIMARY KEY, skeleton TEXT NOT NULL, head TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS documents(key TEXT PRIMARY KEY, data BLOB NOT NULL);
"""
Progress = Callable[[int, int], None]
"""Called with (files done, files in all)."""


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """A document of an edition, its texts left where they are."""

    relative: str
    skeleton: Skeleton
    effective: Day
    """As its file or edition states it; UNKNOWN_DAY where nothing does."""
    notes: tuple[Note, ...]
    loss: Loss
    """What of its file is in none of its sections."""
    read: Callable[[], Document] = field(compare=False, repr=False)
    """The whole document."""

    @property
    def doc_id(self) -> str:
        """Identity across editions."""
        return self.skeleton.doc_id


@dataclass(frozen=True, slots=True)
class LoadedEdition:
    """An edition with its documents read, and the files that could not be."""

    edition: Edition
    documents: tuple[LoadedDocument, ...]
    """By doc_id."""
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    skeleton: Skeleton
    head: FileReading
    """Its document is without text and sections."""
    read: Callable[[], Document]


class ParseCache:
    """Documents by file, in SQLite; may be deleted at any time. A file of another parser is parsed again."""

    def __init__(self, path: Path):
        self._path = path
        self._connection = _open(path)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def find(self, keys: Collection[str]) -> dict[str, _Reading]:
        """Readings by key, in one query; forgets all others."""
        wanted = compact(sorted(keys))
        self._run("DELETE FROM readings WHERE key NOT IN (SELECT value FROM json_each(?))", wanted)
        self._run("DELETE FROM documents WHERE key NOT IN (SELECT value FROM json_each(?))", wanted)
        with no_cycle_search():
            return {
                key: _Reading(_skeleton(skeleton), reading_from_json(json.loads(head)), partial(self.document, key))
                for key, skeleton, head in self._run("SELECT key, skeleton, head FROM readings")
            }

    def keep(self, key: str, read: FileReading) -> _Reading:
        """Store what was read of a file."""
        document, skeleton = read.document, skeleton_of(read.document)
        head = replace(read, document=replace(document, text="", sections=()))
        data = zlib.compress(compact(document_to_json(document)).encode(), 1)
        self._run("INSERT OR REPLACE INTO documents VALUES (?, ?)", key, data)
        stored = compact([skeleton.digest, skeleton.to_json()])
        self._run("INSERT OR REPLACE INTO readings VALUES (?, ?, ?)", key, stored, compact(reading_to_json(head)))
        return _Reading(skeleton, head, partial(self.document, key))

    def document(self, key: str) -> Document:
        """The whole document of a key that was found or kept."""
        [(data,)] = self._run("SELECT data FROM documents WHERE key = ?", key)
        return document_from_json(json.loads(zlib.decompress(data)))

    def commit(self) -> None:
        """Make what was kept durable; a cache needs no more care than that."""
        with self._guarded():
            self._connection.commit()

    def _run(self, query: str, *values: object) -> list[Any]:
        with self._guarded():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StateError(f"the parse cache cannot be used ({error})", where=str(self._path)) from error


def copy_parsed(cache: Path, to: Path) -> None:
    """Copy a parse cache as it stands, also while a run writes to it; nothing is copied if it cannot be read now."""
    if not cache.is_file():
        return
    try:
        source = f"{cache.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(source, uri=True)) as there, closing(sqlite3.connect(to)) as here:
            there.backup(here)
    except sqlite3.DatabaseError:
        to.unlink(missing_ok=True)


def _skeleton(stored: str) -> Skeleton:
    digest, data = json.loads(stored)
    return Skeleton.from_json(digest, data)


def _open(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path)
        try:
            connection.executescript(f"PRAGMA synchronous = OFF; {_TABLE}")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            # Whatever this is, it is no cache of ours any more: what it held is read again.
            connection.close()
            path.unlink()
            connection = sqlite3.connect(path)
            connection.executescript(f"PRAGMA synchronous = OFF; {_TABLE}")
    except (sqlite3.DatabaseError, OSError) as error:
        where = str(path)
        raise StateError(f"cannot be written ({error})", where=where, fix="make the state folder writable") from None
    return connection


def load(
    handbook: Handbook,
    cache: ParseCache,
    *,
    settings: IngestSettings | None = None,
    override: Day | None = None,
    progress: Progress | None = None,
) -> tuple[LoadedEdition, ...]:
    """Read every document of a handbook, from the cache where its file did not change, else in parallel.

    Args:
        override: `--effective-from`, so that files that state another day are noted.

    Raises:
        CaveatError: the processes that read files do not start, or what the settings ask for is not installed.
    """
    settings = settings or IngestSettings()
    keys = {_key(edition, file, settings): (file, edition) for edition in handbook.editions for file in edition.files}
    found = cache.find(keys)
    missing = [_wanted(*where, settings) for key, where in keys.items() if key not in found]
    with ReadingPool(settings) as pool:
        reader = _Reader(cache, found, settings, pool.read(missing), override, len(keys), progress)
        loaded = tuple(reader.edition(edition) for edition in handbook.editions)
    cache.commit()
    return loaded


def _wanted(file: SourceFile, edition: Edition, settings: IngestSettings) -> Wanted:
    return Wanted(file.relative, file.size, partial(file_request, file, edition, settings))


@dataclass(slots=True)
class _Reader:
    cache: ParseCache
    found: Mapping[str, _Reading]
    settings: IngestSettings
    answers: Iterator[Answer]
    """Of the files that are not in `found`, in the order of the handbook."""
    override: Day | None
    total: int
    progress: Progress | None
    done: int = 0

    def edition(self, edition: Edition) -> LoadedEdition:
        found = [self._read(file, edition) for file in edition.files]
        refused = [refusal for refusal in found if isinstance(refusal, Refusal)]
        documents, twice = _refuse_doubles(edition, [one for one in found if isinstance(one, LoadedDocument)])
        ordered = sorted(documents, key=lambda document: document.doc_id)
        return LoadedEdition(edition, tuple(ordered), (*edition.refused, *refused, *twice))

    def _read(self, file: SourceFile, edition: Edition) -> LoadedDocument | Refusal:
        read = self._document(file, edition)
        self.done += 1
        if self.progress:
            self.progress(self.done, self.total)
        return read

    def _document(self, file: SourceFile, edition: Edition) -> LoadedDocument | Refusal:
        key, doc_id = _key(edition, file, self.settings), None
        try:
            reading = self.found.get(key) or self._kept(key)
            doc_id, head = reading.skeleton.doc_id, reading.head.document
            effective, notes = effective_of(head, edition, None)
            if self.override is not None:
                _, notes = effective_of(head, edition, self.override)
        except SourceError as error:
            return Refusal(edition.name, file.relative, error, doc_id)
        noted, loss = (*head.notes, *notes), reading.head.loss
        return LoadedDocument(file.relative, reading.skeleton, effective, noted, loss, reading.read)

    def _kept(self, key: str) -> _Reading:
        answer = next(self.answers)
        if isinstance(answer, SourceError):
            raise answer
        return self.cache.keep(key, answer)


def _refuse_doubles(edition: Edition, documents: list[LoadedDocument]) -> tuple[list[LoadedDocument], list[Refusal]]:
    files: dict[str, list[str]] = {}
    for document in documents:
        files.setdefault(document.doc_id, []).append(document.relative)
    doubles = {doc_id: found for doc_id, found in files.items() if len(found) > 1}
    refusals = [
        Refusal(edition.name, relative, _double(edition, relative, doc_id, doubles[doc_id]), doc_id)
        for doc_id in sorted(doubles)
        for relative in sorted(doubles[doc_id])
    ]
    return [document for document in documents if document.doc_id not in doubles], refusals


def _double(edition: Edition, relative: str, doc_id: str, files: list[str]) -> SourceError:
    others = ", ".join(sorted(set(files) - {relative}))
    return SourceError(
        f'id "{doc_id}" is also that of {others}',
        where=edition.where(relative),
        allowed="one file for each id in an edition",
        fix="change `id:` in one of them, or remove one",
    )


def contents_from(documents: Collection[LoadedDocument], wanted: Collection[str]) -> Iterator[Content]:
    """The contents with these digests, each once, reading only the documents that hold one."""
    left = set(wanted)
    for document in documents:
        here = left.intersection(traits.content for traits in document.skeleton.sections)
        if here:
            left -= here
            yield from {c.digest: c for c in contents_of(document.read()) if c.digest in here}.values()


def _key(edition: Edition, file: SourceFile, settings: IngestSettings) -> str:
    # Of the settings, those that only refuse need no place here: a refusal is not kept.
    parts = (parser_fingerprint(), edition.name, file.relative, file.digest, settings.image_pages)
    return blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


@cache
def parser_fingerprint() -> str:
    """Digest of everything that decides how a file is read: our own sources and the parsers' versions."""
    digest = blake2b(digest_size=16)
    sources = sorted(Path(ingest.__file__).parent.rglob("*.py")) if ingest.__file__ else []
    for source in (*sources, Path(index.history.skeleton.__file__), Path(index.history.records.__file__)):
        digest.update(source.read_bytes())
    for package in _PARSERS:
        digest.update(f"{package} {version(package)}".encode())
    return digest.hexdigest()
