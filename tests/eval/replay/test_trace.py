"""Reading traces: those of other programs, those that a crash cut off, and those that are no traces."""

import json
from pathlib import Path

import pytest

from eval.replay import CutPointSession, read_trace
from eval.replay.trace import spans
from ingest.errors import SourceError, StateError
from tests.eval.replay.conftest import WriteTrace, envelope


def test_a_trace_that_counts_from_zero_is_numbered_from_one(write_trace: WriteTrace) -> None:
    path = write_trace(envelope("a", 0), envelope("b", 0), envelope("a", 1))
    assert list(read_trace(path).envelopes) == [("a", 1), ("b", 1), ("a", 2)]


def test_a_trace_that_counts_from_one_stays_as_it_is(write_trace: WriteTrace) -> None:
    assert list(read_trace(write_trace(envelope("a", 2), envelope("a", 1))).envelopes) == [("a", 2), ("a", 1)]


def test_a_trace_cut_off_anywhere_loads_up_to_its_last_whole_record(write_trace: WriteTrace) -> None:
    path = write_trace(envelope("a", 1), envelope("a", 2, text="Zürich"))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(first, len(whole) - 1):
        path.write_bytes(whole[:end])
        cut = read_trace(path)
        assert (list(cut.envelopes), cut.cut_bytes) == ([("a", 1)], end - first)


@pytest.mark.parametrize("tail", [b"", b"\r\n", b"\n\n", b"\0\0\0\0"], ids=["no line's end", "CRLF", "blank", "zeros"])
def test_the_end_of_the_file_may_look_otherwise(write_trace: WriteTrace, tail: bytes) -> None:
    path = write_trace(envelope("a", 1), envelope("a", 2))
    path.write_bytes(path.read_bytes().removesuffix(b"\n") + (tail if tail != b"\0\0\0\0" else b"\n" + tail))
    assert (len(read_trace(path).envelopes), read_trace(path).cut_bytes) == (2, 0)


def test_a_session_says_how_much_was_cut_off(write_trace: WriteTrace) -> None:
    path = write_trace(envelope("a", 1))
    path.write_bytes(path.read_bytes() + b'{"boundary": "a", "ca')
    assert CutPointSession(path, "replay").cut_bytes == 21


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([b"{nothing}"], r"trace.jsonl:2: not JSON: Expecting property name"),
        ([b"\xff{}"], r"trace.jsonl:2: not UTF-8 at byte 0 of the line"),
        ([b"[1]"], r"trace.jsonl:2: list instead of an envelope; allowed: one object a line"),
        ([b'{"a": NaN}'], r"trace.jsonl:2: not JSON: NaN is no JSON number"),
        ([b"[" * 100_000], r"trace.jsonl:2: nested too deeply"),
        ([b'{"boundary": "half \\ud800", "call_index": 1}'], r"trace.jsonl:2: half a character"),
        ([{"call_index": 1}], r"trace.jsonl:2: an envelope without a boundary"),
        ([{"boundary": " ", "call_index": 1}], r"trace.jsonl:2: an envelope without a boundary"),
        ([{"boundary": "b", "call_index": 1}], r'trace.jsonl:2: an envelope of "b" without inputs and output'),
        ([envelope("b", -1)], r"trace.jsonl:2: call_index -1 is no whole number from 0"),
        ([envelope("b", True)], r"trace.jsonl:2: call_index True is no whole number"),
        ([envelope("b") | {"inputs": [1]}], r"trace.jsonl:2: inputs is list"),
        ([envelope("b") | {"inputs": None}], r"trace.jsonl:2: inputs is null"),
        ([envelope("b") | {"stream": 1}], r"trace.jsonl:2: stream is int"),
        ([envelope("b") | {"error": {"type": "E"}}], r"trace.jsonl:2: error without type and message"),
        (
            [envelope("b", 3), envelope("b", 3)],
            r'trace.jsonl:3: call_index 3 of "b" repeats that of line 2; fix: one tr',
        ),
        (
            [envelope("b", 3, {"$same": "0f"})],
            r'trace.jsonl:2: no text with the digest "0f" in the lines so far; fix: a',
        ),
        (
            [envelope("b", q="x") | {"digests": {"q": "0"}}],
            r"trace.jsonl:2: inputs that do not fit their digests: q; .*",
        ),
    ],
    ids=lambda value: value[15:45] if isinstance(value, str) else "",
)
def test_what_is_no_trace_is_named_with_its_line(write_trace: WriteTrace, lines: list[bytes], found: str) -> None:
    with pytest.raises(SourceError, match=found):
        read_trace(write_trace(envelope("a", 1), *lines))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none.jsonl: no such trace; fix: record one"):
        CutPointSession(tmp_path / "none.jsonl", "replay")


@pytest.mark.parametrize("text", [b"", b"\n", b'{"boundary": "a'], ids=["empty", "blank", "cut in its first record"])
def test_a_trace_without_a_record(trace: Path, text: bytes) -> None:
    trace.write_bytes(text)
    with pytest.raises(SourceError, match=r"no whole record"):
        CutPointSession(trace, "replay")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StateError, match=r"cannot be written: No such file or directory; fix: make the folder .*none"):
        CutPointSession(tmp_path / "none" / "trace.jsonl", "record")


def test_a_recording_is_never_written_over(write_trace: WriteTrace) -> None:
    path = write_trace(envelope())
    before = path.read_bytes()
    with pytest.raises(StateError, match="exists already; a recording is never written over"):
        CutPointSession(path, "record")
    assert path.read_bytes() == before


def test_an_empty_file_may_be_recorded_into(trace: Path) -> None:
    trace.touch()
    with CutPointSession(trace, "record") as session:
        session.wrap("a")(len)("four")
    assert read_trace(trace).envelopes[("a", 1)].output == 4


def test_a_line_has_the_form_of_the_incidents(root: Path, trace: Path, recording: CutPointSession) -> None:
    @recording.wrap("query_rewrite", "rewriter-3", prompt="Rewrite the message.", sampling={"top_p": 0.9})
    def rewrite(message: str, temperature: float) -> dict[str, str]:
        return {"query": message.lower()}

    rewrite("Seats", 0.3)
    line = json.loads(trace.read_text(encoding="utf-8"))
    incident = json.loads((root / "data" / "incidents" / "8841.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert list(line)[:5] == list(incident)
    assert line["recorded_at"] == "2026-04-01T14:02:11.204Z"
    assert line["inputs"] == {"message": "Seats", "temperature": 0.3}
    assert (line["model_version"], line["sampling"]) == ("rewriter-3", {"temperature": 0.3, "top_p": 0.9})
    assert set(line["digests"]) == {"message", "temperature"}
    assert len(line["prompt_digest"]) == 32
    assert line["latency_ms"] >= 0


def test_spans() -> None:
    assert spans([1, 2, 3, 7, 9, 10]) == "1 to 3, 7, 9 to 10"
