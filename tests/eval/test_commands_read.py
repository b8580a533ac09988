"""`caveat read FILE`: one file as an index run would read it."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import eval.inspecting
from eval import render_read
from eval.inspecting import inspect_file
from eval.paint import Paint
from ingest.handbook.reading import FileReading, FileRequest, read_file
from ingest.loss import Loss, LostLine, Tally
from ingest.settings import IngestSettings
from tests.eval.conftest import Caveat

CHAPTER = """\
---
effective_from: 2026-01-01
---
Who reads this: everybody.

# 4 Seats

Effective January 2, 2026.

## 4.2 Downgrades

Notwithstanding 4.1, and subject to Section 9:

(a) in writing; and

(b) in time.

Table 4.2 - Credits

| Plan | Credit |
|---|---|
| Team | 5 USD [^tax] |

[^tax]: Before tax.
"""
SHOWN = """\
hb/2026-07-01/04.md: Markdown, 3 sections
Title     Seats
In force  since 2026-01-01, by its front matter (hb/2026-07-01/04.md)
          also says 2026-07-01, by the name of its edition folder (2026-07-01)
          also says 2026-01-02, by its text (hb/2026-07-01/04.md:8)

Outline
  letters  items  tables  links
       21      -       -      -  (before the first heading)
       27      -       -      -  4 Seats
      116      2       1      2    4.2 Downgrades

Tables
  Table 4.2 - Credits: 2 rows x 2 columns, in 4.2 Downgrades

Links
  4.2 Downgrades: limits 4.1
  4.2 Downgrades: on the condition of 9

Footnotes
  [tax] in 4.2 Downgrades: Before tax.

Remarks
  the folder 2026-07-01: states 2026-07-01; the date in hb/2026-07-01/04.md, 2026-01-01 is used [date-differs]
  hb/2026-07-01/04.md:8: states 2026-01-02; the date in hb/2026-07-01/04.md, 2026-01-01 is used [date-differs]

Letters and digits
  164  in the file
  164  kept (100.0%)
    0  left out on purpose
    0  lost
"""


@pytest.fixture
def chapter(write_files: Callable[[Mapping[str, str], str], Path]) -> str:
    """Its path from the current folder."""
    write_files({"2026-07-01/04.md": CHAPTER}, "hb")
    return "hb/2026-07-01/04.md"


def test_everything_in_a_file_is_shown(caveat: Caveat, chapter: str) -> None:
    done = caveat("read", chapter)
    assert (done.status, done.err) == (0, "")
    assert done.out == SHOWN


def test_no_state_folder_is_made(caveat: Caveat, chapter: str, tmp_path: Path) -> None:
    caveat("read", chapter)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["caveat.toml", "hb"]


def test_text_prints_what_is_indexed(caveat: Caveat, chapter: str) -> None:
    done = caveat("read", chapter, "--text")
    assert done.out == CHAPTER.split("---\n", 2)[2]


def test_json_holds_everything(caveat: Caveat, chapter: str) -> None:
    values = caveat("read", chapter, "--json").values
    assert values["effective_from"] == "2026-01-01"
    assert [date["rank"] for date in values["dates"]] == ["front-matter", "edition", "text"]
    assert [section["section"] for section in values["sections"]] == [None, "4", "4.2"]
    assert values["tables"][0]["rows"] == [["Team", "5 USD [^tax]"]]
    assert values["links"][0] == {
        "from": "4.2 Downgrades",
        "relation": "limits",
        "limiter": "self",
        "target": "4.1",
        "phrase": "Notwithstanding 4.1",
    }
    assert values["loss"]["lines"] == []
    assert values["text"].startswith("Who reads this")


def test_every_key_of_the_json_is_documented(caveat: Caveat, chapter: str, root: Path) -> None:
    page = (root / "docs" / "json.md").read_text(encoding="utf-8")
    told = page.split("## caveat read --json")[1].split("\n## ")[0]
    values = caveat("read", chapter, "--json").values
    keys = {*values, *values["loss"], *(key for name in ("sections", "tables", "links") for key in values[name][0])}
    assert {key for key in keys if f"`{key}`" not in told} == set()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("none.md", "none.md: cannot be read (No such file or directory)"),
        (".", ".: a folder; allowed: one file; fix: caveat index reads a whole folder"),
        ("caveat.toml", "caveat.toml: not a format that is read; allowed: Markdown (.md, .markdown, .mdx), HTML ("),
        ("empty.md", "empty.md: the file is empty; fix: remove it, or write its text"),
        ("pipe.md", "pipe.md: not a regular file; fix: replace it by a file"),
        ("large.md", "large.md: 50,000,001 bytes; allowed: up to 50,000,000; fix: raise max_file_bytes in caveat.toml"),
    ],
    ids=["missing", "folder", "format", "empty", "pipe", "large"],
)
def test_a_file_that_is_refused_is_one_line_and_2(caveat: Caveat, tmp_path: Path, name: str, line: str) -> None:
    (tmp_path / "empty.md").touch()
    os.mkfifo(tmp_path / "pipe.md")
    with (tmp_path / "large.md").open("wb") as large:
        large.truncate(50_000_001)
    done = caveat("read", name)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"caveat: {line}")
    assert done.err.count("\n") == 1


def test_a_sidecar_counts(caveat: Caveat, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# 1 Fees\n\nFive.\n", encoding="utf-8")
    (tmp_path / "a.md.meta.toml").write_text("effective_from = 2026-03-01\n", encoding="utf-8")
    assert "since 2026-03-01, by its sidecar (a.md.meta.toml)" in caveat("read", "a.md").out


def test_no_control_character_reaches_the_terminal(caveat: Caveat, tmp_path: Path) -> None:
    text = "# 1 A\x1b[31m\n\nSee 2.1\x1b]0;x\x07.\n\nTable 1 - \x1b[2J\n\n| a\x1b |\n|---|\n| b |\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "b.md").write_text("---\neffective_from: '\x1b[2J'\n---\n# 1 A\n\nB.\n", encoding="utf-8")
    shown = caveat("read", "a.md").out + caveat("read", "a.md", "--text").out + caveat("read", "b.md").err
    assert [sign for sign in shown if sign < " " and sign != "\n"] == []


@pytest.fixture
def lossy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that loses two lines of page 2."""
    lines = (LostLine("page 2", "All of it", ("All", "of", "it")), LostLine("page 2", "Most of it, not all", ("not",)))
    places = (Tally("page 1", 100, 100, 0, 0), Tally("page 2", 999, 970, 19, 10))

    def read(request: FileRequest) -> FileReading:
        return FileReading(read_file(request).document, Loss(places, {"page number": 19}, lines), "PDF", 2)

    monkeypatch.setattr(eval.inspecting, "read_apart", read)


@pytest.mark.usefixtures("lossy")
def test_a_lost_line_is_listed_and_1(caveat: Caveat, chapter: str) -> None:
    done = caveat("read", chapter)
    assert done.status == 1
    assert (
        done.out.split("Letters and digits\n")[1]
        == """\
  1,099  in the file
  1,070  kept (97.3%)
     19  left out on purpose: page number 19
     10  lost

Lost: 2 lines with words that stand in no section
  page 2: 10 of 999 letters and digits
  page 2: All of it
  page 2: Most of it, not all (missing: not)
"""
    )


@pytest.mark.usefixtures("lossy")
def test_pages_are_shown_where_there_are_some(tmp_path: Path, chapter: str) -> None:
    shown = render_read.reading(inspect_file(tmp_path / chapter, IngestSettings()), Paint(on=False))
    assert ": PDF, 2 pages, 3 sections\n" in shown
    assert "  page  letters  items" in shown
