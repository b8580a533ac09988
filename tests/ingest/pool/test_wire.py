import io
import json

import pytest

import ingest.errors
from ingest.document import Document
from ingest.errors import CaveatError, DateError, SourceError
from ingest.handbook.reading import FileReading, FileRequest, read_file
from ingest.loss import Loss, LostLine, Tally
from ingest.pool.wire import Garbled, answer_frame, answer_of, receive, receive_request, request_frames, send
from ingest.settings import IngestSettings

RICH = b"""---
title: Seats
effective_from: 2026-02-01
---
Preamble.[^1]

# 4 Seats {#seats}

1. one, subject to 9.1
   (a) nested

| plan | fee |
|------|-----|
| A    | 1   |

[^1]: The note.
"""
LOSS = Loss((Tally("page 3", 20, 9, 5, 6),), {"page number": 5}, (LostLine("page 3", "unless late", ("unless",)),))


def sent(*frames: bytes) -> io.BytesIO:
    stream = io.BytesIO()
    for frame in frames:
        send(stream, frame)
    return io.BytesIO(stream.getvalue())


@pytest.mark.parametrize("sidecar", [None, b"", b'id = "seats"\n'], ids=["none", "empty", "some"])
def test_a_request_arrives_as_it_was(sidecar: bytes | None) -> None:
    request = FileRequest("b/ä.pdf", "2026-01-01/b/ä.pdf", b"%PDF\0\xff", sidecar, True, IngestSettings(max_pages=3))
    assert receive_request(sent(*request_frames(request))) == request


@pytest.mark.parametrize("cut", [0, 4, 8, 40, -4, -1])
def test_a_request_that_is_cut_off_is_none(cut: int) -> None:
    whole = sent(*request_frames(FileRequest("a.pdf", "a.pdf", b"%PDF", b"id = 1"))).getvalue()
    assert receive_request(io.BytesIO(whole[:cut])) is None


def test_a_reading_arrives_as_it_was() -> None:
    read = read_file(FileRequest("a.md", "2026-01-01/a.md", RICH, dated=True))
    reading = FileReading(read.document, LOSS, "PDF", 12)
    assert answer_of(answer_frame(reading)) == reading


def test_half_a_surrogate_pair_is_replaced_in_place() -> None:
    reading = FileReading(Document("a.pdf", "a \ud835 b", "", ()), LOSS, "PDF")
    answer = answer_of(answer_frame(reading))
    assert isinstance(answer, FileReading)
    assert answer.document.title == "a ? b"


@pytest.mark.parametrize(
    "error",
    [
        SourceError("not UTF-8", where="a.md:3", allowed="UTF-8", fix="save it as UTF-8"),
        DateError("no such day", where="a.md, page 3"),
        ingest.errors.ConfigError("no OCR", fix="pip install caveat[ocr]"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_arrives_with_its_kind_and_parts(error: CaveatError) -> None:
    answer = answer_of(answer_frame(error))
    assert type(answer) is type(error)
    assert vars(answer) == vars(error)


@pytest.mark.parametrize(
    "frame",
    [b"", b"[1", b"[]", b"3", b"\xff", b"{}", b'{"error": {"kind": "OSError"}}', b"[" * 100_000, b'{"document": [1]}'],
    ids=lambda frame: frame[:20].decode("latin-1"),
)
def test_what_is_no_answer_is_never_taken_for_one(frame: bytes) -> None:
    with pytest.raises(Garbled):
        answer_of(frame)


def test_frames_are_plain_json_and_bytes() -> None:
    head, raw = request_frames(FileRequest("a.md", "a.md", b"# A"))
    assert json.loads(head)["settings"]["image_pages"] == "refuse"
    assert raw == b"# A"
    assert receive(io.BytesIO(b"\0\0\0\0\0\0\0\x02ab")) == b"ab"
