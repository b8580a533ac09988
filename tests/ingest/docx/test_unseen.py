"""Words of a Word file that nobody sees are left out as hidden text; alternatives that no Word knows are not chosen."""

import time

import pytest

from ingest.docx.reader import read_docx
from ingest.errors import SourceError
from ingest.settings import IngestSettings
from tests.ingest.docx.conftest import docx, p, parts, r, read, relations, said, style, tbl, tc, tr, zipped

W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
NO_FILL = f"<w14:textFill {W14}><w14:noFill/></w14:textFill>"
OUTLINE = f"<w14:textOutline {W14}><w14:solidFill/></w14:textOutline>"
LOW = '<w:trHeight w:val="1" w:hRule="exact"/>'
TABLE_STYLE = style("T", '<w:rPr><w:color w:val="FFFFFF"/></w:rPr>', kind="table")


def box(css: str) -> str:
    inside = f"<v:textbox><w:txbxContent>{p('secret')}</w:txbxContent></v:textbox>"
    return p(f'<w:r><w:pict><v:shape style="{css}">{inside}</v:shape></w:pict></w:r>')


@pytest.mark.parametrize(
    "body",
    [
        p(r("secret", '<w:sz w:val="2"/>')),
        p(r("secret", '<w:w w:val="1"/>')),
        p(r("secret", "<w:specVanish/>")),
        p(r("secret", '<w:position w:val="-3000"/>')),
        p(r("secret", '<w:color w:val="F0F0F0"/>')),
        p(r("secret", '<w:color w:val="FF0000"/><w:highlight w:val="red"/>')),
        p(r("secret", '<w:color w:val="0A0000"/><w:shd w:val="clear" w:fill="000000"/>')),
        p(r("secret", '<w:color w:val="FFFFFF"/><w:shd w:val="solid" w:color="FFFFFF" w:fill="000000"/>')),
        p(r("secret", '<w:color w:val="000000" w:themeColor="background1"/>')),
        p(r("secret", NO_FILL)),
        p("secret", props='<w:spacing w:line="1" w:lineRule="exact"/>'),
        p("secret", props='<w:ind w:left="-30000"/>'),
        p("secret", props='<w:framePr w:x="-20000" w:y="1"/>'),
        f"<w:tbl>{tr(tc('secret'), props='<w:hidden/>')}</w:tbl>",
        f"<w:tbl>{tr(tc('secret'), props=LOW)}</w:tbl>",
        tbl([tc(p(r("secret", '<w:color w:val="003366"/>')), '<w:shd w:val="clear" w:fill="003366"/>')]),
        tbl(["secret"], props='<w:tblStyle w:val="T"/>'),
        box("visibility:hidden"),
        box("position:absolute;width:0;height:0"),
        box("position:absolute;left:-9999pt"),
    ],
    ids=[
        "size",
        "scale",
        "special",
        "position",
        "near white",
        "highlight",
        "shading",
        "solid",
        "theme",
        "no fill",
        "line",
        "indent",
        "frame",
        "row",
        "low row",
        "cell",
        "table style",
        "hidden box",
        "empty box",
        "far box",
    ],
)
def test_unseen_words_are_left_out_and_quoted(body: str) -> None:
    parsed = read(p("Seen.") + body, styles=TABLE_STYLE)
    assert said(parsed.blocks) == ["Seen."]
    assert [(one.reason, one.text) for one in parsed.dropped] == [("hidden text", "secret")]
    assert [one.message for one in parsed.remarks] == ['hidden text left out: "secret"']


@pytest.mark.parametrize(
    "run",
    [
        r("seen", '<w:sz w:val="12"/><w:w w:val="66%"/><w:position w:val="-6"/>'),
        r("seen", '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="auto" w:themeFill="accent1"/>'),
        r("seen", '<w:color w:val="FFFFFF" w:themeColor="text1"/>'),
        r("seen", '<w:color w:val="FFFFFF" w:themeColor="background1" w:themeShade="80"/>'),
        r("seen", '<w:color w:val="FFFFFF"/><w:shd w:val="pct50" w:color="000000" w:fill="FFFFFF"/>'),
        r("seen", '<w:color w:val="auto"/><w:highlight w:val="black"/>'),
        r("seen", NO_FILL + OUTLINE),
    ],
    ids=["small", "theme behind", "theme", "shaded theme", "pattern", "automatic", "outline"],
)
def test_what_can_be_read_is_kept(run: str) -> None:
    parsed = read(p(run, props='<w:ind w:left="-720"/><w:spacing w:line="240" w:lineRule="exact"/>'))
    assert (said(parsed.blocks), parsed.dropped) == (["seen"], ())


def test_the_theme_of_the_file_says_what_is_white() -> None:
    files = parts(p(r("seen", '<w:color w:val="FFFFFF" w:themeColor="background1"/>')))
    scheme = '<a:clrScheme name="x"><a:lt1><a:srgbClr val="202020"/></a:lt1></a:clrScheme>'
    space = "http://schemas.openxmlformats.org/drawingml/2006/main"
    files["word/theme.xml"] = f'<a:theme xmlns:a="{space}"><a:themeElements>{scheme}</a:themeElements></a:theme>'
    files["word/_rels/document.xml.rels"] = relations(("t", "theme", "theme.xml"))
    assert said(read_docx(zipped(files), IngestSettings(), "a.docx").blocks) == ["seen"]


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        ('Requires="zz" xmlns:zz="http://schemas.microsoft.com/office/nope"', "fallback"),
        ('Requires="zz" xmlns:zz="http://schemas.openxmlformats.org/nope"', "fallback"),
        ("", "fallback"),
        ('Requires="wps"', "choice"),
        ('Requires="w14 wps" ' + W14, "choice"),
        ('Requires="am3d" xmlns:am3d="http://schemas.microsoft.com/office/drawing/2017/model3d"', "choice"),
    ],
    ids=["unknown", "made up", "none", "shape", "two", "model"],
)
def test_only_known_additions_are_chosen(choice: str, kept: str) -> None:
    inside = f"<mc:Choice {choice}>{p('choice')}</mc:Choice><mc:Fallback>{p('fallback')}</mc:Fallback>"
    assert said(read(f"<mc:AlternateContent>{inside}</mc:AlternateContent>").blocks) == [kept]


def test_many_deleted_paragraph_marks_are_merged_in_linear_time() -> None:
    mark = '<w:rPr><w:del w:id="1"/></w:rPr>'
    start = time.process_time()
    (block,) = read(p("a ", props=mark) * 20_000 + p("end")).blocks
    assert block.text.count("a ") == 20_000
    assert time.process_time() - start < 5


def test_a_comment_with_the_sign_of_an_end_is_refused_for_what_it_is() -> None:
    raw = docx(p("a"))
    with pytest.raises(SourceError, match="whose comment holds the sign of its end"):
        read_docx(raw[:-2] + b"\7\0a PK\5\6b", IngestSettings(), "a.docx")
