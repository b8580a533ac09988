"""Tracked changes as accepted, comments, alternatives and content controls."""

import pytest

from tests.ingest.docx.conftest import p, r, read, said, tbl, tc, tr

DELETED = '<w:rPr><w:del w:id="9"/></w:rPr>'


def ins(text: str) -> str:
    return f'<w:ins w:id="1" w:author="A">{r(text)}</w:ins>'


def gone(text: str) -> str:
    return f'<w:del w:id="2" w:author="A">{r(text, tag="delText")}</w:del>'


def dropped(body: str) -> list[tuple[str, str, str]]:
    return [(one.reason, one.where, one.text) for one in read(body).dropped]


def test_insertions_are_kept_and_deletions_are_not() -> None:
    body = p("A credit is paid", ins(" unless notice is late"), gone(" for ever"), ".") + p("Fees", gone("less"))
    parsed = read(body)
    assert said(parsed.blocks) == ["A credit is paid unless notice is late.", "Fees"]
    assert dropped(body) == [
        ("deleted revision", "paragraph 1", " for ever"),
        ("deleted revision", "paragraph 2", "less"),
    ]
    (remark,) = parsed.remarks
    assert (remark.code, remark.where) == ("tracked-changes", "")
    assert remark.message == "1 insertion kept, 2 deletions left out; accept or reject them in Word"


def test_a_deletion_in_an_insertion_is_gone() -> None:
    body = p("a", f'<w:ins w:id="1">{r("b")}{gone("c")}</w:ins>')
    assert said(read(body).blocks) == ["ab"]


def test_moved_text_stands_where_it_went() -> None:
    moved = f'<w:moveFrom w:id="1">{r("Moved.")}</w:moveFrom>', f'<w:moveTo w:id="2">{r("Moved.")}</w:moveTo>'
    parsed = read(p("a ", moved[0]) + p("b ", moved[1]))
    assert said(parsed.blocks) == ["a", "b Moved."]
    assert "1 insertion kept, 1 deletion" in parsed.remarks[0].message


def test_a_deleted_paragraph_mark_joins_what_is_left() -> None:
    body = (
        p("One ", props=DELETED) + p("two ", props=DELETED) + p("three", props='<w:outlineLvl w:val="0"/>') + p("four")
    )
    parsed = read(body)
    assert said(parsed.blocks) == ["# One two three", "four"]
    assert "0 insertions kept, 2 deletions" in parsed.remarks[0].message


def test_a_deleted_paragraph_leaves_nothing() -> None:
    body = p("a") + p(gone("b"), props=DELETED) + p("c")
    parsed = read(body)
    assert said(parsed.blocks) == ["a", "c"]
    assert "1 deletion left out" in parsed.remarks[0].message


def test_a_deleted_mark_before_a_table_or_the_end_of_a_cell_joins_nothing() -> None:
    body = p("a", props=DELETED) + tbl([p("b", props=DELETED), "c"], ["d", "e"])
    assert said(read(body).blocks) == ["a", "b | c / d | e"]


def test_deleted_rows_and_cells() -> None:
    rows = tr("a", "b") + tr("c", "d", props='<w:del w:id="1"/>') + tr("e", "f", props='<w:ins w:id="2"/>')
    rows += tr("g", tc("h", '<w:cellDel w:id="3"/>'), "i")
    body = f"<w:tbl>{rows}</w:tbl>"
    assert said(read(body).blocks) == ["a | b / e | f / g | i"]
    assert [text for *_, text in dropped(body)] == ["c", "d", "h"]


def test_a_table_of_deleted_rows_leaves_nothing() -> None:
    assert read("<w:tbl>" + tr("c", props='<w:del w:id="1"/>') + "</w:tbl>").blocks == ()


def test_changes_of_the_look_are_no_changes() -> None:
    old = '<w:pPrChange w:id="1"><w:pPr><w:pStyle w:val="H1"/></w:pPr></w:pPrChange>'
    assert (said(read(p("a", props=old)).blocks), read(p("a", props=old)).remarks) == (["a"], ())


def test_inserted_numbers_and_paragraph_marks_count_once() -> None:
    mark = '<w:numPr><w:ins w:id="3"/></w:numPr><w:rPr><w:ins w:id="4"/></w:rPr>'
    assert "1 insertion kept" in read(p(ins("a"), props=mark)).remarks[0].message
    assert "1 insertion kept" in read(p("a", props=mark)).remarks[0].message


def test_comments_headers_and_footers_are_left_out() -> None:
    comment = f'<w:comment w:id="0">{p("Really?")}</w:comment><w:comment w:id="1">{p("Yes.")}</w:comment>'
    parsed = read(p("a"), comments=comment, header=p("Quillhaven"), footer=p("Page 1"))
    assert said(parsed.blocks) == ["a"]
    assert [(one.reason, one.where, one.text) for one in parsed.dropped] == [
        ("header", "header 1", "Quillhaven"),
        ("footer", "footer 1", "Page 1"),
        ("comment", "comment 1", "Really?"),
        ("comment", "comment 2", "Yes."),
    ]


# Alternatives


def alternatives(requires: str) -> str:
    return (
        f'<mc:AlternateContent xmlns:x="http://other.example/"><mc:Choice Requires="{requires}">{r("new")}</mc:Choice>'
        f"<mc:Fallback>{r('old')}</mc:Fallback></mc:AlternateContent>"
    )


@pytest.mark.parametrize(
    ("requires", "kept", "left"), [("wps", "new", "old"), ("x", "old", "new"), ("?", "old", "new")]
)
def test_of_alternatives_one_is_read(requires: str, kept: str, left: str) -> None:
    body = p("a ", alternatives(requires))
    assert said(read(body).blocks) == [f"a {kept}"]
    assert dropped(body) == [("duplicate", "paragraph 1", left)]


def test_alternatives_in_alternatives() -> None:
    inner = alternatives("x")
    body = p(alternatives("wps").replace(r("new"), "{}").replace(r("old"), inner).format(inner))
    assert said(read(body).blocks) == ["old"]
    assert sorted(text for *_, text in dropped(body)) == ["new", "new", "old"]


# Content controls


def control(content: str, about: str = "") -> str:
    return f"<w:sdt><w:sdtPr>{about}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (control(p("a") + p("b")) + p("c"), ["a", "b", "c"]),
        (p("a ", control(r("b")), " c"), ["a b c"]),
        (control(control(p("a"))), ["a"]),
        (f"<w:tbl>{control(tr('a', 'b'))}<w:tr>{tc('c')}{control(tc('d'))}</w:tr></w:tbl>", ["a | b / c | d"]),
        (f"<w:tbl>{tr(tc(control(p('a'))), 'b')}{tr('c', 'd')}</w:tbl>", ["a | b / c | d"]),
        (f"<w:customXml>{p('a')}</w:customXml>", ["a"]),
    ],
    ids=["blocks", "run", "nested", "row and cell", "in a cell", "custom XML"],
)
def test_content_controls_are_seen_through(body: str, expected: list[str]) -> None:
    assert said(read(body).blocks) == expected


def test_placeholders_are_kept_as_the_page_shows_them_and_said() -> None:
    parsed = read(p("Notice within ", control(r("[number]"), "<w:showingPlcHdr/>"), " days."))
    assert said(parsed.blocks) == ["Notice within [number] days."]
    assert parsed.remarks[0].message == "1 content control still shows its placeholder text; fill them in"
