"""What goes to a reading process and comes back: frames of JSON and of raw bytes, nothing that runs when it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import ingest.errors
from ingest.errors import CaveatError
from ingest.handbook.reading import FileReading, FileRequest
from ingest.loss import Loss, LostLine, Tally
from ingest.settings import IngestSettings
from ingest.stored import document_from_json, document_to_json

PREFIX: Final = 8
"""Bytes of the length that stands before each frame, most significant first."""
READY: Final = b"ready"
"""The first frame of a process that has started."""
_ERRORS: Final = {
    name: kind for name, kind in vars(ingest.errors).items() if isinstance(kind, type) and issubclass(kind, CaveatError)
}


class Garbled(ValueError):
    """Bytes that are no answer."""


def send(stream: BinaryIO, frame: bytes) -> None:
    """Write one frame."""
    stream.write(len(frame).to_bytes(PREFIX, "big"))
    stream.write(frame)
    stream.flush()


def receive(stream: BinaryIO) -> bytes | None:
    """The next frame; None where the other side is gone, be it in the middle of one."""
    prefix = stream.read(PREFIX)
    if len(prefix) < PREFIX:
        return None
    length = int.from_bytes(prefix, "big")
    frame = stream.read(length)
    return frame if len(frame) == length else None


def request_frames(request: FileRequest) -> Iterator[bytes]:
    """A request: what there is to say about it, the file, and the sidecar if there is one."""
    about = {
        "relative": request.relative,
        "where": request.where,
        "dated": request.dated,
        "settings": request.settings.model_dump(mode="json"),
        "sidecar": request.sidecar is not None,
    }
    yield json.dumps(about).encode()
    yield request.raw
    if request.sidecar is not None:
        yield request.sidecar


def receive_request(stream: BinaryIO) -> FileRequest | None:
    """The next request; None where there will be no more."""
    head = receive(stream)
    about = json.loads(head) if head is not None else {}
    raw = receive(stream) if about else None
    sidecar = receive(stream) if raw is not None and about["sidecar"] else None
    if raw is None or (about["sidecar"] and sidecar is None):
        return None
    settings = IngestSettings.model_validate(about["settings"])
    return FileRequest(about["relative"], about["where"], raw, sidecar, about["dated"], settings)


def answer_frame(answer: FileReading | CaveatError) -> bytes:
    """An answer: a reading, or the error that stands in its place."""
    data = reading_to_json(answer) if isinstance(answer, FileReading) else {"error": _error_to_json(answer)}
    # Half of a surrogate pair, as broken PDF fonts give, is no text that could be stored: one sign takes its place.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def answer_of(frame: bytes) -> FileReading | CaveatError:
    """The inverse of `answer_frame`.

    Raises:
        Garbled: it is no answer.
    """
    try:
        data = json.loads(frame)
        return _error_from_json(data["error"]) if "error" in data else reading_from_json(data)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Garbled(f"{type(error).__name__}: {error}") from error


def _error_to_json(error: CaveatError) -> dict[str, str | None]:
    parts = {"found": error.found, "where": error.where, "allowed": error.allowed, "fix": error.fix}
    return {"kind": type(error).__name__, **parts}


def _error_from_json(data: dict[str, str | None]) -> CaveatError:
    kind = _ERRORS[data["kind"] or ""]
    return kind(data["found"] or "", where=data["where"], allowed=data["allowed"], fix=data["fix"])


def reading_to_json(reading: FileReading) -> dict[str, Any]:
    """Everything of a reading as plain JSON values."""
    return {
        "document": document_to_json(reading.document),
        "loss": _loss_to_json(reading.loss),
        "format": reading.format,
        "pages": reading.pages,
    }


def reading_from_json(data: dict[str, Any]) -> FileReading:
    """The inverse of `reading_to_json`."""
    return FileReading(
        document_from_json(data["document"]), _loss_from_json(data["loss"]), data["format"], data["pages"]
    )


def _loss_to_json(loss: Loss) -> list[Any]:
    places = [[one.where, one.characters, one.kept, one.dropped, one.lost] for one in loss.places]
    return [places, dict(loss.dropped), [[line.where, line.text, line.words] for line in loss.lines]]


def _loss_from_json(data: list[Any]) -> Loss:
    places, dropped, lines = data
    found = tuple(LostLine(where, text, tuple(words)) for where, text, words in lines)
    return Loss(tuple(Tally(*place) for place in places), dropped, found)
