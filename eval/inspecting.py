"""One file read as an index run would read it, without a state folder: what is in it, and what was lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ingest.dates import Day, show_day
from ingest.document import Document, Link, Note, Section
from ingest.elements import Element, Kind
from ingest.errors import SourceError
from ingest.formats import ALLOWED, advice_for, format_of
from ingest.handbook.editions import effective_of
from ingest.handbook.folders import folder_name
from ingest.handbook.reading import FileReading, FileRequest
from ingest.handbook.sources import LIVE, SIDECAR, Edition
from ingest.handbook.walk import unreadable
from ingest.markdown.cells import Table, table_of
from ingest.markdown.plain import plain
from ingest.pool.pool import read_apart
from ingest.settings import IngestSettings

BEFORE = "(before the first heading)"
"""What a section without a heading is called."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A place that says since when the file is in force."""

    rank: str
    """ "sidecar", "front-matter", "edition" (the name of a folder above) or "text"; the first of these decides."""
    day: Day
    where: str


@dataclass(frozen=True)
class Inspected:
    """One file as read."""

    file: str
    reading: FileReading
    dates: tuple[Dated, ...]
    """The one that decides first."""
    notes: tuple[Note, ...]
    """What was noticed, lost lines aside."""

    @property
    def document(self) -> Document:
        """The file's sections."""
        return self.reading.document

    @cached_property
    def tables(self) -> tuple[tuple[Section, Table, int | None], ...]:
        """Every table with its section and page, in order."""
        return tuple(
            (section, table_of(section.text, element), element.page)
            for section in self.document.sections
            for element in own(section)
            if element.kind is Kind.TABLE
        )

    @property
    def footnotes(self) -> Iterator[tuple[Section, str, str]]:
        """Section, label and text of every footnote, under each section that shows it."""
        for section in self.document.sections:
            for element in section.elements:
                if element.kind is Kind.FOOTNOTE:
                    mark, _, words = section.text[element.start : element.end].partition("]:")
                    yield section, mark.strip().removeprefix("[^"), plain(words)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        sections = self.document.sections
        return {
            "file": self.file,
            "format": self.reading.format,
            "pages": self.reading.pages,
            "doc_id": self.document.doc_id,
            "title": self.document.title,
            "effective_from": show_day(self.dates[0].day) if self.dates else None,
            "dates": [{"rank": one.rank, "day": show_day(one.day), "where": one.where} for one in self.dates],
            "sections": [self._section(section) for section in sections],
            "tables": [_table(*found) for found in self.tables],
            "links": [_link(section, link) for section in sections for link in section.links],
            "footnotes": [
                {"label": label, "from": name(section), "text": text} for section, label, text in self.footnotes
            ],
            "notes": [{"code": note.code, "where": note.where, "message": note.message} for note in self.notes],
            "loss": self._loss(),
            "text": self.document.text,
        }

    def _section(self, section: Section) -> dict[str, Any]:
        return {
            "section": section.number,
            "title": section.title,
            "path": list(section.path),
            "address": self.document.address(section),
            "page": section.page,
            **figures(self.document, section),
        }

    def _loss(self) -> dict[str, Any]:
        loss = self.reading.loss
        sums = ("characters", "kept", "dropped", "lost")
        return {
            **{key: getattr(loss.total, key) for key in sums},
            "reasons": dict(loss.dropped),
            "places": [{"where": one.where, **{key: getattr(one, key) for key in sums}} for one in loss.places],
            "lines": [{"where": one.where, "text": one.text, "missing": list(one.words)} for one in loss.lines],
        }


def inspect_file(path: Path, settings: IngestSettings) -> Inspected:
    """Read one file.

    Raises:
        SourceError: no such file, none that is read, refused by its reader, or beyond its time or memory.
        DateError: a date that cannot be read, or two of the deciding rank that differ.
    """
    where = str(path)
    if path.is_dir():
        raise SourceError("a folder", where=where, allowed="one file", fix="caveat index reads a whole folder")
    if format_of(path.name) is None:
        raise SourceError("not a format that is read", where=where, allowed=ALLOWED, fix=advice_for(path.name))
    raw = _bytes(path, where, settings)
    beside = Path(f"{path}{SIDECAR}")
    sidecar = _bytes(beside, str(beside), settings) if os.path.lexists(beside) else None
    edition = _edition(path)
    reading = read_apart(FileRequest(path.name, where, raw, sidecar, edition.effective is not None, settings))
    _, differing = effective_of(reading.document, edition)
    notes = [note for note in reading.document.notes if note.code != "lost-line"]
    return Inspected(where, reading, tuple(_dates(reading.document, edition)), (*notes, *differing))


def _bytes(path: Path, where: str, settings: IngestSettings) -> bytes:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise SourceError("not a regular file", where=where, fix="replace it by a file")
        if found.st_size > settings.max_file_bytes:
            size, limit = f"{found.st_size:,} bytes", f"up to {settings.max_file_bytes:,}"
            raise SourceError(size, where=where, allowed=limit, fix="raise max_file_bytes in caveat.toml")
        return path.read_bytes()
    except OSError as error:
        raise unreadable(error, where) from None


def _edition(path: Path) -> Edition:
    """The edition that the nearest dated folder above says the file belongs to; else the undated one."""
    for folder in path.absolute().parents:
        try:
            named = folder_name(folder.name)
        except SourceError:
            # A name that only resembles a date stops an index run; what stands in one file can be read all the same.
            continue
        if named:
            return Edition(named.name, named.effective)
    return Edition(LIVE, None)


def _dates(document: Document, edition: Edition) -> Iterator[Dated]:
    stated = [Dated(one.rank, one.day, one.where) for one in document.dates]
    yield from (one for one in stated if one.rank != "text")
    if edition.effective is not None:
        yield Dated("edition", edition.effective, edition.name)
    yield from (one for one in stated if one.rank == "text")


def own(section: Section) -> list[Element]:
    """The elements that stand in the section itself; footnotes that stand elsewhere follow its own text."""
    return [element for element in section.elements if element.end <= section.end - section.start]


def name(section: Section) -> str:
    """Number and title as displayed."""
    return section.path[-1] if section.path else BEFORE


def figures(document: Document, section: Section) -> dict[str, int]:
    """How much is in a section, its subsections not counted."""
    kinds = [element.kind for element in own(section)]
    return {
        "line": section.elements[0].line if section.elements else 1,
        "characters": sum(map(str.isalnum, plain(document.text[section.start : section.end]))),
        "items": kinds.count(Kind.ITEM),
        "tables": kinds.count(Kind.TABLE),
        "links": len(section.links),
    }


def _table(section: Section, table: Table, page: int | None) -> dict[str, Any]:
    return {
        "caption": table.caption or None,
        "from": name(section),
        "page": page,
        "columns": table.columns,
        "header": [list(row) for row in table.header],
        "rows": [list(row) for row in table.body],
    }


def _link(section: Section, link: Link) -> dict[str, Any]:
    return {
        "from": name(section),
        "relation": link.relation.value,
        "limiter": link.limiter,
        "target": link.target,
        "phrase": plain(section.text[link.start : link.end]),
    }
