"""What of a Word file is kept, dropped and lost, measured against its raw XML; and time and memory on hostile ones."""

import time
from pathlib import Path

import pytest

from ingest.document import Document
from ingest.elements import Kind
from ingest.handbook.reading import FileReading, FileRequest, read_file
from tests.ingest.docx.conftest import HEADINGS, abstract, docx, level, listed, num, p, r, read, style, tbl, tc, tr

SHARED = Path(__file__).parents[4] / "shared" / "docs"


def whole(body: str, **others: str) -> FileReading:
    return read_file(FileRequest("a.docx", "a.docx", docx(body, **others)))


def gone(text: str) -> str:
    return f'<w:del w:id="1">{r(text, tag="delText")}</w:del>'


def test_source_lines_are_those_of_the_file_in_order() -> None:
    note = f'<w:footnote w:id="1">{p("Note.")}</w:footnote><w:footnote w:id="2">{p("More.")}</w:footnote>'
    body = p(["a", "w:tab/>b"][0], "<w:r><w:tab/><w:t>b</w:t></w:r>") + p("") + tbl(["c", p(gone("d"), "e")])
    parsed = read(body, footnotes=note, header=p("h"), comments=f'<w:comment w:id="0">{p("i")}</w:comment>')
    assert [(one.where, one.text) for one in parsed.source] == [
        ("paragraph 1", "a b"),
        ("paragraph 3", "c"),
        ("paragraph 4", "e"),
        ("paragraph 4", "d"),
        ("footnote 1", "Note."),
        ("footnote 2", "More."),
        ("header 1", "h"),
        ("comment 1", "i"),
    ]


FRACTION = (
    "<m:oMath><m:f><m:num><m:r><m:t>ab</m:t></m:r></m:num><m:den><m:r><m:t>cd</m:t></m:r></m:den></m:f></m:oMath>"
)
MERGED = tr(tc("EMEA", '<w:vMerge w:val="restart"/>'), "a") + tr(tc("", "<w:vMerge/>"), "b")


@pytest.mark.parametrize(
    ("body", "dropped"),
    [
        (p("un", gone("less"), "til noon"), {"deleted revision": 4}),
        (p("The fee is due", r(" never", "<w:vanish/>"), " at once."), {"hidden text": 5}),
        (tbl(["Role", "Limit"], ["Lead", "5"]), {}),
        (p("a * b * c_d_e [f](g) &lt;h&gt; `i` {#j} \\k"), {}),
        (f"<w:tbl>{MERGED}</w:tbl>", {}),
        (p("Fees", style="H1") + p("Fees", style="H1") + p("Fees"), {}),
        (p(FRACTION), {}),
    ],
    ids=["deleted", "hidden", "table", "markup", "merged", "equal lines", "equation"],
)
def test_nothing_is_lost_without_a_reason(body: str, dropped: dict[str, int]) -> None:
    loss = whole(body + p("The end."), styles=HEADINGS).loss
    assert (loss.lines, dict(loss.dropped)) == ((), dropped)


def test_words_in_an_element_that_nobody_knows_are_lost_and_named() -> None:
    strange = f'<x:frame xmlns:x="http://other.example/">{p("Unless waived.")}</x:frame>'
    (note,) = [one for one in whole(p("Fees are due.") + strange).document.notes if one.code == "lost-line"]
    assert (note.where, note.message) == ("a.docx, paragraph 2", "not in any section: Unless waived.")


def test_many_deletions_are_all_found_again() -> None:
    words = ["fees", "seats", "plans", "credits", "terms"]
    body = "".join(
        p(
            f"{words[n % 5]} of {words[n % 3]} and ",
            gone(f"{words[n % 4]} of {words[n % 2]}"),
            f" {words[n % 3]} are due",
        )
        for n in range(3000)
    )
    assert whole(body).loss.total.lost == 0


# Hostile files


def timed(body: str, **others: str) -> float:
    start = time.process_time()
    read(body, **others)
    return time.process_time() - start


def test_lists_deeper_than_any_do_not_go_on_for_ever() -> None:
    lists = "".join(abstract(n, level(0, "decimal", "%1.")) + num(n, n) for n in range(1, 2000))
    body = "".join(listed("a", num=n, props=f'<w:ind w:left="{n * 200}"/>') for n in range(1, 2000))
    assert max(one.level for one in read(body, numbering=lists).blocks) == 20


STYLES = "".join(style(f"S{n}", of=f"S{n + 1}") for n in range(3_000))
LEVELS = abstract(0, *[level(0, "decimal", "%1.")] * 2_000) + "".join(num(n, 0) for n in range(2_000))
LONG = abstract(0, level(0, "lowerRoman", "%1" * 127, start=32_000)) + num(1, 0)


@pytest.mark.parametrize(
    ("body", "others"),
    [
        (p(*["<w:r><w:t>a</w:t></w:r>"] * 20_000), {}),
        (p("a", props='<w:rPr><w:del w:id="1"/></w:rPr>') * 5_000, {}),
        ("".join(p("a", style=f"S{n}") for n in range(3_000)), {"styles": STYLES}),
        ("".join(listed("a", num=n) for n in range(2_000)), {"numbering": LEVELS}),
        (listed("a") * 3_000, {"numbering": LONG}),
        (tbl(*[["a", "b"]] * 3_000), {}),
        (p(*["<w:smartTag>"] * 60, "a", *["</w:smartTag>"] * 60) * 200, {}),
    ],
    ids=["runs", "deleted marks", "styles", "levels", "long marks", "rows", "wrappers"],
)
def test_no_file_takes_quadratic_time(body: str, others: dict[str, str]) -> None:
    assert timed(body, **others) < 5


# Real files


@pytest.fixture(scope="module")
def shared() -> dict[str, FileReading]:
    if not SHARED.is_dir():
        pytest.skip("the shared documents are not beside the project")
    files = sorted(SHARED.glob("*.docx"))
    return {file.stem: read_file(FileRequest(file.name, file.name, file.read_bytes())) for file in files}


def kinds(document: Document, kind: Kind) -> int:
    return sum(element.kind is kind for section in document.sections for element in section.elements)


def test_real_files_lose_nothing(shared: dict[str, FileReading]) -> None:
    assert {name: one.loss.total.lost for name, one in shared.items()} == dict.fromkeys(shared, 0)
    assert len(shared) == 3


def test_numbers_of_a_real_file_are_those_that_word_shows(shared: dict[str, FileReading]) -> None:
    sections = shared["docx_numbered_headings_lists"].document.sections
    assert [one.path[-1] for one in sections] == ["Chính sách bảo hành", "1. ĐỐI TƯỢNG ÁP DỤNG", "1. Glosario"]
    assert [kinds(shared["docx_numbered_headings_lists"].document, kind) for kind in (Kind.ITEM, Kind.TABLE)] == [7, 0]


def test_tables_of_alternative_clauses(shared: dict[str, FileReading]) -> None:
    document = shared["bonterms_playbook"].document
    assert kinds(document, Kind.TABLE) == 4
    assert "| Remove Limit on Sensitive Data | **Delete** Section 9.2(b) which reads:<br>“(b) will not" in document.text


def test_headings_of_an_exported_file(shared: dict[str, FileReading]) -> None:
    document = shared["tts_team_charter"].document
    assert document.title == "[Project name] team charter"
    titles = [one.title for one in document.sections if one.level == 2]
    assert titles[:3] == ["Our team", "Our rituals", "Our norms"]
