"""One file of an edition to a document: its bytes as they were found, with those of its sidecar."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from ingest.document import Document
from ingest.errors import SourceError
from ingest.handbook.reading import FileRequest, read_file
from ingest.handbook.sources import SIDECAR, Edition, SourceFile
from ingest.handbook.walk import read_bytes
from ingest.settings import IngestSettings


def read_document(file: SourceFile, edition: Edition, settings: IngestSettings | None = None) -> Document:
    """Read one file of an edition, in this process.

    Raises:
        SourceError: as `read_file`, or the file changed since it was found.
        DateError: a date that cannot be read or contradicts another one.
    """
    return read_file(file_request(file, edition, settings or IngestSettings())).document


def file_request(file: SourceFile, edition: Edition, settings: IngestSettings) -> FileRequest:
    """The bytes of a file and of its sidecar, as they were when it was found.

    Raises:
        SourceError: they cannot be read, or changed since.
    """
    where = edition.where(file.relative)
    raw = read_bytes(file.path, where)
    beside = Path(f"{file.path}{SIDECAR}")
    sidecar = read_bytes(beside, where + SIDECAR) if beside.exists() else None
    digest = sha256(raw)
    if sidecar is not None:
        digest.update(b"\0" + sidecar)
    if digest.hexdigest() != file.digest:
        raise SourceError("changed while it was read", where=where, fix="run again")
    return FileRequest(file.relative, where, raw, sidecar, edition.effective is not None, settings)
