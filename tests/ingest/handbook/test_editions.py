import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ingest.dates import parse_day, parse_instant
from ingest.errors import ConfigError, DateError, SourceError
from ingest.handbook.editions import Edition, Handbook, scan

NOW = parse_instant("2026-11-30T12:00:00Z", "UTC", end_of_day=False)
Write = Callable[[Mapping[str, str]], Path]


def read(root: Path, **changes: object) -> Handbook:
    arguments = {"timezone": "UTC", "now": NOW, "max_file_bytes": 10_000} | changes
    return scan(root, **arguments)  # type: ignore[arg-type]


def notes(handbook: Handbook) -> set[tuple[str, str]]:
    return {(note.code, note.where) for note in handbook.notes}


def refused(handbook: Handbook) -> dict[str, str]:
    return {refusal.relative: str(refusal.error) for edition in handbook.editions for refusal in edition.refused}


def files(edition: Edition) -> list[str]:
    return [file.relative for file in edition.files]


# What is an edition


def test_dated_folders_are_editions_and_the_rest_is_named(write_files: Write) -> None:
    names = ["2026-01-01/a.md", "2025-07-01/b/a.MD", "2025-07-01/c.mdx", "README.md", "drafts/a.md", "2026-notes/a.md"]
    root = write_files({**dict.fromkeys(names, "Text."), "2026-01-01/logo.svg": "<svg/>"})

    handbook = read(root)

    assert [(e.name, e.effective, files(e)) for e in handbook.editions] == [
        ("2025-07-01", parse_day("2025-07-01"), ["b/a.MD", "c.mdx"]),
        ("2026-01-01", parse_day("2026-01-01"), ["a.md"]),
    ]
    outside = {("outside-editions", name) for name in ("README.md", "drafts", "2026-notes")}
    assert notes(handbook) == outside | {("not-read", "2026-01-01/logo.svg")}
    assert not handbook.flat


def test_a_folder_without_dates_is_one_live_edition(write_files: Write) -> None:
    handbook = read(write_files({"README.md": "Text.", "b/a.md": "Text."}))

    (edition,) = handbook.editions
    assert (edition.name, edition.effective, files(edition), handbook.flat) == (
        "live",
        None,
        ["README.md", "b/a.md"],
        True,
    )


def test_digests_follow_bytes_and_sidecars(write_files: Write) -> None:
    one = read(write_files({"a.md": "Text.", "b.md": "Text."})).editions[0].files
    other = read(write_files({"b.md.meta.toml": 'id = "b"'})).editions[0].files

    assert one[0].digest == one[1].digest == other[0].digest != other[1].digest


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("2026-13-01", '^2026-13-01: no such day as "2026-13-01" in the folder name; allowed: .*fix: rename it'),
        ("2026-02-30", "no such day"),
        ("2026-1-1", 'the folder name "2026-1-1" looks like a date; .*fix: rename it to 2026-01-01'),
        ("2026_01_01", "fix: rename it to 2026-01-01"),
        ("2026-01-01 (copy)", "looks like a date; .*fix: rename it, or move it out"),
        ("2026-01-01-draft", "looks like a date"),
        ("01-07-2026", "looks like a date"),
        ("2026-01-01@2026-99-01", "no such day"),
        ("2026-01-01@soon", "looks like a date"),
    ],
)
def test_an_impossible_folder_name(write_files: Write, name: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(write_files({"2026-01-01/a.md": "Text.", f"{name}/a.md": "Text."}))


def test_two_editions_of_one_date_are_a_whole_one_and_its_corrections(write_files: Write) -> None:
    names = ["2026-07-01", "2026-07-01@2026-09-14", "2026-07-01@2026-10-01", "2026-01-01"]
    handbook = read(write_files({f"{name}/a.md": "Text." for name in names}))

    assert [(e.name, e.base) for e in handbook.editions] == [
        ("2026-01-01", None),
        ("2026-07-01", None),
        ("2026-07-01@2026-09-14", "2026-07-01"),
        ("2026-07-01@2026-10-01", "2026-07-01"),
    ]
    assert handbook.editions[2].recorded_at == parse_instant("2026-09-14", "UTC", end_of_day=False)


def test_a_correction_is_recorded_at_the_start_of_the_day_of_the_time_zone(write_files: Write) -> None:
    root = write_files({"2026-07-01/a.md": "Text.", "2026-07-01@2026-09-14/a.md": "Text."})

    correction = read(root, timezone="Asia/Tokyo").editions[1]

    assert correction.recorded_at == parse_instant("2026-09-13T15:00:00Z", "UTC", end_of_day=False)


def test_a_correction_between_editions_belongs_to_the_one_in_force(write_files: Write) -> None:
    handbook = read(
        write_files({f"{name}/a.md": "Text." for name in ("2026-01-01", "2026-07-01", "2026-03-01@2026-09-14")})
    )

    assert [(e.name, e.base) for e in handbook.editions][1] == ("2026-03-01@2026-09-14", "2026-01-01")


def test_a_correction_of_nothing(write_files: Write) -> None:
    with pytest.raises(
        SourceError, match=r"2026-03-01@2026-09-14: a correction of no edition; allowed: .*2026-03-01 or earlier"
    ):
        read(write_files({"2026-07-01/a.md": "Text.", "2026-03-01@2026-09-14/a.md": "Text."}))


# edition.toml


def test_an_edition_file(write_files: Write) -> None:
    toml = 'recorded_at = 2026-02-01T09:00:00+01:00\nbase = "2026-01-01"\nremoved = ["b.md"]\n'
    handbook = read(write_files({"2026-01-01/b.md": "Text.", "2026-03-01/edition.toml": toml}))

    edition = handbook.editions[1]
    assert (edition.base, edition.removed, edition.files) == ("2026-01-01", ("b.md",), ())
    assert edition.recorded_at == parse_instant("2026-02-01T08:00:00Z", "UTC", end_of_day=False)
    assert not handbook.notes


@pytest.mark.parametrize("written", ["2026-02-01", '"2026-02-01"', '"1 February 2026"', "2026-02-01T00:00:00Z"])
def test_recorded_at_in_each_form(write_files: Write, written: str) -> None:
    root = write_files({"2026-01-01/a.md": "Text.", "2026-01-01/edition.toml": f"recorded_at = {written}"})

    assert read(root).editions[0].recorded_at == parse_instant("2026-02-01", "UTC", end_of_day=False)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("base = ", r"2026-03-01/edition.toml: not valid TOML"),
        ('basis = "2026-01-01"', 'unknown key "basis"; allowed: recorded_at, base, removed; fix: did you mean "base"'),
        ("base = 5", "base is not the name of an edition"),
        (
            'base = "2026-01-02"',
            'base "2026-01-02" is no earlier edition; allowed: 2026-01-01; fix: did you mean "2026-01-01"',
        ),
        ('base = "2026-03-01"', "is no earlier edition"),
        ('base = "2026-07-01"', "is no earlier edition"),
        ('removed = ["b.md"]', "removed without base"),
        ('base = "2026-01-01"\nremoved = "b.md"', "removed is not a list of ids"),
        ('base = "2026-01-01"\nremoved = ["a.md"]', "removed names a.md, which the folder holds"),
        ("recorded_at = 5", "recorded_at is not a date"),
        ("recorded_at = 09:30:00", "recorded_at is not a date"),
        ("recorded_at = 2026-02-01T09:00:00", "edition.toml: recorded_at: .* has no zone"),
        ('recorded_at = "01/07/2026"', "month first"),
        ("recorded_at = 2026-12-01", r"recorded_at 2026-12-01T00:00:00Z is in the future; allowed: up to now"),
    ],
)
def test_a_faulty_edition_file(write_files: Write, toml: str, message: str) -> None:
    names = ["2026-01-01/a.md", "2026-03-01/a.md", "2026-07-01/a.md"]
    root = write_files({**dict.fromkeys(names, "Text."), "2026-03-01/edition.toml": toml})

    with pytest.raises(SourceError, match=message):
        read(root)


def test_an_edition_file_that_is_no_text(write_files: Write) -> None:
    root = write_files({"2026-01-01/a.md": "Text."})
    (root / "2026-01-01/edition.toml").mkdir()

    with pytest.raises(SourceError, match=r"edition.toml: cannot be read"):
        read(root)


def test_two_recorded_dates_contradict(write_files: Write) -> None:
    root = write_files({"2026-01-01/a.md": "Text.", "2026-01-01@2026-02-01/a.md": "Text."})
    (root / "2026-01-01@2026-02-01/edition.toml").write_text("recorded_at = 2026-02-02")

    with pytest.raises(DateError, match=r"is not the day in the folder's name .*fix: keep one of both"):
        read(root)


def test_a_correction_from_the_future(write_files: Write) -> None:
    root = write_files({"2026-01-01/a.md": "Text.", "2026-01-01@2027-02-01/a.md": "Text."})

    with pytest.raises(DateError, match=r"^2026-01-01@2027-02-01: recorded_at .* is in the future"):
        read(root)


# Beside the files that are read


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("~$seats.docx", "hidden-skipped", "Word's mark that a file is open, so it is skipped"),
        ("._seats.docx", "hidden-skipped", "hidden, so it is skipped"),
        ("seats.DOC", "unread-document", ".doc is not read, so it is skipped; save it as .docx"),
        ("fees.xlsx", "unread-document", ".xlsx is not read, .*; save it as .pdf, or copy its tables into a .docx"),
        ("notes.txt", "unread-document", ".txt is not read, so it is skipped; save it as .md"),
        ("logo.svg", "not-read", "neither Markdown, HTML, DOCX nor PDF, so it is skipped"),
    ],
)
def test_a_file_that_is_skipped_is_named(write_files: Write, name: str, code: str, message: str) -> None:
    handbook = read(write_files({"2026-01-01/a.md": "Text.", f"2026-01-01/{name}": "Text."}))

    [note] = handbook.notes
    assert (note.code, note.where) == (code, f"2026-01-01/{name}")
    assert re.fullmatch(message, note.message)
    assert files(handbook.editions[0]) == ["a.md"]


def test_every_format_is_found_and_twins_are_named(write_files: Write) -> None:
    names = ["a.md", "b.html", "c.docx", "d.PDF", "d.markdown", "sub/a.pdf", "e.md", "e.mdx"]
    handbook = read(write_files({f"2026-01-01/{name}": "Text." for name in names}))

    assert files(handbook.editions[0]) == sorted(names)
    [note] = handbook.notes
    assert (note.code, note.where) == ("same-name", "2026-01-01/d.PDF")
    assert note.message == "beside d.markdown: each is a document of its own; keep one if they are one text"


# A root that cannot be read


def test_a_missing_root(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere: no such folder"):
        read(tmp_path / "nowhere")


def test_a_root_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")

    with pytest.raises(SourceError, match=r"a.md: not a folder"):
        read(tmp_path / "a.md")


def test_a_root_that_links_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    with pytest.raises(SourceError, match=r"loop: no such folder"):
        read(tmp_path / "loop")


def test_a_root_without_markdown(write_files: Write) -> None:
    with pytest.raises(
        SourceError, match=r"no file to read in this folder; allowed: Markdown \(\.md, .*, PDF \(\.pdf\); fix: put such"
    ):
        read(write_files({"a.txt": "Text.", ".hidden.md": "Text."}))


def test_an_empty_edition_folder(write_files: Write) -> None:
    root = write_files({"2026-01-01/a.md": "Text."})
    (root / "2026-03-01").mkdir()

    with pytest.raises(
        SourceError, match=r"2026-03-01: an edition without a file to read; allowed: .*; fix: remove the folder, or say"
    ):
        read(root)


def test_editions_one_level_further_down(write_files: Write) -> None:
    with pytest.raises(SourceError, match=r"the dated folders are further down; fix: index .*/policies$"):
        read(write_files({"policies/2026-01-01/a.md": "Text.", "policies/2025-01-01/a.md": "Text."}))


def test_dated_folders_somewhere_in_a_flat_handbook_are_documents(write_files: Write) -> None:
    handbook = read(write_files({"a.md": "Text.", "minutes/2026-01-01/a.md": "Text."}))

    assert files(handbook.editions[0]) == ["a.md", "minutes/2026-01-01/a.md"]


def test_a_folder_that_cannot_be_listed(write_files: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_files({"2026-01-01/a/a.md": "Text."})
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "a":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)

    with pytest.raises(SourceError, match=r"2026-01-01/a/: cannot be read \(Permission denied\)"):
        read(root)


def test_an_unknown_time_zone(write_files: Write) -> None:
    with pytest.raises(ConfigError, match='unknown time zone "Mars"'):
        read(write_files({"a.md": "Text."}), timezone="Mars")


# Files at fault are refused by name, the others are read


def test_a_file_that_is_too_large(write_files: Write) -> None:
    handbook = read(write_files({"2026-01-01/a.md": "Text.", "2026-01-01/b.md": "x" * 10_001}))

    assert files(handbook.editions[0]) == ["a.md"]
    assert "2026-01-01/b.md: 10,001 bytes; allowed: up to 10,000; fix: split" in refused(handbook)["b.md"]


def test_a_file_that_cannot_be_opened(write_files: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_files({"2026-01-01/a.md": "Text.", "2026-01-01/b.md": "Text."})
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "b.md":
            raise PermissionError(13, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)

    assert refused(read(root)) == {"b.md": "2026-01-01/b.md: cannot be read (Permission denied)"}


def test_links_to_files(write_files: Write, tmp_path: Path) -> None:
    root = write_files({"2026-01-01/a.md": "Text."})
    (tmp_path / "secret.md").write_text("Secret.")
    links = {
        "in.md": root / "2026-01-01/a.md",
        "out.md": tmp_path / "secret.md",
        "gone.md": root / "gone",
        "loop.md": root / "2026-01-01/loop.md",
    }
    for name, target in links.items():
        (root / "2026-01-01" / name).symlink_to(target)

    handbook = read(root)

    assert files(handbook.editions[0]) == ["a.md", "in.md"]
    assert "out.md: a link to a file outside of the handbook; fix: copy" in refused(handbook)["out.md"]
    assert "cannot be read (No such file" in refused(handbook)["gone.md"]
    assert "cannot be read (Too many levels" in refused(handbook)["loop.md"]


def test_a_sidecar_that_leads_outside(write_files: Write, tmp_path: Path) -> None:
    root = write_files({"2026-01-01/a.md": "Text.", "2026-01-01/b.md": "Text."})
    (tmp_path / "secret.toml").write_text('id = "secret"')
    (root / "2026-01-01/b.md.meta.toml").symlink_to(tmp_path / "secret.toml")

    assert "b.md.meta.toml: a link to a file outside" in refused(read(root))["b.md"]


def test_links_to_folders_are_entered_once(write_files: Write) -> None:
    root = write_files({"2026-01-01/a.md": "Text.", "shared/common.md": "Text."})
    for name, target in {
        "shared": root / "shared",
        "again": root / "shared",
        "up": root,
        "self": root / "2026-01-01",
    }.items():
        (root / "2026-01-01" / name).symlink_to(target)

    handbook = read(root)

    assert files(handbook.editions[0]) == ["a.md", "again/common.md"]
    skipped = {("link-skipped", f"2026-01-01/{name}") for name in ("shared", "up", "self")}
    assert notes(handbook) == skipped | {("outside-editions", "shared")}


def test_a_link_to_a_folder_outside_of_the_root(write_files: Write, tmp_path: Path) -> None:
    root = write_files({"2026-01-01/a.md": "Text."})
    (root / "2026-01-01/out").symlink_to(tmp_path)

    with pytest.raises(SourceError, match=r"2026-01-01/out: a link to a folder outside of the handbook; fix: copy"):
        read(root)


def test_an_edition_that_is_a_link_out_of_the_root(write_files: Write, tmp_path: Path) -> None:
    root = write_files({"2026-01-01/a.md": "Text."})
    (root / "2026-03-01").symlink_to(tmp_path)

    with pytest.raises(SourceError, match=r"2026-03-01: an edition folder that is a link out of the handbook"):
        read(root)


def test_a_pipe_under_a_markdown_name_is_not_waited_for(write_files: Write) -> None:
    root = write_files({"2026-01-01/a.md": "Text."})
    os.mkfifo(root / "2026-01-01/b.md")

    assert refused(read(root)) == {
        "b.md": "2026-01-01/b.md: not a regular file; fix: remove it, or replace it by a file"
    }


@pytest.mark.parametrize("name", ["a#b.md", "a\nb.md", "a\x1b[31m.md", "a\u2028b.md"])
def test_a_name_that_no_address_can_hold(write_files: Write, name: str) -> None:
    handbook = read(write_files({"2026-01-01/a.md": "Text.", f"2026-01-01/{name}": "Text."}))

    assert files(handbook.editions[0]) == ["a.md"]
    assert "a name with # or control characters; fix: rename" in next(iter(refused(handbook).values()))


@pytest.mark.parametrize(
    ("name", "where"),
    [("a\nb.md", r"a\nb.md"), ("a\u2028b.md", r"a\u2028b.md"), ("a\u202eb.md", r"a\u202eb.md")],
    ids=["line end", "line separator", "right to left"],
)
def test_a_name_cannot_write_lines_of_a_report(write_files: Write, name: str, where: str) -> None:
    handbook = read(write_files({"good.md": "Text.", name: "Text."}))

    assert refused(handbook) == {where: f"{where}: a name with # or control characters; fix: rename the file"}


def test_a_name_of_bytes_that_are_no_text(write_files: Write) -> None:
    root = write_files({"2026-01-01/a.md": "Text."})
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/2026-01-01/\xff.md")).write_text("Text.")
    except OSError:
        pytest.skip("this file system takes only names that are text")

    ((relative, message),) = refused(read(root)).items()
    assert (relative, message.encode()[:20]) == ("\\xff.md", b"2026-01-01/\\xff.md: ")


@pytest.mark.parametrize(
    "name", ["a b (1) 'x' %20.md", "änderung.md", "日本語.md", "-rf.md", "a" * 200 + ".md", "a.md.md"]
)
def test_other_odd_names_are_read(write_files: Write, name: str) -> None:
    assert files(read(write_files({f"2026-01-01/{name}": "Text."})).editions[0]) == [name]


def test_names_are_composed_the_same_on_every_machine(write_files: Write) -> None:
    decomposed = unicodedata.normalize("NFD", "änderung.md")

    assert files(read(write_files({f"2026-01-01/{decomposed}": "Text."})).editions[0]) == ["änderung.md"]


def test_one_name_in_two_spellings_of_its_letters(write_files: Write) -> None:
    names = [unicodedata.normalize(form, "2026-01-01/änderung.md") for form in ("NFC", "NFD")]
    handbook = read(write_files({**dict.fromkeys(names, "Text."), "2026-01-01/b.md": "Text."}))
    if len(list((handbook.root / "2026-01-01").iterdir())) < 3:
        pytest.skip("this file system takes both for one")

    assert files(handbook.editions[0]) == ["b.md"]
    assert [refusal.relative for refusal in handbook.editions[0].refused] == ["änderung.md"] * 2
    assert "a second file has the same name" in refused(handbook)["änderung.md"]


def test_names_that_differ_in_case_alone_are_noted(write_files: Write) -> None:
    handbook = read(write_files({"2026-01-01/Fees.md": "Text.", "2026-01-01/fees.md": "Text."}))
    if len(handbook.editions[0].files) < 2:
        pytest.skip("this file system takes both for one")

    (note,) = handbook.notes
    assert (note.code, note.message) == ("case-collision", "Fees.md, fees.md differ in case alone: one file on macOS")


@pytest.mark.parametrize("name", ["2026-01-01/a.md", "a.md"])
def test_our_own_files_are_not_worth_a_word(write_files: Write, name: str) -> None:
    assert read(write_files(dict.fromkeys([name, "caveat.toml", ".caveat/notes.md"], "Text."))).notes == ()


def test_hidden_files_and_lone_sidecars_are_named(write_files: Write) -> None:
    names = [
        ".git/a.md",
        "2026-01-01/a.md",
        "2026-01-01/.draft.md",
        "2026-01-01/.obsidian/a.md",
        "2026-01-01/b.md.meta.toml",
    ]
    handbook = read(write_files(dict.fromkeys(names, "Text.")))

    assert notes(handbook) == {
        ("outside-editions", ".git"),
        ("hidden-skipped", "2026-01-01/.draft.md"),
        ("hidden-skipped", "2026-01-01/.obsidian"),
        ("sidecar-alone", "2026-01-01/b.md.meta.toml"),
    }
