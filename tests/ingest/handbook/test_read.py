import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.dates import UNKNOWN_DAY, Day, parse_day, show_day
from ingest.document import Document
from ingest.errors import DateError, SourceError
from ingest.handbook.editions import Edition, SourceFile, effective_of, read_document
from ingest.handbook.reading import LONGEST_LINE

DATED = Edition("2026-01-01", parse_day("2026-01-01"))
LIVE = Edition("live", None)
Read = Callable[..., Document]


def found(path: Path, relative: str = "04-seats.md") -> SourceFile:
    sidecar = path.with_name(f"{path.name}.meta.toml")
    extra = b"\0" + sidecar.read_bytes() if sidecar.exists() else b""
    return SourceFile(path, relative, sha256(path.read_bytes() + extra).hexdigest())


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a document from its bytes or text, with a sidecar if one is given."""

    def run(source: str | bytes, sidecar: str | None = None, edition: Edition = DATED) -> Document:
        path = tmp_path / "04-seats.md"
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        if sidecar is not None:
            (tmp_path / "04-seats.md.meta.toml").write_text(sidecar)
        return read_document(found(path), edition)

    return run


def day(document: Document, edition: Edition = DATED, override: Day | None = None) -> str | None:
    return show_day(effective_of(document, edition, override)[0])


# Reading


def test_a_document_without_front_matter(read: Read) -> None:
    document = read("# 4 Seats\n\n## 4.2 Downgrades\n\nLate reductions.\n")

    assert (document.doc_id, document.title, document.dates, document.notes) == ("04-seats.md", "Seats", (), ())
    assert [section.address_path for section in document.sections] == ["Seats", "Seats > Downgrades"]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: Seats and plans\n---\n# 4 Seats\n", "Seats and plans"),
        ("Intro.\n\n# **Seats** {#seats}\n", "Seats"),
        ("Seats\n=====\n\nText.\n", "Seats"),
        ("# One\n\n# Two\n", "04-seats"),
        ("Text.\n", "04-seats"),
    ],
)
def test_the_title(read: Read, source: str, title: str) -> None:
    assert read(source).title == title


def test_front_matter_is_read_and_not_indexed(read: Read) -> None:
    document = read("---\nid: seats\nlayout: page\nmoved_from: old.md\n---\n# Seats\n\nText.\n")

    assert (document.doc_id, document.moved_from, document.text) == ("seats", "old.md", "# Seats\n\nText.\n")
    assert document.sections[0].elements[0].line == 6


def test_a_section_that_moved(read: Read) -> None:
    document = read('---\nmoved_from:\n  Seats > Late: "05.md#Refunds > Late"\n---\n# Seats\n\n## Late\n\nText.\n')

    assert [section.moved_from for section in document.sections] == [None, "05.md#Refunds > Late"]


@pytest.mark.parametrize(
    "source", [b"\xef\xbb\xbf---\r\nid: a\r\n---\r\n# A\r\n\r\nText.\r\n", b"---\rid: a\r---\r# A\r\rText.\r"]
)
def test_line_ends_and_byte_order_marks_of_other_systems(read: Read, source: bytes) -> None:
    document = read(source)

    assert (document.doc_id, document.text, document.sections[0].elements[0].line) == ("a", "# A\n\nText.\n", 4)


def test_a_rule_in_the_first_line_hides_nothing(read: Read) -> None:
    document = read("---\n\nA rule above.\n\n---\n\nAnd below.\n")

    assert (document.notes, document.text.count("\n")) == ((), 7)


def test_the_sidecar_goes_before_the_front_matter(read: Read) -> None:
    document = read("---\nid: a\ntitle: A\n---\nText.\n", 'id = "b"\ntitle = "A"\n')

    assert (document.doc_id, [note.code for note in document.notes]) == ("b", ["id-differs"])


def test_notes_name_file_and_line(read: Read) -> None:
    document = read("---\nid: seats\n---\n# 4 Seats\n\n## 4.2 A\n\n## 4.2 B\n")

    (note,) = document.notes
    assert (note.code, note.where) == ("duplicate-number", "2026-01-01/04-seats.md:8")


def test_text_in_another_language_is_noted(read: Read) -> None:
    text = "Die Anzahl der Plätze wird mit dem nächsten Vertrag verringert, und eine Gutschrift ist nicht vorgesehen. "

    (note,) = read(text * 4).notes

    assert (note.code, note.where) == ("not-english", "2026-01-01/04-seats.md")
    assert "German" in note.message


# Faults


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", r"^2026-01-01/04-seats.md: the file is empty; fix: remove it"),
        (b" \n\t\n", "the file is empty"),
        (b"\xef\xbb\xbf", "no text after the front matter"),
        (b"---\ntitle: a\n---\n\n", "no text after the front matter"),
        (
            b"# Seats\n\nLate \xff reductions.\n",
            r"not UTF-8: byte 0xff at offset 14 \(line 3\); allowed: text in UTF-8",
        ),
        (b"# S\xe9ats\n", r"not UTF-8: byte 0xe9 at offset 3 \(line 1\)"),
        (b"# Seats\n\n\0\n", r"a NUL byte at offset 9 \(line 3\): binary"),
        ("# Seats\n".encode("utf-16"), "text in UTF-16; allowed: UTF-8; fix: save it as UTF-8"),
        ("# Seats\n".encode("utf-16-le"), "a NUL byte at offset 1"),
        (b"%PDF-1.7\n", "a PDF under a Markdown name"),
        (b"PK\x03\x04", "a ZIP or Office file under a Markdown name"),
        (b"\x89PNG\r\n", "a PNG image under a Markdown name"),
        (b"---\n- a\n---\nText.\n", r"2026-01-01/04-seats.md:2: front matter is a list, not a mapping"),
        (b"---\ntitle: a\nText.\n", r"2026-01-01/04-seats.md:1: front matter is never closed"),
        (b"---\neffective_from: 01/07/2024\n---\nText.\n", "month first"),
        (b"---\neffective_from: soon\n---\nText.\n", r'04-seats.md: effective_from: "soon" is not a date'),
    ],
)
def test_a_file_at_fault(read: Read, source: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(source)


def test_a_line_of_ten_megabytes_is_refused_at_once(read: Read) -> None:
    started = time.process_time()

    with pytest.raises(
        SourceError, match=r"04-seats.md:3: a line of 10,000,000 characters; allowed: up to 1,000,000; fix:"
    ):
        read("# Seats\n\n" + "seats " * 1_666_666 + "seat")

    assert time.process_time() - started < 5


def test_a_line_of_the_longest_length_is_read(read: Read) -> None:
    assert read("seats " * (LONGEST_LINE // 6)).sections


def test_a_faulty_sidecar_names_itself(read: Read) -> None:
    with pytest.raises(SourceError, match=r'2026-01-01/04-seats.md.meta.toml: unknown key "effective"'):
        read("Text.", "effective = 2026-01-01")


def test_a_file_that_changed_since_it_was_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("One.")
    file = found(tmp_path / "a.md")
    (tmp_path / "a.md").write_text("Two.")

    with pytest.raises(SourceError, match="changed while it was read; fix: run again"):
        read_document(file, DATED)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot be read \(No such file"):
        read_document(SourceFile(tmp_path / "a.md", "a.md", ""), DATED)


PIECES = [
    "---\n",
    "id: a\n",
    "title: b: c\n",
    "\n",
    "# A\n",
    "[",
    "]",
    "{",
    "&a ",
    "*a",
    "- ",
    "\t",
    "é",
    "\0",
    "Effective 01/02/2024\n",
]


@given(
    st.one_of(st.binary(max_size=60), st.lists(st.sampled_from(PIECES), max_size=20).map(lambda p: "".join(p).encode()))
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_any_file_is_read_or_refused(tmp_path: Path, source: bytes) -> None:
    (tmp_path / "a.md").write_bytes(source)
    with suppress(SourceError):
        effective_of(read_document(found(tmp_path / "a.md"), LIVE), LIVE)


# Effective dates


def test_each_rank_gives_way_to_the_one_above(read: Read) -> None:
    text = "---\neffective_from: 2026-03-01\n---\n# Seats\n\nEffective April 1, 2026\n"
    document = read(text, "effective_from = 2026-02-01")

    assert [(one.rank, show_day(one.day)) for one in document.dates] == [
        ("sidecar", "2026-02-01"),
        ("front-matter", "2026-03-01"),
        ("text", "2026-04-01"),
    ]
    assert day(document, override=parse_day("2025-01-01")) == "2025-01-01"
    assert day(document) == "2026-02-01"
    assert day(replace(document, dates=document.dates[1:])) == "2026-03-01"
    assert day(replace(document, dates=document.dates[2:])) == "2026-01-01"
    assert day(replace(document, dates=document.dates[2:]), LIVE) == "2026-04-01"
    assert effective_of(replace(document, dates=()), LIVE, None) == (UNKNOWN_DAY, ())


def test_what_differs_is_noted_and_what_agrees_is_not(read: Read) -> None:
    document = read("---\neffective_from: 2026-01-01\n---\n# Seats\n\nEffective April 1, 2026\n")

    _, notes = effective_of(document, DATED, None)

    assert [(note.code, note.where) for note in notes] == [("date-differs", "2026-01-01/04-seats.md:6")]
    assert notes[0].message.startswith("states 2026-04-01; the date in ")
    assert notes[0].message.endswith(", 2026-01-01 is used")


def test_the_date_of_the_folder_is_called_that(read: Read) -> None:
    _, notes = effective_of(read("# Seats\n\nEffective April 1, 2026\n"), DATED, None)
    assert [note.message for note in notes] == ["states 2026-04-01; the folder's date 2026-01-01 is used"]


def test_two_dates_of_the_rank_that_decides(read: Read) -> None:
    document = read("Effective 2026-01-01\n\nEffective: 2026-04-01\n", edition=LIVE)

    with pytest.raises(
        DateError, match=r"04-seats.md:1: 2026-01-01 here, but 2026-04-01 in 04-seats.md:3; fix: correct one"
    ):
        effective_of(document, LIVE, None)
    assert len(effective_of(document, DATED, None)[1]) == 1


def test_the_same_date_twice_is_one_date(read: Read) -> None:
    assert day(read("Effective 2026-01-01\n\nEffective January 1, 2026\n", edition=LIVE), LIVE) == "2026-01-01"


def test_a_date_with_two_readings_in_the_text_only_counts_where_it_decides(read: Read) -> None:
    text = "# Seats\n\nEffective date: 01/07/2024\n"

    (note,) = read(text).notes

    assert (note.code, note.where) == ("date-unreadable", "2026-01-01/04-seats.md:3")
    with pytest.raises(DateError, match="month first"):
        read(text, edition=LIVE)
    assert day(read(f"---\neffective_from: 2024-07-01\n---\n{text}", edition=LIVE), LIVE) == "2024-07-01"
