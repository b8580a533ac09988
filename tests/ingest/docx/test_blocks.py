"""Headings, lists, tables of contents, text boxes: what paragraphs are."""

import pytest

from ingest.docx.reader import read_docx
from ingest.elements import Kind
from ingest.loss import measure
from ingest.settings import IngestSettings
from tests.ingest.docx.conftest import (
    HEADINGS,
    SPACES,
    abstract,
    level,
    listed,
    num,
    p,
    parts,
    r,
    read,
    relations,
    said,
    style,
    tbl,
    text_of,
    zipped,
)

NUMBERING = (
    abstract(0, level(0, "decimal", "%1."), level(1, "lowerLetter", "(%2)"), level(2, "lowerRoman", "(%3)"))
    + abstract(1, level(0, "bullet", "o"), level(1, "bullet", "o"))
    + abstract(2, level(0, "decimal", "%1."), level(1, "decimal", "%1.%2"))
    + num(1, 0)
    + num(2, 1)
    + num(3, 2)
)


def shape(body: str, styles: str = HEADINGS) -> list[str]:
    return said(read(body, styles=styles, numbering=NUMBERING).blocks)


def indented(text: str, left: int) -> str:
    return p(text, props=f'<w:ind w:left="{left}"/>')


def bold(text: str, ilvl: int = 0, num: int = 3) -> str:
    return listed(text, ilvl, num).replace("<w:r>", "<w:r><w:rPr><w:b/></w:rPr>")


# Headings


@pytest.mark.parametrize(
    ("paragraph", "styles", "expected"),
    [
        (p("Fees", style="H2"), HEADINGS, "## Fees"),
        (p("Fees", style="berschrift3"), style("heading 3", identity="berschrift3"), "### Fees"),
        (p("Fees", style="A"), style("A", '<w:pPr><w:outlineLvl w:val="3"/></w:pPr>'), "#### Fees"),
        (p("Fees", style="B"), style("heading 1", identity="H1") + style("B", of="H1"), "# Fees"),
        (p("Fees", props='<w:outlineLvl w:val="0"/>'), "", "# Fees"),
        (p("Fees", style="H1", props='<w:outlineLvl w:val="9"/>'), HEADINGS, "**Fees**"),
        (p("Fees", style="B"), HEADINGS + style("B", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>', of="H1"), "**Fees**"),
        (p("Fees", style="none"), HEADINGS, "Fees"),
        (p("Fees<", style="H1").replace("Fees<", "Fees &lt;b>"), HEADINGS, "# Fees &lt;b&gt;"),
    ],
    ids=["name", "other language", "outline", "based on", "direct", "direct body", "body style", "unknown", "escaped"],
)
def test_headings(paragraph: str, styles: str, expected: str) -> None:
    assert said(read(paragraph, styles=styles).blocks) == [expected]


TITLE = style("Title")


def test_a_title_is_level_1_and_the_headings_lie_below_it() -> None:
    body = (
        p("Seat", style="Title") + p("policy", style="Title") + p("Fees", style="H1") + p("Late", style="H2") + p("a")
    )
    assert shape(body, HEADINGS + TITLE) == ["# Seat\npolicy", "## Fees", "### Late", "a"]
    assert text_of(body, styles=HEADINGS + TITLE).startswith("# Seat policy\n")


def test_without_a_title_levels_stay() -> None:
    assert shape(p("Fees", style="H1") + p("a")) == ["# Fees", "a"]


def test_a_heading_that_is_a_whole_clause_keeps_its_number_and_its_lead() -> None:
    clause = "The customer pays each invoice within thirty days. " * 6
    numbering = abstract(0, level(0, "decimal", "%1.")) + num(1, 0)
    plain = style("heading 1", identity="H1")
    lead = r("Payment.", "<w:u w:val='single'/>")
    body = listed(clause, style="H1") + p(lead, clause, style="H1", props='<w:numPr><w:numId w:val="1"/></w:numPr>')
    body += p(clause, style="H1")
    found = said(read(body, styles=plain, numbering=numbering).blocks)
    assert found == ["# 1.", clause.strip(), "# 2. Payment.", clause.strip(), clause.strip()]


def test_a_number_without_a_title_is_a_heading_only_if_it_has_a_word() -> None:
    articles = abstract(0, level(0, "upperRoman", "Article %1"), level(1, "decimal", "%2")) + num(1, 0)
    body = listed("", style="H1") + p(r("Fees", "<w:b/>")) + listed("", 1, style="H1") + p("a")
    found = said(read(body, styles=HEADINGS, numbering=articles).blocks)
    assert found == ["# Article I", "**Fees**", "a"]


@pytest.mark.parametrize(
    ("bookmarks", "link", "expected"),
    [
        (("late-fees",), "", "late-fees"),
        (("_Ref1", "OLE_LINK3"), "", None),
        (("_Toc1", "_Ref1"), "_Ref1", "_Ref1"),
        (("a b",), "", None),
    ],
    ids=["named", "by Word", "linked", "no id"],
)
def test_a_bookmark_on_a_heading_is_its_id(bookmarks: tuple[str, ...], link: str, expected: str | None) -> None:
    marks = "".join(f'<w:bookmarkStart w:id="1" w:name="{name}"/>' for name in bookmarks)
    other = p(f'<w:hyperlink w:anchor="{link}">{r("see")}</w:hyperlink>') if link else ""
    for body in (p(marks, "Fees", style="H1"), marks + p("Fees", style="H1")):
        assert read(body + other, styles=HEADINGS).blocks[0].explicit_id == expected


# Lists


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (listed("a") + listed("b", 1) + listed("c", 2) + listed("d"), ["1. a", "  (a) b", "    (i) c", "2. d"]),
        (listed("a", 1), ["(a) a"]),
        (listed("a") + listed("b", 2), ["1. a", "  (i) b"]),
        (listed("a") + p("b") + listed("c"), ["1. a", "b", "2. c"]),
        (listed("a") + listed("b", 1) + p("b") + listed("c", 1), ["1. a", "  (a) b", "  b", "  (b) c"]),
        (listed("a") + listed("b", 1) + p("b") + listed("c"), ["1. a", "  (a) b", "b", "2. c"]),
        (listed("a") + p("H", style="H1") + listed("b", 1), ["1. a", "# H", "(a) b"]),
    ],
    ids=["nested", "without parent", "skipped", "resumed", "resumed below", "not resumed below", "heading between"],
)
def test_depths(body: str, expected: list[str]) -> None:
    assert shape(body) == expected


def test_another_list_lies_in_an_item_if_it_is_indented_more() -> None:
    def at(text: str, number: int, left: int) -> str:
        return listed(text, 0, number, f'<w:ind w:left="{left}" w:hanging="360"/>')

    nested = at("a", 1, 360) + at("b", 2, 720) + at("c", 2, 720) + at("d", 1, 360)
    assert shape(nested) == ["1. a", "  - b", "  - c", "2. d"]
    assert shape(at("a", 1, 720) + at("b", 2, 720)) == ["1. a", "- b"]


def test_indented_paragraphs_lie_in_the_item_above() -> None:
    items = listed("a", props='<w:ind w:left="720" w:hanging="360"/>'), listed("d", props='<w:ind w:left="720"/>')
    body = p("before") + p("more") + items[0] + indented("b", 720) + indented("c", 700) + items[1] + p("after")
    assert shape(body) == ["before", "more", "1. a", "  b", "  c", "2. d", "after"]


def test_body_text_that_is_always_indented_lies_in_no_item() -> None:
    body = indented("a", 720) + indented("b", 720) + listed("c", props='<w:ind w:left="720"/>') + indented("d", 720)
    assert shape(body) == ["a", "b", "1. c", "d"]


def test_list_continue_names_its_depth() -> None:
    styles = style("List Continue", identity="C1") + style("List Continue 2", identity="C2")
    body = listed("a") + listed("b", 1) + p("c", style="C2") + p("d", style="C1") + listed("e")
    assert shape(body, styles) == ["1. a", "  (a) b", "    c", "  d", "2. e"]


def test_items_that_are_bold_titles_with_text_below_are_headings() -> None:
    body = (
        p("Terms", style="H1") + bold("Fees") + p("Fees are due.") + bold("Late", 1) + p("Late fees.") + bold("Seats")
    )
    assert shape(body + p("Seats are counted.")) == [
        "# Terms",
        "## 1. Fees",
        "Fees are due.",
        "### 1.1 Late",
        "Late fees.",
        "## 2. Seats",
        "Seats are counted.",
    ]


def test_so_are_titles_in_capitals_below_a_title() -> None:
    body = p("Terms", style="Title") + listed("FEES", num=3) + p("They are due.") + listed("SEATS", num=3) + p("a")
    assert shape(body, TITLE) == ["# Terms", "## 1. FEES", "They are due.", "## 2. SEATS", "a"]


@pytest.mark.parametrize(
    "body",
    [
        bold("Fees") + bold("Seats") + bold("Plans") + p("a"),
        bold("Fees") + p("a") + listed("not bold", num=3) + p("b"),
        bold("Fees are due.") + p("a"),
        bold("Fees", 1, 1) + p("a"),
    ],
    ids=["names", "not all", "sentence", "letters"],
)
def test_other_bold_items_are_items(body: str) -> None:
    assert not [one for one in read(body, numbering=NUMBERING).blocks if one.kind is Kind.HEADING]


def test_typed_ordinals_stay_in_their_paragraphs() -> None:
    assert shape(p("(a)<w:tab/>").replace("(a)<w:tab/>", "(a) the request") + p("(b) the answer")) == [
        "(a) the request",
        "(b) the answer",
    ]


def test_code_is_kept_as_it_stands() -> None:
    styles = style("HTML Preformatted", identity="Code")
    body = p("<w:r><w:t>a * b</w:t><w:br/><w:t>c</w:t></w:r>", style="Code") + p("  d", style="Code") + p("e")
    (code, _) = read(body, styles=styles).blocks
    assert (code.kind, code.text) == (Kind.CODE, "a * b\nc\n  d")


# Tables of contents

TOC = style("toc 1", identity="T1") + style("TOC Heading", identity="TH", of="H1")


def test_a_table_of_contents_in_a_content_control_is_left_out() -> None:
    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    control = f"<w:sdt><w:sdtPr>{gallery}</w:sdtPr><w:sdtContent>{p('Contents')}{p('1 Fees 3')}</w:sdtContent></w:sdt>"
    parsed = read(control + p("Fees", style="H1"), styles=HEADINGS)
    assert said(parsed.blocks) == ["# Fees"]
    assert [(one.reason, one.text) for one in parsed.dropped] == [
        ("table of contents", "Contents"),
        ("table of contents", "1 Fees 3"),
    ]


@pytest.mark.parametrize("code", ["TOC \\o", 'TOC \\c "Figure"', "INDEX \\e", "TOA"])
def test_a_table_of_contents_in_a_field_is_left_out(code: str) -> None:
    begin = f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>'
    begin += '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    body = p("Contents", style="TH") + p(begin, "1 Fees 3") + p("2 Seats 4") + p("3 Plans", end, "After") + p("a")
    parsed = read(body, styles=HEADINGS + TOC)
    assert said(parsed.blocks) == ["After", "a"]
    assert {one.reason for one in parsed.dropped} == {"table of contents"}


def test_a_table_of_contents_by_its_styles_goes_with_its_title_and_no_other_title() -> None:
    body = p("Contents", style="TH") + p("1 Fees 3", style="T1") + p("Changes", style="TH") + p("a")
    assert shape(body, HEADINGS + TOC) == ["# Changes", "a"]


# Text boxes, shapes, embedded parts


def box(content: str, fill: str = "") -> str:
    inside = f"{fill}<wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx>"
    return f"<w:r><w:drawing><wps:wsp>{inside}</wps:wsp></w:drawing></w:r>"


def pict(content: str, shape: str = "v:shape") -> str:
    name = shape.partition(" ")[0]
    return (
        f"<w:r><w:pict><{shape}><v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox></{name}></w:pict></w:r>"
    )


def test_text_boxes_stand_after_their_paragraph() -> None:
    body = p("a", box(p("b") + tbl(["c", "d"], ["e", "f"])), " g", pict(p("h"))) + p("i")
    assert said(read(body).blocks) == ["a g", "b", "c | d / e | f", "h", "i"]


def test_a_text_box_in_both_forms_is_read_once() -> None:
    both = f'<mc:Choice Requires="wps">{box(p("b"))}</mc:Choice><mc:Fallback>{pict(p("b"))}</mc:Fallback>'
    both = f"<mc:AlternateContent>{both}</mc:AlternateContent>"
    parsed = read(p("a", both))
    assert said(parsed.blocks) == ["a", "b"]
    assert [(one.reason, one.text) for one in parsed.dropped] == [("duplicate", "b")]


def test_text_boxes_in_text_boxes_and_cells() -> None:
    assert said(read(p("a", box(p("b", box(p("c")))))).blocks) == ["a", "b", "c"]
    assert said(read(tbl([p("a", box(p("b"))), "c"], ["d", "e"])).blocks) == ["a\nb | c / d | e"]


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (box(p(r("white", '<w:color w:val="FFFFFF"/>'))), False),
        (box(p(r("white", '<w:color w:val="FFFFFF"/>')), "<wps:spPr><a:noFill/></wps:spPr>"), False),
        (
            box(
                p(r("white", '<w:color w:val="FFFFFF"/>')),
                '<wps:spPr><a:solidFill><a:srgbClr val="1F3864"/></a:solidFill></wps:spPr>',
            ),
            True,
        ),
        (
            box(
                p(r("white", '<w:color w:val="FFFFFF"/>')),
                '<wps:spPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill></wps:spPr>',
            ),
            False,
        ),
        (box(p(r("white", '<w:color w:val="FFFFFF"/>')), '<wps:style><a:fillRef idx="1"/></wps:style>'), True),
        (pict(p(r("white", '<w:color w:val="FFFFFF"/>'))), False),
        (pict(p(r("white", '<w:color w:val="FFFFFF"/>')), 'v:rect fillcolor="#1f3864 [1608]"'), True),
        (pict(p(r("white", '<w:color w:val="FFFFFF"/>')), 'v:rect fillcolor="#1f3864" filled="f"'), False),
    ],
    ids=["none", "no fill", "dark", "white", "by style", "vml", "vml dark", "vml not filled"],
)
def test_white_words_in_a_box_are_shown_on_a_fill(content: str, shown: bool) -> None:
    assert said(read(p("a", content)).blocks) == (["a", "white"] if shown else ["a"])


def test_words_drawn_in_shapes_are_kept() -> None:
    drawn = "<w:r><w:drawing><a:p><a:r><a:t>Lead </a:t></a:r><a:r><a:t>approves</a:t></a:r></a:p></w:drawing></w:r>"
    assert said(read(p("a", drawn)).blocks) == ["a", "Lead approves"]


def test_diagrams_are_read_and_charts_and_objects_are_said() -> None:
    pictures = '<dgm:relIds r:dm="d1"/><c:chart r:id="c1"/>'
    files = parts(
        p(
            "a",
            f"<w:r><w:drawing>{pictures}</w:drawing><w:object><o:OLEObject ProgID='Excel.Sheet.12'/></w:object></w:r>",
        )
    )
    files["word/_rels/document.xml.rels"] = relations(("d1", "diagramData", "diagrams/data1.xml"))
    files["word/diagrams/data1.xml"] = (
        f"<dgm:dataModel {SPACES}><a:p><a:r><a:t>Ask Finance</a:t></a:r></a:p></dgm:dataModel>"
    )
    parsed = read_docx(zipped(files), IngestSettings(), "a.docx")
    assert said(parsed.blocks) == ["a", "Ask Finance"]
    assert [one.text for one in parsed.source] == ["a", "Ask Finance"]
    assert sorted(one.message for one in parsed.remarks) == [
        "a chart is not read; put its figures in a table",
        "an embedded Excel.Sheet.12 is not read",
    ]


def test_an_embedded_file_is_said_and_counts_as_lost() -> None:
    files = parts(p("Fees are due.") + '<w:altChunk r:id="x"/>')
    files["word/_rels/document.xml.rels"] = relations(("x", "aFChunk", "chunk.html"))
    files["word/chunk.html"] = "<p>Unless waived.</p>"
    parsed = read_docx(zipped(files), IngestSettings(), "a.docx")
    assert [one.code for one in parsed.remarks] == ["embedded-part"]
    lines = measure(parsed.source, [one.text for one in parsed.blocks], parsed.dropped).lines
    assert [one.text for one in lines] == ["embedded file word/chunk.html"]


def test_a_large_first_letter_belongs_to_its_paragraph() -> None:
    body = p("T", props='<w:framePr w:dropCap="drop"/>') + p("he customer pays.") + p("A", props="<w:framePr/>")
    assert said(read(body).blocks) == ["The customer pays.", "A"]
