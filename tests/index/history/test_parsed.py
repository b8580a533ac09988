from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from unittest.mock import patch

import pytest

import index.history.parsed
import ingest.pool.pool
from index.history.parsed import LoadedEdition, ParseCache, contents_from, load
from index.history.skeleton import Skeleton, skeleton_of
from ingest.errors import StateError
from ingest.handbook.editions import read_document, scan
from ingest.handbook.read import file_request
from ingest.pool.pool import ReadingPool
from ingest.settings import IngestSettings
from ingest.stored import document_from_json, document_to_json

RICH = """---
title: Seats
moved_from: old.md
effective_from: 2026-02-01
---

Preamble with a mark.[^1]

# 4 Seats {#seats}

Subject to 9.1:

1. one
   (a) nested
2. two

| plan | fee |
|------|-----|
| A    | 1   |

## 4.2 Downgrades

Thirty days.

[^1]: The note.
"""
Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def handbook(write_files: Write) -> Path:
    return write_files({"2026-01-01/a.md": RICH, "2026-01-01/b.md": "## Rule\n\none\n"})


def read(root: Path, cache: ParseCache) -> LoadedEdition:
    [edition] = load(scan(root, timezone="UTC", now=2_000_000_000_000_000, max_file_bytes=10**6), cache)
    return edition


def test_a_document_comes_back_from_its_stored_text(handbook: Path) -> None:
    [edition] = scan(handbook, timezone="UTC", now=2_000_000_000_000_000, max_file_bytes=10**6).editions
    document = read_document(edition.files[0], edition)
    assert document_from_json(json.loads(json.dumps(document_to_json(document)))) == document


def test_a_skeleton_comes_back_from_its_stored_text(handbook: Path) -> None:
    [edition] = scan(handbook, timezone="UTC", now=2_000_000_000_000_000, max_file_bytes=10**6).editions
    skeleton = skeleton_of(read_document(edition.files[0], edition))
    assert Skeleton.from_json(skeleton.digest, skeleton.to_json()) == skeleton


def test_an_unchanged_file_is_not_read_again(handbook: Path, tmp_path: Path) -> None:
    first = read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    (handbook / "2026-01-01/b.md").write_text("## Rule\n\ntwo\n", encoding="utf-8")
    with patch.object(index.history.parsed, "file_request", wraps=file_request) as reading:
        again = read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    assert [call.args[0].relative for call in reading.call_args_list] == ["b.md"]
    assert again.documents[0] == first.documents[0]
    assert again.documents[0].read() == first.documents[0].read()


def docx(*paragraphs: str) -> bytes:
    """The smallest Word file with these paragraphs."""
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    schemas = "http://schemas.openxmlformats.org"
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{schemas}/package/2006/content-types">'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{schemas}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{schemas}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
        "</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{schemas}/wordprocessingml/2006/main"><w:body>{body}</w:body>'
        "</w:document>",
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return target.getvalue()


def test_an_unchanged_word_file_starts_no_process(handbook: Path, tmp_path: Path) -> None:
    (handbook / "2026-01-01/c.docx").write_bytes(docx("Seats are counted daily.", "Credits follow."))
    first = read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    assert [(one.doc_id, one.loss.lines) for one in first.documents][2] == ("c.docx", ())
    assert "Credits follow." in first.documents[2].read().text
    with patch("ingest.pool.pool.Child") as child:
        again = read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    assert child.call_count == 0
    assert again == first


def test_another_parser_reads_everything_again(handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    monkeypatch.setattr(index.history.parsed, "parser_fingerprint", lambda: "another")
    with patch.object(index.history.parsed, "file_request", wraps=file_request) as reading:
        read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    assert reading.call_count == 2


def test_a_cache_that_is_no_database_is_begun_anew(handbook: Path, tmp_path: Path) -> None:
    (tmp_path / "parsed.sqlite").write_bytes(b"no database at all, but some bytes" * 100)
    assert len(read(handbook, ParseCache(tmp_path / "parsed.sqlite")).documents) == 2


def test_a_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way", encoding="utf-8")
    with pytest.raises(StateError, match=r"cannot be written .*; fix: make the state folder writable"):
        ParseCache(tmp_path / "cache" / "parsed.sqlite")


def test_a_line_put_above_changes_no_content_below(handbook: Path) -> None:
    cache = ParseCache(Path(":memory:"))
    before = read(handbook, cache).documents[0].skeleton
    text = RICH.replace("Preamble with", "A line.\n\nPreamble with")
    (handbook / "2026-01-01/a.md").write_text(text, encoding="utf-8")
    after = read(handbook, cache).documents[0].skeleton
    assert [a.content == b.content for a, b in zip(before.sections, after.sections, strict=True)] == [False, True, True]


def test_contents_are_found_by_digest_each_once(handbook: Path) -> None:
    documents = read(handbook, ParseCache(Path(":memory:"))).documents
    wanted = [documents[0].skeleton.sections[-1].content, documents[1].skeleton.sections[-1].content]
    assert [content.title for content in contents_from(documents, wanted)] == ["Downgrades", "Rule"]


def test_files_are_counted_while_they_are_read(handbook: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = scan(handbook, timezone="UTC", now=2_000_000_000_000_000, max_file_bytes=10**6)
    load(found, ParseCache(Path(":memory:")), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is read by a process of its own."""
    monkeypatch.setattr(ingest.pool.pool, "SMALL", 0)


def test_a_file_read_apart_is_as_one_read_here_and_is_kept(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = read(handbook, ParseCache(Path(":memory:")))
    monkeypatch.setattr(ingest.pool.pool, "SMALL", 0)
    first = read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    with patch.object(ReadingPool, "read", wraps=lambda wanted: iter(())) as reading:
        again = read(handbook, ParseCache(tmp_path / "parsed.sqlite"))
    assert [call.args for call in reading.call_args_list] == [([],)]
    assert here == first == again
    assert [document.read() for document in here.documents] == [document.read() for document in again.documents]


def test_refusals_and_progress_are_in_the_order_of_the_files(write_files: Write, apart: None) -> None:
    root = write_files({"2026-01-01/b.md": "# B\n", "2026-01-01/d.md": "# D\n"})
    for name in ("a.md", "c.md", "e.md"):
        (root / "2026-01-01" / name).write_bytes(b"\xff")
    seen: list[tuple[int, int]] = []
    found = scan(root, timezone="UTC", now=2_000_000_000_000_000, max_file_bytes=10**6)
    [edition] = load(found, ParseCache(Path(":memory:")), progress=lambda done, total: seen.append((done, total)))
    assert [document.relative for document in edition.documents] == ["b.md", "d.md"]
    assert [refusal.relative for refusal in edition.refusals] == ["a.md", "c.md", "e.md"]
    assert str(edition.refusals[0].error).startswith("2026-01-01/a.md: not UTF-8: byte 0xff at offset 0")
    assert seen == [(done, 5) for done in range(1, 6)]


def test_a_setting_that_changes_readings_reads_again_and_a_limit_does_not(handbook: Path, tmp_path: Path) -> None:
    found = scan(handbook, timezone="UTC", now=2_000_000_000_000_000, max_file_bytes=10**6)
    counts = []
    for settings in (
        IngestSettings(),
        IngestSettings(read_seconds=9, max_pages=7),
        IngestSettings(image_pages="ocr"),
    ):
        with patch.object(index.history.parsed, "file_request", wraps=file_request) as reading:
            load(found, ParseCache(tmp_path / "parsed.sqlite"), settings=settings)
        counts.append([call.args[2] for call in reading.call_args_list])
    assert counts == [[IngestSettings()] * 2, [], [IngestSettings(image_pages="ocr")] * 2]
